import fc from "fast-check"
import { expect, test } from "vitest"
import { HOUR_MS, MINUTE_MS } from "./calendar.ts"
import { loadOf, peakFraction, splitIntoZones, strainOf } from "./effort.ts"

const durationMs = fc.integer({ min: MINUTE_MS, max: 12 * HOUR_MS })
const intensity = fc.double({ min: 0.3, max: 0.93, noNaN: true })
const spread = fc.double({ min: 0.03, max: 0.09, noNaN: true })

test("zone durations add up to the session, and none is negative", () => {
  fc.assert(
    fc.property(durationMs, intensity, spread, (duration, fraction, width) => {
      const zones = splitIntoZones(duration, fraction, width)
      expect(zones.reduce((sum, part) => sum + part, 0)).toBe(duration)
      expect(Math.min(...zones)).toBeGreaterThanOrEqual(0)
    }),
  )
})

test("no time is spent in a zone above the session's peak", () => {
  fc.assert(
    fc.property(durationMs, intensity, spread, (duration, fraction, width) => {
      const zones = splitIntoZones(duration, fraction, width)
      const lowerEnds = [0, 0.5, 0.6, 0.7, 0.8, 0.9]
      zones.forEach((part, zone) => {
        if ((lowerEnds[zone] ?? 0) >= peakFraction(fraction, width)) expect(part).toBe(0)
      })
    }),
  )
})

test("strain grows with load, ever more slowly, and stays within 0 and 21", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 2000, noNaN: true }),
      fc.double({ min: 1, max: 100, noNaN: true }),
      (load, more) => {
        const steps = [strainOf(load), strainOf(load + more), strainOf(load + 2 * more)] as const
        expect(steps[0]).toBeGreaterThanOrEqual(0)
        expect(steps[2]).toBeLessThanOrEqual(21)
        expect(steps[1]).toBeGreaterThanOrEqual(steps[0])
        expect(steps[2] - steps[1]).toBeLessThanOrEqual(steps[1] - steps[0] + 1e-9)
      },
    ),
  )
})

test("an hour in a higher zone is a greater load", () => {
  expect(loadOf([0, 0, 0, 0, HOUR_MS, 0])).toBeGreaterThan(loadOf([0, 0, HOUR_MS, 0, 0, 0]))
})
