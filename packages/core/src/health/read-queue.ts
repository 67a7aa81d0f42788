/** Who asks, and for what. */
export interface Asked {
  /** Whose: of one person one call runs at a time, since a second would wait for the first's lock in the database. */
  readonly person: string
  /** What is asked for under the same name at the same moment is taken once, for all who ask; undefined shares with nobody. */
  readonly name: string | undefined
}

export interface Weighed {
  /** How much work it is; a call takes up to `LARGEST_CALL` of it. */
  readonly weight: number
}

/** What one of those who asked for the same gets. */
export interface Share<Result> {
  readonly result: Result
  /** Which of them this is, from 0. */
  readonly nth: number
}

/** A thing that waits, and for how many. */
export interface Turn<Item> {
  readonly item: Item
  readonly times: number
}

interface Waiter<Result> {
  readonly resolve: (share: Share<Result>) => void
  readonly reject: (error: unknown) => void
}

interface Waiting<Item, Result> extends Asked {
  readonly item: Item
  /** When the first of those who ask for it came, on the process's own clock. */
  readonly sinceMs: number
  readonly waiters: Waiter<Result>[]
}

/** No call is larger: one slow read delays only so many. */
const LARGEST_CALL = 64
/** What waits meanwhile is gathered into the next: larger calls cost the database less for each read. */
const CALLS_AT_A_TIME = 3
const PASSED_ON_TOGETHER = 8
/** A call that takes longer waits for a lock, or for a database that is gone: others no longer wait for it. */
const SLOW_MS = 50
/** Who has waited so long for a call of theirs that then fails is told with it: another would take as long again. */
const LONG_WAIT_MS = 100

/**
 * Gathers what is asked for in one tick of the event loop, and while earlier calls run, into few calls.
 * @param run gives a result for each turn, in their order
 * @returns asks; what is asked for is made only if nobody else waits for the same
 */
export function createReadQueue<Item extends Weighed, Result>(
  run: (turns: readonly Turn<Item>[]) => Promise<readonly Result[]>,
): (asked: Asked, itemOf: () => Item) => Promise<Share<Result>> {
  const waiting = new Map<string, Waiting<Item, Result>[]>()
  const busy = new Set<string>()
  let calls = 0
  let isFlushing = false

  const add = ({ person, name }: Asked, itemOf: () => Item, waiter: Waiter<Result>): void => {
    const ofPerson = waiting.get(person)
    const same = name === undefined ? undefined : ofPerson?.find((each) => each.name === name)
    if (same) {
      same.waiters.push(waiter)
      return
    }
    const one = { person, name, item: itemOf(), sinceMs: performance.now(), waiters: [waiter] }
    if (ofPerson) ofPerson.push(one)
    else waiting.set(person, [one])
    flushSoon()
  }

  const flushSoon = (): void => {
    if (isFlushing) return
    isFlushing = true
    setImmediate(flush)
  }

  const flush = (): void => {
    isFlushing = false
    while (calls < CALLS_AT_A_TIME) {
      const call = nextCall(waiting, busy)
      if (call.length === 0) return
      void runCall(call)
    }
  }

  const runCall = async (call: readonly Waiting<Item, Result>[]): Promise<void> => {
    const people = new Set(call.map(({ person }) => person))
    for (const person of people) busy.add(person)
    calls += 1
    let isCounted = true
    const endCounting = (): void => {
      if (isCounted) calls -= 1
      isCounted = false
    }
    const slow = setTimeout(() => {
      endCounting()
      flush()
    }, SLOW_MS)
    const results = await Promise.allSettled([run(call.map(({ item, waiters }) => ({ item, times: waiters.length })))])
    clearTimeout(slow)
    endCounting()
    for (const person of people) busy.delete(person)
    const told = results[0].status === "rejected" ? [...call, ...takeLongWaiting(waiting, people)] : call
    // The next call is on its way before this one's results are passed on, and runs meanwhile: what sends it waits for the next tick.
    flush()
    process.nextTick(settle, told, results[0])
  }

  return (asked, itemOf) => new Promise((resolve, reject) => add(asked, itemOf, { resolve, reject }))
}

/** Passes results on, a few at a time: who has got one asks again, and is heard before the last have got theirs. */
function settle<Item, Result>(
  call: readonly Waiting<Item, Result>[],
  results: PromiseSettledResult<readonly Result[]>,
): void {
  const shares = call.flatMap(({ waiters }, index) => {
    const result = results.status === "fulfilled" ? results.value[index] : undefined
    const problem = results.status === "rejected" ? results.reason : new Error("a call gave too few results")
    return waiters.map(
      ({ resolve, reject }, nth) =>
        () =>
          result === undefined ? reject(problem) : resolve({ result, nth }),
    )
  })
  const passOn = (from: number): void => {
    for (const share of shares.slice(from, from + PASSED_ON_TOGETHER)) share()
    if (from + PASSED_ON_TOGETHER < shares.length) setImmediate(passOn, from + PASSED_ON_TOGETHER)
  }
  passOn(0)
}

/** What people have waited for long. */
function takeLongWaiting<Item, Result>(
  waiting: Map<string, Waiting<Item, Result>[]>,
  people: ReadonlySet<string>,
): Waiting<Item, Result>[] {
  const latestMs = performance.now() - LONG_WAIT_MS
  return [...people].flatMap((person) => {
    const ofPerson = waiting.get(person) ?? []
    const rest = ofPerson.filter(({ sinceMs }) => sinceMs > latestMs)
    if (rest.length > 0) waiting.set(person, rest)
    else waiting.delete(person)
    return ofPerson.filter(({ sinceMs }) => sinceMs <= latestMs)
  })
}

/** Takes people whole, those who have waited longest first, until there is work enough for one call. */
function nextCall<Item extends Weighed, Result>(
  waiting: Map<string, Waiting<Item, Result>[]>,
  busy: ReadonlySet<string>,
): Waiting<Item, Result>[] {
  const call: Waiting<Item, Result>[] = []
  let weight = 0
  for (const [person, ofPerson] of waiting) {
    if (busy.has(person)) continue
    waiting.delete(person)
    call.push(...ofPerson)
    weight += ofPerson.reduce((sum, { item }) => sum + item.weight, 0)
    if (weight >= LARGEST_CALL) break
  }
  return call
}
