import fc from "fast-check"
import { expect, test } from "vitest"
import {
  ascending,
  meanOf,
  medianOf,
  normalTwoSided,
  quantileOf,
  sampleDeviation,
  studentQuantile975,
  studentTwoSided,
} from "./moments.ts"

test("quantiles of type 7, as R's default", () => {
  // R: quantile(c(1, 2, 4, 8, 16, 32), c(.1, .25, .5, .75, 1))
  const sorted = [1, 2, 4, 8, 16, 32]
  expect([0.1, 0.25, 0.5, 0.75, 1].map((share) => quantileOf(sorted, share))).toEqual([1.5, 2.5, 6, 14, 32])
})

test("mean and deviation of equal values are exact", () => {
  expect(meanOf([0.1, 0.1, 0.1])).toBe(0.1)
  expect(sampleDeviation([0.1, 0.1, 0.1])).toBe(0)
  expect(sampleDeviation([5])).toBeNull()
  expect(sampleDeviation([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(Math.sqrt(32 / 7), 12)
})

test("the median is in the middle, whatever the order", () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 1, maxLength: 20 }), (values) => {
      const sorted = values.toSorted((one, other) => one - other)
      expect([...ascending(values)]).toEqual(sorted)
      const [low, high] = [sorted[(values.length - 1) >> 1] ?? 0, sorted[values.length >> 1] ?? 0]
      expect(medianOf(values.toReversed())).toBeCloseTo((low + high) / 2, 6)
    }),
  )
})

// Computed with SciPy 1.17: stats.t.ppf(.975, df), 2 * stats.t.sf(t, df), 2 * stats.norm.sf(z).
const CLOSE = 1e-10

test.each([
  [1, 12.706204736174694],
  [1.3, 7.500529325562029],
  [2, 4.302652729749462],
  [2.5, 3.5746548420036817],
  [3, 3.1824463052837078],
  [4.7, 2.62072607535317],
  [10, 2.228138851986274],
  [29.5, 2.043724966772122],
  [119, 1.9800998764569397],
  [1000.25, 1.9623384864941926],
])("the 0.975 quantile with %d degrees of freedom", (df, quantile) => {
  expect(Math.abs(studentQuantile975(df) / quantile - 1)).toBeLessThan(CLOSE)
})

test.each([
  [0.3, 1, 0.8144528418445154],
  [1, 2.5, 0.40406102727827364],
  [2.2, 4.7, 0.08255138137225701],
  [4, 10, 0.0025183326247366945],
  [2.5, 29.5, 0.018218617266923094],
  [1e-3, 3, 0.9992648949694609],
  [-9, 3, 0.002895812161864147],
  [2, 1000.25, 0.045770278957669],
])("the two tails beyond t = %d with %d degrees of freedom", (t, df, probability) => {
  expect(Math.abs(studentTwoSided(t, df) / probability - 1)).toBeLessThan(CLOSE)
})

test("the tails at zero and at infinity", () => {
  expect(studentTwoSided(0, 5)).toBe(1)
  expect(studentTwoSided(Number.POSITIVE_INFINITY, 5)).toBe(0)
})

test.each([
  [0, 1],
  [0.1, 0.920344325445942],
  [-1, 0.31731050786291415],
  [1.96, 0.04999579029644087],
  [3, 0.0026997960632601866],
  [5, 5.733031437583866e-7],
  [40, 0],
])("the two tails of the normal distribution beyond %d", (z, probability) => {
  expect(normalTwoSided(z)).toBeCloseTo(probability, 14)
})
