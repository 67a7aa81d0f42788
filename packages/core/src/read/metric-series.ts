import type { HrvMethod, MetricId, SeriesType } from "@restwell/client"
import { factorNameOf, isMetricId, type MetricDescription, readFrom, sportNameOf } from "@restwell/client/figures"
import { ALL_DATES, type DateRange, localTime } from "../base/calendar.ts"
import { answeringOf, chooseSources, hasStrain } from "../sources/choose.ts"
import {
  awayFrom,
  type DayFacts,
  dayFactsOf,
  EXTRACT,
  extractAnswer,
  lengthBehind,
  workoutBehind,
} from "../statistics/metrics.ts"
import { withWholeNights } from "../statistics/nights.ts"
import type { Measured } from "../statistics/pairs.ts"
import { dayOf, type LeftOut, partOf, type SourcedValue } from "../statistics/series.ts"
import type { SourcePreferences } from "../store/record-tables.ts"
import type { JournalFact } from "../store/statements/journal.ts"
import type { History } from "../store/statements/read-health.ts"
import { isLengthAlone, methodOfHrv, type StoredRecord, withoutLengthsAlone } from "../store/stored-record.ts"
import { type CountedDays, countedDaysOf, inOrderOfDays } from "./counted-days.ts"
import { groupOfMetric, type MetricGroup } from "./metric-groups.ts"

/** What a person's chosen records say, by day number. */
export interface ChosenHistory {
  /** Days with a chosen record, oldest first. */
  readonly days: ReadonlyMap<number, DayFacts>
  /** Days with a cycle to read strain from, oldest first. It is chosen among the cycles that have one: a source without strain is no candidate for it. */
  readonly strainDays: ReadonlyMap<number, DayFacts>
  /** The days of a period as those sources answer them that have a value of the metric. */
  readonly daysWith: (id: MetricId, period: DateRange) => ReadonlyMap<number, DayFacts>
  /** Days on which no activity is zero activities. */
  readonly countedDays: CountedDays
  /** The person's date as a day number. What is counted on it still grows. */
  readonly today: number
  /** IANA name of the account's time zone. Null where none is stored. */
  readonly homeZone: string | null
  /** Answers of the journal by day, oldest first. */
  readonly answers: ReadonlyMap<number, readonly JournalFact[]>
  /** Figures of dates that are computed from samples, of all sources in the person's order. */
  readonly sampled: readonly SampledFigure[]
  /** All days of one source, also those on which another one answers. */
  readonly daysOfSource: (provider: string) => ReadonlyMap<number, DayFacts>
}

/** A metric of a local date that is computed from samples. */
export interface SampledFigure extends Omit<SourcedValue, "method"> {
  readonly id: SampledMetric
}

/** Metrics that are computed from samples where records have none. */
export type SampledMetric = Extract<MetricId, SeriesType>
export const SAMPLED_METRICS = [
  "steps",
  "floors",
  "exercise_minutes",
  "stress",
  "walking_heart_rate",
  "weight",
  "body_fat",
] as const satisfies readonly SampledMetric[]

/** What a person's metrics are read from. */
export interface MetricHistory extends History {
  /** In the person's order of sources. */
  readonly sampled: readonly SampledFigure[]
}

/** What is known of the person beside the history. */
interface PersonNow {
  /** The person's date. */
  readonly today: string
  /** IANA name of the account's time zone. Null where none is stored. */
  readonly homeZone: string | null
}

