import fc from "fast-check"
import { expect, test } from "vitest"
import { circularDeviation, circularMean, unwrap, wrap } from "./circular.ts"

const MINUTES_PER_DEGREE = 4

test("Mardia and Jupp's example: a roulette wheel that stopped at nine angles", () => {
  // Mardia and Jupp 2000, Directional Statistics, example 2.1: mean 51 degrees, R = 0.711.
  const minutes = [43, 45, 52, 61, 75, 88, 88, 279, 357].map((degrees) => degrees * MINUTES_PER_DEGREE)
  expect(Math.round(circularMean(minutes) / MINUTES_PER_DEGREE)).toBe(51)
  const radians = (circularDeviation(minutes) ?? 0) / (1440 / 2 / Math.PI)
  expect(Math.exp(-(radians ** 2) / 2)).toBeCloseTo(0.711, 3)
})

test("bedtimes around midnight", () => {
  expect(wrap(circularMean([23 * 60 + 50, 10]) + 1)).toBeCloseTo(1, 9)
  expect(circularDeviation([23 * 60 + 50, 10])).toBeCloseTo(10, 1)
  expect(circularDeviation([30, 30, 30])).toBeCloseTo(0, 4)
})

test("times all around the clock have no spread, as has a single time", () => {
  expect(circularDeviation([0, 720])).toBeNull()
  expect(circularDeviation([0])).toBeNull()
})

const times = fc.array(fc.integer({ min: 0, max: 1439 }), { minLength: 2, maxLength: 12 })

test("mean and spread equal a plain recomputation", () => {
  fc.assert(
    fc.property(times, (minutes) => {
      const angles = minutes.map((minute) => (minute / 1440) * 2 * Math.PI)
      const c = angles.reduce((sum, angle) => sum + Math.cos(angle), 0) / angles.length
      const s = angles.reduce((sum, angle) => sum + Math.sin(angle), 0) / angles.length
      const r = Math.sqrt(c * c + s * s)
      fc.pre(r > 1e-3 && r < 1 - 1e-9)
      const mean = ((Math.atan2(s, c) / (2 * Math.PI)) * 1440 + 1440) % 1440
      expect(Math.abs(unwrap(circularMean(minutes), mean) - mean)).toBeLessThan(1e-6)
      expect(circularDeviation(minutes)).toBeCloseTo((Math.sqrt(-2 * Math.log(r)) * 24 * 60) / (2 * Math.PI), 6)
    }),
  )
})

test("a shift of the clock shifts the mean, and not the spread", () => {
  fc.assert(
    fc.property(times, fc.integer({ min: 0, max: 1439 }), (minutes, shift) => {
      const spread = circularDeviation(minutes)
      fc.pre(spread !== null && spread < 600)
      const shifted = minutes.map((minute) => wrap(minute + shift))
      const mean = circularMean(minutes) + shift
      expect(Math.abs(unwrap(circularMean(shifted), mean) - mean)).toBeLessThan(1e-6)
      expect(circularDeviation(shifted)).toBeCloseTo(spread ?? 0, 5)
    }),
  )
})

test("unwrapped times are within half a day of the centre and the same on the clock", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: -1440, max: 2880 }), (minute, centre) => {
      const onLine = unwrap(minute, centre)
      expect(Math.abs(onLine - centre)).toBeLessThanOrEqual(720)
      expect(wrap(onLine)).toBe(minute)
    }),
  )
})
