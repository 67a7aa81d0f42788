import fc from "fast-check"
import { expect, test } from "vitest"
import {
  circularDeviation,
  circularMean,
  regularityIndex,
  type SleepTime,
  socialJetlag,
  unwrap,
  wrap,
} from "./clock-times.ts"
import { dayOf } from "./series.ts"

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

const FIRST = dayOf("2026-11-02")
const DAY = 1440
const days = (count: number): number[] => Array.from({ length: count }, (_, index) => FIRST + index)
/** The night before a day of waking, from and to minutes around its midnight. */
const night = (day: number, start = -60, end = 420): SleepTime => ({ start: day * DAY + start, end: day * DAY + end })

test("the same night every night is 100, whatever the order", () => {
  const nights = days(8).map((day) => night(day))
  expect(regularityIndex(nights, days(8))).toBe(100)
  expect(regularityIndex(nights.toReversed(), days(8).toReversed())).toBe(100)
})

test("nights that change places with days are -100", () => {
  const halves = days(8).map((day, index) => (index % 2 === 0 ? night(day, -720, 0) : night(day, 0, 720)))
  expect(regularityIndex(halves, days(8))).toBe(-100)
})

test("an hour later every other night differs in two hours of 24", () => {
  const nights = days(8).map((day, index) => night(day, -60 + 60 * (index % 2), 420 + 60 * (index % 2)))
  expect(regularityIndex(nights, days(8))).toBeCloseTo((22 / 24) * 200 - 100, 10)
})

test("a day without a night does not count, and seven pairs are enough", () => {
  const all = days(12)
  const known = all.filter((_, index) => index !== 4)
  const nights = known.map((day) => night(day))
  expect(regularityIndex(nights, known)).toBe(100)
  expect(regularityIndex(nights, known.slice(0, 9))).toBe(100)
  expect(regularityIndex(nights, known.slice(0, 8))).toBeNull()
})

test("equals a plain recomputation minute by minute", () => {
  // Sleeps begin and end within minutes, too.
  const half = (options: { min: number; max: number }) => fc.integer(options).map((halves) => halves / 2)
  const sleep = fc.record({
    day: fc.nat(9),
    start: half({ min: -1400, max: 1200 }),
    length: half({ min: 0, max: 1200 }),
  })
  fc.assert(
    fc.property(fc.array(sleep, { maxLength: 15 }), (list) => {
      const sleeps = list.map(({ day, start, length }) => night(FIRST + day, start, start + length))
      const isAsleep = (minute: number): boolean => sleeps.some(({ start, end }) => minute >= start && minute < end)
      let same = 0
      for (let minute = FIRST * DAY - 720; minute < (FIRST + 9) * DAY - 720; minute += 1)
        if (isAsleep(minute) === isAsleep(minute + DAY)) same += 1
      expect(regularityIndex(sleeps, days(10))).toBeCloseTo((same / (9 * DAY)) * 200 - 100, 9)
    }),
    { numRuns: 20 },
  )
})

test("social jetlag is the middle of sleep on days off minus that on working days, across midnight", () => {
  const week = days(7).map((day, index) => ({ day, value: index < 5 ? 1430 : 30 }))
  expect(socialJetlag(week, ["saturday", "sunday"])).toBeCloseTo(40, 9)
  expect(socialJetlag(week, ["monday"])).toBeLessThan(0)
  expect(socialJetlag(week.slice(0, 5), ["saturday", "sunday"])).toBeNull()
})
