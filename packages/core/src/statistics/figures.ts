import { hasSum, type MetricDescription, possibleValues } from "@restwell/client/figures"
import { round } from "../base/rounding.ts"
import type { Answered, AnswerRelation } from "./answers.ts"
import type { Best } from "./bests.ts"
import { MINUTES_PER_DAY, wrap } from "./clock-times.ts"
import type { Comparison, Side } from "./compare.ts"
import type { Description, Sign, Usual } from "./describe.ts"
import { FALSE_DISCOVERY_RATE, type Interval } from "./difference.ts"
import type { Relation, Relations, TestedRelation } from "./relate.ts"
import { type DatedValue, dateOf, type SourcedValue } from "./series.ts"
import type { Beyond, Trend } from "./trend.ts"

// The only place where figures of the statistics are rounded. Every other file computes with what it was given.

/** Of rho and of effect sizes. */
const RATIO_DECIMALS = 2
const MINUTES_PER_HOUR = 60

/** A value as an answer has it. Clock times are text, as in 23:41. */
type Figure = number | string

type Shape = Pick<MetricDescription, "kind" | "decimals">

function clockText(minutes: number): string {
  const whole = round(minutes, 0) % MINUTES_PER_DAY
  const twoDigits = (part: number): string => String(part).padStart(2, "0")
  return `${twoDigits(Math.floor(whole / MINUTES_PER_HOUR))}:${twoDigits(whole % MINUTES_PER_HOUR)}`
}

/** A value, a mean or a quantile. */
const toFigure = ({ kind, decimals }: Shape, value: number): Figure =>
  kind === "clock" ? clockText(value) : round(value, decimals)

/** A standard deviation. Of clock times whole minutes. */
const toSpread = ({ kind, decimals }: Shape, value: number): number => round(value, kind === "clock" ? 0 : decimals)

/** A slope, a difference or a limit of their intervals: one decimal more than the metric. Of clock times whole minutes. */
const toChange = ({ kind, decimals }: Shape, value: number): number => round(value, kind === "clock" ? 0 : decimals + 1)

/** A correlation or an effect size. */
const toRatio = (value: number): number => round(value, RATIO_DECIMALS)

const toInterval = (toLimit: (value: number) => number, interval: Interval | null): [number, number] | null =>
  interval && [toLimit(interval.low), toLimit(interval.high)]

/** Rounds a value, and leaves an unknown one null. */
const orNull = <Result>(to: (value: number) => Result, value: number | null): Result | null =>
  value === null ? null : to(value)

const toDated = (shape: Shape, { date, value }: DatedValue): { date: string; value: Figure } => ({
  date,
  value: toFigure(shape, value),
})

/** Slopes are reported for this number of days. */
const SLOPE_DAYS = 30

const ofThird = (metric: MetricDescription, { n, mean }: Description) => ({
  n,
  mean: orNull((value) => toFigure(metric, value), mean),
})

/** Figures of a period as an answer has them. */
function descriptionFigures(metric: MetricDescription, { n, mean, median, sd, p25, p75 }: Description) {
  const figure = (value: number | null): Figure | null => orNull((known) => toFigure(metric, known), value)
  return {
    n,
    mean: figure(mean),
    median: figure(median),
    sd: orNull((known) => toSpread(metric, known), sd),
    p25: figure(p25),
    p75: figure(p75),
  }
}

/** One standard deviation around the mean of the values before, within what is possible. A yes or no has no usual range. */
export function usualFigures(
  metric: MetricDescription,
  { mean, sd, n }: Usual,
): { low: Figure; high: Figure; n: number } | null {
  if (metric.kind === "yes_no") return null
  const clock = (value: number): Figure => toFigure(metric, wrap(value))
  if (metric.kind === "clock") return { low: clock(mean - sd), high: clock(mean + sd), n }
  return { ...usualBounds(metric, { mean, sd }), n }
}

/** The ends of the usual range of a number, rounded. */
export function usualBounds(
  metric: MetricDescription,
  { mean, sd }: Pick<Usual, "mean" | "sd">,
): { low: number; high: number } {
  const { lowest, highest } = possibleValues(metric)
  const limit = (value: number): number => round(Math.min(highest, Math.max(lowest, value)), metric.decimals)
  return { low: limit(mean - sd), high: limit(mean + sd) }
}

/** A value and what was usual before it. */
export const besideFigures = (metric: MetricDescription, { value, usual }: { value: number; usual: Usual | null }) => ({
  value: toFigure(metric, value),
  usual: usual && usualFigures(metric, usual),
})

const beyondFigures = (metric: MetricDescription, { limit, n, dates }: Beyond) => ({
  limit: metric.kind === "clock" ? clockText(limit) : limit,
  n,
  dates: [...dates],
})

/** A personal best. A round number of nights has no former one. @param source null where others have no values */
export function bestFigures(metric: MetricDescription, best: Best, source: string | null) {
  const common = { metric: best.metric, unit: metric.unit, kind: best.kind }
  if (best.kind === "count") return { ...common, span: "ever" as const, value: best.value, former: null, source: null }
  const { day, value } = best.former
  return {
    ...common,
    span: best.span,
    value: toFigure(metric, best.value),
    former: toDated(metric, { date: dateOf(day), value }),
    source,
  }
}

/** A figure of a morning that is far from usual. Its usual range is that of a trend. */
export const signFigures = (metric: MetricDescription, { value, direction, usual, mornings }: Sign) => ({
  metric: metric.id,
  value: round(value, metric.decimals),
  unit: metric.unit,
  usual: { ...usualBounds(metric, usual), n: usual.n },
  direction,
  mornings,
})