/** Chooses which records count, as every read does. @param history of the sources that may answer */
export function chooseHistory(
  history: MetricHistory,
  preferences: SourcePreferences,
  { today, homeZone }: PersonNow,
): ChosenHistory {
  const { answers, sampled } = history
  const facts = history.facts.map((fact) => openUntilOver(fact, today))
  const days = daysOf(chosenAmong(facts, preferences))
  const isIn = ({ date }: StoredRecord, { from, to }: DateRange) => date >= from && date <= to
  const daysWith: ChosenHistory["daysWith"] = (id, period) => {
    const known = withWholeNights(facts).filter((fact) => hasValue(fact, id) && isIn(fact, period))
    return daysOf(chosenAmong(known, preferences))
  }
  return {
    days,
    // One source hides no other.
    daysWith: hasSeveral(facts) ? daysWith : () => new Map(),
    strainDays: hasSeveral(facts) ? daysOf(chosenAmong(facts.filter(hasStrain), preferences)) : days,
    countedDays: countedDaysOf(history),
    today: dayOf(today),
    homeZone,
    answers: inOrderOfDays(Map.groupBy(answers, ({ date }) => dayOf(date))),
    sampled,
    daysOfSource: hasSeveral(facts) ? sourceReader(facts) : () => days,
  }
}

/** A calendar day that ends with its date has no whole figures while it lasts. An archive has it with its end. */
function openUntilOver<Fact extends StoredRecord>(fact: Fact, today: string): Fact {
  if (fact.kind !== "cycle" || fact.endMs === null) return fact
  const isOver = localTime(fact.endMs, fact.endUtcOffsetMinutes ?? fact.utcOffsetMinutes).slice(0, 10) <= today
  return isOver ? fact : { ...fact, endMs: null }
}

/** The history as it was on a date. A later change of the method of a metric hides no values before it. */
function untilDay(history: ChosenHistory, last: number): ChosenHistory {
  const until = <Value>(days: ReadonlyMap<number, Value>) => new Map([...days].filter(([day]) => day <= last))
  const days = until(history.days)
  return {
    ...history,
    days,
    strainDays: until(history.strainDays),
    daysOfSource(provider) {
      const own = history.daysOfSource(provider)
      return own === history.days ? days : until(own)
    },
  }
}

/** The history without workouts of other sports. @param sport as the person's workouts have it */
export function withSport(history: ChosenHistory, sport: string): ChosenHistory {
  const narrowed = (days: ReadonlyMap<number, DayFacts>) =>
    new Map(
      days
        .entries()
        .map(([day, { workouts, ...facts }]): [number, DayFacts] => [
          day,
          { ...facts, workouts: workouts.filter(({ sportType }) => sportType === sport) },
        ]),
    )
  const days = narrowed(history.days)
  return {
    ...history,
    days,
    daysWith: (id, period) => narrowed(history.daysWith(id, period)),
    daysOfSource(provider) {
      const own = history.daysOfSource(provider)
      return own === history.days ? days : narrowed(own)
    },
  }
}

/** Computes the days of a source once, when they are first needed. */
function sourceReader(facts: readonly StoredRecord[]): ChosenHistory["daysOfSource"] {
  const read = new Map<string, ReadonlyMap<number, DayFacts>>()
  return (provider) =>
    read.getOrInsertComputed(provider, () => daysOf(answeringOf(facts.filter((fact) => fact.provider === provider))))
}

/** The history of one source, as if there were no other. */
export const ofProvider = (
  { facts, recordDates, answers, sampled }: MetricHistory,
  provider: string,
): MetricHistory => ({
  facts: facts.filter((fact) => fact.provider === provider),
  recordDates: recordDates && { [provider]: recordDates[provider] ?? [] },
  answers: answers.filter((answer) => answer.provider === provider),
  sampled: sampled.filter(({ source }) => source === provider),
})

/** @param facts what is chosen */
const daysOf = (facts: readonly StoredRecord[]): ReadonlyMap<number, DayFacts> => {
  const ofDates = Map.groupBy(withWholeNights(facts), ({ date }) => date).entries()
  return inOrderOfDays(new Map(ofDates.map(([date, of]) => [dayOf(date), dayFactsOf(of.sort(oldestFirst))] as const)))
}

const oldestFirst = ({ startMs: one }: StoredRecord, { startMs: other }: StoredRecord): number => one - other

