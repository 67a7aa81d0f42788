import { createHash } from "node:crypto"
import {
  BODY_TYPES,
  DATE_BOUNDS,
  DAYS,
  INSIGHT_DAYS,
  type Metric,
  type MetricsResponse,
  type RelateQuery,
  ROWS,
  type SignsResponse,
  TOP,
  type TrendQuery,
  type TrendResponse,
} from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import {
  factorNameOf,
  isCount,
  journalMetric,
  METRICS,
  type MetricDescription,
  SIGN_METRICS,
  sportNameOf,
} from "@restwell/client/figures"
import { RECORD_KINDS } from "@restwell/providers"
import { ALL_DATES, countDates, type DateRange } from "../base/calendar.ts"
import { InvalidRequest } from "../context/errors.ts"
import { NO_PREFERENCES } from "../sources/rank.ts"
import { type SignMetric, signsOf, usualBefore } from "../statistics/describe.ts"
import { metricFigures, signFigures, trendFigures } from "../statistics/figures.ts"
import { MEDIAN_REACH } from "../statistics/pairs.ts"
import { dateOf, dayOf, type Series } from "../statistics/series.ts"
import { trendOf } from "../statistics/trend.ts"
import type { WantedHistory } from "../store/statements/read-health.ts"
import { chooseHistory, ofProvider, withSport } from "./chosen-history.ts"
import { comparedSources, readComparison, readSourceComparison, type SourcePair, spanOf } from "./comparisons.ts"
import { datesOfDay, historyOfDay, readDay } from "./day.ts"
import {
  type InsightAnswer,
  type InsightBody,
  type InsightData,
  type InsightLimits,
  type InsightQuery,
  type InsightType,
  insightRange,
  knownMetric,
  limitOf,
  otherRange,
  presentDates,
} from "./insight-query.ts"
import { groupOfMetric, isOfNight, METRIC_GROUPS, type MetricGroup } from "./metric-groups.ts"
import { factorsOf, metricExtras, newStartNotes, notesOf, slopeNotes } from "./metric-notes.ts"
import { metricSeries, seriesOn } from "./metric-series.ts"
import { findRelations } from "./relations.ts"
import { isOfSamples, samplesFor, type WantedSamples } from "./sampled-figures.ts"
import { knownSport, readSports } from "./summarize.ts"

/** The catalogue: every metric, and the journal's factors that were answered, with what each source has of it. */
export function readMetrics(data: InsightData): InsightAnswer<MetricsResponse> {
  const all = [...METRICS, ...factorsOf(data.chosen.answers).map(journalMetric)]
  const metrics = describeMetrics(data, all).filter(({ id, n }) => n > 0 || !isOfSamples(id))
  return {
    body: { metrics, count: metrics.length, ...data.envelope({ id: "asleep" }, null) },
    recordCount: metrics.length,
  }
}

/** What each source has of the metrics that may be read. */
export function describeMetrics(
  { history, today, snapshot, groups }: InsightData,
  metrics: readonly MetricDescription[],
): Metric[] {
  const { facts, recordDates, answers, sampled } = history
  const ofRecords = recordDates ? Object.keys(recordDates) : facts.map(({ provider }) => provider)
  const ofOthers = [...answers.map(({ provider }) => provider), ...sampled.map(({ source }) => source)]
  const providers = [...new Set([...ofRecords, ...ofOthers])]
  const person = { today, homeZone: snapshot.timeZone }
  const bySource = providers.map((provider) => chooseHistory(ofProvider(history, provider), NO_PREFERENCES, person))
  return metrics
    .filter(({ id }) => groups.some((group) => group === groupOfMetric(id)))
    .map((metric) =>
      metricFigures(
        metric,
        bySource.flatMap((ofSource) => metricSeries(ofSource, metric, ALL_DATES).history),
      ),
    )
}

/**
 * The mornings of a period with figures that are far from usual for the person, newest first. Each morning is judged by the source and the
 * method that it has them from, as the day of its date is answered.
 */
