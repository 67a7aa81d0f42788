import fc from "fast-check"
import { expect, test } from "vitest"
import type { ValueKind } from "./clock-times.ts"
import { dateOf, dayOf, type Series } from "./series.ts"
import { kendallVariance, pairwiseSlopes, senInterval, slopeOfPoints } from "./slope.ts"
import { slopeOf, trendOf } from "./trend.ts"

const FIRST = dayOf("2026-01-01")
const period = (days: number, first = FIRST) => ({ from: dateOf(first), to: dateOf(first + days - 1) })
/** Changes from night to night that have no trend. */
const noise = (index: number): number => ((index * 37) % 11) - 5
const nightly = (length: number, at: (index: number) => number): Series =>
  Array.from({ length }, (_, index) => ({ day: FIRST + index, value: at(index) }))
const verdictOf = (history: Series, days: number, kind: ValueKind = "number") =>
  slopeOf({ kind, history, period: period(days) }).verdict

test("a drift is rising or falling, and noise is neither", () => {
  expect(
    verdictOf(
      nightly(60, (index) => 50 + 0.3 * index + noise(index)),
      60,
    ),
  ).toBe("rising")
  expect(
    verdictOf(
      nightly(60, (index) => 50 - 0.3 * index + noise(index)),
      60,
    ),
  ).toBe("falling")
  expect(
    verdictOf(
      nightly(60, (index) => 50 + noise(index)),
      60,
    ),
  ).toBe("no_clear_change")
})

test.each([
  [
    "a resting heart rate that falls by 2 a year",
    730,
    (index: number) => Math.round(52 - index / 182 + noise(index) / 4),
  ],
  ["a score that rises by 3 over 90 nights", 90, (index: number) => Math.round(70 + index / 30 + noise(index) / 3)],
  ["times awake, mostly 0", 360, (index: number) => Math.max(0, Math.round(index / 360 + noise(index) / 5))],
  ["steps to the next thousand", 200, (index: number) => 1000 * Math.round(8 + index / 100 + noise(index) / 4)],
] as const)("a trend of whole numbers is found where that of the same values with decimals is: %s", (_, days, at) => {
  const history = nightly(days, at)
  const { slope, interval, verdict } = slopeOf({ kind: "number", history, period: period(days) })
  const sign = Math.sign(at(days - 1) + at(days - 2) + at(days - 3) - at(0) - at(1) - at(2)) || 1
  expect(verdict).toBe(sign > 0 ? "rising" : "falling")
  expect(Math.sign(slope ?? 0)).toBe(sign)
  expect(Math.max(sign * (interval?.low ?? 0), sign * (interval?.high ?? 0))).toBeGreaterThanOrEqual(
    sign * (slope ?? 0),
  )
  expect(Math.min(sign * (interval?.low ?? 0), sign * (interval?.high ?? 0))).toBeGreaterThanOrEqual(0)
  const flat = slopeOf({ kind: "number", history: nightly(days, (index) => at(index % 11)), period: period(days) })
  expect(flat.verdict).toBe("no_clear_change")
})

test("14 values on half of the dates are enough", () => {
  const rising = nightly(28, (index) => 50 + index)
  const everyOther = rising.filter((_, index) => index % 2 === 0)
  expect(verdictOf(everyOther, 28)).toBe("rising")
  expect(verdictOf(everyOther, 29)).toBe("not_enough_data")
  expect(verdictOf(rising.slice(0, 14), 14)).toBe("rising")
  expect(verdictOf(rising.slice(0, 13), 13)).toBe("not_enough_data")
})

test("what is measured now and then needs 14 weeks with a value, and half of the weeks", () => {
  const everyFourth = (weeks: number) =>
    nightly(weeks * 7, (index) => 80 - 0.02 * index + noise(index) / 20).filter((_, index) => index % 4 === 0)
  const found = (history: Series, weeks: number, isOccasional = true) =>
    slopeOf({ kind: "number", history, period: period(weeks * 7, FIRST + 4), isOccasional })
  // FIRST is a Thursday, so weeks begin four days later.
  const shifted = (weeks: number) => everyFourth(weeks).map(({ day, value }) => ({ day: day + 4, value }))
  expect(found(shifted(20), 20)).toMatchObject({ verdict: "falling", isOfSparseWeeks: true })
  expect(found(shifted(20), 20).slope).toBeCloseTo(-0.02, 2)
  expect(found(shifted(20), 20, false).verdict).toBe("not_enough_data")
  expect(found(shifted(13), 13).verdict).toBe("not_enough_data")
  // Once in three weeks is too seldom.
  const seldom = nightly(400, (index) => 80 - index).filter((_, index) => index % 21 === 0)
  expect(found(seldom, 57).verdict).toBe("not_enough_data")
})

