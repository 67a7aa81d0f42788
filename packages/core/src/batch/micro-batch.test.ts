import { expect, test } from "vitest"
import { microBatch } from "./micro-batch.ts"

test("runs the calls of one tick together, and gives each its own result", async () => {
  const batches: number[][] = []
  const double = microBatch(async (items: readonly number[]) => {
    batches.push([...items])
    return items.map((item) => item * 2)
  })
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6])
  expect(await double(4)).toBe(8)
  expect(batches).toEqual([[1, 2, 3], [4]])
})

test("cuts a large tick into batches", async () => {
  const sizes: number[] = []
  const echo = microBatch(async (items: readonly number[]) => {
    sizes.push(items.length)
    return items
  })
  const items = Array.from({ length: 150 }, (_, index) => index)
  expect(await Promise.all(items.map(echo))).toEqual(items)
  expect(sizes).toEqual([64, 64, 22])
})

test("a failure reaches everyone in the batch, and the next batch runs", async () => {
  let isBroken = true
  const echo = microBatch(async (items: readonly number[]) => {
    if (isBroken) throw new Error("broken")
    return items
  })
  const results = await Promise.allSettled([echo(1), echo(2)])
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"])
  isBroken = false
  expect(await echo(3)).toBe(3)
})

test("a batch that loses a result fails its caller instead of leaving it waiting", async () => {
  const lossy = microBatch(async (items: readonly number[]) => items.slice(1))
  await expect(Promise.all([lossy(1), lossy(2)])).rejects.toThrow("2 got 1")
})
