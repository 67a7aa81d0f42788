/**
 * What each page of statistics shows, in one answer from one look at the history: the answers that the endpoints of its parts give. A page
 * that asked figure by figure had the whole history read for each.
 */

import {
  type CompareResponse,
  DATE_BOUNDS,
  INSIGHT_DAYS,
  type InsightsPage,
  type JournalDay,
  METRIC_IDS,
  type MetricId,
  type MetricPage,
  type PeriodFigure,
  type PeriodPage,
  type RelateQuery,
  type RelateResponse,
  type TrendDay,
  type WeekPage,
} from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { lagBefore, metricNamed } from "@restwell/client/figures"
import { countDates, type DateRange } from "../base/calendar.ts"
import { InvalidRequest } from "../context/errors.ts"
import { NO_PREFERENCES } from "../sources/rank.ts"
import type { JournalFact } from "../store/statements/journal.ts"
import { chooseHistory, withSport } from "./chosen-history.ts"
import { readComparison } from "./comparisons.ts"
import {
  type InsightAnswer,
  type InsightData,
  type InsightLimits,
  insightRange,
  otherRange,
  presentDates,
} from "./insight-query.ts"
import {
  completePlan,
  describeMetrics,
  historyOfRelation,
  type InsightPlan,
  type Plan,
  readMetrics,
  readTrend,
  requireOfWorkouts,
} from "./insights.ts"
import { METRIC_GROUPS } from "./metric-groups.ts"
import { findRelations } from "./relations.ts"
import { knownSport } from "./summarize.ts"
import { MOST_TREND_DAYS, recordsAround, rowsBetween, type TrendDates } from "./trends.ts"

/** What a page is asked for. */
export interface PageQuery {
  readonly type: "page"
  readonly page: "trends" | "report" | "week" | "metric" | "insights"
  readonly days?: TrendDates["days"] | undefined
  readonly start_date?: string | undefined
  readonly end_date?: string | undefined
  readonly source?: string | undefined
  /** Week: the last date, today if it is left out or later. */
  readonly date?: string | undefined
  /** Metric: its id. */
  readonly metric?: string | undefined
  /** Metric: one sport, of a metric of workouts. */
  readonly sport?: string | undefined
  /** Insights: what the factors go with. Left out for the first metric that people ask about and that has values. */
  readonly outcome?: string | undefined
  /** Insights: one factor. Left out for all. */
  readonly factor?: string | undefined
  /** Insights: left out to pair each factor with what came before the outcome. */
  readonly lag?: 0 | 1 | undefined
}

export type PageBody = PeriodPage | WeekPage | MetricPage | InsightsPage

/** Figures of the pages, in their order. */
const FIGURES = {
  trends: [
    "recovery_score",
    "asleep",
    "hrv",
    "resting_heart_rate",
    "strain",
    "steps",
    "bedtime",
    "skin_temp_deviation",
    "weight",
    "body_fat",
  ],
  report: [
    "recovery_score",
    "hrv",
    "resting_heart_rate",
    "respiratory_rate",
    "spo2",
    "skin_temp_deviation",
    "asleep",
    "sleep_efficiency",
    "bedtime",
    "wake_time",
    "strain",
    "steps",
    "workout",
    "weight",
    "body_fat",
  ],
  week: ["recovery_score", "asleep", "bedtime", "hrv", "resting_heart_rate", "strain", "steps"],
} as const satisfies Record<string, readonly MetricId[]>

/** Values that come now and then. Their charts are of the points, because no day has a record of them. */
const MEASURED: readonly string[] = ["weight", "body_fat"] satisfies MetricId[]

const TREND_DAYS = 30
const REPORT_DAYS = 90
const WEEK_DAYS = 7
/** The dates before a week that are called usual. */
const USUAL_DAYS = 30
/** What people ask about first. */
const FIRST_OUTCOMES: readonly MetricId[] = ["recovery_score", "hrv", "asleep"]

/** @throws {InvalidRequest} for dates that cannot be answered */
export const planPage = (query: PageQuery, today: string, limits?: InsightLimits): InsightPlan<PageBody> =>
  completePlan<PageBody>(PLANS[query.page](query, today), {
    type: `page-${query.page}`,
    source: query.source,
    today,
    limits,
  })

const PLANS: Readonly<Record<PageQuery["page"], (query: PageQuery, today: string) => Plan<PageBody>>> = {
  trends: (query, today) => planPeriod(query, today, { figures: FIGURES.trends, days: TREND_DAYS }),
  report: (query, today) => planPeriod(query, today, { figures: FIGURES.report, days: REPORT_DAYS }),
  week({ date }, today) {
    const to = date !== undefined && date < today ? date : today
    const period = { from: addDays(to, 1 - WEEK_DAYS), to }
    return { ...ofAllGroups(period, FIGURES.week), answer: (data) => readWeek(data, period) }
  },
  metric(query, today) {
    const { metric = "", sport } = query
    const period = rangeOf(query, today, INSIGHT_DAYS.trendDefault)
    if (sport !== undefined) requireOfWorkouts(metric)
    return {
      ...ofAllGroups(period, undefined, [metric, query.days, sport ?? null]),
      answer: (data) => readMetric(data, { metric, sport }, { period, isAll: query.days === "all" }),
    }
  },
  insights(query, today) {
    const period = rangeOf(query, today, INSIGHT_DAYS.relateDefault)
    const { outcome, factor, lag } = query
    return {
      ...ofAllGroups(period, undefined, [outcome ?? null, factor ?? null, lag ?? null]),
      answer: (data) => readInsights(data, query, period),
    }
  },
}

