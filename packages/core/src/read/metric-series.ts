// The values of a metric over time. A trend compares one device with itself.
import type { HrvMethod, MetricId } from "@restwell/client"
import { factorNameOf, isCount, isMetricId, type MetricDescription, sportNameOf } from "@restwell/client/figures"
import { ALL_DATES, type DateRange } from "../base/calendar.ts"
import {
  awayFrom,
  type DayFacts,
  dayFactsOf,
  EXTRACT,
  extractAnswer,
  lengthBehind,
  workoutBehind,
} from "../statistics/metrics.ts"
import type { Measured } from "../statistics/pairs.ts"
import { dayOf, type LeftOut, partOf, type SourcedValue } from "../statistics/series.ts"
import { methodOfHrv } from "../store/stored-record.ts"
import { type ChosenHistory, type NamedDevice, untilDay } from "./chosen-history.ts"
import { groupOfMetric, type MetricGroup } from "./metric-groups.ts"

/** A metric and its values: a trend compares one device with itself. */
export interface MetricSeries {
  readonly metric: MetricDescription
  /** The values of the source on all dates of the period's method, between two changes of it. Activities and answers are of any source. */
  readonly history: readonly SourcedValue[]
  /** The values before the last change of method, newest first. */
  readonly leftOut: readonly LeftOut[]
  /** Values of the dates of which only other sources have one, oldest first. */
  readonly others: readonly SourcedValue[]
  /** Values of the dates of which only other devices behind the source have one, oldest first. */
  readonly ofOtherDevices: readonly SourcedValue[]
  /** The current source of the dates that are asked about. Null without values. */
  readonly source: string | null
  /** The device behind the source that all values are of, where the source has several. */
  readonly device: string | null
  /** The records that the values are read from. */
  readonly days: ReadonlyMap<number, DayFacts>
  /** How the source computes HRV. Null for other metrics. */
  readonly method: HrvMethod | null
}

/** Time in the zones of a workout, where the vendor finds them. */
export const ZONE_METRICS: readonly string[] = [
  "zone_1_hours",
  "zone_2_hours",
  "zone_3_hours",
  "zone_4_hours",
  "zone_5_hours",
] satisfies MetricId[]

const NOTHING = dayFactsOf([])

/** The values of a metric, of a factor of the journal or of a sport. @param period the dates that are asked about */
export function metricSeries(history: ChosenHistory, metric: MetricDescription, period: DateRange): MetricSeries {
  const { id } = metric
  const factor = factorNameOf(id)
  if (factor !== null) return ofAnySource(history, metric, answersTo(history, factor))
  const sport = sportNameOf(id)
  if (sport !== null) return ofAnySource(history, metric, daysOfSport(history, sport))
  if (!isMetricId(id)) return ofAnySource(history, metric, [])
  if (isCount(id)) return ofAnySource(history, metric, countsOf(history, id))
  const sampled = history.sampled.filter((figure) => figure.id === id)
  const valuesIn = (days: ReadonlyMap<number, DayFacts>) => valuesOf(days, id, history)
  const answered = valuesIn(id === "strain" ? history.strainDays : history.days)
  // Where the answering record lacks it, another record of the date comes before samples: a ring's steps before those in a phone's archive.
  const recorded = sampled.length === 0 ? answered : filled(answered, valuesIn(history.daysWith(id, ALL_DATES)))
  const chosen = filled(recorded, sampled)
  const source = currentSource(chosen, period, () => valuesIn(history.daysWith(id, period)))
  if (source === null) return ofAnySource(history, metric, [])
  const days = history.daysOfSource(source)
  const isOwn = (value: { readonly source: string }) => value.source === source
  // All values are those of the only source. Records may be of one source, and samples of another.
  const isAlone = days === history.days && chosen.every(isOwn) && sampled.every(isOwn)
  const ofSource = isAlone ? chosen : filled(valuesIn(days).filter(isOwn), sampled.filter(isOwn))
  const device = currentDevice(ofSource, period)
  const daysOfDevice = device === undefined ? days : history.daysOfSource(source, device)
  const own =
    device === undefined
      ? ofSource
      : valuesIn(daysOfDevice).filter((value) => isOwn(value) && deviceOf(value) === device)
  const { part, leftOut } = partOf(own, dayOf(period.to))
  return {
    metric,
    history: part,
    leftOut,
    others: isAlone ? [] : without(chosen, ofSource),
    ofOtherDevices: without(ofSource, own),
    source,
    device: device ?? null,
    days: daysOfDevice,
    method: part.at(-1)?.method ?? null,
  }
}

/** The values of dates that others have no value of. */
function without(values: readonly SourcedValue[], others: readonly SourcedValue[]): readonly SourcedValue[] {
  if (values === others) return []
  const known = new Set(others.map(({ day }) => day))
  return values.filter(({ day }) => !known.has(day))
}

const deviceOf = (value: SourcedValue): NamedDevice => value.device ?? null

/** The device of most of the newest values of a source in a period. Undefined where all are of one. */
function currentDevice(values: readonly SourcedValue[], period: DateRange): NamedDevice | undefined {
  const [first] = values
  if (!first || values.every((value) => deviceOf(value) === deviceOf(first))) return undefined
  // A morning whose night is still to come is of the device that was worn last.
  const last = () => values.filter(({ day }) => day <= dayOf(period.to)).slice(-1)
  return mostFrequentOf(decidingValues(values, period, last), deviceOf)
}

/** Returns the reader of metrics up to a date, as they were read on it. */
export function seriesOn(history: ChosenHistory, date: string): (metric: MetricDescription) => MetricSeries {
  const until = untilDay(history, dayOf(date))
  return (metric) => metricSeries(until, metric, { from: date, to: date })
}

