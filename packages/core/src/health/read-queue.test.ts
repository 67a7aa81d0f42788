import { setImmediate as tick, setTimeout as wait } from "node:timers/promises"
import fc from "fast-check"
import { expect, test } from "vitest"
import { createReadQueue, type Turn } from "./read-queue.ts"

interface Item {
  readonly person: string
  readonly name: string | undefined
  readonly weight: number
}
type Turns = readonly Turn<Item>[]

const item = (person: string, name: string | undefined = undefined, weight = 1): Item => ({ person, name, weight })

/** A queue whose calls end when they are told to. */
function watched() {
  const calls: { turns: Turns; end: (results?: readonly string[]) => void; fail: (error: Error) => void }[] = []
  const queue = createReadQueue(
    (turns: Turns) =>
      new Promise<readonly string[]>((resolve, reject) => {
        const whole = turns.map(({ item: { person, name } }) => `${person} ${name}`)
        calls.push({ turns, end: (results = whole) => resolve(results), fail: reject })
      }),
  )
  return { calls, ask: (each: Item) => queue(each, () => each) }
}

test("equal ones of a moment are one turn, and each gets to know which of them it is", async () => {
  const { calls, ask } = watched()
  const asked = [ask(item("ada", "week")), ask(item("ada", "month")), ask(item("ada", "week")), ask(item("ada"))]
  const alone = ask(item("ada"))
  await tick()
  expect(calls[0]?.turns.map(({ item: { name }, times }) => [name, times])).toEqual([
    ["week", 2],
    ["month", 1],
    [undefined, 1],
    [undefined, 1],
  ])
  calls[0]?.end()
  expect((await Promise.all(asked)).map(({ result, nth }) => [result, nth])).toEqual([
    ["ada week", 0],
    ["ada month", 0],
    ["ada week", 1],
    ["ada undefined", 0],
  ])
  await alone
})

test("what is asked for is made only for the first of equal ones", async () => {
  let made = 0
  const queue = createReadQueue(async (turns: Turns) => turns.map(({ times }) => times))
  const one = item("ada", "week")
  const ask = () =>
    queue(one, () => {
      made += 1
      return one
    })
  expect((await Promise.all([ask(), ask(), ask()])).map(({ result }) => result)).toEqual([3, 3, 3])
  expect(made).toBe(1)
})

test("one person is in one call at a time, others do not wait for them", async () => {
  const { calls, ask } = watched()
  const first = ask(item("ada", "week"))
  await tick()
  const second = ask(item("ada", "week"))
  const other = ask(item("bea", "week"))
  await tick()
  expect(calls.map(({ turns }) => turns.map(({ item: { person } }) => person))).toEqual([["ada"], ["bea"]])
  calls[0]?.end()
  await first
  await tick()
  expect(calls[2]?.turns).toMatchObject([{ item: { person: "ada" }, times: 1 }])
  calls[1]?.end()
  calls[2]?.end()
  await Promise.all([second, other])
})

test("a failed call fails those in it, and the next one runs", async () => {
  const { calls, ask } = watched()
  const failed = Promise.allSettled([ask(item("ada", "week")), ask(item("ada", "week")), ask(item("bea"))])
  await tick()
  calls[0]?.fail(new Error("broken"))
  expect((await failed).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"])
  const again = ask(item("ada", "week"))
  await tick()
  calls[1]?.end([])
  await expect(again).rejects.toThrow("too few results")
})

test("a few calls run at a time, and one that takes long keeps nobody from theirs", async () => {
  const { calls, ask } = watched()
  const beganAt = performance.now()
  const asked = []
  for (const person of ["ada", "bea", "cleo", "dora"]) {
    asked.push(ask(item(person)))
    await tick()
  }
  await expect.poll(() => calls.at(-1)?.turns, { interval: 2 }).toMatchObject([{ item: { person: "dora" } }])
  expect(performance.now() - beganAt).toBeGreaterThan(45)
  for (const { end } of calls) end()
  await Promise.all(asked)
})

test("who has waited long for a call of theirs that fails is told with it, and who has just come gets another", async () => {
  const { calls, ask } = watched()
  const first = Promise.allSettled([ask(item("ada", "week"))])
  await tick()
  const long = Promise.allSettled([ask(item("ada", "week"))])
  await wait(150)
  const late = ask(item("ada", "month"))
  calls[0]?.fail(new Error("gone"))
  expect((await Promise.all([first, long])).flat().map(({ status }) => status)).toEqual(["rejected", "rejected"])
  await tick()
  expect(calls[1]?.turns).toMatchObject([{ item: { name: "month" }, times: 1 }])
  calls[1]?.end()
  expect((await late).result).toBe("ada month")
})

test("however many ask for whatever, each is answered once, and nobody is in two calls", async () => {
  const people = fc.constantFrom("ada", "bea", "cleo", "dora", "eva", "fay", "gia")
  const names = fc.option(fc.constantFrom("week", "month", "year"), { nil: undefined })
  const asks = fc.array(fc.tuple(people, names, fc.integer({ min: 1, max: 8 }), fc.nat(3)), { maxLength: 120 })
  await fc.assert(
    fc.asyncProperty(asks, async (each) => {
      const running = new Map<string, number>()
      const queue = createReadQueue(async (turns: Turns) => {
        const inCall = new Set(turns.map(({ item: { person } }) => person))
        for (const person of inCall) {
          expect(running.get(person)).toBeUndefined()
          running.set(person, 1)
        }
        await wait(1)
        for (const person of inCall) running.delete(person)
        return turns.map(({ item: { person, name }, times }) => ({ person, name, times }))
      })
      const shares = await Promise.all(
        each.map(async ([person, name, weight, delay]) => {
          if (delay > 0) await wait(delay)
          const one = item(person, name, weight)
          const { result, nth } = await queue(one, () => one)
          expect(result).toMatchObject({ person, name })
          return { result, nth }
        }),
      )
      const turns = new Set(shares.map(({ result }) => result))
      for (const turn of turns) {
        const nths = shares.filter(({ result }) => result === turn).map(({ nth }) => nth)
        expect(nths.toSorted((one, other) => one - other)).toEqual(Array.from({ length: turn.times }, (_, nth) => nth))
      }
    }),
    { numRuns: 30 },
  )
})
