import fc from "fast-check"
import { expect, test } from "vitest"
import { dividedBy, exactly, mean, minus, rounded, sum } from "./exact.ts"

test.each([
  [33.7, 337n, 10n],
  [-0.05, -5n, 100n],
  [1e21, 10n ** 21n, 1n],
  [1.5e-7, 15n, 10n ** 8n],
  [0, 0n, 1n],
])("%d is read exactly as it is written", (value, numerator, denominator) => {
  expect(exactly(value)).toEqual({ numerator, denominator })
})

test.each([
  [1.005, 2, 1.01],
  [64.25, 1, 64.3],
  [64.249999, 1, 64.2],
  [-0.25, 1, -0.2],
  [-0.26, 1, -0.3],
  [-0.75, 1, -0.7],
  [2.5, 0, 3],
  [-2.5, 0, -2],
])("%d rounds to %d decimals as %d", (value, decimals, expected) => {
  expect(rounded(exactly(value), decimals)).toBe(expected)
})

test("sums and means are exact", () => {
  const tenths = Array.from({ length: 10 }, () => exactly(0.1))
  expect(sum(tenths)).toEqual({ numerator: 10n, denominator: 10n })
  expect(rounded(minus(exactly(33.4), mean([33.9, 34, 34.2, 34.3, 34.35].map(exactly)) ?? exactly(0)), 2)).toBe(-0.75)
  expect(rounded(dividedBy(exactly(4.184), exactly(4.184)), 0)).toBe(1)
})

test("the sum and the mean of an empty list are null", () => {
  expect([sum([]), mean([])]).toEqual([null, null])
})

test("rounding returns the nearest number with that many decimals", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1e9, max: 1e9 }),
      fc.nat({ max: 6 }),
      fc.nat({ max: 2 }),
      (digits, places, decimals) => {
        const value = exactly(Number(`${digits}e-${places}`))
        const away = minus(exactly(rounded(value, decimals)), value)
        const twiceAway = away.numerator * 2n * 10n ** BigInt(decimals)
        expect(twiceAway > -away.denominator && twiceAway <= away.denominator).toBe(true)
      },
    ),
  )
})
