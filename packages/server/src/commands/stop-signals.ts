/**
 * The signals that stop a command. The program imports this first: a signal that comes while the rest is being imported ends the process at
 * once, because nothing was started.
 */

/** Of `kill` and systemd, of Ctrl-C, of a terminal that is closed, and of Ctrl-\\. */
const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const

const stopping = new AbortController()
let isCommandRunning = false

/** A signal stopped the command before it was done. */
export class Interrupted extends Error {
  override readonly name = "Interrupted"
}

/** Aborts at the first signal. A second one ends the process at once; the guard of the embedded PostgreSQL stops that. */
export function takeStopSignal(): AbortSignal {
  isCommandRunning = true
  return stopping.signal
}

for (const name of SIGNALS)
  process.on(name, () => {
    if (!isCommandRunning) process.exit(0)
    if (stopping.signal.aborted) process.exit(1)
    stopping.abort(new Interrupted(`stopped by ${name}`))
  })
