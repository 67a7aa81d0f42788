import {
  INSIGHT_DAYS,
  type JournalDaysResponse,
  nearestMetric,
  type RelateQuery,
  type RelateResponse,
} from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import {
  factorNameOf,
  inSentence,
  journalMetric,
  METRICS,
  type MetricDescription,
  sportMetric,
  sportNameOf,
} from "@restwell/client/figures"
import { type DateRange, todayIn } from "../base/calendar.ts"
import type { Context } from "../context/context.ts"
import { InvalidRequest } from "../context/errors.ts"
import { readTimeZone } from "../context/time-zone.ts"
import { countedEffect, relationFigures, relationsFigures } from "../statistics/figures.ts"
import { arePartsOfOneAnother } from "../statistics/metrics.ts"
import { type Relation, type Relations, relate, relateAll } from "../statistics/relate.ts"
import { inRange } from "../statistics/series.ts"
import { readAnsweredDays } from "../store/statements/journal.ts"
import { type InsightAnswer, type InsightData, insightRange, knownMetric, presentDates } from "./insight-query.ts"
import { groupOfMetric } from "./metric-groups.ts"
import { factorsOf, notesOf } from "./metric-notes.ts"
import { type MetricSeries, measuredOf, metricSeries } from "./metric-series.ts"
import { knownSport, sportsOf } from "./summarize.ts"
import type { TrendDates } from "./trends.ts"

/** How one factor goes with the outcome, or without a factor each of all. */
export function findRelations(data: InsightData, query: RelateQuery, period: DateRange): InsightAnswer<RelateResponse> {
  const outcome = metricSeries(data.chosen, knownMetric(query.outcome, "outcome"), period)
  const recordCount = inRange(outcome.history, period).length
  const body =
    query.factor === undefined
      ? allRelations(data, query, { outcome, period })
      : oneRelation(data, query, { outcome, period })
  return { body, recordCount }
}

interface OutcomeOfPeriod {
  readonly outcome: MetricSeries
  readonly period: DateRange
}

function allRelations(
  data: InsightData,
  { lag = 0 }: RelateQuery,
  { outcome, period }: OutcomeOfPeriod,
): RelateResponse {
  const relations = relateAll({
    outcome: measuredOf(outcome),
    period,
    lag,
    factors: factorsFor(data, outcome, factorDates(period, lag)).map(measuredOf),
  })
  const { notes, ...envelope } = aboutOutcome(data, { outcome, period })
  return {
    outcome: outcome.metric.id,
    lag,
    period: presentDates(period),
    ...relationsFigures(outcome.metric, relations),
    ...envelope,
    notes: [...notes, ...listNotes(relations, lag)],
  }
}

function oneRelation(
  data: InsightData,
  { factor: id = "", lag = 0 }: RelateQuery,
  { outcome, period }: OutcomeOfPeriod,
): RelateResponse {
  const dates = factorDates(period, lag)
  const factor = metricSeries(data.chosen, factorMetric(data, id), dates)
  const question = { outcome: measuredOf(outcome), factor: measuredOf(factor), period }
  const relation = relate({ ...question, lag })
  const sameMorning = lag === 1 && factorNameOf(id) !== null ? relate({ ...question, lag: 0 }) : undefined
  const { notes, ...envelope } = aboutOutcome(data, { outcome, period })
  const ofFactor = notesOf(factor, { history: data.chosen, period: dates, today: data.today })
  const metrics = { outcome: outcome.metric, factor: factor.metric }
  return {
    outcome: outcome.metric.id,
    lag,
    period: presentDates(period),
    factor: factor.metric.id,
    ...relationFigures(metrics, relation),
    ...(sameMorning?.kind === "yes_no" && { lag_0: countedEffect(outcome.metric, sameMorning) }),
    part_of_outcome: arePartsOfOneAnother(outcome.metric.id, id),
    ...envelope,
    notes: [...new Set([...notes, ...ofFactor, ...relationNotes(metrics, relation, sameMorning)])],
  }
}

/** @throws {InvalidRequest} for an unknown metric, and for a sport without workouts */
function factorMetric(data: InsightData, id: string): MetricDescription {
  const sport = sportNameOf(id)
  if (sport !== null) return sportMetric(knownSport(data.chosen, sport, "factor"))
  requireKnownFactor(data, id)
  return knownMetric(id, "factor")
}

/** Factors that a refusal names. Journals have up to hundreds. */
const MOST_NAMED = 30

