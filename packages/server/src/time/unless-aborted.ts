/**
 * The result of a step, or a rejection with the signal's reason as soon as that aborts. The step itself goes on and nobody learns its result: for
 * processes that end then.
 */
export async function unlessAborted<Result>(step: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return await step
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener("abort", abort, { once: true })
  try {
    return await Promise.race([aborted, step])
  } finally {
    signal.removeEventListener("abort", abort)
  }
}
