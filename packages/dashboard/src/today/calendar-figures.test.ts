import type { TrendDay } from "@restwell/client"
import { expect, test } from "vitest"
import { NO_DAY } from "../../test/no-day.ts"
import { addMonths, calendarFigures, inMonth, lastOf, monthsBetween, weeksOf } from "./calendar-figures.ts"

test("months follow one another over the end of a year", () => {
  expect(addMonths("2026-12", 1)).toBe("2027-01")
  expect(addMonths("2026-01", -1)).toBe("2025-12")
  expect(addMonths("2026-11", -12)).toBe("2025-11")
  expect(monthsBetween("2025-11-30", "2026-01-01")).toEqual(["2026-01", "2025-12", "2025-11"])
})

test("the same day of a shorter month is its last", () => {
  expect(lastOf("2028-02")).toBe("2028-02-29")
  expect(inMonth("2026-03-31", "2026-02")).toBe("2026-02-28")
  expect(inMonth("2026-03-15", "2026-02")).toBe("2026-02-15")
})

test.each([
  ["Monday", 0, 6, ["2026-11-01"]],
  ["Sunday", 6, 0, ["2026-11-01", "2026-11-02", "2026-11-03", "2026-11-04", "2026-11-05", "2026-11-06", "2026-11-07"]],
] as const)("a week starts on %s", (_name, firstWeekday, column, firstWeek) => {
  const weeks = weeksOf("2026-11", firstWeekday)
  expect(weeks[0]?.[column]).toBe("2026-11-01")
  expect(weeks[0]?.filter((date) => date !== undefined)).toEqual(firstWeek)
  expect(weeks.flat().filter((date) => date !== undefined)).toHaveLength(30)
  for (const week of weeks) expect(week).toHaveLength(7)
})

test.each([
  ["whoop", ["good", "fair", "poor"]],
  ["garmin", ["0", "100"]],
])("the legend of %s's recovery is of the colours that its days have", (source, labels) => {
  const recovery: TrendDay["recovery"] = {
    source,
    score_state: "scored",
    score: 81,
    hrv: null,
    hrv_method: null,
    resting_heart_rate: null,
    spo2: null,
    skin_temp_celsius: null,
    skin_temp_deviation_celsius: null,
  }
  const [figure] = calendarFigures([{ ...NO_DAY, recovery }], [])
  expect(figure?.legend.map(({ label }) => label)).toEqual(labels)
})
