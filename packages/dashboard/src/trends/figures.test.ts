import type { TrendDay } from "@restwell/client"
import { expect, test } from "vitest"
import { type Figure, meanOf } from "./figures.ts"

const DAY: TrendDay = {
  date: "2026-11-19",
  sleep: null,
  naps: [],
  nap_hours: null,
  recovery: null,
  recovery_score_band: null,
  asleep_band: null,
  hrv_band: null,
  resting_heart_rate_band: null,
  spo2_band: null,
  skin_temp_deviation_band: null,
  respiratory_rate_band: null,
  strain: null,
  workouts: [],
}

const known = (value: number, source: string): Figure => ({ value, missing: null, source })
const NONE: Figure = { value: null, missing: "none", source: null }

const meanOfFigures = (...figures: Figure[]) => {
  const left = [...figures]
  return meanOf(
    figures.map(() => DAY),
    () => left.shift() ?? NONE,
  )
}

test("a mean takes the values of one source: that of most days", () => {
  expect(meanOfFigures(known(40, "whoop"), known(42, "whoop"), known(90, "oura"), NONE)).toEqual({
    value: 41,
    count: 2,
    missing: null,
    source: "whoop",
  })
})

test("of two sources with equally many days, the mean takes the newest", () => {
  expect(meanOfFigures(known(40, "whoop"), known(90, "oura"))).toMatchObject({ value: 90, source: "oura" })
})

test("without a value, the reason that may still change comes first", () => {
  const pending: Figure = { value: null, missing: "pending", source: "whoop" }
  expect(meanOfFigures(NONE, pending)).toEqual({ value: null, count: 0, missing: "pending", source: null })
})
