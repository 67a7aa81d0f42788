import { expect, test } from "vitest"
import { dateOf, dayOf, isoWeekOf, monthOf, weekdayOf } from "./day.ts"

// ISO 8601: the first week of a year is that of its first Thursday.
test.each([
  ["2026-11-22", "2026-W47", "sunday"],
  ["2026-11-23", "2026-W48", "monday"],
  ["2021-01-03", "2020-W53", "sunday"],
  ["2021-01-04", "2021-W01", "monday"],
  ["2024-12-30", "2025-W01", "monday"],
  ["1969-12-31", "1970-W01", "wednesday"],
])("%s is in %s, a %s", (date, week, weekday) => {
  const day = dayOf(date)
  expect([isoWeekOf(day), weekdayOf(day), monthOf(day), dateOf(day)]).toEqual([week, weekday, date.slice(0, 7), date])
})