test("half of the dates is half of those since the first value", () => {
  const history = nightly(20, (index) => 50 + index)
  const long = { from: dateOf(FIRST - 300), to: dateOf(FIRST + 19) }
  expect(slopeOf({ kind: "number", history, period: long }).verdict).toBe("rising")
})

test("without enough data there is no slope and no interval", () => {
  expect(slopeOf({ kind: "number", history: nightly(5, (index) => 2 * index), period: period(5) })).toEqual({
    slope: null,
    interval: null,
    verdict: "not_enough_data",
    isOfSparseWeeks: false,
  })
  expect(slopeOf({ kind: "number", history: [], period: period(5) }).slope).toBeNull()
})

test.each([
  [0.19, "no_clear_change"],
  [0.21, "rising"],
])("a sure change of %d standard deviations: %s", (change, verdict) => {
  // Ten years whose Thursdays, the medians of their weeks, rise steadily. The other days are 1 below or above: a deviation of 0.926.
  const monday = dayOf("2020-01-06")
  const history = Array.from({ length: 3640 }, (_, index) => ({
    day: monday + index,
    value: index % 7 === 3 ? (change * 0.9258 * index) / 3640 : Math.sign((index % 7) - 3),
  }))
  const found = slopeOf({ kind: "number", history, period: period(3640, monday) })
  expect(found.interval?.low).toBeGreaterThan(0)
  expect(found.verdict).toBe(verdict)
})

test("equal values have no clear change and an interval without width", () => {
  const constant = slopeOf({ kind: "number", history: nightly(30, () => 0.1), period: period(30) })
  expect(constant).toMatchObject({ slope: 0, interval: { low: 0, high: 0 }, verdict: "no_clear_change" })
})

test("bedtimes that move across midnight rise", () => {
  const history = nightly(40, (index) => (1410 + 2 * index + noise(index)) % 1440)
  const { slope, verdict } = slopeOf({ kind: "clock", history, period: period(40) })
  expect(verdict).toBe("rising")
  expect(slope).toBeCloseTo(2, 0)
})

test("over 400 values the weeks' medians count, each on its Thursday", () => {
  // Only Thursdays rise, and they are the medians of their weeks: by 10.5 each week, which is no whole number.
  const monday = dayOf("2020-01-06")
  const history = Array.from({ length: 3640 }, (_, index) => ({
    day: monday + index,
    value: 1e6 * Math.sign((index % 7) - 3) + (index % 7 === 3 ? (10.5 * (index - 3)) / 7 : 0),
  }))
  const slopeOver = (days: number) =>
    slopeOf({ kind: "number", history: history.slice(0, days), period: period(days, monday) }).slope
  expect(slopeOver(3640)).toBeCloseTo(10.5 / 7, 9)
  expect(slopeOver(401)).toBeCloseTo(10.5 / 7, 9)
  expect(slopeOver(400)).not.toBeCloseTo(10.5 / 7, 1)
})

test("values above and below limits are counted, with their dates newest first", () => {
  const history = nightly(5, (index) => index)
  const trend = trendOf({ kind: "number", history, period: period(5), top: 1, above: 2, below: 0 })
  expect(trend).toMatchObject({
    sum: 10,
    above: { limit: 2, n: 2, dates: [dateOf(FIRST + 4), dateOf(FIRST + 3)] },
    below: { limit: 0, n: 0, dates: [] },
  })
})

test.each([
  ["5 of 8, the longest of 3, the newest one goes on", [9, 9, 9, 0, 0, 0, 9, 9], { above: 5 }, [3, 0, 2], [2, 6, 7]],
  ["of two as long the newest", [9, 9, 0, 9, 9, 0, 0, 0], { above: 5 }, [2, 3, 4], null],
  ["a date without a value ends it", [1, 1, null, 1, 1, 1, 9, 9], { below: 5 }, [3, 3, 5], null],
  ["the last date has no value yet", [9, 9, 9, 1, 1, 1, 1, null], { below: 5 }, [4, 3, 6], [4, 3, 6]],
  ["two dates without a value", [9, 9, 9, 1, 1, 1, null, null], { below: 5 }, [3, 3, 5], null],
  ["both limits", [1, 6, 6, 9, 9, 6, 6, 6], { above: 5, below: 8 }, [3, 5, 7], [3, 5, 7]],
  ["none", [1, 1, 1, 1, 1, 1, 1, 1], { above: 5 }, null, null],
] as const)("streaks beyond a limit: %s", (_, values, limits, longest, current) => {
  const history = values.flatMap((value, index) => (value === null ? [] : [{ day: FIRST + index, value }]))
  const { streaks } = trendOf({ kind: "number", history, period: period(8), top: 1, ...limits })
  const streak = (of: readonly [number, number, number] | null) =>
    of && { n: of[0], start: dateOf(FIRST + of[1]), end: dateOf(FIRST + of[2]) }
  expect(streaks).toEqual({ longest: streak(longest), current: streak(current) })
})