/** Adds the first further value of each date without one. */
function filled(values: SourcedValue[], others: readonly Omit<SourcedValue, "method">[]): SourcedValue[] {
  if (others.length === 0) return values
  const known = new Set(values.map(({ day }) => day))
  const further = others.flatMap(({ day, value, source }) => {
    if (known.has(day)) return []
    known.add(day)
    return [{ day, value, source, method: null }]
  })
  return [...values, ...further].sort((one, other) => one.day - other.day)
}

/** How many dates decide which source is the current one. */
const DECIDING_DATES = 28

/**
 * The newest of the values that a period is about, newest first: those within it, or else those before its end, and where it is before all
 * values, all of them.
 * @param values oldest first
 * @param instead the candidates of a period without a value of these
 */
function decidingValues(
  values: readonly SourcedValue[],
  { from, to }: DateRange,
  instead: () => readonly SourcedValue[],
): readonly SourcedValue[] {
  const [first, last] = [dayOf(from), dayOf(to)]
  const before = values.filter(({ day }) => day <= last)
  const within = before.filter(({ day }) => day >= first)
  const candidates = within.length > 0 ? within : instead()
  const about = [candidates, before, values].find(({ length }) => length > 0) ?? []
  return about.slice(-DECIDING_DATES).toReversed()
}

/**
 * The source that answers most of the newest 28 dates of a period that have a value. Of two with as many, the one of the newest date. Where
 * no answering source has one, the sources that have it are the candidates: some sources give no sleep need.
 * @param chosen what answers, oldest first
 * @param ofThoseWith the values of the period that sources without the metric do not hide
 */
const currentSource = (
  chosen: readonly SourcedValue[],
  period: DateRange,
  ofThoseWith: () => readonly SourcedValue[],
): string | null => mostFrequent(decidingValues(chosen, period, ofThoseWith))

/** What the functions of the statistics take of a metric. */
export const measuredOf = ({ metric: { id, kind }, history }: MetricSeries): Measured => ({ id, kind, history })

/** Activities and answers, each of its own source. */
function ofAnySource(
  { days }: ChosenHistory,
  metric: MetricDescription,
  values: readonly SourcedValue[],
): MetricSeries {
  const nothing = { leftOut: [], others: [], ofOtherDevices: [], device: null, method: null }
  return { metric, history: values, source: mostFrequent(values), days, ...nothing }
}

/** The source of most values. Of two with as many, the one of the first value. Null without any. */
export const mostFrequent = (values: readonly Pick<SourcedValue, "source">[]): string | null =>
  mostFrequentOf(values, ({ source }) => source) ?? null

function mostFrequentOf<Value, Key>(values: readonly Value[], keyOf: (value: Value) => Key): Key | undefined {
  const byKey = [...Map.groupBy(values, keyOf)]
  return byKey.toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0]
}

function valuesOf(
  days: ReadonlyMap<number, DayFacts>,
  id: MetricId,
  { homeZone }: Pick<ChosenHistory, "homeZone">,
): SourcedValue[] {
  const values: SourcedValue[] = []
  const [extract, group] = [id === "away" ? awayFrom(homeZone) : EXTRACT[id], groupOfMetric(id)]
  for (const [day, facts] of days) {
    const value = extract(facts)
    if (value == null) continue
    const length = id === "asleep" ? lengthBehind(facts) : undefined
    const source =
      group === "workout" ? workoutBehind(id, facts)?.provider : (length?.provider ?? sourceIn(facts, group))
    const method = id === "hrv" && facts.recovery ? methodOfHrv(facts.recovery) : null
    const device = deviceBehind(id, facts, group)
    if (source !== undefined) values.push({ day, value, source, method, ...(device !== undefined && { device }) })
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
      return undefined
  }
}

/**
 * The device that a figure of a night is of, where its source collects for several. A recovery names the device of its HRV: the other
 * figures of a morning may be of another one.
 */
function deviceBehind(id: MetricId, { night, recovery }: DayFacts, group: MetricGroup | null): string | undefined {
  if (group === "sleep") return night?.device
  return id === "hrv" ? recovery?.device : undefined
}

function countsOf({ days, countedDays, today }: ChosenHistory, id: MetricId): SourcedValue[] {
  const isOfZones = ZONE_METRICS.includes(id)
  // Without a workout with zones, a date without a workout says nothing about them.
  if (isOfZones && !days.values().some(({ workouts }) => workouts.some(({ zones }) => zones))) return []
  const counted = id === "nap" ? "nap" : isOfZones ? "zones" : "workout"
  const values: SourcedValue[] = []
  for (const [day, anySource] of countedDays(counted)) {
    if (day >= today) continue
    const facts = days.get(day) ?? NOTHING
    const value = EXTRACT[id](facts)
    const source = (id === "nap" ? facts.naps : facts.workouts)[0]?.provider ?? anySource
    if (value != null) values.push({ day, value, source, method: null })
  }
  return values
}

/** 1 on dates with a workout of the sport. */
const daysOfSport = ({ days, countedDays, today }: ChosenHistory, sport: string): SourcedValue[] =>
  [...countedDays("workout")].flatMap(([day, anySource]) => {
    if (day >= today) return []
    const workout = days.get(day)?.workouts.find(({ sportType }) => sportType === sport)
    return { day, value: workout ? 1 : 0, source: workout?.provider ?? anySource, method: null }
  })

function answersTo({ answers }: ChosenHistory, factor: string): SourcedValue[] {
  return [...answers].flatMap(([day, ofDay]) => {
    const toFactor = ofDay.filter((answer) => answer.factor === factor)
    const value = extractAnswer(toFactor)
    const source = toFactor[0]?.provider
    return value === undefined || source === undefined ? [] : [{ day, value, source, method: null }]
  })
}
