import { journalMetric, METRICS, type MetricDescription } from "@restwell/client/figures"
import { expect, test } from "vitest"
import { comparePeriods } from "./compare.ts"
import { compareFigures, relationFigures, relationsFigures, trendFigures } from "./figures.ts"
import { relate, relateAll } from "./relate.ts"
import { dateOf, dayOf, type Series } from "./series.ts"
import { trendOf } from "./trend.ts"

const FIRST = dayOf("2026-11-01")
const period = (first: number, last: number) => ({ from: dateOf(FIRST + first), to: dateOf(FIRST + last) })
const nightly = (values: readonly number[]): Series => values.map((value, index) => ({ day: FIRST + index, value }))
function metric(id: string): MetricDescription {
  const found = METRICS.find((each) => each.id === id)
  if (!found) throw new Error(`the catalogue has no ${id}`)
  return found
}

test("a trend's figures have the metric's decimals, the slope one more", () => {
  const history = nightly(Array.from({ length: 20 }, (_, index) => 50 + index / 7))
  const trend = trendOf({ kind: "number", history, period: period(0, 19), by: "month", top: 1 })
  expect(trendFigures(metric("hrv"), trend, { withPoints: false })).toEqual({
    n: 20,
    mean: 51.4,
    median: 51.4,
    sd: 0.8,
    p25: 50.7,
    p75: 52,
    missing: 0,
    sum: null,
    above: null,
    below: null,
    streaks: null,
    highest: [{ date: "2026-11-20", value: 52.7 }],
    lowest: [{ date: "2026-11-01", value: 50 }],
    latest: { date: "2026-11-20", value: 52.7 },
    usual: { low: 50.5, high: 52.1, n: 19 },
    slope_per_30_days: 4.29,
    interval: [4.29, 4.29],
    verdict: "rising",
    first_third: { n: 6, mean: 50.4 },
    last_third: { n: 6, mean: 52.4 },
    groups: [{ group: "2026-11", n: 20, mean: 51.4, sd: 0.8 }],
    points: null,
  })
  expect(trendFigures(metric("hrv"), trend, { withPoints: true }).points?.[1]).toEqual(["2026-11-02", 50.1])
})

test("clock times are text, and their spreads and changes whole minutes", () => {
  const history = nightly([1430, 1435, 1439.6, 2, 10, 1431])
  const trend = trendOf({ kind: "clock", history, period: period(0, 5), by: "weekday", top: 1 })
  const figures = trendFigures(metric("bedtime"), trend, { withPoints: true })
  expect(figures).toMatchObject({
    mean: "23:58",
    highest: [{ value: "00:10" }],
    lowest: [{ value: "23:50" }],
    usual: { low: "23:53", high: "00:06", n: 5 },
    interval: null,
  })
  expect(figures.points?.[2]).toEqual(["2026-11-03", "00:00"])
  expect(Number.isInteger(figures.sd)).toBe(true)
  const steady = nightly(Array.from({ length: 20 }, (_, index) => (1410 + 2.4 * index) % 1440))
  const later = trendOf({ kind: "clock", history: steady, period: period(0, 19), top: 1, above: 1439.6 })
  const { slope_per_30_days: slope, above } = trendFigures(metric("bedtime"), later, { withPoints: false })
  expect([slope, above?.limit, above?.n]).toEqual([72, "00:00", 7])
})

test("hours and counts have a sum, a yes or no has no usual range, and no usual range is impossible", () => {
  const figuresOf = (of: MetricDescription, values: readonly number[]) => {
    const trend = trendOf({ kind: of.kind, history: nightly(values), period: period(0, 9), top: 1 })
    const { sum, usual } = trendFigures(of, trend, { withPoints: false })
    return { sum, usual }
  }
  const runs = [0, 0, 8_000, 0, 0, 9_000, 0]
  expect(figuresOf(metric("distance"), runs)).toEqual({ sum: 17_000, usual: { low: 0, high: 7_234.1, n: 6 } })
  expect(figuresOf(metric("hrv"), runs).sum).toBeNull()
  expect(figuresOf(metric("sleep_debt"), [1, -1, 2, -3, 0, 1, 0]).usual?.low).toBeLessThan(0)
  expect(figuresOf(journalMetric("alcohol"), [0, 1, 0, 1, 0, 1, 0])).toEqual({ sum: 3, usual: null })
  expect(figuresOf(metric("sleep_efficiency"), [99, 99, 99, 90, 99, 99, 99]).usual?.high).toBe(100)
})

