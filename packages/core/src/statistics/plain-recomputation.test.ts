// Whole verdicts recomputed from the definitions, without any function of the statistics but the quantile of Student's t.
import fc from "fast-check"
import { expect, test } from "vitest"
import { comparePeriods } from "./compare.ts"
import { studentQuantile975 } from "./moments.ts"
import { relate } from "./relate.ts"
import { dateOf, dayOf } from "./series.ts"
import { slopeOf } from "./trend.ts"

/** A Monday. */
const FIRST = dayOf("2024-01-01")
type Point = readonly [day: number, value: number]
const toSeries = (points: readonly Point[]) => points.map(([day, value]) => ({ day: FIRST + day, value }))
const range = (first: number, last: number) => ({ from: dateOf(FIRST + first), to: dateOf(FIRST + last) })
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const mean = (values: readonly number[]): number => sum(values) / values.length
const variance = (values: readonly number[]): number =>
  sum(values.map((value) => (value - mean(values)) ** 2)) / values.length
function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0)) / 2
}

/** The trend, computed plainly. */
function memory(points: readonly Point[], step = 1): number {
  const centre = mean(points.map(([, value]) => value))
  const spread = variance(points.map(([, value]) => value))
  if (spread < 1e-20) return 0
  const products = points.flatMap(([day, value]) => {
    const next = points.find(([other]) => other === day + step)
    return next ? [(value - centre) * (next[1] - centre)] : []
  })
  if (products.length < 14) return 0.5
  return Math.min(0.8, Math.max(0, (points.length * (mean(products) / spread) + 1) / (points.length - 4)))
}
const effective = (n: number, r: number): number => Math.max(2, (n * (1 - r)) / (1 + r))

/** Whole numbers with memory and gaps: each value is a part of the one before. */
const worlds = (days: number, shareOfValues: number) =>
  fc
    .array(fc.tuple(fc.integer({ min: -30, max: 30 }), fc.integer({ min: 0, max: 99 })), {
      minLength: days,
      maxLength: days,
    })
    .map((steps) => {
      let value = 50
      return steps.flatMap(([step, chance], day): Point[] => {
        value = Math.round(50 + 0.4 * (value - 50) + step + day / 8)
        return chance < shareOfValues ? [[day, value]] : []
      })
    })

/** The slope of least squares by the normal equations, its residuals and the squared distances of the days from their mean. */
function line(points: readonly Point[]) {
  const [days, values] = [points.map(([day]) => day), points.map(([, value]) => value)]
  const [day, value] = [mean(days), mean(values)]
  const squares = sum(days.map((each) => (each - day) ** 2))
  const slope = sum(points.map(([one, other]) => (one - day) * (other - value))) / squares
  return { slope, squares, residuals: points.map(([one, other]): Point => [one, other - value - slope * (one - day)]) }
}

function plainTrend(points: readonly Point[], step: number) {
  const pairs = points.flatMap((one) => points.flatMap((other) => (other[0] > one[0] ? [[one, other] as const] : [])))
  const slopes = pairs.map(([one, other]) => (other[1] - one[1]) / (other[0] - one[0]))
  slopes.sort((one, other) => one - other)
  const fitted = line(points)
  const r = memory(fitted.residuals, step)
  const n = points.length
  const values = points.map(([, value]) => value)
  const ties = [...new Set(values)].map((value) => values.filter((other) => other === value).length)
  const kendall = (n * (n - 1) * (2 * n + 5) - sum(ties.map((t) => t * (t - 1) * (2 * t + 5)))) / 18
  const quantile = studentQuantile975(Math.max(3, effective(n, r) - 2))
  const c = quantile * Math.sqrt((kendall * (1 + r)) / (1 - r))
  const rank = Math.floor((slopes.length - c) / 2)
  const s = sum(pairs.map(([one, other]) => Math.sign(other[1] - one[1])))
  const side = rank < 1 || Math.abs(s) - 1 <= c ? 0 : Math.sign(s)
  const isTied = median(slopes) === 0
  const slope = isTied ? fitted.slope : median(slopes)
  let [low, high] = [slopes[rank - 1] ?? Number.NaN, slopes[slopes.length - rank] ?? Number.NaN]
  if (isTied && (low === high || slope < low || slope > high)) {
    const error = Math.sqrt(
      (sum(fitted.residuals.map(([, value]) => value ** 2)) / (n - 2) / fitted.squares) * ((1 + r) / (1 - r)),
    )
    ;[low, high] = [slope - quantile * error, slope + quantile * error]
  }
  if (side > 0) low = Math.max(low, 0)
  if (side < 0) high = Math.min(high, 0)
  const close = (value: number) => expect.closeTo(value, 9)
  return { slope, side, fitted, interval: rank < 1 ? null : { low: close(low), high: close(high) } }
}

