import { addDays } from "@restwell/client/calendar-dates"
import { HOUR_MS } from "@restwell/client/time-units"
import fc from "fast-check"
import { expect, test } from "vitest"
import { localDateOf } from "../normalize/derive.ts"
import { startOfDate, usableZone } from "../normalize/zoned-days.ts"
import { startOf } from "./days.ts"

const at = (utc: string | undefined, local: string | undefined, zone: string | undefined) =>
  startOf({ utc: utc === undefined ? undefined : new Date(utc), local, zone })

test.each([
  ["the two times", at("2026-11-20T06:05:00Z", "2026-11-20T07:05:00", "Europe/Paris"), 60],
  [
    "the two times where they differ from the zone",
    at("2026-11-20T06:05:00Z", "2026-11-20T11:50:00", "Europe/Paris"),
    345,
  ],
  ["the zone of a local time that is UTC", at("2026-11-20T06:05:00Z", "2026-11-20T06:05:00", "Europe/Paris"), 60],
  ["two equal times without a zone", at("2026-11-20T06:05:00Z", "2026-11-20T06:05:00", undefined), 0],
  [
    "the zone of times that no offset lies between",
    at("2026-11-20T06:05:00Z", "2026-11-20T06:12:00", "Asia/Kolkata"),
    330,
  ],
  ["the zone alone", at("2026-11-20T06:05:00Z", undefined, "Asia/Kolkata"), 330],
])("an activity's offset is that of %s", (_name, start, minutes) =>
  expect(start).toEqual({ ms: Date.parse("2026-11-20T06:05:00Z"), utcOffsetMinutes: minutes }),
)

test("a start without UTC is the local time in its zone, and without any zone there is none", () => {
  expect(at(undefined, "2026-07-20T07:05:00", "America/New_York")).toEqual({
    ms: Date.parse("2026-07-20T11:05:00Z"),
    utcOffsetMinutes: -240,
  })
  expect(at(undefined, "2026-07-20T07:05:00", "Mars/Olympus")).toBeUndefined()
  expect(at("2026-07-20T07:05:00Z", undefined, "Mars/Olympus")).toBeUndefined()
  expect(usableZone("Mars/Olympus")).toBe("UTC")
})

const zones = fc.constantFrom(
  "Pacific/Apia",
  "America/Sao_Paulo",
  "Africa/Cairo",
  "Europe/Lisbon",
  "Asia/Gaza",
  "Australia/Lord_Howe",
  "Pacific/Kiritimati",
  "Etc/GMT+12",
)
const dates = fc
  .date({ min: new Date("2001-01-01"), max: new Date("2035-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

test("a day begins with the first instant of its date and ends with the next one's, through every clock change", () => {
  fc.assert(
    fc.property(zones, dates, (zone, date) => {
      // Samoa had no 30 December 2011.
      fc.pre(!(zone === "Pacific/Apia" && ["2011-12-29", "2011-12-30"].includes(date)))
      const [start, end] = [startOfDate(date, zone), startOfDate(addDays(date, 1), zone)]
      expect(localDateOf(new Date(start.ms), start.utcOffsetMinutes)).toBe(date)
      const before = Temporal.Instant.fromEpochMilliseconds(start.ms - 1).toZonedDateTimeISO(zone)
      expect(before.toPlainDate().toString() < date).toBe(true)
      expect((end.ms - start.ms) / HOUR_MS).toBeGreaterThanOrEqual(22)
      expect((end.ms - start.ms) / HOUR_MS).toBeLessThanOrEqual(26)
    }),
    { numRuns: 200 },
  )
})
