import { addDays } from "@restwell/client/calendar-dates"
import { HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import { expect, test } from "vitest"
import {
  datesOf,
  isOlderThan,
  midnightIn,
  periodOf,
  resolveDateRange,
  type TimeZone,
  todayIn,
  widestDateRange,
} from "./calendar.ts"

const unknown = { utcOffsetMinutes: null, timeZone: null }
const midnightsIn = (zone: TimeZone) => (date: string) => midnightIn(zone, date).getTime()
const WEEK = { from: "2026-11-14", to: "2026-11-20" }

test.each([
  ["east of UTC", { utcOffsetMinutes: 60, timeZone: null }, "2026-11-13T23:00:00.000Z", "2026-11-20T23:00:00.000Z"],
  ["west of UTC", { utcOffsetMinutes: -300, timeZone: null }, "2026-11-14T05:00:00.000Z", "2026-11-21T05:00:00.000Z"],
  ["at half hours", { utcOffsetMinutes: 345, timeZone: null }, "2026-11-13T18:15:00.000Z", "2026-11-20T18:15:00.000Z"],
  ["without any time zone", unknown, "2026-11-14T00:00:00.000Z", "2026-11-21T00:00:00.000Z"],
])("a week %s begins and ends at its own midnights", (_, zone, start, end) => {
  expect(periodOf(WEEK, midnightsIn(zone))).toEqual({
    start,
    end,
    start_date: "2026-11-14",
    end_date: "2026-11-20",
    days: 7,
  })
})

test("the record's offset comes before the account's zone", () => {
  const zone = { utcOffsetMinutes: 0, timeZone: "Asia/Tokyo" }
  expect(midnightIn(zone, "2026-11-20")).toEqual(new Date("2026-11-20T00:00:00.000Z"))
})

test.each([
  ["23", "2026-03-29"],
  ["25", "2026-10-25"],
])("a day of %s hours is one day in the account's zone", (hours, date) => {
  const zone = { utcOffsetMinutes: null, timeZone: "Europe/Berlin" }
  const { start, end, days } = periodOf({ from: date, to: date }, midnightsIn(zone))
  expect(days).toBe(1)
  expect(Date.parse(end) - Date.parse(start)).toBe(Number(hours) * HOUR_MS)
})

test("today follows the offset to the minute, and the account's zone without one", () => {
  const lastMinute = new Date("2026-11-20T22:59:59.999Z")
  expect(todayIn({ utcOffsetMinutes: 60, timeZone: null }, lastMinute)).toBe("2026-11-20")
  expect(todayIn({ utcOffsetMinutes: 61, timeZone: null }, lastMinute)).toBe("2026-11-21")
  expect(todayIn({ utcOffsetMinutes: null, timeZone: "Asia/Tokyo" }, lastMinute)).toBe("2026-11-21")
  expect(todayIn(unknown, lastMinute)).toBe("2026-11-20")
})

test.each([
  ["the last seven dates without anything", {}, "2026-11-14", "2026-11-20"],
  ["as many dates as it says", { days: 1 }, "2026-11-20", "2026-11-20"],
  ["through today from a start", { start_date: "2026-11-18", days: 3 }, "2026-11-18", "2026-11-20"],
  ["the dates that end at an end", { end_date: "2026-03-01", days: 2 }, "2026-02-28", "2026-03-01"],
  ["what the dates say", { start_date: "2026-01-01", end_date: "2026-01-02", days: 9 }, "2026-01-01", "2026-01-02"],
])("a query selects %s", (_, query, from, to) => {
  expect(resolveDateRange(query, "2026-11-20")).toEqual({ from, to })
})

test("the widest range contains the query's range at every offset below a day", () => {
  const now = new Date("2026-11-20T12:00:00Z")
  const query = { type: "sleep", days: 7 } as const
  const widest = widestDateRange(query, "2026-11-20")
  for (const utcOffsetMinutes of [-1439, -720, 0, 840, 1439]) {
    const { from, to } = resolveDateRange(query, todayIn({ utcOffsetMinutes, timeZone: null }, now))
    expect([from >= widest.from, to <= widest.to]).toEqual([true, true])
  }
})

test("dates go on over months, leap days and the end of the calendar", () => {
  expect(datesOf({ from: "2028-02-28", to: "2028-03-01" })).toEqual(["2028-02-28", "2028-02-29", "2028-03-01"])
  expect(addDays("9999-12-31", 1)).toBe("+010000-01-01")
})

test("a time from a clock that was ahead counts as old", () => {
  const clock = { now: () => new Date("2026-11-20T12:00:00Z") }
  const minutesAgo = (minutes: number) => new Date(clock.now().getTime() - minutes * MINUTE_MS)
  expect(isOlderThan(minutesAgo(14), 15 * MINUTE_MS, clock)).toBe(false)
  expect(isOlderThan(minutesAgo(16), 15 * MINUTE_MS, clock)).toBe(true)
  expect(isOlderThan(minutesAgo(-4), 15 * MINUTE_MS, clock)).toBe(false)
  expect(isOlderThan(minutesAgo(-6), 15 * MINUTE_MS, clock)).toBe(true)
  expect(isOlderThan(null, 15 * MINUTE_MS, clock)).toBe(true)
})
