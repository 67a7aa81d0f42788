/** Aborted by Ctrl-C or SIGTERM: the benchmark then ends after the current round, and stops what it started. */
const interrupted = new AbortController()
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => interrupted.abort(new Error("interrupted")))

export const interruption = interrupted.signal
