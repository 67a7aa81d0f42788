/** Aborted by Ctrl-C or SIGTERM: the benchmark ends with the round that it is in, and what it started ends with it. */
const interrupted = new AbortController()
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => interrupted.abort(new Error("interrupted")))

export const interruption = interrupted.signal