const ofAllGroups = (range: DateRange, metrics: readonly string[] | undefined, named: readonly unknown[] = []) => ({
  range,
  groups: METRIC_GROUPS,
  named: [range, ...named],
  ...(metrics && { metrics }),
})

interface PeriodOfPage {
  readonly figures: readonly MetricId[]
  /** How many dates a query is about that names none. */
  readonly days: number
}

function planPeriod(query: PageQuery, today: string, { figures, days }: PeriodOfPage): Plan<PageBody> {
  const period = rangeOf(query, today, days)
  const isAll = query.days === "all" && query.start_date === undefined
  if (countDates(period) > MOST_TREND_DAYS && !isAll)
    throw new InvalidRequest(`start_date must be at most ${MOST_TREND_DAYS} dates before the end`, "start_date")
  return {
    ...ofAllGroups(period, figures, [isAll]),
    answer: (data) => readPeriod(data, figures, { period: isAll ? fromOldest(data, period) : period, isAll }),
  }
}

/** The dates of a query. Those of all days begin before any data. */
const rangeOf = ({ days, ...query }: PageQuery, today: string, defaultDays: number): DateRange =>
  days === "all"
    ? insightRange({ start_date: DATE_BOUNDS.min, ...query }, today, defaultDays)
    : insightRange({ ...query, days }, today, defaultDays)

/** Dates of a history without any record. */
const EMPTY_DAYS = 30

/** From the oldest record on. */
function fromOldest(data: InsightData, { to }: DateRange): DateRange {
  const oldest = oldestDate(data, to)
  const first = oldest ?? addDays(to, 1 - EMPTY_DAYS)
  const most = addDays(to, 1 - MOST_TREND_DAYS)
  return { from: first > most ? first : most, to }
}

/** The oldest date of a record that may be read. Null without any. */
function oldestDate({ history, groups }: InsightData, to: string): string | null {
  let oldest: string | null = null
  for (const { date, kind } of history.facts)
    if (date <= to && groups.includes(kind) && (oldest === null || date < oldest)) oldest = date
  return oldest
}

interface Dates {
  readonly period: DateRange
  /** All dates have none before them. */
  readonly isAll: boolean
}

function readPeriod(
  data: InsightData,
  figures: readonly MetricId[],
  { period, isAll }: Dates,
): InsightAnswer<PeriodPage> {
  const before = isAll ? null : comparedWith(data, period)
  const answers = describedFigures(data, figures).map(({ metric, id }): PeriodFigure => {
    const question = { metric: id, points: MEASURED.includes(id) }
    const trend = readTrend(data, question, period).body
    return { metric, trend, comparison: before && readComparison(data, { metric: id }, { period, other: before }).body }
  })
  const has = (id: MetricId) => answers.some(({ metric }) => metric.id === id)
  const sources = answers.flatMap(({ trend, comparison }) => [trend.source, ...(comparison ? [comparison.source] : [])])
  return {
    body: {
      ...readDays(data, period, sources),
      journal: journalOf(data.history.answers, period),
      figures: answers,
      strain_by_recovery:
        has("strain") && has("recovery_score")
          ? related(data, { outcome: "strain", factor: "recovery_score", lag: 0 }, period)
          : null,
    },
    recordCount: countDates(period),
  }
}

/** What a period is compared with. Null where dates before it may not be read. */
function comparedWith({ readableFrom }: InsightData, period: DateRange): DateRange | null {
  const other = otherRange({}, period)
  return readableFrom !== null && other.from < readableFrom ? null : other
}

function readWeek(data: InsightData, period: DateRange): InsightAnswer<WeekPage> {
  const usual = { from: addDays(period.from, -USUAL_DAYS), to: addDays(period.from, -1) }
  const compared = (metric: MetricId, other: DateRange): CompareResponse =>
    readComparison(data, { metric }, { period, other }).body
  const figures = describedFigures(data, FIGURES.week).map(({ metric, id }) => ({
    metric,
    before: compared(id, otherRange({}, period)),
    usual: compared(id, usual),
  }))
  const sources = figures.map(({ before }) => before.source)
  return {
    body: { ...readDays(data, period, sources), journal: journalOf(data.history.answers, period), figures },
    recordCount: WEEK_DAYS,
  }
}