/** The worlds, and those whose values are rounded to twenty: most pairs are equal then. */
const roundedOrNot = (days: number, share: number) =>
  fc
    .tuple(worlds(days, share), fc.constantFrom(1, 20))
    .map(([points, step]) => points.map(([day, value]): Point => [day, Math.round(value / step)]))

test("trend: slope, interval and verdict of up to 400 values", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 25, max: 60 }).chain((days) => roundedOrNot(days, 85)),
      (points) => {
        fc.pre(points.length >= 14)
        const { slope, interval, side, fitted } = plainTrend(points, 1)
        const last = points.at(-1)?.[0] ?? 0
        const found = slopeOf({ kind: "number", history: toSeries(points), period: range(0, last) })
        expect(found.slope).toBeCloseTo(slope, 9)
        expect(found.interval).toEqual(interval)
        const values = points.map(([, value]) => value)
        const deviation = Math.sqrt((variance(values) * values.length) / (values.length - 1))
        const isLarge = Math.abs(fitted.slope) * (last - (points[0]?.[0] ?? 0)) >= 0.2 * deviation
        const isClear = isLarge && side !== 0 && side === Math.sign(fitted.slope)
        expect(found.verdict).toBe(isClear ? (side > 0 ? "rising" : "falling") : "no_clear_change")
      },
    ),
  )
})

test("trend: over 400 values by weeks with at least three, the medians of measures and the means of whole numbers", () => {
  fc.assert(
    fc.property(worlds(700, 65), fc.constantFrom(0, 0.5), (whole, beside) => {
      fc.pre(whole.length > 400)
      const points = whole.map(([day, value]): Point => [day, value + beside])
      const weeks = Array.from({ length: 100 }, (_, week) => points.filter(([day]) => Math.floor(day / 7) === week))
      const middle = beside === 0 ? mean : median
      const middles = weeks.flatMap((week, index): Point[] =>
        week.length >= 3 ? [[7 * index + 3, middle(week.map(([, value]) => value))]] : [],
      )
      const { slope, interval } = plainTrend(middles, 7)
      const found = slopeOf({ kind: "number", history: toSeries(points), period: range(0, 699) })
      expect(found.slope).toBeCloseTo(slope, 9)
      expect(found.interval).toEqual(interval)
    }),
    { numRuns: 20 },
  )
})

test("compare: the interval by the person's own past of 120 dates", () => {
  fc.assert(
    fc.property(worlds(160, 90), (points) => {
      const between = (first: number, last: number) => points.filter(([day]) => day >= first && day <= last)
      const [period, other, past] = [between(146, 159), between(132, 145), between(26, 145)]
      fc.pre(period.length >= 5 && other.length >= 5)
      const r = memory(past)
      const size = effective(past.length, r)
      const values = (side: readonly Point[]): number[] => side.map(([, value]) => value)
      const spread = variance(values(past)) / (1 - 1 / size)
      const error = Math.sqrt(spread / effective(period.length, r) + spread / effective(other.length, r))
      const difference = mean(values(period)) - mean(values(other))
      const reach = studentQuantile975(size - 1) * error
      const found = comparePeriods({
        kind: "number",
        history: toSeries(points),
        period: range(146, 159),
        other: range(132, 145),
      })
      expect(found.difference).toBeCloseTo(difference, 9)
      expect(found.interval?.low).toBeCloseTo(difference - reach, 8)
      expect(found.interval?.high).toBeCloseTo(difference + reach, 8)
    }),
  )
})

/** The relation, computed plainly. */
const detrended = (points: readonly Point[]): Point[] =>
  points.map(([day, value]) => {
    const around = points.filter(([other]) => Math.abs(other - day) <= 14).map(([, each]) => each)
    return [day, value - median(around)]
  })

/** Each value minus the mean of all values seven, fourteen, ... days apart. */
const weekless = (points: readonly Point[]): Point[] =>
  points.map(([day, value]) => {
    const sameWeekday = points.filter(([other]) => (other - day) % 7 === 0).map(([, each]) => each)
    return [day, Math.round((value - mean(sameWeekday)) * 1e8) / 1e8]
  })