test("without values every figure is null, and nothing is zero but the counts", () => {
  const trend = trendOf({ kind: "number", history: [], period: period(0, 5), top: 3 })
  const { n, missing, verdict, highest, lowest, first_third, last_third, ...figures } = trendFigures(
    metric("hrv"),
    trend,
    {
      withPoints: false,
    },
  )
  expect({ n, missing, verdict, highest, lowest }).toEqual({
    n: 0,
    missing: 0,
    verdict: "not_enough_data",
    highest: [],
    lowest: [],
  })
  expect([first_third, last_third]).toEqual([
    { n: 0, mean: null },
    { n: 0, mean: null },
  ])
  expect(new Set(Object.values(figures))).toEqual(new Set([null]))
})

test("a comparison", () => {
  const history = nightly([1, 2, 3, 4, 5, 6, 8, 9, 10, 11].map((value) => value / 3))
  const comparison = comparePeriods({ kind: "number", history, period: period(5, 9), other: period(0, 4) })
  expect(compareFigures(metric("asleep"), comparison)).toEqual({
    period: { n: 5, missing: 0, mean: 2.93, median: 3, sd: 0.64 },
    with: { n: 5, missing: 0, mean: 1, median: 1, sd: 0.53 },
    difference: 1.933,
    interval: [expect.any(Number), expect.any(Number)],
    effect_size: 2.98,
    verdict: expect.any(String),
  })
})

test("relations of a number and of answers, alone and in a list", () => {
  const jumps = (multiplier: number) =>
    nightly(Array.from({ length: 40 }, (_, index) => ((index + 1) * multiplier) % 41))
  const outcome = { id: "hrv", kind: "number", history: jumps(17) } as const
  const strain = { id: "strain", kind: "number", history: jumps(17) } as const
  const alcohol = {
    id: "journal:alcohol",
    kind: "yes_no",
    history: nightly(Array.from({ length: 40 }, (_, index) => index % 2)),
  } as const
  const question = { outcome, lag: 0, period: period(0, 39) } as const
  const metrics = { outcome: metric("hrv"), factor: metric("strain") }
  expect(relationFigures(metrics, relate({ ...question, factor: strain }))).toEqual({
    n: 40,
    rho: 1,
    interval: [1, 1],
    verdict: "positive",
    groups: [
      { from: 1, to: 14, n: 14, mean: 7.5, sd: 4.2 },
      { from: 15, to: 27, n: 13, mean: 21, sd: 3.9 },
      { from: 28, to: 40, n: 13, mean: 34, sd: 3.9 },
    ],
  })
  const answers = relationFigures(metrics, relate({ ...question, factor: alcohol }))
  expect(answers).toMatchObject({ n: 40, unanswered: 0, yes: { n: 20 }, no: { n: 20 }, verdict: "no_clear_difference" })
  expect(relationsFigures(metrics.outcome, relateAll({ ...question, factors: [alcohol, strain] }))).toMatchObject({
    tried: 2,
    false_discovery_rate: 0.1,
    relations: [
      {
        factor: "strain",
        kind: "number",
        n: 40,
        rho: 1,
        interval: [1, 1],
        verdict: "positive",
        part_of_outcome: false,
      },
      {
        factor: "journal:alcohol",
        kind: "yes_no",
        n: 40,
        yes_n: 20,
        verdict: "no_clear_difference",
        part_of_outcome: false,
      },
    ],
  })
})
