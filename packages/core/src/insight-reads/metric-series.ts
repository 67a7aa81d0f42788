import type { HrvMethod } from "@restwell/client"
import { hrvMethodOf } from "@restwell/providers"
import { factorNameOf, isMetricId, journalMetric, METRICS, type MetricId } from "../insights/catalogue.ts"
import type { DayFacts } from "../insights/day-facts.ts"
import { EXTRACT, extractAnswer, lastWorkoutOf } from "../insights/extract.ts"
import type { Metric } from "../insights/metric.ts"
import type { Measured } from "../insights/pairs.ts"
import { type LeftOut, newestPart, type Series, type SourcedValue } from "../insights/series.ts"
import type { ChosenHistory } from "./chosen-history.ts"
import { groupOfMetric, type MetricGroup } from "./metric-group.ts"

/** A metric and its values. */
export interface MetricSeries {
  readonly metric: Metric
  /** Of every source, oldest first. */
  readonly values: readonly SourcedValue[]
  /** Since the last change of source or method. */
  readonly history: Series
  /** What such a change cuts off, newest first. */
  readonly leftOut: readonly LeftOut[]
  /** The source of the history. Null without values. */
  readonly source: string | null
  /** How the source computes HRV. Null for other metrics. */
  readonly method: HrvMethod | null
}

/** Zero on a date with a record of any kind, and never cut off: an activity may be of another source than the one before. */
const COUNTS: readonly string[] = ["nap", "workout_count", "workout", "distance"] satisfies MetricId[]

/** Whether a date without an activity counts as zero. */
export const isCount = (id: string): boolean => COUNTS.includes(id)

const NOTHING: DayFacts = { night: undefined, naps: [], recovery: undefined, cycle: undefined, workouts: [] }

/** The metric of an id. Undefined for an unknown one. */
export function metricOf(id: string): Metric | undefined {
  const factor = factorNameOf(id)
  return factor === null ? METRICS.find((metric) => metric.id === id) : journalMetric(factor)
}

/** The values of a metric or of a factor of the journal. */
export function metricSeries(history: ChosenHistory, metric: Metric): MetricSeries {
  const { id } = metric
  const factor = factorNameOf(id)
  if (factor !== null) return uncut(metric, answersTo(history, factor))
  if (!isMetricId(id)) return uncut(metric, [])
  if (isCount(id)) return uncut(metric, countsOf(history, id))
  const values = valuesOf(history, id)
  const { part, leftOut } = newestPart(values)
  const source = part[0]?.source ?? null
  return { metric, values, history: part, leftOut, source, method: methodOf(id, source) }
}

/** The same for the functions of the statistics. */
export const measuredOf = ({ metric: { id, kind }, history }: MetricSeries): Measured => ({ id, kind, history })

/** A series that no change of source ends. */
function uncut(metric: Metric, values: readonly SourcedValue[]): MetricSeries {
  return { metric, values, history: values, leftOut: [], source: mostFrequent(values), method: null }
}

function mostFrequent(values: readonly SourcedValue[]): string | null {
  const bySource = [...Map.groupBy(values, ({ source }) => source)]
  return bySource.toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? null
}

const methodOf = (id: MetricId, source: string | null): HrvMethod | null =>
  id === "hrv" && source !== null ? hrvMethodOf(source) : null

function valuesOf({ days, strainDays }: ChosenHistory, id: MetricId): SourcedValue[] {
  const values: SourcedValue[] = []
  const [extract, group] = [EXTRACT[id], groupOfMetric(id)]
  for (const [day, facts] of id === "strain" ? strainDays : days) {
    const value = extract(facts)
    if (value == null) continue
    const source = sourceIn(facts, group)
    if (source !== undefined) values.push({ day, value, source, method: methodOf(id, source) })
  }
  return values
}

/** The source of the record of a date that the metrics of a group are read from. */
function sourceIn(day: DayFacts, group: MetricGroup | null): string | undefined {
  switch (group) {
    case "sleep":
      return day.night?.provider
    case "recovery":
      return day.recovery?.provider
    case "cycle":
      return day.cycle?.provider
    default:
      return lastWorkoutOf(day)?.provider
  }
}

function countsOf({ days, recordDays }: ChosenHistory, id: MetricId): SourcedValue[] {
  const values: SourcedValue[] = []
  for (const [day, anySource] of recordDays) {
    const facts = days.get(day) ?? NOTHING
    const value = EXTRACT[id](facts)
    const source = (id === "nap" ? facts.naps : facts.workouts)[0]?.provider ?? anySource
    if (value != null) values.push({ day, value, source, method: null })
  }
  return values
}

function answersTo({ answers }: ChosenHistory, factor: string): SourcedValue[] {
  return [...answers].flatMap(([day, ofDay]) => {
    const toFactor = ofDay.filter((answer) => answer.factor === factor)
    const value = extractAnswer(toFactor)
    const source = toFactor[0]?.provider
    return value === undefined || source === undefined ? [] : [{ day, value, source, method: null }]
  })
}
