import fc from "fast-check"
import { expect, test } from "vitest"
import { dayOf } from "./day.ts"
import { regularityIndex, type SleepTime } from "./regularity.ts"
import { socialJetlag } from "./social-jetlag.ts"

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
  const sleep = fc.record({ day: fc.nat(9), start: fc.integer({ min: -700, max: 600 }), length: fc.nat(600) })
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
