import fc from "fast-check"
import { expect, test } from "vitest"
import { hoursOf, round, toTenth, toWhole } from "./rounding.ts"

test.each([
  [1.005, 2, 1.01],
  [7.505, 2, 7.51],
  [64.25, 1, 64.3],
  [64.249999, 1, 64.2],
  [0.05, 1, 0.1],
  [-0.2, 1, -0.2],
  [33 - 33.35, 1, -0.3],
  [2.5, 0, 3],
  [1e-9, 2, 0],
])("rounds %d to %d decimals as %d", (value, decimals, rounded) => {
  expect(round(value, decimals)).toBe(rounded)
})

test("is never further away than half a step", () => {
  fc.assert(
    fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.constantFrom(0, 1, 2), (value, decimals) => {
      expect(Math.abs(round(value, decimals) - value)).toBeLessThanOrEqual(
        0.5 / 10 ** decimals + Math.abs(value) * 1e-11,
      )
    }),
  )
})

test("rounds by the digits that are sure, near a half and anywhere else", () => {
  const nearHalf = fc
    .tuple(fc.integer({ min: -1e7, max: 1e7 }), fc.double({ min: -1e-9, max: 1e-9, noNaN: true }))
    .map(([steps, off]) => (steps + 0.5) * (1 + off))
  const anywhere = fc.double({ min: -1e15, max: 1e15, noNaN: true })
  fc.assert(
    fc.property(fc.oneof(nearHalf, anywhere), fc.constantFrom(0, 1, 2), (scaled, decimals) => {
      const factor = 10 ** decimals
      const value = scaled / factor
      expect(round(value, decimals)).toBe(Math.round(Number((value * factor).toPrecision(12))) / factor + 0)
    }),
    { numRuns: 5_000 },
  )
})

test("changes nothing that is rounded already", () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e7, max: 1e7 }), fc.constantFrom(0, 1, 2), (steps, decimals) => {
      const value = steps / 10 ** decimals
      expect(round(value, decimals)).toBe(value)
    }),
  )
})

test("turns milliseconds into hours of 2 decimals", () => {
  expect(hoursOf(28_779_750)).toBe(7.99)
  expect(hoursOf(18_000)).toBe(0.01)
})

test("keeps what is missing missing, and zero zero", () => {
  expect([toTenth(undefined), toTenth(null), toWhole(undefined)]).toEqual([null, null, null])
  expect([toTenth(0), toWhole(0)]).toEqual([0, 0])
})
