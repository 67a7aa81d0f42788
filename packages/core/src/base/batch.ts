interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/** Items of one call, unless the caller says otherwise: one slow call delays no more. */
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

interface WaitingLimit {
  readonly most: number
  /** The error for work that would be one more. */
  readonly refuse: () => Error
}

/**
 * Runs at most `most` pieces of an owner's work at a time. The owner's others wait in their order, and other owners wait for none of them.
 * @param waiting how many may wait. @default any number
 */
export function limitOfEach(
  most: number,
  waiting?: WaitingLimit,
): <Result>(owner: string, work: () => Promise<Result>) => Promise<Result> {
  const owners = new Map<string, { running: number; readonly waiting: (() => void)[] }>()
  return async (owner, work) => {
    const own = owners.getOrInsertComputed(owner, () => ({ running: 0, waiting: [] }))
    if (own.running < most) own.running += 1
    else if (waiting && own.waiting.length >= waiting.most) throw waiting.refuse()
    else await new Promise<void>((resolve) => own.waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = own.waiting.shift()
      // The next one takes the place of this one.
      if (next) next()
      else own.running -= 1
      if (own.running === 0) owners.delete(owner)
    }
  }
}

/** Runs work one at a time. Owners take turns, so one with much work delays another by one piece of it. */
interface Turns {
  run<Result>(owner: string, work: () => Promise<Result>): Promise<Result>
  /** Pieces of work that wait or run. */
  readonly count: number
}

export function takeTurns(): Turns {
  // A Map lists its keys in the order in which they were added: the first one is next.
  const waiting = new Map<string, (() => Promise<void>)[]>()
  let isRunning = false
  let count = 0

  const runAll = async (): Promise<void> => {
    isRunning = true
    for (let next = waiting.entries().next(); !next.done; next = waiting.entries().next()) {
      const [owner, [work, ...others]] = next.value
      waiting.delete(owner)
      if (others.length > 0) waiting.set(owner, others)
      await work?.()
      count -= 1
    }
    isRunning = false
  }

  return {
    get count() {
      return count
    },
    run: (owner, work) =>
      new Promise((resolve, reject) => {
        count += 1
        waiting.set(owner, [...(waiting.get(owner) ?? []), () => work().then(resolve, reject)])
        if (!isRunning) void runAll()
      }),
  }
}