function readSigns({ chosen, groups, envelope }: InsightData, period: DateRange): InsightAnswer<SignsResponse> {
  const allowed = SIGN_METRICS.filter((id) => groups.some((group) => group === groupOfMetric(id)))
  const last = dayOf(period.to)
  const mornings = Array.from({ length: countDates(period) }, (_, back) => {
    const day = last - back
    const seriesOf = seriesOn(chosen, dateOf(day))
    const all = allowed.map((id) => ({ id, day, ...seriesOf(knownMetric(id, "metric")) }))
    return { day, all }
  })
  const records = mornings.flatMap(({ day, all }) => {
    const histories: Partial<Record<SignMetric, Series>> = Object.fromEntries(
      all.map(({ id, history }) => [id, history]),
    )
    const figures = signsOf(histories, day).map((sign) => signFigures(knownMetric(sign.metric, "metric"), sign))
    return figures.length > 0 ? [{ date: dateOf(day), figures }] : []
  })
  const every = mornings.flatMap(({ all }) => all)
  const withValue = every.filter(({ day, history }) => history.at(-1)?.day === day)
  const checked = withValue.filter(({ day, history }) => usualBefore("number", history, day) !== null)
  const source = [...withValue, ...every].find(({ source: of }) => of !== null)?.source ?? null
  return {
    body: {
      records,
      count: records.length,
      checked: allowed.filter((id) => checked.some((each) => each.id === id)),
      ...envelope({ id: "hrv" }, source),
    },
    recordCount: withValue.length,
  }
}

/** How a metric went over a period: its figures, slope and verdict. */
export function readTrend(
  { chosen, today, envelope, snapshot: { daysOff } }: InsightData,
  { metric: id, by, points = false, top = TOP.default, sport, ...query }: TrendQuery,
  period: DateRange,
): InsightAnswer<TrendResponse> {
  const metric = knownMetric(id, "metric")
  const series = metricSeries(
    sport === undefined ? chosen : withSport(chosen, knownSport(chosen, sport, "sport")),
    metric,
    period,
  )
  const limits = limitsOf(metric, query)
  const { history } = series
  const isOccasional = BODY_TYPES.includes(id)
  const trend = trendOf({
    kind: metric.kind,
    history,
    period,
    isOccasional,
    top,
    daysOff,
    ...limits,
    ...(by && { by }),
  })
  const { groups, points: dated, ...figures } = trendFigures(metric, trend, { withPoints: points })
  const { source, sources } = envelope(metric, series.source)
  return {
    body: {
      metric: id,
      unit: metric.unit,
      period: presentDates(period),
      source,
      method: series.method,
      ...figures,
      extras: metricExtras(series, { period, daysOff }),
      groups,
      weekday_of: (by === "weekday" || by === "weekend") && isOfNight(id) ? "waking" : null,
      points: dated?.map(([date, value]): [string, typeof value] => [date, value]) ?? null,
      notes: [
        ...notesOf(series, { history: chosen, period, today }),
        ...newStartNotes(series, trend.latest),
        ...slopeNotes(metric, trend),
      ],
      sources,
    },
    recordCount: trend.n,
  }
}

/** @throws {InvalidRequest} for a time of a number, or a number of a clock metric */
const limitsOf = (metric: MetricDescription, { above, below }: Pick<TrendQuery, "above" | "below">) => ({
  ...(above !== undefined && { above: limitOf(metric, above, "above") }),
  ...(below !== undefined && { below: limitOf(metric, below, "below") }),
})

/** How a question is answered once the person's date is known. */
export interface InsightPlan<Body = InsightBody> extends ReadingPlan<Body> {
  /** The dates of the answer, of a comparison from the first to the last of both periods. Null for the catalogue. */
  readonly range: DateRange | null
  /** Names the question on this date. Equal names and equal data give equal answers. */
  readonly name: string
  /** Whether the answer is the points of a trend as CSV. */
  readonly isCsv?: boolean
}

/** What is read for an answer, and how the answer is made of it. */
export interface ReadingPlan<Body> {
  readonly groups: readonly MetricGroup[]
  readonly wanted: Omit<WantedHistory, "providers" | "isForAssistant">
  readonly samples: WantedSamples
  /** The date of which is also read what the sources lack, and the oldest date of any record. */
  readonly lackedOn?: string | undefined
  answer(data: InsightData): InsightAnswer<Body>
}

