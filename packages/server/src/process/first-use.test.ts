import { expect, test } from "vitest"
import { onFirstUse } from "./idle-memory.ts"

test("makes it at the first use, once for all uses", async () => {
  let made = 0
  const use = onFirstUse(async () => {
    made += 1
    return made
  })
  expect(made).toBe(0)
  expect(await Promise.all([use(), use()])).toEqual([1, 1])
  expect(await use()).toBe(1)
})

test("tries again after a failure", async () => {
  const outcomes = [Promise.reject(new Error("the database is away")), Promise.resolve("made")]
  const use = onFirstUse(async () => outcomes.shift())
  await expect(use()).rejects.toThrow("the database is away")
  expect(await use()).toBe("made")
})