/** Without their mean where there are too few for seven. */
const adjusted = (points: readonly Point[]): Point[] =>
  points.length >= 28
    ? weekless(points)
    : points.map(([day, value]) => [day, value - mean(points.map(([, each]) => each))])

test("relate: rho and its interval of two series without their running medians and their weeks", () => {
  const ranks = (values: readonly number[]): number[] =>
    values.map(
      (value) => values.filter((other) => other < value).length + values.filter((other) => other === value).length / 2,
    )
  const within = (points: readonly Point[], first: number, last: number) =>
    points.filter(([day]) => day >= first && day <= last)
  fc.assert(
    fc.property(worlds(80, 85), worlds(80, 85), fc.constantFrom(0, 1), (factors, outcomes, lag) => {
      const wholes = [within(detrended(factors), 20 - lag, 70 - lag), within(detrended(outcomes), 20, 70)]
      const [factorSide = [], outcomeSide = []] = wholes.map(weekless)
      const pairs = outcomeSide.flatMap(([day, outcome]) => {
        const factor = factorSide.find(([other]) => other === day - lag)
        return factor ? [{ day, outcome, factor: factor[1] }] : []
      })
      fc.pre(pairs.length >= 28)
      const [ones, others] = [ranks(pairs.map(({ factor }) => factor)), ranks(pairs.map(({ outcome }) => outcome))]
      const products = mean(ones.map((one, index) => (one - mean(ones)) * ((others[index] ?? 0) - mean(others))))
      const rho = products / Math.sqrt(variance(ones) * variance(others))
      const both = memory(factorSide) * memory(outcomeSide)
      const size = (pairs.length * (1 - both)) / (1 + both) - 6
      fc.pre(size > 3)
      const reach = 1.959963984540054 * Math.sqrt((1 + rho ** 2 / 2) / (size - 3))
      const measured = (id: string, points: readonly Point[]) =>
        ({ id, kind: "number", history: toSeries(points) }) as const
      const found = relate({
        factor: measured("factor", factors),
        outcome: measured("outcome", outcomes),
        lag: lag === 0 ? 0 : 1,
        period: range(20, 70),
      })
      const close = (value: number) => expect.closeTo(value, 8)
      expect(found).toMatchObject({
        n: pairs.length,
        rho: close(rho),
        interval: { low: close(Math.tanh(Math.atanh(rho) - reach)), high: close(Math.tanh(Math.atanh(rho) + reach)) },
      })
    }),
  )
})

test("relate: least squares of the outcome on yes and no, by the equations of a line", () => {
  const answers = fc.array(fc.constantFrom(0, 1), { minLength: 60, maxLength: 60 })
  fc.assert(
    fc.property(answers, worlds(60, 90), fc.integer({ min: 20, max: 59 }), (given, outcomes, last) => {
      const whole = detrended(outcomes).filter(([day]) => day <= last)
      const factors = adjusted(whole.map(([day]): Point => [day, given[day] ?? 0]))
      const values = adjusted(whole)
      const n = whole.length
      const yes = whole.filter(([day]) => given[day] === 1).length
      const squares = sum(factors.map(([, factor]) => factor ** 2))
      fc.pre(yes >= 8 && n - yes >= 8 && squares > 1.001)
      const slope = sum(factors.map(([, factor], index) => factor * (values[index]?.[1] ?? 0))) / squares
      const errors = sum(factors.map(([, factor], index) => ((values[index]?.[1] ?? 0) - slope * factor) ** 2))
      const both = memory(factors) * memory(values)
      const size = (n * (1 - both)) / (1 + both)
      const degrees = size - 2 - (n >= 28 ? 6 : 0)
      fc.pre(degrees >= 1)
      const reach = studentQuantile975(degrees) * Math.sqrt(((errors / n) * (size / degrees)) / ((squares * size) / n))
      const history = toSeries(given.map((answer, day): Point => [day, answer]))
      const found = relate({
        factor: { id: "journal:late_meal", kind: "yes_no", history },
        outcome: { id: "hrv", kind: "number", history: toSeries(outcomes) },
        lag: 0,
        period: range(0, last),
      })
      expect(found).toMatchObject({ n, yes: { n: yes }, difference: expect.any(Number) })
      // The running median looks beyond the range, as the plain one does.
      expect(found).toMatchObject({
        difference: expect.closeTo(slope, 6),
        interval: { low: expect.closeTo(slope - reach, 6), high: expect.closeTo(slope + reach, 6) },
      })
    }),
  )
})