/** @throws {InvalidRequest} for dates that cannot be answered, and without one of the two periods */
export const planInsight = (query: InsightQuery, today: string, limits?: InsightLimits): InsightPlan =>
  completePlan(planOf(query.type, query, today), { type: query.type, source: query.source, today, limits })

interface Asked {
  readonly type: string
  readonly source: string | undefined
  readonly today: string
  readonly limits: InsightLimits | undefined
}

/** The plan with the name of the question, and what is read for its answer. */
export function completePlan<Body>(
  { named, history, metrics, ...plan }: Plan<Body>,
  { type, source, today, limits }: Asked,
): InsightPlan<Body> {
  const shared = limits?.groups ?? METRIC_GROUPS
  const groups = plan.groups.filter((group) => shared.includes(group))
  // A source without nights has the time asleep in its recoveries. Nothing else is read of them, so they need not be shared.
  const readsAsleep = metrics?.includes("asleep") ?? false
  const name = JSON.stringify([
    type,
    named,
    source ?? "",
    today,
    groups,
    limits ? [limits.isForAssistant ? "assistant" : "key", limits.from] : [],
  ])
  return {
    ...plan,
    name: `${type}-${createHash("sha256").update(name).digest("base64url").slice(0, NAME_LENGTH)}`,
    groups,
    wanted: {
      kinds: RECORD_KINDS.filter((kind) => groups.includes(kind) || (kind === "recovery" && readsAsleep)),
      journal: groups.includes("journal"),
      recordDates: metrics === undefined || metrics.some(isCount),
      ...boundsOf(history, limits?.from ?? DATE_BOUNDS.min),
    },
    samples: samplesFor(metrics, groups),
  }
}

/** @param from the oldest date that may be read */
function boundsOf({ from = DATE_BOUNDS.min, ...bounds }: Plan["history"] = {}, shared: string) {
  const first = latest(shared, from)
  return {
    to: DATE_BOUNDS.max,
    courses: false,
    ...bounds,
    from: first,
    wholeFrom: latest(first, bounds.wholeFrom ?? first),
  }
}

const latest = (one: string, other: string): string => (one > other ? one : other)

/** Characters of base64url: 132 bits. */
const NAME_LENGTH = 22

/** What a question needs, before it is known who asks. */
export interface Plan<Body = InsightBody>
  extends Pick<InsightPlan<Body>, "range" | "groups" | "answer" | "isCsv" | "lackedOn"> {
  /** Everything that the answer depends on beside the data, the source and the date. */
  readonly named: readonly unknown[]
  /** The metrics that it is about. Left out where it is about all. */
  readonly metrics?: readonly string[]
  /** What the answer depends on. Left out where it depends on all. */
  readonly history?: Partial<Pick<WantedHistory, "from" | "to" | "wholeFrom" | "courses">>
}

