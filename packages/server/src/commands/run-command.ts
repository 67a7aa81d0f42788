import { setImmediate } from "node:timers/promises"
import { describeFailure } from "./command-database.ts"
import { Interrupted, takeStopSignal } from "./stop-signals.ts"

const LONGEST_DRAIN_MS = 30_000

export interface RunOptions {
  /** For the service: nobody sees its faults but the operator who reads the log. */
  readonly printsStack?: boolean
}

/** Runs a command, which ends soon after the signal aborts. An error is printed, and the process exits with 1. */
export async function runCommand(
  command: (signal: AbortSignal) => Promise<void>,
  { printsStack = process.env["LOG_LEVEL"] === "debug" }: RunOptions = {},
): Promise<void> {
  // A signal that came during the import is handled now.
  await setImmediate()
  const signal = takeStopSignal()
  signal.addEventListener("abort", limitDrain, { once: true })
  try {
    await command(signal)
  } catch (error) {
    // Started parts are stopped. A step that was interrupted may still be going on, and ends with the process.
    if (error instanceof Interrupted) process.exit(0)
    process.stderr.write(`restwell: ${describeFailure(error, { withStack: printsStack })}\n`)
    process.exit(1)
  }
}

/** Waits for a signal or `fatal`, then drains. A second signal ends the process at once. */
export async function untilStopped(
  drain: () => Promise<void>,
  fatal: Promise<never> = new Promise(() => {}),
): Promise<void> {
  const signal = takeStopSignal()
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  if (signal.aborted) stop()
  else signal.addEventListener("abort", () => stop(), { once: true })
  try {
    await Promise.race([stopped, fatal])
  } finally {
    limitDrain()
    await drain()
  }
}

function limitDrain(): void {
  setTimeout(() => process.exit(1), LONGEST_DRAIN_MS).unref()
}
