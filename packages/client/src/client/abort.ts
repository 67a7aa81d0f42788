/**
 * Runs `work` with a controller that aborts with the reason of the first of `signals` to abort.
 * `AbortSignal.any` would not do: Node 20.0 to 20.2 and Safari before 17.4 lack it.
 */
export async function withSignals<T>(
  signals: readonly (AbortSignal | undefined)[],
  work: (controller: AbortController) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const unsubscribes = signals.map((signal) => forwardAbort(signal, controller))
  try {
    controller.signal.throwIfAborted()
    return await work(controller)
  } finally {
    for (const unsubscribe of unsubscribes) unsubscribe()
  }
}

function forwardAbort(signal: AbortSignal | undefined, controller: AbortController): () => void {
  const abort = () => controller.abort(signal?.reason)
  if (signal?.aborted) abort()
  signal?.addEventListener("abort", abort)
  return () => signal?.removeEventListener("abort", abort)
}

/** Waits; rejects with the signal's reason as soon as it aborts. */
export function abortableDelay(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop)
      resolve()
    }, milliseconds)
    if (signal.aborted) stop()
    else signal.addEventListener("abort", stop, { once: true })
  })
}
