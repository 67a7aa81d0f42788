import { expect, test } from "vitest"
import { clockText, clockTick, firstWeekday, formatClock } from "./clock.ts"

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

test("weeks begin on the preferred day", () => {
  expect([firstWeekday("monday"), firstWeekday("saturday"), firstWeekday("sunday")]).toEqual([0, 5, 6])
})

test.each([
  ["00:05", "12:05 AM"],
  ["07:30", "7:30 AM"],
  ["12:00", "12:00 PM"],
  ["23:41", "11:41 PM"],
  ["2026-11-19T07:30:44+01:00", "7:30 AM"],
])("%s is %s on a clock of 12 hours", (time, text) => {
  expect(clockText(time, "12h")).toBe(text)
})

test("a clock of 24 hours shows the time as it is", () => {
  expect([clockText("07:30", "24h"), clockText("2026-11-19T23:31:05+01:00", "24h")]).toEqual(["07:30", "23:31"])
})
