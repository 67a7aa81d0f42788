import { expect, test } from "vitest"
import { autocorrelationOf, effectiveSize, pooledAutocorrelation } from "./moments.ts"
import type { Series } from "./series.ts"

const nightly = (values: readonly number[], first = 0): Series =>
  values.map((value, index) => ({ day: first + index, value }))
const waves = (length: number): number[] => Array.from({ length }, (_, index) => [1, 1, -1, -1][index % 4] ?? 0)

test("is the mean product of neighbours by the variance, corrected for its bias", () => {
  // 16 values, mean 0, variance 1. 15 pairs: 8 of equal and 7 of opposite neighbours, so r1 = 1/15.
  expect(autocorrelationOf(nightly(waves(16)))).toBeCloseTo((16 / 15 + 1) / 12, 12)
})

test("is between 0 and 0.8", () => {
  expect(autocorrelationOf(nightly(Array.from({ length: 40 }, (_, index) => index % 2)))).toBe(0)
  expect(autocorrelationOf(nightly(Array.from({ length: 40 }, (_, index) => index)))).toBe(0.8)
})

test("is 0.5 with fewer than 14 pairs, and 0 for a constant", () => {
  expect(autocorrelationOf(nightly(waves(14)))).toBe(0.5)
  expect(autocorrelationOf(waves(40).map((value, index) => ({ day: 2 * index, value })))).toBe(0.5)
  expect(autocorrelationOf(nightly(Array.from({ length: 40 }, () => 0.1)))).toBe(0)
})

test("weeks are neighbours seven days apart", () => {
  const weekly = waves(16).map((value, index) => ({ day: 7 * index, value }))
  expect(autocorrelationOf(weekly, 7)).toBeCloseTo((16 / 15 + 1) / 12, 12)
})

test("a missing night makes no pair of the nights beside it", () => {
  const values = nightly(waves(40))
  const [withGap, without] = [values.filter(({ day }) => day !== 20), values.slice(0, 39)]
  expect(autocorrelationOf(withGap)).not.toBe(autocorrelationOf(without))
  expect(autocorrelationOf(values.filter(({ day }) => day % 3 !== 0).slice(0, 27))).toBe(0.5)
})

test("two periods have no pair across their gap, each its own mean, and seven pairs of 0.5 beside their own", () => {
  const [one, other] = [
    nightly(waves(16)),
    nightly(
      waves(16).map((value) => value + 100),
      16,
    ),
  ]
  // 30 pairs, 16 of equal and 14 of opposite neighbours.
  const own = ((32 * 2) / 30 + 1) / 28
  expect(pooledAutocorrelation([one, other])).toBeCloseTo((30 * own + 3.5) / 37, 12)
  expect(pooledAutocorrelation([one.slice(0, 7), other.slice(0, 7)])).toBe(0.5)
})

test("the effective size: Bartlett 1946", () => {
  expect(effectiveSize(90, 0)).toBe(90)
  expect(effectiveSize(90, 0.5)).toBeCloseTo(30, 12)
  expect(effectiveSize(5, 0.8)).toBe(2)
})
