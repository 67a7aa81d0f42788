import fc from "fast-check"
import { expect, test } from "vitest"
import { limitOfEach } from "./batch.ts"

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test("runs as much of an owner's work at a time as is allowed, in its order, and all of it", async () => {
  const work = fc.array(fc.record({ owner: fc.constantFrom("ada", "omar", "lena"), fails: fc.boolean() }), {
    maxLength: 40,
  })
  await fc.assert(
    fc.asyncProperty(work, fc.integer({ min: 1, max: 3 }), async (pieces, most) => {
      const inTurn = limitOfEach(most)
      const running = new Map<string, number>()
      const begun = new Map<string, number[]>()
      const outcomes = await Promise.allSettled(
        pieces.map(({ owner, fails }, index) =>
          inTurn(owner, async () => {
            const now = (running.get(owner) ?? 0) + 1
            running.set(owner, now)
            begun.set(owner, [...(begun.get(owner) ?? []), index])
            expect(now).toBeLessThanOrEqual(most)
            await nextTurn()
            running.set(owner, (running.get(owner) ?? 0) - 1)
            if (fails) throw new Error(`broken ${index}`)
            return index
          }),
        ),
      )
      expect(outcomes.map(({ status }) => status === "rejected")).toEqual(pieces.map(({ fails }) => fails))
      for (const indexes of begun.values()) expect(indexes).toEqual(indexes.toSorted((one, other) => one - other))
    }),
    { numRuns: 30 },
  )
})

test("no owner waits for another's work", async () => {
  const inTurn = limitOfEach(1)
  const { promise, resolve } = Promise.withResolvers<void>()
  const held = [inTurn("ada", () => promise), inTurn("ada", async () => "second")]
  expect(await inTurn("omar", async () => "done")).toBe("done")
  resolve()
  expect(await Promise.all(held)).toEqual([undefined, "second"])
})
