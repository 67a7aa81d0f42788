import { expect, test } from "vitest"
import { periodOf } from "./days.ts"

const nowhere = { utcOffsetMinutes: null, timeZone: null }

test.each([
  ["east of UTC", { utcOffsetMinutes: 60, timeZone: null }, "2026-11-13T23:00:00.000Z", "2026-11-20T23:00:00.000Z"],
  ["west of UTC", { utcOffsetMinutes: -300, timeZone: null }, "2026-11-14T05:00:00.000Z", "2026-11-21T05:00:00.000Z"],
  ["at half hours", { utcOffsetMinutes: 345, timeZone: null }, "2026-11-13T18:15:00.000Z", "2026-11-20T18:15:00.000Z"],
  ["without any place", nowhere, "2026-11-14T00:00:00.000Z", "2026-11-21T00:00:00.000Z"],
])("a week %s begins and ends at its own midnights", (_, place, start, end) => {
  expect(periodOf("2026-11-14", "2026-11-20", place)).toEqual({ start, end, days: 7 })
})

test("the record's offset comes before the account's zone", () => {
  const place = { utcOffsetMinutes: 0, timeZone: "Asia/Tokyo" }
  expect(periodOf("2026-11-20", "2026-11-20", place).start).toBe("2026-11-20T00:00:00.000Z")
})

test.each([
  ["23", "2026-03-29"],
  ["25", "2026-10-25"],
])("a day of %s hours is one day in the account's zone", (hours, date) => {
  const { start, end, days } = periodOf(date, date, { utcOffsetMinutes: null, timeZone: "Europe/Berlin" })
  expect(days).toBe(1)
  expect(Date.parse(end) - Date.parse(start)).toBe(Number(hours) * 3_600_000)
})