/** The metrics that may be read and have values. */
const describedFigures = (data: InsightData, ids: readonly MetricId[]) =>
  describeMetrics(data, ids.map(metricNamed)).flatMap((metric) => {
    const id = ids.find((each) => each === metric.id)
    return id === undefined || metric.n === 0 ? [] : [{ metric, id }]
  })

/** A row for each of the dates: as the sources answer, and as each source has them that a figure is of. */
function readDays(data: InsightData, period: DateRange, sources: readonly { readonly provider: string }[]) {
  const { history, groups, snapshot, today, envelope } = data
  const preferences = snapshot.preferences ?? NO_PREFERENCES
  // The time asleep of a source without nights is read from its recoveries, which may not be open to the reader.
  const facts = history.facts.filter(({ kind }) => groups.includes(kind))
  const rowsOf = (of: typeof facts): TrendDay[] => rowsBetween(period, recordsAround(period, of), preferences)
  const answering = envelope({ id: "asleep" }, null)
  const names = answering.sources.length > 1 ? new Set(sources.map(({ provider }) => provider)) : []
  return {
    period: presentDates(period),
    today,
    oldest_date: oldestDate(data, today),
    days: rowsOf(facts),
    ...answering,
    own_days: [...names].map((source) => ({
      source,
      days: rowsOf(facts.filter(({ provider }) => provider === source)),
    })),
  }
}

/** The factors that were answered, by date. A factor may have a yes of one source and a no of another. */
function journalOf(answers: readonly JournalFact[], { from, to }: DateRange): JournalDay[] {
  const answered = answers.filter(({ date, answer }) => date >= from && date <= to && answer !== null)
  return [...Map.groupBy(answered, ({ date }) => date)].map(([date, ofDate]) => {
    const factors = (wanted: boolean) =>
      [...new Set(ofDate.flatMap(({ factor, answer }) => (answer === wanted ? factor : [])))].sort()
    return { date, yes: factors(true), no: factors(false) }
  })
}

function readMetric(
  data: InsightData,
  { metric: id, sport }: { readonly metric: string; readonly sport: string | undefined },
  { period: asked, isAll }: Dates,
): InsightAnswer<MetricPage> {
  const { metrics } = readMetrics(data).body
  const metric = metrics.find((each) => each.id === id)
  if (!metric || metric.n === 0) return { body: { metrics, figure: null }, recordCount: 0 }
  const period = isAll && metric.first_date !== null ? { ...asked, from: metric.first_date } : asked
  const { body, recordCount } = readTrend(data, { metric: id, by: "weekday", points: true, sport }, period)
  const before = isAll ? null : comparedWith(data, period)
  const ofSport =
    sport === undefined ? data : { ...data, chosen: withSport(data.chosen, knownSport(data.chosen, sport, "sport")) }
  const comparison = before && readComparison(ofSport, { metric: id }, { period, other: before }).body
  return { body: { metrics, figure: { trend: body, comparison } }, recordCount }
}

function readInsights(
  data: InsightData,
  { outcome: asked, factor, lag }: PageQuery,
  period: DateRange,
): InsightAnswer<InsightsPage> {
  const { metrics } = readMetrics(data).body
  const hasValues = (id: MetricId) => metrics.some((metric) => metric.id === id && metric.n > 0)
  const outcome = METRIC_IDS.find((id) => id === asked) ?? FIRST_OUTCOMES.find(hasValues) ?? METRIC_IDS.find(hasValues)
  if (outcome === undefined) return { body: { metrics, outcome: null, relations: [], trend: null }, recordCount: 0 }
  const lags = lag === undefined ? lagsBefore(outcome, factor) : [lag]
  const { body: trend, recordCount } = readTrend(data, { metric: outcome }, period)
  const relations = lags.map((each) => related(data, { outcome, factor, lag: each }, period))
  return { body: { metrics, outcome, relations, trend }, recordCount }
}

/** The relation as its own endpoint answers it, which reads no earlier dates. */
function related(data: InsightData, query: RelateQuery, period: DateRange): RelateResponse {
  const { from } = { from: DATE_BOUNDS.min, ...historyOfRelation(query, period) }
  return findRelations(since(data, from), query, period).body
}

/** The data without earlier dates. */
function since(data: InsightData, from: string): InsightData {
  const { history, snapshot, today } = data
  const isSince = ({ date }: { readonly date: string }) => date >= from
  const later = { ...history, facts: history.facts.filter(isSince), answers: history.answers.filter(isSince) }
  const person = { today, homeZone: snapshot.timeZone }
  return { ...data, history: later, chosen: chooseHistory(later, snapshot.preferences ?? NO_PREFERENCES, person) }
}

/** The lags at which factors came before the outcome: of one, or of all. */
const lagsBefore = (outcome: string, factor: string | undefined): readonly (0 | 1)[] =>
  factor === undefined ? [...new Set([0, lagBefore(outcome, "strain")] as const)] : [lagBefore(outcome, factor)]
