import { expect, test } from "vitest"
import { describe as describeSeries, extremesOf, groupsOf, usualBefore } from "./describe.ts"
import { dayOf, type Series } from "./series.ts"

const FIRST = dayOf("2026-11-16")
const nightly = (values: readonly number[]): Series => values.map((value, index) => ({ day: FIRST + index, value }))

test("of figures that are equal but for noise of the computer the newest comes first", () => {
  const history = [0.3, 0.1 + 0.2, 0.3].map((value, day) => ({ day, value }))
  expect(extremesOf("number", history, 3).highest.map(({ date }) => date)).toEqual([
    "1970-01-03",
    "1970-01-02",
    "1970-01-01",
  ])
})

test("a period without values has no figures, and one with a single value no deviation", () => {
  expect(describeSeries("number", [])).toEqual({ n: 0, mean: null, median: null, sd: null, p25: null, p75: null })
  expect(describeSeries("number", nightly([7]))).toEqual({ n: 1, mean: 7, median: 7, sd: null, p25: 7, p75: 7 })
})

test("bedtimes around midnight have a mean, a median and quartiles around midnight", () => {
  const { mean, median, p25, p75 } = describeSeries("clock", nightly([1420, 1430, 10, 20, 0]))
  const minutes = [mean, median, p25, p75].map((value) => Math.round(value ?? -1))
  expect(minutes).toEqual([0, 0, 1430, 10])
})

test("the highest and the lowest, of equal ones the newest first", () => {
  const { highest, lowest } = extremesOf("number", nightly([5, 9, 9, 1, 1]), 2)
  expect(highest.map(({ date }) => date)).toEqual(["2026-11-18", "2026-11-17"])
  expect(lowest.map(({ date }) => date)).toEqual(["2026-11-20", "2026-11-19"])
})

test("the latest and the earliest bedtime are on both sides of midnight", () => {
  const { highest, lowest } = extremesOf("clock", nightly([1430, 15, 1380, 0]), 1)
  expect([Math.round(highest[0]?.value ?? -1), Math.round(lowest[0]?.value ?? -1)]).toEqual([15, 1380])
})

test("weeks and months oldest first, weekdays from Monday on, and none without values", () => {
  const series = nightly([1, 2, 3, 4, 5, 6, 7, 9]).filter(({ value }) => value !== 2)
  expect(groupsOf("number", series, { by: "week", daysOff: [] }).map(({ group, n, mean }) => [group, n, mean])).toEqual(
    [
      ["2026-W47", 6, expect.closeTo(26 / 6, 12)],
      ["2026-W48", 1, 9],
    ],
  )
  expect(groupsOf("number", series, { by: "month", daysOff: [] })).toMatchObject([{ group: "2026-11", n: 7 }])
  const weekdays = groupsOf("number", series, { by: "weekday", daysOff: [] })
  expect(weekdays.map(({ group }) => group)).not.toContain("tuesday")
  expect(weekdays[0]).toEqual({ group: "monday", n: 2, sum: 10, mean: 5, sd: Math.sqrt(32) })
  expect(weekdays[1]).toEqual({ group: "wednesday", n: 1, sum: 3, mean: 3, sd: null })
})

test("usual are the 30 values before a day, at least 5", () => {
  const series = nightly(Array.from({ length: 40 }, (_, index) => index))
  const usual = usualBefore("number", series, FIRST + 39)
  expect(usual?.n).toBe(30)
  expect(usual?.mean).toBeCloseTo(23.5, 12)
  expect(usual?.sd).toBeCloseTo(Math.sqrt(77.5), 12)
  expect(usualBefore("number", series, FIRST + 5)?.n).toBe(5)
  expect(usualBefore("number", series, FIRST + 4)).toBeNull()
})

test("a usual range begins again after 60 dates without a value", () => {
  const later = (gap: number, count: number) => [
    ...nightly(Array.from({ length: 40 }, () => 50)),
    ...Array.from({ length: count }, (_, index) => ({ day: FIRST + 39 + gap + 1 + index, value: 70 + (index % 2) })),
  ]
  const usualOf = (gap: number, count: number) => usualBefore("number", later(gap, count), FIRST + 39 + gap + 1 + count)
  expect(usualOf(59, 3)?.n).toBe(30)
  expect(usualOf(60, 3)).toBeNull()
  expect(usualOf(60, 6)).toMatchObject({ n: 6, mean: 70.5 })
  // Who comes back after a summer has no usual range on the first morning.
  expect(usualOf(60, 0)).toBeNull()
  expect(usualOf(59, 0)?.n).toBe(30)
})
