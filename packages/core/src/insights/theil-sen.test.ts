import fc from "fast-check"
import { expect, test } from "vitest"
import { medianOf } from "./moments.ts"
import type { Series } from "./series.ts"
import { kendallVariance, pairwiseSlopes, senInterval, theilSen } from "./theil-sen.ts"

const series = (days: readonly number[], values: readonly number[]): Series =>
  days.map((day, index) => ({ day, value: values[index] ?? Number.NaN }))

test("Sen's example of 1968: slope 4, from 26/7 to 35/8", () => {
  const points = series([1, 2, 3, 4, 10, 12, 18], [9, 15, 19, 20, 45, 55, 78])
  expect(theilSen(points).slope).toBe(4)
  // Sen's interval is of 93 %: the normal quantile 1.812.
  const spread = 1.812 * Math.sqrt(kendallVariance(points))
  expect(senInterval(pairwiseSlopes(points), spread)).toEqual({ low: 26 / 7, high: 35 / 8 })
})

test("Kendall's variance with ties of two and three: Gilbert 1987, 16.4", () => {
  // 7 values without ties: 7 * 6 * 19 / 18. A pair takes 2 * 9 / 18 = 1 away, a triple 3 * 2 * 11 / 18.
  expect(kendallVariance(series([1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 7]))).toBeCloseTo(798 / 18, 12)
  expect(kendallVariance(series([1, 2, 3, 4, 5, 6, 7], [1, 1, 3, 4, 4, 4, 7]))).toBeCloseTo((798 - 18 - 66) / 18, 12)
})

test("ranks that leave the list give no interval", () => {
  const slopes = Float64Array.of(3, 1, 2)
  expect(senInterval(slopes, 1)).toEqual({ low: 1, high: 3 })
  expect(senInterval(slopes, 1.1)).toBeNull()
})

const small = fc
  .uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 2, maxLength: 25 })
  .map((days) => days.toSorted((one, other) => one - other))
  .chain((days) =>
    fc
      .array(fc.integer({ min: -20, max: 20 }), { minLength: days.length, maxLength: days.length })
      .map((values) => series(days, values)),
  )

test("the slope and the interval equal a plain recomputation from sorted slopes", () => {
  fc.assert(
    fc.property(small, fc.double({ min: 0, max: 100, noNaN: true }), (points, spread) => {
      const slopes: number[] = []
      for (const one of points)
        for (const other of points)
          if (one.day < other.day) slopes.push((other.value - one.value) / (other.day - one.day))
      slopes.sort((one, other) => one - other)
      const first = Math.floor((slopes.length - spread) / 2)
      const interval = senInterval(pairwiseSlopes(points), spread)
      expect(theilSen(points).slope).toBeCloseTo(medianOf(slopes), 12)
      expect(interval).toEqual(first < 1 ? null : { low: slopes[first - 1], high: slopes[slopes.length - first] })
    }),
  )
})

test("Kendall's variance equals a plain recomputation", () => {
  fc.assert(
    fc.property(small, (points) => {
      const term = (n: number): number => n * (n - 1) * (2 * n + 5)
      const counts = new Map<number, number>()
      for (const { value } of points) counts.set(value, (counts.get(value) ?? 0) + 1)
      let sum = term(points.length)
      for (const count of counts.values()) sum -= term(count)
      expect(kendallVariance(points)).toBeCloseTo(sum / 18, 9)
    }),
  )
})
