import type { MetricExtras, ScoreState } from "@restwell/client"
import type { Weekday } from "@restwell/client/calendar-dates"
import { inSentence, isCount, type MetricDescription, plural } from "@restwell/client/figures"
import { seriesMeaning } from "@restwell/providers"
import type { DateRange } from "../base/calendar.ts"
import { round } from "../base/rounding.ts"
import { regularityIndex, socialJetlag } from "../statistics/clock-times.ts"
import { newStart, sleepDebt, strainLoad } from "../statistics/describe.ts"
import { type DayFacts, localEndOf, localStartOf } from "../statistics/metrics.ts"
import { type DatedValue, dateOf, dayOf, inRange } from "../statistics/series.ts"
import type { Trend } from "../statistics/trend.ts"
import type { ChosenHistory } from "./chosen-history.ts"
import { groupOfMetric } from "./metric-groups.ts"
import { type MetricSeries, ZONE_METRICS } from "./metric-series.ts"

/** Dates that are listed one by one. */
const MOST_LISTED = 3

interface NoteContext {
  readonly history: ChosenHistory
  readonly period: DateRange
  readonly today: string
}

const NO_HOME = "The account has no time zone, so nobody knows where home is. Set it in the account's preferences."

/** Plain sentences about what a metric's answer leaves out, and why. */
export function notesOf(series: MetricSeries, context: NoteContext): string[] {
  const { period, history } = context
  if (series.metric.id === "away" && history.homeZone === null) return [NO_HOME]
  return [
    ...unfinished(series, context),
    ...cutOff(series, period),
    ...ofOthers(series, period),
    ...ofOtherDevices(series, period),
    ...ownMeaning(series),
    ...nothingThere(series, history),
  ]
}

type State = ScoreState | "open"

/** Figures of workouts that come with the score. */
const WITH_SCORE: readonly string[] = ["distance", "workout_max_heart_rate", ...ZONE_METRICS]

/** The record that the metric of a date is read from. Undefined for counts of activities, which are never pending. */
function stateOf(id: string, { night, recovery, cycle, workouts }: DayFacts): State | undefined {
  switch (groupOfMetric(id)) {
    case "sleep":
      return id === "nap" ? undefined : night?.scoreState
    case "recovery":
      return recovery?.scoreState
    case "cycle":
      return cycle?.scoreState === "scored" && cycle.endMs === null ? "open" : cycle?.scoreState
    default:
      return WITH_SCORE.includes(id) && workouts.some(({ scoreState }) => scoreState === "pending")
        ? "pending"
        : undefined
  }
}

function unfinished({ metric, history: values, days }: MetricSeries, { period, today }: NoteContext) {
  const { id, title, kind } = metric
  const known = new Set(values.map(({ day }) => day))
  const [first, last, now] = [dayOf(period.from), dayOf(period.to), dayOf(today)]
  const states = [...days].flatMap(([day, facts]) => {
    const state = day < first || day > last || known.has(day) ? undefined : stateOf(id, facts)
    return state === undefined ? [] : [{ day, state }]
  })
  const datesIn = (wanted: State): string[] =>
    states.flatMap(({ day, state }) => (state === wanted ? [dateOf(day)] : []))
  const [pending, open, unscorable] = [datesIn("pending"), datesIn("open"), datesIn("unscorable")]
  // Nobody expects a weight of every day.
  const isOfEachDay = groupOfMetric(id) !== "series"
  const isTodayUntold = isOfEachDay && last >= now && !known.has(now) && !states.some(({ day }) => day === now)
  return [
    ...(pending.length > 0 ? [`${title} for ${listOf(pending)} is not scored yet, so it is left out.`] : []),
    ...(open.length > 0 ? [`${title} for ${listOf(open)} is not final yet, so it is left out.`] : []),
    ...(unscorable.length > 0 ? [unscorableText(metric, unscorable)] : []),
    ...(isTodayUntold && values.length > 0 && isCount(id)
      ? [`${title}: today, ${today}, is not over, so it is left out.`]
      : []),
    ...(isTodayUntold && values.length > 0 && !isCount(id)
      ? [`${title} has no ${kind === "yes_no" ? "answer" : "value"} for today, ${today}, yet.`]
      : []),
  ]
}

/** "2026-07-23 has no recovery score, so it is left out." */
function unscorableText(metric: MetricDescription, dates: readonly string[]): string {
  const what = `${inSentence(metric.title)}${metric.id === "recovery_score" ? " score" : ""}`
  const [have, are] = dates.length === 1 ? ["has", "it is"] : ["have", "they are"]
  return `${listOf(dates)} ${have} no ${what}, so ${are} left out.`
}

const LIST = new Intl.ListFormat("en")

function listOf(dates: readonly string[]): string {
  const newest = dates.toSorted().toReversed()
  const rest = newest.length - MOST_LISTED
  return rest > 0 ? `${newest.slice(0, MOST_LISTED).join(", ")} and ${rest} other dates` : LIST.format(newest)
}

/** Values before a change of method, within the period. */
const cutOff = ({ metric: { title }, leftOut }: MetricSeries, period: DateRange): string[] =>
  leftOut
    .filter(({ from, to }) => from <= period.to && to >= period.from)
    .map(
      ({ source, method, from, to, n }) =>
        `${title}: ${plural(n, "value")} of ${source} from ${from} to ${to} ${n === 1 ? "is" : "are"} left out, because ${method} is another method.`,
    )

