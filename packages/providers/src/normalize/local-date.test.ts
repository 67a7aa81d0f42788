import fc from "fast-check"
import { expect, test } from "vitest"
import { cycleDate, localDateOf, recoveryDate, sleepDate } from "./derive.ts"

const at = (text: string) => new Date(text)

test("reckons the date with the record's own offset", () => {
  expect(localDateOf(at("2026-11-18T23:30:00Z"), 60)).toBe("2026-11-19")
  expect(localDateOf(at("2026-11-19T02:00:00Z"), -210)).toBe("2026-11-18")
  expect(localDateOf(at("2026-12-31T18:30:00Z"), 330)).toBe("2027-01-01")
})

test("dates a sleep by waking", () => {
  const night = { endMs: Date.parse("2026-11-19T06:30:00Z"), utcOffsetMinutes: 60 }
  expect(sleepDate(night)).toBe("2026-11-19")
})

test("dates a cycle by its main sleep, and without one by the day 12 hours after its start", () => {
  const cycle = { startMs: Date.parse("2026-11-18T22:31:00Z"), utcOffsetMinutes: 60 }
  expect(cycleDate(cycle, { endMs: Date.parse("2026-11-20T06:30:00Z"), utcOffsetMinutes: 60 })).toBe("2026-11-20")
  expect(cycleDate(cycle)).toBe("2026-11-19")
})

test("dates a recovery by its sleep, else its cycle, else the UTC day it was made", () => {
  const recovery = { createdMs: Date.parse("2026-11-21T23:59:00Z") }
  const sleep = { endMs: Date.parse("2026-11-19T06:30:00Z"), utcOffsetMinutes: 60 }
  const cycle = { startMs: Date.parse("2026-11-19T22:31:00Z"), utcOffsetMinutes: 60 }
  expect(recoveryDate(recovery, sleep, cycle)).toBe("2026-11-19")
  expect(recoveryDate(recovery, undefined, cycle)).toBe("2026-11-20")
  expect(recoveryDate(recovery)).toBe("2026-11-21")
})

test("names the date a calendar names, for every instant and offset", () => {
  const instants = fc.date({ min: at("2000-01-01"), max: at("2099-12-30"), noInvalidDate: true })
  fc.assert(
    fc.property(instants, fc.integer({ min: -720, max: 840 }), (instant, offset) => {
      const sign = offset < 0 ? "-" : "+"
      const two = (number: number) => String(number).padStart(2, "0")
      const zone = `${sign}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`
      const calendar = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone)
      expect(localDateOf(instant, offset)).toBe(calendar.toPlainDate().toString())
    }),
  )
})
