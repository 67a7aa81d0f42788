/* The recomputation itself, held to printed examples and to figures that are worked out by hand. */
import { expect, test } from "vitest"
import { median, quantile, ranks, sampleDeviation } from "./arithmetic.ts"
import { dayOf, groupOf } from "./calendar.ts"
import { circularDeviation, circularMean, DAY_MINUTES, onTheClock, unwrapped } from "./clock.ts"
import { differenceOf, hedges } from "./difference.ts"
import { NORMAL_QUANTILE, normalTail, studentQuantile, studentTail } from "./distributions.ts"
import { ClockFigure, differences, NumberFigure } from "./figure.ts"
import { effectiveSize, memoryOf } from "./memory.ts"
import { metricOf } from "./metrics.ts"
import { missingIn } from "./part.ts"
import { detrended, discoveries, leastSquares, type Relation, spearman, weekless } from "./relate.ts"
import { mannKendallVariance, slopeOf } from "./slope.ts"

const dated = (values: readonly number[], first = 0) => values.map((value, index) => ({ day: first + index, value }))
const daily = (values: readonly number[], source = "whoop") => dated(values).map((each) => ({ ...each, source }))

test.each([
  [1, 12.706],
  [2, 4.303],
  [3, 3.182],
  [5, 2.571],
  [10, 2.228],
  [30, 2.042],
  [120, 1.98],
])("Student's t with %d degrees of freedom is that of the tables", (degrees, printed) => {
  expect(studentQuantile(degrees)).toBeCloseTo(printed, 3)
  expect(studentTail(studentQuantile(degrees), degrees)).toBeCloseTo(0.05, 9)
})

test("Student's t with one degree of freedom is Cauchy's, and with two it has a closed form", () => {
  for (const value of [0.1, 1, 7, 300]) {
    expect(studentTail(value, 1)).toBeCloseTo(1 - (2 / Math.PI) * Math.atan(value), 9)
    expect(studentTail(value, 2)).toBeCloseTo(1 - value / Math.sqrt(2 + value ** 2), 9)
  }
})

test("the normal distribution is that of the tables", () => {
  expect(NORMAL_QUANTILE).toBeCloseTo(1.959964, 6)
  expect(normalTail(1)).toBeCloseTo(0.317311, 6)
  expect(normalTail(3)).toBeCloseTo(0.0026998, 7)
})