/** Dates of the period on which only other sources have a value. */
function ofOthers({ metric: { title }, others, source }: MetricSeries, { from, to }: DateRange): string[] {
  const [first, last] = [dayOf(from), dayOf(to)]
  const within = others.filter(({ day }) => day >= first && day <= last)
  return [...Map.groupBy(within, (value) => value.source)].map(([other, { length }]) => {
    const [days, are, them] = length === 1 ? ["1 day", "is", "it"] : [`${length} days`, "are", "them"]
    return `${title}: all values are from ${source}. ${days} that only ${other} recorded ${are} left out. Ask with source=${other} for ${them}.`
  })
}

/** Dates of the period on which only other devices behind the source have a value. */
function ofOtherDevices(
  { metric: { title }, ofOtherDevices: values, source, device }: MetricSeries,
  period: DateRange,
) {
  const [first, last] = [dayOf(period.from), dayOf(period.to)]
  const within = values.filter(({ day }) => day >= first && day <= last)
  const own = device ?? "devices without a name"
  return [...Map.groupBy(within, (value) => value.device ?? "devices without a name")].map(
    ([other, { length }]) =>
      `${title}: all values are from ${own} in ${source}. ${plural(length, "day")} that only ${other} recorded ${length === 1 ? "is" : "are"} left out.`,
  )
}

/** Vendors' own scores have no common direction. */
function ownMeaning({ metric: { id, title }, source }: MetricSeries): string[] {
  const meaning = source === null ? undefined : seriesMeaning(source, id)
  return meaning === undefined ? [] : [`${title}: ${meaning}.`]
}

function nothingThere({ metric: { id, title }, history }: MetricSeries, { answers }: ChosenHistory): string[] {
  if (history.length > 0) return []
  if (groupOfMetric(id) !== "journal") return [`${title}: none of the sources has any values.`]
  const factors = factorsOf(answers)
  if (factors.length === 0) return ["The journal has no answers."]
  return [`${title}: the journal has no answers about it. It has some about ${factors.join(", ")}.`]
}

/** The names of all factors that were answered with yes or no. */
export function factorsOf(answers: ChosenHistory["answers"]): string[] {
  const all = [...answers.values()].flat().filter(({ answer }) => answer !== null)
  return [...new Set(all.map(({ factor }) => factor))].toSorted()
}

/** That the usual range beside the newest value is of the values after a long gap alone. */
export function newStartNotes({ metric: { kind }, history }: MetricSeries, latest: DatedValue | null): string[] {
  if (latest === null || kind === "yes_no") return []
  const day = dayOf(latest.date)
  const { since, before } = newStart(history, day)
  if (!before) return []
  const first = since[0]?.day ?? day
  return [`The usual range begins anew on ${dateOf(first)}, after ${first - before.day - 1} dates without a value.`]
}

/** Plain sentences about what the slope is of, and where one straight line misleads about the course of a period. */
export function slopeNotes(
  { title, kind }: MetricDescription,
  { verdict, recent, middle, isOfSparseWeeks }: Trend,
): string[] {
  const words = kind === "clock" ? { rising: "later", falling: "earlier" } : { rising: "up", falling: "down" }
  const sides = kind === "clock" ? { above: "later", below: "earlier" } : { above: "higher", below: "lower" }
  return [
    ...(isOfSparseWeeks
      ? ["Fewer than half of the dates have a value: the slope is that of the middles of weeks."]
      : []),
    ...(recent && (verdict === "rising" || verdict === "falling")
      ? [`${title} went ${words[verdict]} over the whole period, and the last 90 dates go ${words[recent]} again.`]
      : []),
    ...(middle
      ? [
          `${title} was ${sides[middle]} in the middle of the period than at both ends: a straight line does not describe it.`,
        ]
      : []),
  ]
}

/** Figures that only some metrics have. Null without any. */
export function metricExtras(
  { metric: { id }, history, source, days }: MetricSeries,
  { period, daysOff }: { readonly period: DateRange; readonly daysOff: readonly Weekday[] },
): MetricExtras | null {
  switch (id) {
    case "sleep_debt": {
      const debt = sleepDebt(history, dayOf(period.to))
      return debt && { sleep_debt: { hours: round(debt.hours, 2), n: debt.n } }
    }
    case "strain": {
      const { week, fourWeeks } = strainLoad(history, dayOf(period.to))
      if (fourWeeks.n === 0) return null
      const mean = (value: number | null) => (value === null ? null : round(value, 1))
      const [mean_7_days, mean_28_days] = [mean(week.mean), mean(fourWeeks.mean)]
      return { load: { mean_7_days, n_7_days: week.n, mean_28_days, n_28_days: fourWeeks.n } }
    }
    case "bedtime":
    case "wake_time":
    case "asleep":
      return regularityOf(days, period, source)
    case "midsleep": {
      const jetlag = socialJetlag(inRange(history, period), daysOff)
      const regularity = regularityOf(days, period, source)
      return jetlag === null ? regularity : { social_jetlag_minutes: round(jetlag, 0), ...regularity }
    }
    default:
      return null
  }
}

/** The Sleep Regularity Index of the period's nights and naps, of the source of the answer. */
function regularityOf(days: MetricSeries["days"], period: DateRange, source: string | null): MetricExtras | null {
  const [first, last] = [dayOf(period.from), dayOf(period.to)]
  const nights = [...days].filter(
    ([day, { night }]) => day >= first && day <= last && isKnown(night) && night?.provider === source,
  )
  const sleeps = nights.flatMap(([, { night, naps }]) => [...(night ? [night] : []), ...naps.filter(isKnown)])
  const index = regularityIndex(
    sleeps.map((sleep) => ({ start: localStartOf(sleep), end: localEndOf(sleep) })),
    nights.map(([day]) => day),
  )
  return index === null ? null : { regularity_index: round(index, 1) }
}

/** The end of a sleep that is not scored yet may still change. */
const isKnown = (sleep: DayFacts["night"]): boolean => sleep !== undefined && sleep.scoreState !== "pending"
