import fc from "fast-check"
import { expect, test } from "vitest"
import { monthOf, nextMonth } from "./plans.ts"

test("counts by the UTC month, to the last millisecond", () => {
  expect(monthOf(new Date("2026-11-30T23:59:59.999Z"))).toBe("2026-11-01")
  expect(monthOf(new Date("2026-12-01T00:00:00.000Z"))).toBe("2026-12-01")
})

test("resets in January after December", () => {
  expect(nextMonth(new Date("2026-12-31T23:59:59.999Z"))).toEqual(new Date("2027-01-01T00:00:00.000Z"))
})

test("resets at the first instant of the next month", () => {
  const instants = fc.date({
    min: new Date("2000-01-01T00:00:00Z"),
    max: new Date("2100-01-01T00:00:00Z"),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(instants, (instant) => {
      const reset = nextMonth(instant)
      expect(reset > instant).toBe(true)
      expect(monthOf(reset)).not.toBe(monthOf(instant))
      expect(monthOf(new Date(reset.getTime() - 1))).toBe(monthOf(instant))
    }),
  )
})
