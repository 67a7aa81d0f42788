// The times of a night: the page has them from a row of `trends`, the statistics from the record, and lists from its local times.
import { aroundTheClock, bedtimeMinutes, minutesOfTime } from "@restwell/client/figures"
import { HOUR_MS } from "@restwell/client/time-units"
import { expect, test } from "vitest"
import { NO_PREFERENCES } from "../sources/rank.ts"
import { dayFactsOf, EXTRACT } from "../statistics/metrics.ts"
import type { TrendRecord } from "../store/statements/read-trend-rows.ts"
import { presentSleep } from "./present.ts"
import { rowsBetween } from "./trends.ts"

type Sleep = Extract<TrendRecord, { kind: "sleep" }>

const offsetOf = (time: string): number => Number(time.slice(-6, -3)) * 60

/** @param start with its own UTC offset, as its end */
function sleep(start: string, end: string, { isNap = false } = {}): Sleep {
  const [startMs, endMs] = [Date.parse(start), Date.parse(end)]
  return {
    kind: "sleep",
    provider: "oura",
    providerId: start,
    fromArchive: false,
    date: end.slice(0, 10),
    scoreState: "scored",
    updatedMs: endMs,
    startMs,
    endMs,
    durationMs: endMs - startMs,
    utcOffsetMinutes: offsetOf(end),
    startUtcOffsetMinutes: offsetOf(start),
    endUtcOffsetMinutes: offsetOf(end),
    isNap,
    stages: { lightMs: 3 * HOUR_MS, deepMs: HOUR_MS, remMs: HOUR_MS, awakeMs: 0 },
    course: null,
  }
}

function rowOf(fact: Sleep) {
  const [row] = rowsBetween({ from: fact.date, to: fact.date }, { facts: [fact], before: [] }, NO_PREFERENCES)
  return row
}

test.each([
  ["whose clock shows seconds", "2026-11-19T23:41:40+01:00", "2026-11-20T07:29:45+01:00", "23:41", "07:29"],
  ["that begins seconds before midnight", "2026-11-19T23:59:40+01:00", "2026-11-20T07:00:00+01:00", "23:59", "07:00"],
  ["in which clocks go back", "2026-10-24T23:00:00+02:00", "2026-10-25T07:00:00+01:00", "23:00", "07:00"],
  ["of a flight to the east", "2026-11-19T21:00:00-05:00", "2026-11-20T08:00:00+01:00", "21:00", "08:00"],
  ["over the date line", "2026-11-20T21:00:00+09:00", "2026-11-20T12:00:00-08:00", "21:00", "12:00"],
])("a night %s has one bedtime and one wake time", (_name, start, end, bedtime, wakeTime) => {
  const fact = sleep(start, end)
  const night = rowOf(fact)?.sleep
  if (!night) throw new Error("no night")
  const facts = dayFactsOf([fact])
  const times = [bedtime, wakeTime].map(minutesOfTime)
  expect([EXTRACT.bedtime(facts), EXTRACT.wake_time(facts)]).toEqual(times)
  expect([bedtimeMinutes(night), night.end_minutes].map(aroundTheClock)).toEqual(times)
  const { start_local, end_local } = presentSleep(fact)
  expect([start_local.slice(11, 16), end_local.slice(11, 16)]).toEqual([bedtime, wakeTime])
  // Bars of sleep timing never end before they begin, and positions within the night are as far apart as its length.
  expect(bedtimeMinutes(night)).toBeLessThan(night.end_minutes)
  expect(Math.abs(night.end_minutes - night.start_minutes - (fact.durationMs / HOUR_MS) * 60)).toBeLessThan(1)
})

test("the lowest heart rate, and workouts, have the minute that a clock shows", () => {
  const night = sleep("2026-11-19T23:41:40+01:00", "2026-11-20T07:29:45+01:00")
  const lowestHeartRateAtMs = Date.parse("2026-11-20T04:12:55+01:00")
  expect(EXTRACT.lowest_heart_rate_time(dayFactsOf([{ ...night, lowestHeartRateAtMs }]))).toBe(minutesOfTime("04:12"))
  const {
    stages: _,
    course: __,
    isNap: ___,
    ...times
  } = sleep("2026-11-20T17:59:50+01:00", "2026-11-20T18:29:59+01:00")
  const day = dayFactsOf([{ ...times, kind: "workout", sportType: "running", countsAsWorkout: true }])
  expect([EXTRACT.first_workout_start(day), EXTRACT.last_workout_end(day)]).toEqual(
    ["17:59", "18:29"].map(minutesOfTime),
  )
})

test("a nap on a flight begins at the time that its record has", () => {
  const nap = sleep("2026-11-20T09:00:00-05:00", "2026-11-20T17:00:00+01:00", { isNap: true })
  expect(rowOf(nap)?.naps).toMatchObject([{ start_minutes: 9 * 60, end_minutes: 17 * 60, duration_hours: 2 }])
})
