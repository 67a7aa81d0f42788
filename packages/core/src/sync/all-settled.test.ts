import { expect, test } from "vitest"
import { allSettled } from "./fetched.ts"

test("returns all results in order", async () => {
  expect(await allSettled([Promise.resolve(1), Promise.resolve("two")])).toEqual([1, "two"])
})

test("fails only after all promises have settled", async () => {
  const slow = Promise.withResolvers<string>()
  let isDone = false
  const work = allSettled([Promise.reject(new Error("first")), slow.promise]).finally(() => {
    isDone = true
  })
  work.catch(() => {})
  await new Promise((resolve) => setImmediate(resolve))
  expect(isDone).toBe(false)
  slow.resolve("late")
  await expect(work).rejects.toThrow("first")
})
