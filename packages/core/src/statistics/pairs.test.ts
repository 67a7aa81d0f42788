import fc from "fast-check"
import { expect, test } from "vitest"
import { medianOf } from "./moments.ts"
import { rankCorrelation, ranksOf, withoutRunningMedian } from "./pairs.ts"

const spearman = (pairs: readonly (readonly [number, number])[]): number | null =>
  rankCorrelation(
    pairs.map(([one]) => one),
    pairs.map(([, other]) => other),
  )

test("a printed example without ties: 1 - 6 * 194 / 990", () => {
  // Intelligence quotients and hours of television of ten people: rho is -29/165.
  const quotients = [106, 100, 86, 101, 99, 103, 97, 113, 112, 110]
  const hours = [7, 27, 2, 50, 28, 29, 20, 12, 6, 17]
  expect(spearman(quotients.map((quotient, index) => [quotient, hours[index] ?? 0]))).toBeCloseTo(-29 / 165, 12)
})

test("equal values share their mean rank, and a constant has no rho", () => {
  expect(ranksOf([3, 1, 3, 2, 3])).toEqual([4, 1, 4, 2, 4])
  expect(spearman([1, 2, 3].map((value) => [value, 5]))).toBeNull()
})

const pairs = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 })), {
  minLength: 3,
  maxLength: 15,
})

test("rho equals a plain recomputation, and the sign turns with a side", () => {
  fc.assert(
    fc.property(pairs, (values) => {
      // The rank by definition: those below, and half of the others that are equal.
      const rank = (side: 0 | 1, value: number): number =>
        values.filter((pair) => pair[side] < value).length + values.filter((pair) => pair[side] === value).length / 2
      const ranks = values.map(([one, other]) => [rank(0, one), rank(1, other)] as const)
      const mean = (side: 0 | 1): number => ranks.reduce((sum, pair) => sum + pair[side], 0) / ranks.length
      const product = (a: 0 | 1, b: 0 | 1): number =>
        ranks.reduce((sum, pair) => sum + (pair[a] - mean(a)) * (pair[b] - mean(b)), 0)
      const rho = spearman(values)
      if (product(0, 0) === 0 || product(1, 1) === 0) {
        expect(rho).toBeNull()
        return
      }
      expect(rho).toBeCloseTo(product(0, 1) / Math.sqrt(product(0, 0) * product(1, 1)), 10)
      expect(spearman(values.map(([one, other]) => [one, -other]))).toBeCloseTo(-(rho ?? 0), 10)
    }),
  )
})

test("the running median is that of the 29 dates around, as far as they have values", () => {
  const value = fc.record({ day: fc.integer({ min: 0, max: 80 }), value: fc.integer({ min: 0, max: 20 }) })
  fc.assert(
    fc.property(fc.uniqueArray(value, { selector: ({ day }) => day, maxLength: 60 }), (values) => {
      const series = values.toSorted((one, other) => one.day - other.day)
      const expected = series.map(({ day, value: own }) => {
        const around = series.filter((other) => Math.abs(other.day - day) <= 14)
        return { day, value: own - medianOf(around.map((other) => other.value)) }
      })
      expect(withoutRunningMedian(series)).toEqual(expected.map((each) => ({ ...each, value: each.value + 0 })))
    }),
  )
})