/** A name that the journal does not have is a misspelling, if it has others. @throws {InvalidRequest} that names the nearest */
function requireKnownFactor({ chosen }: InsightData, id: string): void {
  const name = factorNameOf(id)
  const known = factorsOf(chosen.answers)
  if (name === null || known.length === 0 || known.includes(name)) return
  const nearest = nearestMetric(id, [
    ...known.map((factor) => journalMetric(factor).id),
    ...METRICS.map((metric) => metric.id),
  ])
  const meant = nearest === undefined ? "" : `, did you mean ${nearest}?`
  throw new InvalidRequest(
    `factor ${id} is unknown: the journal has no answers about it${meant || "."} It has answers about ${known.slice(0, MOST_NAMED).join(", ")}`,
    "factor",
  )
}

function aboutOutcome({ chosen, today, envelope }: InsightData, { outcome, period }: OutcomeOfPeriod) {
  const notes = notesOf(outcome, { history: chosen, period, today })
  return { ...envelope(outcome.metric, outcome.source), notes }
}

const factorDates = ({ from, to }: DateRange, lag: number): DateRange => ({
  from: addDays(from, -lag),
  to: addDays(to, -lag),
})

/** Every other metric, factor of the journal and sport of the dates that has values and is allowed. One at a time: all series together are 10 MB. */
function factorsFor(
  { chosen, groups }: InsightData,
  { metric: outcome }: MetricSeries,
  dates: DateRange,
): IteratorObject<MetricSeries> {
  const isAllowed = ({ id }: MetricDescription) =>
    id !== outcome.id && groups.some((group) => group === groupOfMetric(id))
  return [...METRICS, ...factorsOf(chosen.answers).map(journalMetric), ...sportsOf(chosen, dates).map(sportMetric)]
    .values()
    .filter(isAllowed)
    .map((metric) => metricSeries(chosen, metric, dates))
    .filter(({ history }) => history.length > 0)
}

/** Of a relation whose pattern of the week is taken out. The API's examples have it too. */
export const WEEK_NOTE =
  "Weekdays are evened out first, so that two figures that both change at weekends do not look related."
/** Of a relation to a factor with yes and no, which has two means. */
export const MEANS_NOTE =
  "The two means are as recorded. Slow changes and weekdays are taken out of the difference, so it can be a little more or less."
/** Of a relation of numbers, which has three means. */
export const THIRDS_NOTE =
  "The means by thirds of the factor are raw: slow changes and weekdays are taken out for the verdict alone, so the two can differ."
const MORNING_NOTE =
  "A journal answer is dated by the morning after it: lag 0 is that morning, and lag 1 is one morning later."

/** What a relation is about, in plain sentences. @param sameMorning the relation with lag 0, of a factor of the journal with lag 1 */
function relationNotes(
  { outcome, factor }: { readonly outcome: MetricDescription; readonly factor: MetricDescription },
  relation: Relation,
  sameMorning: Relation | undefined,
): string[] {
  const isOfWeekday = relation.kind === "yes_no" && relation.isOfWeekday
  const weekNotes = [WEEK_NOTE, relation.kind === "yes_no" ? MEANS_NOTE : THIRDS_NOTE]
  return [
    ...(relation.isWeekless && !isOfWeekday ? weekNotes : []),
    ...(isOfWeekday ? [`${factor.title} follows from the weekday, so the two cannot be told apart.`] : []),
    ...(arePartsOfOneAnother(outcome.id, factor.id)
      ? [`${outcome.title} and ${inSentence(factor.title)} go together by definition: one is computed from the other.`]
      : []),
    ...(sameMorning ? [`${MORNING_NOTE} With lag 0 the verdict is: ${sameMorning.verdict.replaceAll("_", " ")}.`] : []),
  ]
}

const listNotes = ({ relations }: Relations, lag: number): string[] => [
  ...(relations.some(({ relation }) => relation.isWeekless) ? [WEEK_NOTE] : []),
  ...(lag === 1 && relations.some(({ factor }) => factorNameOf(factor) !== null)
    ? [`${MORNING_NOTE} Ask with lag 0 for it.`]
    : []),
]

/** Before every date that a vendor has. */
const FIRST_DATE = "1900-01-01"

/** The answers of each of the dates, for the charts. @throws {InvalidRequest} for dates in the wrong order */
export async function readJournalDays(
  context: Pick<Context, "database" | "clock">,
  userId: string,
  { days, ...dates }: TrendDates,
): Promise<JournalDaysResponse> {
  const today = todayIn(await readTimeZone(context, userId), context.clock.now())
  const wanted = days === "all" ? { ...dates, start_date: dates.start_date ?? FIRST_DATE } : { days, ...dates }
  const range = insightRange(wanted, today, INSIGHT_DAYS.trendDefault)
  return { days: await readAnsweredDays(context.database, userId, range) }
}