test("without a limit there are no streaks", () => {
  expect(trendOf({ kind: "number", history: nightly(8, noise), period: period(8), top: 1 }).streaks).toBeNull()
})

test("days off are compared with working days, and each group has its sum", () => {
  const monday = dayOf("2026-01-05")
  const history = Array.from({ length: 182 }, (_, index) => ({
    day: monday + index,
    value: 50 + noise(index) + (index % 7 >= 5 ? 8 : 0),
  }))
  const { groups } = trendOf({ kind: "number", history, period: period(182, monday), by: "weekend", top: 1 })
  expect(groups).toMatchObject([
    { group: "working_day", n: 130, verdict: "lower" },
    { group: "weekend", n: 52, verdict: "higher" },
  ])
  for (const { n, mean, sum } of groups ?? []) expect(sum).toBeCloseTo(n * mean, 6)
})

test("a clock time is after a limit as seen from the mean, also across midnight", () => {
  // 23:30, 00:30, 01:30.
  const history = nightly(3, (index) => (1410 + 60 * index) % 1440)
  const ask = (above: number) => trendOf({ kind: "clock", history, period: period(3), top: 1, above }).above?.n
  expect([ask(23 * 60), ask(0), ask(60), ask(120)]).toEqual([3, 2, 1, 0])
})

test("a weekday is compared with the other days, and seven tests share a false discovery rate", () => {
  const monday = dayOf("2026-01-05")
  const groupsFor = (weekend: number) =>
    trendOf({
      kind: "number",
      history: Array.from({ length: 182 }, (_, index) => ({
        day: monday + index,
        value: 50 + noise(index) + (index % 7 === 5 ? weekend : 0),
      })),
      period: period(182, monday),
      by: "weekday",
      top: 1,
    }).groups ?? []
  expect(groupsFor(8).find(({ group }) => group === "saturday")).toMatchObject({ verdict: "higher" })
  expect(groupsFor(0).map(({ verdict }) => verdict)).toEqual(Array.from({ length: 7 }, () => "no_clear_difference"))
  const few = trendOf({ kind: "number", history: nightly(28, noise), period: period(28), by: "weekday", top: 1 })
  expect(few.groups?.[0]).toMatchObject({ interval: null, verdict: "not_enough_data" })
})

test("a hump and a turn of the last 90 dates are reported beside a straight line", () => {
  const bendsOf = (length: number, at: (index: number) => number) => {
    const { recent, middle } = trendOf({
      kind: "number",
      history: nightly(length, (index) => at(index) + noise(index)),
      period: period(length),
      top: 1,
    })
    return { recent, middle }
  }
  expect(bendsOf(180, (index) => 30 * Math.sin((Math.PI * index) / 180)).middle).toBe("above")
  expect(bendsOf(360, (index) => (index < 270 ? index : 540 - index))).toMatchObject({ recent: "falling" })
  expect(bendsOf(180, (index) => index)).toEqual({ recent: null, middle: null })
  expect(bendsOf(180, () => 0)).toEqual({ recent: null, middle: null })
})

test("ten years take less than a second on a slow machine", () => {
  const history = nightly(3650, (index) => 50 + noise(index) + index / 1000)
  const start = performance.now()
  trendOf({ kind: "number", history, period: period(3650), by: "week", top: 20 })
  expect(performance.now() - start).toBeLessThan(1000)
})

test("a trend has the figures of its period, and the usual range before the latest value", () => {
  const history = nightly(40, (index) => index).filter(({ day }) => day !== FIRST + 15)
  const trend = trendOf({ kind: "number", history, period: period(21, FIRST + 10), by: "month", top: 1 })
  expect(trend).toMatchObject({
    n: 20,
    missing: 1,
    median: 20.5,
    highest: [{ date: dateOf(FIRST + 30), value: 30 }],
    lowest: [{ date: dateOf(FIRST + 10), value: 10 }],
    latest: { date: dateOf(FIRST + 30), value: 30 },
    usual: { n: 29 },
    firstThird: { n: 6, mean: (10 + 11 + 12 + 13 + 14 + 16) / 6 },
    lastThird: { n: 6, mean: 27.5 },
  })
  expect(trend.points).toHaveLength(20)
  expect(trend.groups?.map(({ group, n }) => [group, n])).toEqual([["2026-01", 20]])
})

