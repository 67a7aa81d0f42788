/**
 * Runs `work` with a controller of its own that aborts, with the same reason, as soon as one of `signals` does.
 * Not `AbortSignal.any`: Node 20.0 to 20.2 and Safari before 17.4 lack it, and here a long-lived signal is let go of afterwards.
 */
export async function followingSignals<T>(
  signals: readonly (AbortSignal | undefined)[],
  work: (controller: AbortController) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const letGo = signals.map((signal) => follow(signal, controller))
  try {
    controller.signal.throwIfAborted()
    return await work(controller)
  } finally {
    for (const stop of letGo) stop()
  }
}

function follow(signal: AbortSignal | undefined, controller: AbortController): () => void {
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
