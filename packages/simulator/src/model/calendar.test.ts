import { expect, test } from "vitest"
import { DAY_MS, HOUR_MS, localDay, localInstantMs, offsetMinutes, weekday } from "./calendar.ts"

const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY_MS
const lengthHours = (zone: string, date: string) =>
  (localInstantMs(zone, dayOf(date) + 1, 0) - localInstantMs(zone, dayOf(date), 0)) / HOUR_MS

test.each([
  ["Europe/Berlin", "2026-03-29", 23],
  ["Europe/Berlin", "2026-10-25", 25],
  ["America/New_York", "2026-03-08", 23],
  ["America/New_York", "2026-11-01", 25],
  ["Asia/Kolkata", "2026-03-29", 24],
])("a day in %s on %s has %i hours", (zone, date, hours) => {
  expect(lengthHours(zone, date)).toBe(hours)
})

test("a local day begins at local midnight and not a millisecond before", () => {
  const midnightMs = localInstantMs("Asia/Tokyo", dayOf("2026-05-05"), 0)
  expect(localDay("Asia/Tokyo", midnightMs)).toBe(dayOf("2026-05-05"))
  expect(localDay("Asia/Tokyo", midnightMs - 1)).toBe(dayOf("2026-05-04"))
})

test("minutes before midnight are the evening before", () => {
  expect(new Date(localInstantMs("UTC", dayOf("2026-05-05"), -90)).toISOString()).toBe("2026-05-04T22:30:00.000Z")
})

test("offsets follow the clock change", () => {
  expect(offsetMinutes("Europe/Berlin", Date.parse("2026-03-29T00:59:59Z"))).toBe(60)
  expect(offsetMinutes("Europe/Berlin", Date.parse("2026-03-29T01:00:00Z"))).toBe(120)
})

test("Monday is 0 and Sunday is 6, also before 1970", () => {
  expect(weekday(dayOf("2026-11-16"))).toBe(0)
  expect(weekday(dayOf("2026-11-22"))).toBe(6)
  expect(weekday(dayOf("1969-12-29"))).toBe(0)
})
