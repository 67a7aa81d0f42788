import { expect, test } from "vitest"
import { allEnded } from "./all-settled.ts"

test("gives what all gave, in their order", async () => {
  expect(await allEnded([Promise.resolve(1), Promise.resolve("two")])).toEqual([1, "two"])
})

test("fails only once nothing is under way", async () => {
  const slow = Promise.withResolvers<string>()
  let isOver = false
  const work = allEnded([Promise.reject(new Error("first")), slow.promise]).finally(() => {
    isOver = true
  })
  work.catch(() => {})
  await new Promise((resolve) => setImmediate(resolve))
  expect(isOver).toBe(false)
  slow.resolve("late")
  await expect(work).rejects.toThrow("first")
})
