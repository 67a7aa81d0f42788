/** No batch is larger: one slow read delays only so many. */
const LARGEST_BATCH = 64

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/** Gathers the calls of one tick of the event loop and runs them as one; each caller gets the result of its own item. */
export function microBatch<Item, Result>(run: (items: readonly Item[]) => Promise<readonly Result[]>) {
  let waiting: Waiting<Item, Result>[] = []

  const flush = (): void => {
    const all = waiting
    waiting = []
    for (let start = 0; start < all.length; start += LARGEST_BATCH)
      void runBatch(all.slice(start, start + LARGEST_BATCH))
  }

  const runBatch = async (batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item))
      batch.forEach(({ resolve, reject }, index) => {
        const result = results[index]
        if (result === undefined) reject(new Error(`a batch of ${batch.length} got ${results.length} results`))
        else resolve(result)
      })
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (waiting.length === 1) setImmediate(flush)
    })
}