test("quartiles are of type 7, as R's default gives them for 1 to 10", () => {
  const values = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
  expect([quantile(values, 0.25), median(values), quantile(values, 0.75)]).toEqual([3.25, 5.5, 7.75])
  expect(sampleDeviation([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(Math.sqrt(32 / 7), 12)
})

test("circular figures are those of Zar's Biostatistical Analysis, example 26.4", () => {
  const minutes = [45, 55, 81, 96, 110, 117, 132, 154].map((degrees) => degrees * 4)
  const degreesOf = (value: number | null) => (value ?? 0) / 4
  expect(degreesOf(circularMean(minutes))).toBeCloseTo(99, 0)
  const radians = (degreesOf(circularDeviation(minutes)) * Math.PI) / 180
  const length = Math.exp(-(radians ** 2) / 2)
  expect(length).toBeCloseTo(0.82522, 4)
})

test("times around midnight lie beside each other", () => {
  const minutes = [23 * 60 + 50, 10]
  expect(onTheClock(circularMean(minutes) ?? 60) % DAY_MINUTES).toBeCloseTo(0, 9)
  expect(unwrapped(minutes, 0)).toEqual([-10, 10])
})

test("Spearman's rho is that of the printed example of ten pairs, -29/165", () => {
  const intelligence = [106, 100, 86, 101, 99, 103, 97, 113, 112, 110]
  const television = [7, 27, 2, 50, 28, 29, 20, 12, 6, 17]
  expect(spearman(intelligence, television)).toBeCloseTo(-29 / 165, 12)
  expect(ranks([3, 1, 3, 2])).toEqual([3.5, 1, 3.5, 2])
})

test("Mann and Kendall's variance is Gilbert's formula, with and without ties", () => {
  expect(mannKendallVariance([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])).toBe(125)
  // 125 minus (2 x 1 x 9 + 3 x 2 x 11) / 18.
  expect(mannKendallVariance([1, 1, 3, 3, 3, 6, 7, 8, 9, 10])).toBeCloseTo(125 - 84 / 18, 12)
})

test("the slope is the median of all pairs, also over gaps", () => {
  // Slopes 1, 3 and 4/... of (0, 0), (1, 1), (3, 7): 1, 7/3 and 3.
  const values = [
    { day: 0, value: 0 },
    { day: 1, value: 1 },
    { day: 3, value: 7 },
  ]
  expect(slopeOf(values)?.slope).toBeCloseTo(7 / 3, 12)
  expect(slopeOf(values)?.interval).toBeNull()
})

test("the interval has the ranks that are worked out by hand for ten values", () => {
  // 45 slopes. Under 14 pairs r = 0.5 is assumed: Var* = 125 x 3 = 375, and 10 / 3 - 2 degrees of freedom count as 3, so that
  // C = 3.18245 x 19.365 = 61.6, and the ranks (45 -+ 61.6) / 2 leave the list.
  expect(slopeOf(dated([1, 3, 2, 5, 4, 6, 8, 7, 9, 10]))?.interval).toBeNull()
  // A straight line of 40 values has no memory: all 780 slopes are 2.
  expect(slopeOf(dated(Array.from({ length: 40 }, (_, day) => 2 * day)))).toMatchObject({
    slope: 2,
    interval: [2, 2],
    side: 1,
  })
})

test("more than 400 values are weekly medians first", () => {
  const steady = Array.from({ length: 420 }, (_, day) => day + (day % 7 === 3 ? 500 : 0))
  expect(slopeOf(dated(steady))?.slope).toBeCloseTo(1, 12)
})

test("memory is corrected for its bias and kept between 0 and 0.8", () => {
  const alternating = dated(Array.from({ length: 20 }, (_, day) => (day % 2 === 0 ? 1 : -1)))
  expect(memoryOf([alternating])).toBe(0)
  // 40 values: pairs of equal values in blocks of two. 20 products of 1 and 19 of -1: r1 = 1/39, r = (40/39 + 1) / 36.
  const blocks = dated(Array.from({ length: 40 }, (_, day) => (Math.floor(day / 2) % 2 === 0 ? 1 : -1)))
  expect(memoryOf([blocks])).toBeCloseTo((40 / 39 + 1) / 36, 12)
  expect(memoryOf([dated(Array.from({ length: 40 }, (_, day) => (day < 20 ? 1 : -1)))])).toBe(0.8)
  expect(memoryOf([dated([1, -1, 1])])).toBe(0.5)
  expect(memoryOf([dated(Array.from({ length: 40 }, () => 0))])).toBe(0)
  expect(effectiveSize(30, 0.5)).toBeCloseTo(10, 12)
  expect(effectiveSize(3, 0.8)).toBe(2)
})

test("Hedges' g is that of Borenstein and others (2009), example of chapter 4", () => {
  // Means 103 and 100, standard deviations 5.5 and 4.5, 50 on each side: d = 0.5970, g = 0.5924.
  const side = (middle: number, deviation: number) =>
    Array.from({ length: 50 }, (_, index) => middle + (index % 2 === 0 ? 1 : -1) * deviation * Math.sqrt(49 / 50))
  expect(hedges(side(103, 5.5), side(100, 4.5))).toBeCloseTo(0.5924, 4)
})

test("a difference of five and five values is worked out by hand", () => {
  // 8 pairs: r = 0.5, so each side is worth 2 values (5/3, at least 2). Variances 2 / (1 - 1/2) = 4, squared error 2 + 2,
  // (2 + 2)^2 / (4 + 4) = 2 degrees of freedom: 5 -+ 4.303 x 2.
  const found = differenceOf(dated([6, 7, 8, 9, 10], 5), dated([1, 2, 3, 4, 5]))
  expect(found?.difference).toBe(5)
  expect(found?.interval?.[0]).toBeCloseTo(5 - 4.302653 * 2, 5)
})

test("a past of 28 values gives memory and spread", () => {
  // 28 values of blocks: r1 = (14 - 13) / 27, r = (28/27 + 1) / 24.
  const past = dated(Array.from({ length: 28 }, (_, day) => (Math.floor(day / 2) % 2 === 0 ? 1 : -1)))
  const r = (28 / 27 + 1) / 24
  const worth = (n: number) => (n * (1 - r)) / (1 + r)
  const error = Math.sqrt((1 / (1 - 1 / worth(28))) * (2 / worth(7)))
  const found = differenceOf(dated([2, 2, 2, 2, 2, 2, 2], 28), dated([1, 1, 1, 1, 1, 1, 1], 21), { past })
  expect(found?.interval?.[1]).toBeCloseTo(1 + studentQuantile(worth(28) - 1) * error, 9)
})

test("three of the fifteen tests of Benjamini and Hochberg's example are discoveries under dependence", () => {
  const chances = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528,
  ]
  const factor = metricOf("hrv")
  const relations = [...chances, 0.759, 1]
    .toReversed()
    .map((chance): Relation => ({ factor, n: 30, chance, verdict: "positive", figures: {} }))
  expect(discoveries(relations).map(({ chance }) => chance)).toEqual([0.0001, 0.0004, 0.0019])
})

test("a drift of weeks is taken out by the median of 29 dates", () => {
  const drift = detrended(daily(Array.from({ length: 60 }, (_, day) => day)))
  expect(drift[30]?.value).toBe(0)
  // The first has only the 14 dates after it.
  expect(drift[0]?.value).toBe(-7)
})

test("the mean of each weekday is taken out", () => {
  const mondays = dated([9, 1, 2, 3, 4, 5, 6, 11, 1, 2, 3, 4, 5, 6], dayOf("2026-11-02"))
  expect(weekless(mondays).map(({ value }) => value)).toEqual([-1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0])
})

test("least squares on few answers are Student's own two samples, without memory", () => {
  // 20 pairs in the order 0, 0, 1, 1: their memory is below zero, so it counts as none. Differences of 4 with variances of 1.
  const pairs = Array.from({ length: 20 }, (_, day) => ({
    day: 3 * day,
    factor: day % 2,
    outcome: 4 * (day % 2) + (Math.floor(day / 2) % 2 === 0 ? 1 : -1),
  }))
  // No neighbours: 0.5 is assumed for both, so that 20 pairs are worth 20 x 0.75 / 1.25 = 12, with 10 degrees of freedom.
  const found = leastSquares(pairs)
  expect(found?.difference).toBeCloseTo(4, 12)
  expect(found?.test?.interval?.[1]).toBeCloseTo(4 + studentQuantile(10) * Math.sqrt(20 / (10 * 5)), 9)
})

test("dates before the first value and after the last one are not missing", () => {
  const values = [
    { day: 5, value: 4, source: "oura" },
    { day: 8, value: 5, source: "oura" },
  ]
  expect(missingIn({ first: 0, last: 20 }, values)).toBe(2)
})

test("ISO weeks belong to the year of their Thursday", () => {
  expect(groupOf(dayOf("2027-01-03"), "week")).toBe("2026-W53")
  expect(groupOf(dayOf("2026-11-19"), "week")).toBe("2026-W47")
  expect(groupOf(dayOf("2026-11-23"), "weekday")).toBe("monday")
})

test("a figure is right only when it is rounded right", () => {
  expect(differences(new NumberFigure(1.25, 1), 1.3)).toEqual([])
  expect(differences(new NumberFigure(1.2, 1), 1.3)).toHaveLength(1)
  expect(differences(new NumberFigure(1.25, 1), 1.25)).toHaveLength(1)
  expect(differences(new ClockFigure(1439.8), "00:00")).toEqual([])
  expect(differences(new ClockFigure(1439.2), "00:00")).toHaveLength(1)
  expect(differences({ n: 1 }, { n: 1, mean: 2 })).toHaveLength(1)
})
