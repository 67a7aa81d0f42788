import { describe, expect, test } from "vitest"
import { addDays, isDate, utcDateOf } from "./calendar-dates.ts"

describe("calendar dates", () => {
  test("a date moves over months, leap days and years, in both directions", () => {
    expect(addDays("2024-02-28", 1)).toBe("2024-02-29")
    expect(addDays("2025-02-28", 1)).toBe("2025-03-01")
    expect(addDays("2026-01-01", -1)).toBe("2025-12-31")
    expect(addDays("2026-03-29", 0)).toBe("2026-03-29")
  })

  test.each(["2025-02-30", "2025-13-01", "2025-2-3", "20250203", "2025-02-03T00:00", "", "yesterday"])(
    "%j is no date",
    (text) => expect(isDate(text)).toBe(false),
  )

  test("the date of an instant is that in UTC", () => {
    expect(isDate("2024-02-29")).toBe(true)
    expect(utcDateOf(new Date("2026-11-29T23:30:00-02:00"))).toBe("2026-11-30")
  })
})