const values = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 14, maxLength: 50 })

test("HRV + 10 has the same slope, another unit another slope, a turned sign the turned verdict", () => {
  fc.assert(
    fc.property(values, (list) => {
      const ask = (change: (value: number) => number) =>
        slopeOf({
          kind: "number",
          history: nightly(list.length, (index) => change(list[index] ?? 0)),
          period: period(list.length),
        })
      const plain = ask((value) => value)
      expect(ask((value) => value + 10)).toEqual(plain)
      const seconds = ask((value) => value * 64)
      expect(seconds.slope).toBe((plain.slope ?? 0) * 64)
      expect(seconds.verdict).toBe(plain.verdict)
      const turned = ask((value) => -value)
      const opposite = { rising: "falling", falling: "rising", no_clear_change: "no_clear_change" } as const
      expect(turned.slope).toBe(0 - (plain.slope ?? 0))
      expect(turned.interval?.low ?? null).toBe(plain.interval && 0 - plain.interval.high)
      expect(turned.verdict).toBe(plain.verdict === "not_enough_data" ? plain.verdict : opposite[plain.verdict])
    }),
  )
})

const series = (days: readonly number[], values: readonly number[]): Series =>
  days.map((day, index) => ({ day, value: values[index] ?? Number.NaN }))

test("Sen's example of 1968: slope 4, from 26/7 to 35/8", () => {
  const points = series([1, 2, 3, 4, 10, 12, 18], [9, 15, 19, 20, 45, 55, 78])
  expect(slopeOfPoints(points).slope).toBe(4)
  // Sen's interval is of 93 %: the normal quantile 1.812.
  const spread = 1.812 * Math.sqrt(kendallVariance(points))
  expect(senInterval(pairwiseSlopes(points), spread)).toEqual({ low: 26 / 7, high: 35 / 8 })
})

test("Kendall's variance with ties of two and three: Gilbert 1987, 16.4", () => {
  // 7 values without ties: 7 * 6 * 19 / 18. A pair takes 2 * 9 / 18 = 1 away, a triple 3 * 2 * 11 / 18.
  expect(kendallVariance(series([1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 7]))).toBeCloseTo(798 / 18, 12)
  expect(kendallVariance(series([1, 2, 3, 4, 5, 6, 7], [1, 1, 3, 4, 4, 4, 7]))).toBeCloseTo((798 - 18 - 66) / 18, 12)
})

test("ranks that leave the list give no interval", () => {
  const slopes = [1, 2, 3]
  expect(senInterval(slopes, 1)).toEqual({ low: 1, high: 3 })
  expect(senInterval(slopes, 1.1)).toBeNull()
})

const small = fc
  .uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 2, maxLength: 25 })
  .map((days) => days.toSorted((one, other) => one - other))
  .chain((days) =>
    fc
      .array(fc.integer({ min: -20, max: 20 }), { minLength: days.length, maxLength: days.length })
      .map((values) => series(days, values)),
  )

test("the interval equals a plain recomputation from sorted slopes", () => {
  fc.assert(
    fc.property(small, fc.double({ min: 0, max: 100, noNaN: true }), (points, spread) => {
      const slopes: number[] = []
      for (const one of points)
        for (const other of points)
          if (one.day < other.day) slopes.push((other.value - one.value) / (other.day - one.day))
      slopes.sort((one, other) => one - other)
      const first = Math.floor((slopes.length - spread) / 2)
      const interval = senInterval(pairwiseSlopes(points), spread)
      expect(interval).toEqual(first < 1 ? null : { low: slopes[first - 1], high: slopes[slopes.length - first] })
    }),
  )
})

test("Kendall's variance equals a plain recomputation", () => {
  fc.assert(
    fc.property(small, (points) => {
      const term = (n: number): number => n * (n - 1) * (2 * n + 5)
      const counts = new Map<number, number>()
      for (const { value } of points) counts.set(value, (counts.get(value) ?? 0) + 1)
      let sum = term(points.length)
      for (const count of counts.values()) sum -= term(count)
      expect(kendallVariance(points)).toBeCloseTo(sum / 18, 9)
    }),
  )
})
