import { setImmediate as tick, setTimeout as wait } from "node:timers/promises"
import fc from "fast-check"
import { expect, test } from "vitest"
import { batchCalls } from "./batch.ts"

/** Calls that end when the test ends them. */
function watched(largest?: number) {
  const calls: { items: readonly string[]; end: () => void; fail: (error: Error) => void }[] = []
  const call = batchCalls(
    (items: readonly string[]) =>
      new Promise<readonly string[]>((resolve, reject) => {
        calls.push({ items, end: () => resolve(items.map((item) => item.toUpperCase())), fail: reject })
      }),
    largest,
  )
  return { calls, call }
}

test("runs the items of one tick as one call, and gives each its own result", async () => {
  const { calls, call } = watched()
  const results = Promise.all(["a", "b", "c"].map(call))
  await tick()
  expect(calls.map(({ items }) => items)).toEqual([["a", "b", "c"]])
  calls[0]?.end()
  expect(await results).toEqual(["A", "B", "C"])
})

test("items that arrive while a call runs are the next call", async () => {
  const { calls, call } = watched()
  const first = call("a")
  await tick()
  const rest = Promise.all([call("b"), call("c")])
  await tick()
  expect(calls).toHaveLength(1)
  calls[0]?.end()
  await first
  expect(calls.map(({ items }) => items)).toEqual([["a"], ["b", "c"]])
  calls[1]?.end()
  expect(await rest).toEqual(["B", "C"])
})

test("a call has at most the largest number of items", async () => {
  const sizes: number[] = []
  const echo = batchCalls(async (items: readonly number[]) => {
    sizes.push(items.length)
    return items
  })
  const items = Array.from({ length: 150 }, (_, index) => index)
  expect(await Promise.all(items.map(echo))).toEqual(items)
  expect(sizes).toEqual([64, 64, 22])
})

test("a failed call fails its own items, and the next call runs", async () => {
  const { calls, call } = watched()
  const failed = Promise.allSettled([call("a"), call("b")])
  await tick()
  const next = call("c")
  calls[0]?.fail(new Error("broken"))
  expect((await failed).map(({ status }) => status)).toEqual(["rejected", "rejected"])
  calls[1]?.end()
  expect(await next).toBe("C")
})

test("items that waited for a slow call fail with it", async () => {
  const { calls, call } = watched(1)
  const outcomes = Promise.allSettled(["a", "b", "c", "d", "e"].map(call))
  await expect.poll(() => calls.length).toBe(4)
  await wait(60)
  calls[0]?.fail(new Error("gone"))
  for (const { end } of calls.slice(1)) end()
  expect((await outcomes).map(({ status }) => status)).toEqual([
    "rejected",
    "fulfilled",
    "fulfilled",
    "fulfilled",
    "rejected",
  ])
  expect(calls).toHaveLength(4)
})

test("a slow call does not keep others waiting", async () => {
  const { calls, call } = watched()
  const slow = call("a")
  await tick()
  const other = call("b")
  await expect.poll(() => calls.length, { interval: 5 }).toBe(2)
  calls[1]?.end()
  expect(await other).toBe("B")
  calls[0]?.end()
  expect(await slow).toBe("A")
})

test("a call that loses a result fails the caller instead of leaving it waiting", async () => {
  const lossy = batchCalls(async (items: readonly number[]) => items.slice(1))
  await expect(Promise.all([lossy(1), lossy(2)])).rejects.toThrow("2 items returned too few results")
})

test("every item gets its own result once, whatever arrives when", async () => {
  const delays = fc.array(fc.nat(3), { maxLength: 120 })
  await fc.assert(
    fc.asyncProperty(delays, async (each) => {
      const seen: number[] = []
      const echo = batchCalls(async (items: readonly number[]) => {
        seen.push(...items)
        await wait(1)
        return items
      }, 16)
      const results = await Promise.all(
        each.map(async (delay, index) => {
          if (delay > 0) await wait(delay)
          return echo(index)
        }),
      )
      expect(results).toEqual([...each.keys()])
      expect(seen.toSorted((one, other) => one - other)).toEqual([...each.keys()])
    }),
    { numRuns: 30 },
  )
})
