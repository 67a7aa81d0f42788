interface Waiting<Item, Result> {
  readonly item: Item
  readonly sinceMs: number
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/** Items of one call, unless the caller says otherwise: one slow call delays only so many. */
const LARGEST_BATCH = 64
/** A call that takes longer waits for a lock or for a lost connection. Others then stop waiting for it, milliseconds. */
const SLOW_MS = 50
/** Calls at the same time while slow ones are under way. */
const MOST_CALLS = 4
/** Items that have waited longer fail together with a call that fails: another try would take as long again, milliseconds. */
const LONG_WAIT_MS = 100

/**
 * Runs one call at a time. Items that arrive meanwhile are the next call, so the number of items of a call follows the load.
 * @param run returns a result for each item, in their order
 */
export function batchCalls<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  largest = LARGEST_BATCH,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = []
  let calls = 0
  let slowCalls = 0
  let isStarting = false

  const start = (): void => {
    isStarting = false
    while (waiting.length > 0 && calls <= slowCalls && calls < MOST_CALLS) {
      const batch = waiting.slice(0, largest)
      waiting = waiting.slice(largest)
      void runBatch(batch)
    }
  }

  const runBatch = async (batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    calls += 1
    let isSlow = false
    const timer = setTimeout(() => {
      isSlow = true
      slowCalls += 1
      start()
    }, SLOW_MS)
    const [outcome] = await Promise.allSettled([run(batch.map(({ item }) => item))])
    clearTimeout(timer)
    calls -= 1
    if (isSlow) slowCalls -= 1
    const failed = outcome.status === "rejected" ? [...batch, ...takeLongWaiting()] : []
    // The next call runs while this one's results are handed out.
    start()
    if (outcome.status === "fulfilled") handOut(batch, outcome.value)
    else for (const { reject } of failed) reject(outcome.reason)
  }

  const takeLongWaiting = (): Waiting<Item, Result>[] => {
    const latestMs = performance.now() - LONG_WAIT_MS
    const taken = waiting.filter(({ sinceMs }) => sinceMs <= latestMs)
    waiting = waiting.filter(({ sinceMs }) => sinceMs > latestMs)
    return taken
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, sinceMs: performance.now(), resolve, reject })
      if (isStarting || calls > slowCalls) return
      // Items of the same tick are one call.
      isStarting = true
      setImmediate(start)
    })
}

function handOut<Item, Result>(batch: readonly Waiting<Item, Result>[], results: readonly Result[]): void {
  for (const [index, { resolve, reject }] of batch.entries()) {
    const result = results[index]
    if (result === undefined) reject(new Error(`a call for ${batch.length} items returned ${results.length} results`))
    else resolve(result)
  }
}