function chosenAmong(facts: readonly StoredRecord[], preferences: SourcePreferences): readonly StoredRecord[] {
  if (!hasSeveral(facts)) return answeringOf(facts)
  return [withoutLengthsAlone(facts), facts.filter(isLengthAlone)].flatMap((some) =>
    chooseSources(some, preferences).flatMap(({ fact, because }) => (because === null ? [] : [fact])),
  )
}

const isReadFrom = (fact: StoredRecord, id: MetricId): boolean =>
  fact.kind === readFrom(id) || (id === "asleep" && fact.kind === "recovery")

const hasValue = (fact: StoredRecord, id: MetricId): boolean =>
  isReadFrom(fact, id) && EXTRACT[id](dayFactsOf([fact])) != null

/** One source needs no choice. */
const hasSeveral = (facts: readonly StoredRecord[]): boolean =>
  facts.some(({ provider }) => provider !== facts[0]?.provider)

/** A metric and its values: a trend compares one device with itself. */
export interface MetricSeries {
  readonly metric: MetricDescription
  /** The values of the source on all dates of the period's method, between two changes of it. Activities and answers are of any source. */
  readonly history: readonly SourcedValue[]
  /** The values before the last change of method, newest first. */
  readonly leftOut: readonly LeftOut[]
  /** Values of the dates of which only other sources have one, oldest first. */
  readonly others: readonly SourcedValue[]
  /** The current source of the dates that are asked about. Null without values. */
  readonly source: string | null
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

/** Zero on a date that is over, where a source would have had one. Activities are of any source. */
const COUNTS: readonly string[] = [
  ...(["nap", "workout_count", "workout", "distance"] satisfies MetricId[]),
  ...ZONE_METRICS,
]

/** Whether a date without an activity counts as zero. */
export const isCount = (id: string): boolean => COUNTS.includes(id) || sportNameOf(id) !== null

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
  const own = isAlone ? chosen : filled(valuesIn(days).filter(isOwn), sampled.filter(isOwn))
  const ownDays = new Set(isAlone ? [] : own.map(({ day }) => day))
  const { part, leftOut } = partOf(own, dayOf(period.to))
  return {
    metric,
    history: part,
    leftOut,
    others: isAlone ? [] : chosen.filter(({ day }) => !ownDays.has(day)),
    source,
    days,
    method: part.at(-1)?.method ?? null,
  }
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
 * The source that answers most of the newest 28 dates of a period that have a value. Of two with as many, the one of the newest date. Where
 * no answering source has one, the sources that have it are the candidates: some sources give no sleep need. A period without any value is about
 * the dates before its end, and one before all values about all dates.
 * @param chosen what answers, oldest first
 * @param ofThoseWith the values of the period that sources without the metric do not hide
 */
function currentSource(
  chosen: readonly SourcedValue[],
  { from, to }: DateRange,
  ofThoseWith: () => readonly SourcedValue[],
): string | null {
  const [first, last] = [dayOf(from), dayOf(to)]
  const before = chosen.filter(({ day }) => day <= last)
  const within = before.filter(({ day }) => day >= first)
  const candidates = within.length > 0 ? within : ofThoseWith()
  const about = [candidates, before, chosen].find((values) => values.length > 0) ?? []
  return mostFrequent(about.slice(-DECIDING_DATES).toReversed())
}

/** What the functions of the statistics take of a metric. */
export const measuredOf = ({ metric: { id, kind }, history }: MetricSeries): Measured => ({ id, kind, history })

/** Activities and answers, each of its own source. */
function ofAnySource(
  { days }: ChosenHistory,
  metric: MetricDescription,
  values: readonly SourcedValue[],
): MetricSeries {
  return { metric, history: values, leftOut: [], others: [], source: mostFrequent(values), days, method: null }
}

/** The source of most values. Of two with as many, the one of the first value. Null without any. */
export function mostFrequent(values: readonly Pick<SourcedValue, "source">[]): string | null {
  const bySource = [...Map.groupBy(values, ({ source }) => source)]
  return bySource.toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? null
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
    if (source !== undefined) values.push({ day, value, source, method })
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
