import fc from "fast-check"
import { expect, test } from "vitest"
import { instantText, localTime } from "./calendar.ts"

test.each([
  ["2026-11-21T21:23:08.120Z", 60, "2026-11-21T22:23:08+01:00"],
  ["2026-11-21T23:59:59.999Z", 0, "2026-11-21T23:59:59+00:00"],
  ["2026-03-29T00:30:00.000Z", -210, "2026-03-28T21:00:00-03:30"],
  ["2026-12-31T23:15:00.000Z", 345, "2027-01-01T05:00:00+05:45"],
])("%s at %i minutes is %s", (instant, offset, local) => {
  expect(localTime(Date.parse(instant), offset)).toBe(local)
})

test("equals Temporal's clock at every instant and offset", () => {
  const instants = fc.date({ min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
  fc.assert(
    fc.property(instants, fc.integer({ min: -720, max: 840 }), (at, offset) => {
      const text = localTime(at.getTime(), offset)
      const zone = text.slice(19)
      const wall = Temporal.Instant.from(at.toISOString()).toZonedDateTimeISO(zone)
      expect(wall.offsetNanoseconds).toBe(offset * 60_000_000_000)
      expect(text.slice(0, 19)).toBe(
        wall.toPlainDateTime().toString({ fractionalSecondDigits: 0, roundingMode: "floor" }),
      )
    }),
    { numRuns: 500 },
  )
})

test("an instant is written as Date writes it", () => {
  const instants = fc.date({ min: new Date("1900-01-01"), max: new Date("2200-01-01"), noInvalidDate: true })
  fc.assert(
    fc.property(instants, (at) => {
      expect(instantText(at.getTime())).toBe(at.toISOString())
    }),
    { numRuns: 500 },
  )
})
