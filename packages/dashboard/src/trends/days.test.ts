import { expect, test } from "vitest"
import { bucketsOf, daysOf } from "./days.ts"

test.each([
  ["7", 7],
  ["45", 45],
  ["4000", 4000],
  ["all", "all"],
])("days=%s is that period", (text, days) => expect(daysOf(text, 30)).toBe(days))

test.each([null, "", "0", "-7", "4001", "1.5", "week", "1e9"])("days=%s is the usual period", (text) =>
  expect(daysOf(text, 30)).toBe(30),
)

test("a week begins on the preferred weekday", () => {
  const days = ["2026-11-20", "2026-11-21", "2026-11-22", "2026-11-23"].map((date) => ({ date }))
  const starts = (first: number) => bucketsOf(days, "week", first).map(({ key }) => key)
  expect(starts(0)).toEqual(["2026-11-16", "2026-11-23"])
  expect(starts(6)).toEqual(["2026-11-15", "2026-11-22"])
  expect(starts(5)).toEqual(["2026-11-14", "2026-11-21"])
})
