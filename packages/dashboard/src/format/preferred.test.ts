import { expect, test } from "vitest"
import {
  clockTick,
  firstWeekday,
  formatClock,
  formatDistance,
  formatTemperature,
  formatTemperatureChange,
  formatWeight,
} from "./preferred.ts"

test("clock times of records and of charts follow the clock", () => {
  expect([formatClock("23:41", "24h"), formatClock(-29, "24h"), formatClock(null, "24h")]).toEqual([
    "23:41",
    "23:31",
    "–",
  ])
  expect([formatClock("2026-11-19T07:30:44+01:00", "12h"), formatClock(-29, "12h")]).toEqual(["7:30 AM", "11:31 PM"])
})

test("marks of an axis leave out the minutes of a full hour on a clock of 12 hours", () => {
  expect([clockTick(-180, "24h"), clockTick(-180, "12h"), clockTick(-150, "12h")]).toEqual(["21:00", "9 PM", "9:30"])
})

test("figures follow the units, and a missing one is a dash", () => {
  expect([formatDistance(8012.5, "metric"), formatDistance(8012.5, "imperial")]).toEqual(["8.0 km", "5.0 mi"])
  expect([formatWeight(66.5, "metric"), formatWeight(66.5, "imperial")]).toEqual(["66.5 kg", "146.6 lb"])
  expect([formatTemperature(33.6, "metric"), formatTemperature(33.6, "imperial")]).toEqual(["33.6 °C", "92.5 °F"])
  expect([formatTemperatureChange(-0.3, "metric"), formatTemperatureChange(0.3, "imperial")]).toEqual([
    "−0.3 °C",
    "+0.5 °F",
  ])
  const missing = [formatDistance, formatWeight, formatTemperature, formatTemperatureChange]
  expect(missing.map((format) => format(null, "imperial"))).toEqual(["–", "–", "–", "–"])
})

test("weeks begin on the preferred day", () => {
  expect([firstWeekday("monday"), firstWeekday("saturday"), firstWeekday("sunday")]).toEqual([0, 5, 6])
})