/** The statistics of a trend answer, rounded. @param withPoints whether every value is wanted */
export function trendFigures(
  metric: MetricDescription,
  trend: Trend,
  { withPoints }: { readonly withPoints: boolean },
) {
  const change = (perDay: number): number => toChange(metric, perDay * SLOPE_DAYS)
  return {
    ...descriptionFigures(metric, trend),
    missing: trend.missing,
    sum: hasSum(metric) ? orNull((value) => round(value, metric.decimals), trend.sum) : null,
    above: trend.above && beyondFigures(metric, trend.above),
    below: trend.below && beyondFigures(metric, trend.below),
    streaks: trend.streaks,
    highest: trend.highest.map((value) => toDated(metric, value)),
    lowest: trend.lowest.map((value) => toDated(metric, value)),
    latest: trend.latest && toDated(metric, trend.latest),
    usual: trend.usual && usualFigures(metric, trend.usual),
    slope_per_30_days: orNull(change, trend.slope),
    interval: toInterval(change, trend.interval),
    verdict: trend.verdict,
    first_third: ofThird(metric, trend.firstThird),
    last_third: ofThird(metric, trend.lastThird),
    groups:
      trend.groups?.map(({ group, n, sum, mean, sd, difference = null, interval = null, verdict }) => ({
        group,
        n,
        ...(hasSum(metric) && { sum: round(sum, metric.decimals) }),
        mean: toFigure(metric, mean),
        sd: orNull((known) => toSpread(metric, known), sd),
        ...(verdict && {
          difference: orNull((value) => toChange(metric, value), difference),
          interval: toInterval((value) => toChange(metric, value), interval),
          verdict,
        }),
      })) ?? null,
    points: withPoints ? trend.points.map(({ date, value }) => [date, toFigure(metric, value)] as const) : null,
  }
}

function sideFigures(metric: MetricDescription, side: Side) {
  const { n, mean, median, sd } = descriptionFigures(metric, side)
  return { n, missing: side.missing, mean, median, sd }
}

/** The statistics of a comparison, rounded. */
export function compareFigures(
  metric: MetricDescription,
  { period, other, difference, interval, effectSize, verdict }: Comparison,
) {
  const change = (value: number): number => toChange(metric, value)
  return {
    period: sideFigures(metric, period),
    with: sideFigures(metric, other),
    difference: orNull(change, difference),
    interval: toInterval(change, interval),
    effect_size: orNull(toRatio, effectSize),
    verdict,
  }
}

/** The two metrics of a relation. */
interface RelatedMetrics {
  readonly outcome: MetricDescription
  readonly factor: MetricDescription
}

/** The statistics of a relation, rounded. */
export const relationFigures = (metrics: RelatedMetrics, relation: Relation) =>
  relation.kind === "yes_no" ? answerFigures(metrics, relation) : numberFigures(metrics, relation)

function numberFigures(
  { outcome, factor }: RelatedMetrics,
  { n, rho, interval, verdict, groups }: Exclude<Relation, AnswerRelation>,
) {
  return {
    n,
    rho: orNull(toRatio, rho),
    interval: toInterval(toRatio, interval),
    verdict,
    groups: groups.map(({ from, to, n: count, mean, sd }) => ({
      from: toFigure(factor, from),
      to: toFigure(factor, to),
      n: count,
      mean: toFigure(outcome, mean),
      sd: orNull((known) => toSpread(outcome, known), sd),
    })),
  }
}

/** What the answers of yes and no make of the outcome, rounded. */
function answerEffect(outcome: MetricDescription, { difference, interval, verdict }: AnswerRelation) {
  const change = (value: number): number => toChange(outcome, value)
  return { difference: orNull(change, difference), interval: toInterval(change, interval), verdict }
}

/** The same with the dates of each answer. */
export const countedEffect = (outcome: MetricDescription, relation: AnswerRelation) => ({
  yes_n: relation.yes.n,
  no_n: relation.no.n,
  ...answerEffect(outcome, relation),
})

function answerFigures({ outcome }: RelatedMetrics, relation: AnswerRelation) {
  const answered = ({ n, mean, sd }: Answered) => ({
    n,
    mean: orNull((known) => toFigure(outcome, known), mean),
    sd: orNull((known) => toSpread(outcome, known), sd),
  })
  return {
    n: relation.n,
    unanswered: relation.unanswered,
    yes: answered(relation.yes),
    no: answered(relation.no),
    ...answerEffect(outcome, relation),
  }
}

/** The statistics of an answer about all factors, rounded. */
export const relationsFigures = (outcome: MetricDescription, { tried, relations }: Relations) => ({
  tried,
  false_discovery_rate: FALSE_DISCOVERY_RATE,
  relations: relations.map(({ factor, isPart, relation }) => ({
    factor,
    ...rowFigures(outcome, relation),
    part_of_outcome: isPart,
  })),
})

function rowFigures(outcome: MetricDescription, relation: TestedRelation) {
  const { kind, n, interval, verdict } = relation
  if (relation.kind === "yes_no") return { kind, n, yes_n: relation.yes.n, ...answerEffect(outcome, relation) }
  return { kind, n, rho: orNull(toRatio, relation.rho), interval: toInterval(toRatio, interval), verdict }
}

/** A metric of the catalogue with what a person has of it. @param values of all sources */
export function metricFigures(metric: MetricDescription, values: readonly SourcedValue[]) {
  const days = [...new Set(values.map(({ day }) => day))].toSorted((one, other) => one - other)
  const [first, last] = [days[0], days.at(-1)]
  return {
    ...metric,
    sources: [...new Set(values.map(({ source }) => source))].toSorted(),
    first_date: first === undefined ? null : dateOf(first),
    last_date: last === undefined ? null : dateOf(last),
    n: days.length,
  }
}
