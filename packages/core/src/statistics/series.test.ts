import { expect, test } from "vitest"
import { countMissing, dateOf, dayOf, isoWeekOf, monthOf, partOf, type SourcedValue, weekdayOf } from "./series.ts"

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

const NIGHTS = [
  { day: dayOf("2026-11-01"), value: 1 },
  { day: dayOf("2026-11-03"), value: 3 },
  { day: dayOf("2026-11-06"), value: 6 },
]

test.each([
  ["the whole of November", "2026-11-01", "2026-11-30", 3],
  ["dates before the first value", "2026-10-01", "2026-11-02", 1],
  ["dates between two values", "2026-11-04", "2026-11-05", 2],
  ["dates after the last value", "2026-11-07", "2026-11-30", 0],
])("missing dates are those between the first and the last value: %s", (_, from, to, missing) => {
  expect(countMissing(NIGHTS, { from, to })).toBe(missing)
})

test("nothing is missing of a metric that has no value", () => {
  expect(countMissing([], { from: "2026-11-01", to: "2026-11-30" })).toBe(0)
})

const sourced = (date: string, source: string, method: SourcedValue["method"] = "rmssd"): SourcedValue => ({
  day: dayOf(date),
  value: 60,
  source,
  method,
})

test("a change of source or of method ends a series", () => {
  const values = [
    sourced("2026-11-01", "whoop"),
    sourced("2026-11-02", "whoop"),
    sourced("2026-11-03", "oura"),
    sourced("2026-11-04", "apple_health", "rmssd"),
    sourced("2026-11-05", "apple_health", "sdnn"),
  ]
  const { part, leftOut } = partOf(values, dayOf("2026-11-30"))
  expect(part.map(({ day }) => day)).toEqual([dayOf("2026-11-05")])
  expect(leftOut).toEqual([
    { source: "apple_health", method: "rmssd", from: "2026-11-04", to: "2026-11-04", n: 1 },
    { source: "oura", method: "rmssd", from: "2026-11-03", to: "2026-11-03", n: 1 },
    { source: "whoop", method: "rmssd", from: "2026-11-01", to: "2026-11-02", n: 2 },
  ])
  // Periods before it have their own part, and one before all values the newest.
  for (const [last, first, n] of [
    ["2026-11-04", "2026-11-04", 2],
    ["2026-11-02", "2026-11-01", 0],
    ["2026-10-31", "2026-11-05", 3],
  ] as const) {
    const earlier = partOf(values, dayOf(last))
    expect([earlier.part[0]?.day, earlier.leftOut.length]).toEqual([dayOf(first), n])
  }
  expect(partOf([], dayOf("2026-11-30"))).toEqual({ part: [], leftOut: [] })
})
