// Which of a person's records count on each date, as every metric is read from them.
import type { MetricId, SeriesType } from "@restwell/client"
import { readFrom } from "@restwell/client/figures"
import { type DateRange, localTime } from "../base/calendar.ts"
import { answeringOf, chooseSources, hasStrain } from "../sources/choose.ts"
import { type DayFacts, dayFactsOf, EXTRACT } from "../statistics/metrics.ts"
import { withWholeNights } from "../statistics/nights.ts"
import { dayOf, type SourcedValue } from "../statistics/series.ts"
import type { SourcePreferences } from "../store/record-tables.ts"
import type { JournalFact } from "../store/statements/journal.ts"
import type { History } from "../store/statements/read-health.ts"
import { isLengthAlone, type StoredRecord, withoutLengthsAlone } from "../store/stored-record.ts"
import { type CountedDays, countedDaysOf, inOrderOfDays } from "./counted-days.ts"

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
  /** All days of one source, also those on which another one answers. Of a device, the nights and recoveries are its own alone. */
  readonly daysOfSource: (provider: string, device?: NamedDevice) => ReadonlyMap<number, DayFacts>
}

/** A device behind a source that collects for several, as its records name it. Null for those that name none. */
export type NamedDevice = string | null

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
    daysOfSource: sourceReader(facts, days),
  }
}

/** A calendar day that ends with its date has no whole figures while it lasts. An archive has it with its end. */
function openUntilOver<Fact extends StoredRecord>(fact: Fact, today: string): Fact {
  if (fact.kind !== "cycle" || fact.endMs === null) return fact
  const isOver = localTime(fact.endMs, fact.endUtcOffsetMinutes ?? fact.utcOffsetMinutes).slice(0, 10) <= today
  return isOver ? fact : { ...fact, endMs: null }
}

/** The history as it was on a date. A later change of the method of a metric hides no values before it. */
export function untilDay(history: ChosenHistory, last: number): ChosenHistory {
  const until = <Value>(days: ReadonlyMap<number, Value>) => new Map([...days].filter(([day]) => day <= last))
  const days = until(history.days)
  return {
    ...history,
    days,
    strainDays: until(history.strainDays),
    daysOfSource(...source) {
      const own = history.daysOfSource(...source)
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
    daysOfSource(...source) {
      const own = history.daysOfSource(...source)
      return own === history.days ? days : narrowed(own)
    },
  }
}

/** Computes the days of a source, and of a device behind it, once, when they are first needed. */
function sourceReader(
  facts: readonly StoredRecord[],
  days: ReadonlyMap<number, DayFacts>,
): ChosenHistory["daysOfSource"] {
  const read = new Map<string, ReadonlyMap<number, DayFacts>>()
  const isAlone = !hasSeveral(facts)
  return (provider, device) => {
    if (isAlone && device === undefined) return days
    const isOwn = (fact: StoredRecord) => fact.provider === provider && isOfDevice(fact, device)
    return read.getOrInsertComputed(JSON.stringify([provider, device]), () => daysOf(answeringOf(facts.filter(isOwn))))
  }
}

/** Counts are of all devices of a source, and workouts are its activities, whichever device it has them from. */
const isOfDevice = (fact: StoredRecord, device: NamedDevice | undefined): boolean =>
  device === undefined || (fact.kind !== "sleep" && fact.kind !== "recovery") || (fact.device ?? null) === device

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
