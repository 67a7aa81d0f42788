/** Resolves once the browser has nothing else to do. Not every browser has idle times. */
export const untilIdle = (): Promise<void> =>
  new Promise((resolve) => {
    if ("requestIdleCallback" in window) window.requestIdleCallback(() => resolve())
    else resolve()
  })
