import type { ScoreState } from "@restwell/client"
import type { DateRange } from "../calendar/date-range.ts"
import { dateOf, dayOf } from "../insights/day.ts"
import type { DayFacts } from "../insights/day-facts.ts"
import type { ChosenHistory } from "./chosen-history.ts"
import { groupOfMetric } from "./metric-group.ts"
import type { MetricSeries } from "./metric-series.ts"

/** Dates that are listed one by one. */
const MOST_LISTED = 3

interface NoteContext {
  readonly history: ChosenHistory
  readonly period: DateRange
  readonly today: string
}

/** Plain sentences about what a metric's answer leaves out, and why. */
export function notesOf(series: MetricSeries, context: NoteContext): string[] {
  return [...unfinished(series, context), ...cutOff(series, context.period), ...nothingThere(series, context.history)]
}

type State = ScoreState | "open"

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
      return id === "distance" && workouts.some(({ scoreState }) => scoreState === "pending") ? "pending" : undefined
  }
}

function unfinished({ metric: { id, title }, history: values }: MetricSeries, { history, period, today }: NoteContext) {
  const known = new Set(values.map(({ day }) => day))
  const [first, last, now] = [dayOf(period.from), dayOf(period.to), dayOf(today)]
  const states = [...history.days].flatMap(([day, facts]) => {
    const state = day < first || day > last || known.has(day) ? undefined : stateOf(id, facts)
    return state === undefined ? [] : [{ day, state }]
  })
  const datesIn = (wanted: State): string[] =>
    states.flatMap(({ day, state }) => (state === wanted ? [dateOf(day)] : []))
  const [pending, open, unscorable] = [datesIn("pending"), datesIn("open"), datesIn("unscorable")]
  const isTodayUntold = last >= now && !known.has(now) && !states.some(({ day }) => day === now)
  return [
    ...(pending.length > 0 ? [`${title} of ${listOf(pending)} is still pending and is left out.`] : []),
    ...(open.length > 0 ? [`${title} of ${listOf(open)} still grows and is left out.`] : []),
    ...(unscorable.length > 0 ? [`${title} of ${listOf(unscorable)} could not be scored and is left out.`] : []),
    ...(isTodayUntold && values.length > 0 ? [`${title} of ${today}, today, is not there yet.`] : []),
  ]
}

function listOf(dates: readonly string[]): string {
  const newest = dates.toSorted().toReversed()
  const rest = newest.length - MOST_LISTED
  return rest > 0 ? `${newest.slice(0, MOST_LISTED).join(", ")} and ${rest} other dates` : newest.join(", ")
}

/** Values before a change of source, within the period. */
function cutOff({ metric: { title }, leftOut, source }: MetricSeries, period: DateRange): string[] {
  const parts = leftOut.filter(({ from, to }) => from <= period.to && to >= period.from)
  return [...Map.groupBy(parts, (part) => part.source)].map(([left, ofSource]) => {
    const n = ofSource.reduce((sum, part) => sum + part.n, 0)
    const [from, to] = [ofSource.at(-1)?.from, ofSource[0]?.to]
    const values = n === 1 ? "1 value" : `${n} values`
    const advice = left === source ? "" : ` Ask with source=${left} for them.`
    return `${title}: ${values} of ${left} from ${from} to ${to} left out, because the source changed since.${advice}`
  })
}

function nothingThere({ metric: { id, title }, history }: MetricSeries, { answers }: ChosenHistory): string[] {
  if (history.length > 0) return []
  if (groupOfMetric(id) !== "journal") return [`${title}: no source has values of it.`]
  const factors = factorsOf(answers)
  if (factors.length === 0) return ["The journal has no answers."]
  return [`${title}: the journal has no answers about it. It has some about ${factors.join(", ")}.`]
}

/** The names of all factors that were answered with yes or no. */
export function factorsOf(answers: ChosenHistory["answers"]): string[] {
  const all = [...answers.values()].flat().filter(({ answer }) => answer !== null)
  return [...new Set(all.map(({ factor }) => factor))].toSorted()
}
