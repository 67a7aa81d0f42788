interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/** Items of one call, unless the caller says otherwise: one slow call delays only so many. */
const LARGEST_BATCH = 64
/** A slower call waits for a lock or for a lost connection. Others then no longer wait for it, milliseconds. */
const SLOW_MS = 50
/** Slow calls that run beside another. */
const MOST_SLOW_CALLS = 3

/**
 * Runs one call at a time. Items that arrive meanwhile are the next call, so calls grow with the load.
 * @param run returns a result for each item, in their order
 */
export function batchCalls<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  largest = LARGEST_BATCH,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = []
  let calls = 0
  let slowCalls = 0

  const start = (): void => {
    while (waiting.length > 0 && calls === Math.min(slowCalls, MOST_SLOW_CALLS))
      void runCall(waiting.splice(0, largest))
  }

  const runCall = async (call: readonly Waiting<Item, Result>[]): Promise<void> => {
    calls += 1
    let isSlow = false
    const timer = setTimeout(() => {
      isSlow = true
      slowCalls += 1
      start()
    }, SLOW_MS)
    const [outcome] = await Promise.allSettled([run(call.map(({ item }) => item))])
    clearTimeout(timer)
    calls -= 1
    if (isSlow) slowCalls -= 1
    // Items that waited for a slow call would wait as long for the next one to fail.
    const failed = outcome.status === "rejected" && isSlow ? waiting.splice(0) : []
    // The next call runs while this one's results are handed out.
    start()
    for (const [index, { resolve, reject }] of [...call, ...failed].entries()) {
      const result = outcome.status === "fulfilled" ? outcome.value[index] : undefined
      if (outcome.status === "rejected") reject(outcome.reason)
      else if (result === undefined) reject(new Error(`a call for ${call.length} items returned too few results`))
      else resolve(result)
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      // Items of the same tick are one call.
      if (waiting.length === 1) setImmediate(start)
    })
}