/** How each question is planned. @throws {InvalidRequest} for dates that cannot be answered */
const PLANS: { readonly [Type in InsightType]: (query: InsightQuery<Type>, today: string) => Plan } = {
  metrics: () => ({ range: null, groups: METRIC_GROUPS, named: [], answer: readMetrics }),
  trend(query, today) {
    const range = insightRange(query, today, INSIGHT_DAYS.trendDefault)
    const { metric, by = null, top = null, above = null, below = null, sport = null, format } = query
    // CSV has the points alone.
    const isCsv = format === "csv"
    const points = isCsv || (query.points ?? false)
    limitsOf(knownMetric(metric, "metric"), query)
    if (sport !== null) requireOfWorkouts(metric)
    return {
      range,
      groups: groupsOf(metric, "metric"),
      metrics: [metric],
      named: [range, metric, by, points, top, above, below, sport, isCsv],
      isCsv,
      answer: (data) => readTrend(data, { ...query, points }, range),
    }
  },
  compare(query, today) {
    const pair = comparedSources(query)
    if (pair) return sourceComparison(query, pair, today)
    const period = insightRange(query, today, INSIGHT_DAYS.default)
    const other = otherRange(query, period)
    return {
      range: spanOf(period, other),
      groups: groupsOf(query.metric, "metric"),
      metrics: [query.metric],
      named: [period, other, query.metric],
      answer: (data) => readComparison(data, query, { period, other }),
    }
  },
  relate(query, today) {
    const { outcome, factor, lag = 0 } = query
    const ofOutcome = groupsOf(outcome, "outcome")
    if (factor === outcome) throw new InvalidRequest(`factor ${factor} is the outcome itself`, "factor")
    const range = insightRange(query, today, INSIGHT_DAYS.relateDefault)
    return {
      range,
      groups: factor === undefined ? METRIC_GROUPS : [...new Set([...ofOutcome, ...groupsOf(factor, "factor")])],
      ...(factor !== undefined && { metrics: [outcome, factor] }),
      named: [range, outcome, factor ?? null, lag],
      history: historyOfRelation(query, range),
      answer: (data) => findRelations(data, query, range),
    }
  },
  sports(query, today) {
    const range = insightRange(query, today, INSIGHT_DAYS.sportsDefault)
    return {
      range,
      groups: ["workout", "recovery"],
      metrics: [],
      named: [range, query.sport ?? null],
      history: { from: range.from },
      answer: (data) => readSports(data, query, range),
    }
  },
  signs(query, today) {
    const range = insightRange(query, today, DAYS.default)
    return {
      range,
      groups: ["sleep", "recovery"],
      metrics: [],
      named: [range],
      answer: (data) => readSigns(data, range),
    }
  },
  day(query, today) {
    const range = datesOfDay(query, today)
    return {
      range,
      groups: [...RECORD_KINDS, "journal"],
      metrics: [],
      named: [range, query.rows ?? ROWS.default],
      history: historyOfDay(range),
      lackedOn: range.to,
      answer: (data) => readDay(data, query, range),
    }
  },
}

/** Whether the journal has a factor at all depends on all of its answers, and whether a sport is known on all workouts. */
export const historyOfRelation = ({ factor, lag = 0 }: RelateQuery, { from }: DateRange): { from?: string } =>
  isNamedByHistory(factor) ? {} : { from: addDays(from, -lag - MEDIAN_REACH) }

function sourceComparison(query: InsightQuery<"compare">, pair: SourcePair, today: string): Plan {
  const period = insightRange(query, today, INSIGHT_DAYS.sourcesDefault)
  return {
    range: period,
    groups: groupsOf(query.metric, "metric"),
    metrics: [query.metric],
    named: [period, pair, query.metric],
    answer: (data) => readSourceComparison(data, query, { pair, period }),
  }
}

const planOf = <Type extends InsightType>(type: Type, query: InsightQuery<Type>, today: string): Plan =>
  PLANS[type](query, today)

/** What an answer cannot be made without. Of the rest it has what may be read. @throws {InvalidRequest} for an unknown metric */
export function groupsNeededBy(query: InsightQuery): readonly MetricGroup[] {
  switch (query.type) {
    case "trend":
    case "compare":
      return groupsOf(query.metric, "metric")
    case "relate":
      return [...groupsOf(query.outcome, "outcome"), ...(query.factor ? groupsOf(query.factor, "factor") : [])]
    case "sports":
      return ["workout"]
    case "metrics":
    case "signs":
    case "day":
      return []
  }
}

const isNamedByHistory = (factor: string | undefined): boolean =>
  factor !== undefined && (factorNameOf(factor) !== null || sportNameOf(factor) !== null)

/** @throws {InvalidRequest} for a metric that is not read from workouts */
export function requireOfWorkouts(metric: string): void {
  const known = METRICS.flatMap(({ id }) => (groupOfMetric(id) === "workout" ? id : []))
  if (!known.includes(metric))
    throw new InvalidRequest(`sport goes with metrics of workouts, ${metric} is none: ${known.join(", ")}`, "sport")
}

/** @throws {InvalidRequest} for an unknown metric */
function groupsOf(metric: string, field: string): MetricGroup[] {
  const group = groupOfMetric(knownMetric(metric, field).id)
  return group === null ? [] : [group]
}
