import fc from "fast-check"
import { expect, it } from "vitest"
import { nearestMetric } from "./query.ts"
import { editDistance, nearestBy, nearestName } from "./suggest.ts"

/** Levenshtein's recursion, as it is defined. */
function definition(from: string, to: string): number {
  if (from === "" || to === "") return from.length + to.length
  const [last, other] = [from.at(-1), to.at(-1)]
  const [shorter, otherShorter] = [from.slice(0, -1), to.slice(0, -1)]
  return Math.min(
    definition(shorter, to) + 1,
    definition(from, otherShorter) + 1,
    definition(shorter, otherShorter) + (last === other ? 0 : 1),
  )
}

const shortText = fc.string({ unit: fc.constantFrom("a", "b", "_"), maxLength: 6 })
const longText = fc.string({ minLength: 65, maxLength: 9_000 })

it("counts the fewest edits as they are defined, up to the most that are wanted", () => {
  fc.assert(
    fc.property(shortText, shortText, fc.integer({ min: 0, max: 7 }), (from, to, most) => {
      const distance = definition(from, to)
      expect(editDistance(from, to, most)).toBe(distance <= most ? distance : Number.POSITIVE_INFINITY)
    }),
  )
})

it("names the nearest of the known names, and the first of equally near ones", () => {
  expect(nearestName("asleep_hour", ["date", "asleep_hours", "awake_hours"], 4)).toBe("asleep_hours")
  expect(nearestName("az", ["ax", "ay"], 4)).toBe("ax")
  expect(nearestName("something else", ["date", "asleep_hours"], 4)).toBeUndefined()
  expect(nearestName("x", [], 4)).toBeUndefined()
})

it("compares a long text with no name", () => {
  fc.assert(
    fc.property(longText, (text) => {
      let compared = 0
      const count = () => {
        compared += 1
        return 0
      }
      expect(nearestBy(text, ["date", text], count)).toBeUndefined()
      expect(compared).toBe(0)
      expect(editDistance(text, text, Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY)
    }),
  )
})

it("compares a name with as many others as it has in its bound, however many there are", () => {
  let compared = 0
  nearestBy(
    "x",
    Array.from({ length: 50_000 }, (_, index) => `name ${index}`),
    () => {
      compared += 1
      return compared
    },
  )
  expect(compared).toBeLessThanOrEqual(300)
})

it("suggests a metric by the beginning of a long name alone", () => {
  fc.assert(
    fc.property(longText, (text) => {
      expect(nearestMetric(`journal:${text}`)).toBe(nearestMetric(`journal:${text.slice(0, 60)}`))
    }),
  )
})
