import type { TrendDay, TrendsResponse } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import { RECORD_KINDS, type SleepPhase, saysTimeOfChange } from "@restwell/providers"
import { countDates, type DateRange, datesOf, todayIn } from "../base/calendar.ts"
import { hoursOf, toTenth } from "../base/rounding.ts"
import type { Context } from "../context/context.ts"
import { InvalidRequest } from "../context/errors.ts"
import { readTimeZone } from "../context/time-zone.ts"
import { type Choice, chooseSources, withWholeNightChoices } from "../sources/choose.ts"
import { inOrder } from "../sources/rank.ts"
import { readSourcePreferences } from "../sources/source-settings.ts"
import { USUAL_REACH, USUAL_VALUES } from "../statistics/describe.ts"
import { mainNightOf, type WholeNight, withWholeNights } from "../statistics/nights.ts"
import type { SourcePreferences } from "../store/record-tables.ts"
import type { HistoryRecord } from "../store/statements/read-health.ts"
import {
  readLacking,
  readNightsBefore,
  readStoredSources,
  readTrendRecords,
  type StoredSource,
  type TrendRecord,
} from "../store/statements/read-trend-rows.ts"
import { type StoredRecord, withoutLengthsAlone } from "../store/stored-record.ts"
import { insightRange } from "./insight-query.ts"
import { missingOf } from "./missing.ts"
import { presentCycle, presentRecovery, presentSleep, presentWorkout } from "./present.ts"
import { type Bands, type NightKind, type Origin, usualRanges } from "./usual-ranges.ts"

type OfKind<Kind extends TrendRecord["kind"]> = Extract<TrendRecord, { kind: Kind }>

/** One date's row without the bands, which need earlier nights. Figures equal those of the answers. @param facts oldest first */
function trendDay(
  date: string,
  facts: readonly TrendRecord[],
  { hasCourse }: { hasCourse: boolean },
): Omit<TrendDay, keyof Bands> {
  const sleeps = facts.filter((fact) => fact.kind === "sleep")
  const naps = sleeps.filter(({ isNap }) => isNap)
  const recovery = facts.findLast((fact) => fact.kind === "recovery")
  const cycle = facts.findLast((fact) => fact.kind === "cycle")
  const workouts = facts.filter((fact) => fact.kind === "workout").filter(({ countsAsWorkout }) => countsAsWorkout)
  return {
    date,
    sleep: nightOf(sleeps, hasCourse),
    naps: naps.map(napOf),
    nap_hours: naps.length > 0 ? hoursOf(naps.reduce((sum, { durationMs }) => sum + durationMs, 0)) : null,
    recovery: recovery ? recoveryOf(recovery) : null,
    strain: cycle ? strainOf(cycle) : null,
    workouts: workouts.map(workoutOf),
  }
}

/** The night of the date. */
function nightOf(sleeps: readonly OfKind<"sleep">[], hasCourse: boolean): TrendDay["sleep"] {
  const longest = mainNightOf(sleeps.filter(({ isNap }) => !isNap))
  if (!longest) return null
  const { id: _id, date: _date, is_nap: _nap, device: _device, stages, score, ...others } = presentSleep(longest)
  const { times_awake: _woke, latency_minutes: _latency, contributors: _parts, ...figures } = others
  return {
    ...figures,
    start_minutes: minutesOf(longest, longest.startMs),
    end_minutes: minutesOf(longest, longest.endMs),
    ...stages,
    ...score,
    score_delay_minutes: scoreDelayOf(longest),
    course: hasCourse ? courseOf(longest) : null,
  }
}

/** A change later than this is an edit or a recalculation, not the first score. */
const LATEST_SCORE_MS = 12 * HOUR_MS

/** Null where the vendor does not say when: such records have the time of their end or a made-up one, and those of archives any. */
function scoreDelayOf({ provider, scoreState, fromArchive, endMs, updatedMs }: OfKind<"sleep">): number | null {
  const delayMs = updatedMs - endMs
  if (
    scoreState !== "scored" ||
    fromArchive ||
    !saysTimeOfChange(provider) ||
    delayMs <= 0 ||
    delayMs > LATEST_SCORE_MS
  )
    return null
  return Math.ceil(delayMs / MINUTE_MS)
}

function napOf(fact: OfKind<"sleep">): TrendDay["naps"][number] {
  const { source, score_state, duration_hours, asleep_hours } = presentSleep(fact)
  return {
    source,
    score_state,
    start_minutes: minutesOf(
      { ...fact, utcOffsetMinutes: fact.startUtcOffsetMinutes ?? fact.utcOffsetMinutes },
      fact.startMs,
    ),
    end_minutes: minutesOf(fact, fact.endMs),
    duration_hours,
    asleep_hours,
  }
}

function courseOf({ course }: OfKind<"sleep">): NonNullable<TrendDay["sleep"]>["course"] {
  return course ? { interval_minutes: course.intervalMs / MINUTE_MS, phases: [...course.phases] } : null
}

/** A night in parts has their courses, and is awake between them. Null where a part has none. */
function withCourse({ night, counted }: WholeNight<OfKind<"sleep">>): OfKind<"sleep"> {
  const intervalMs = counted[0].course?.intervalMs
  const phases: (SleepPhase | null)[] = []
  for (const { course, startMs } of counted) {
    if (!course || course.intervalMs !== intervalMs) return { ...night, course: null }
    while (phases.length < Math.round((startMs - night.startMs) / intervalMs)) phases.push("awake")
    phases.push(...course.phases)
  }
  return { ...night, course: intervalMs === undefined ? null : { intervalMs, phases } }
}

function recoveryOf(fact: OfKind<"recovery">): NonNullable<TrendDay["recovery"]> {
  const { cycle_id: _, date: __, device: ___, contributors: ____, ...figures } = presentRecovery(fact)
  // With the decimals of its usual range, as the statistics have it.
  return { ...figures, resting_heart_rate: toTenth(fact.restingHeartRateBpm) }
}

function strainOf(fact: OfKind<"cycle">): NonNullable<TrendDay["strain"]> {
  const { source, score_state, strain, calories, steps, active_calories, end } = presentCycle(fact)
  return { source, score_state, strain, calories, steps, active_calories, is_open: end === null }
}

function workoutOf(fact: OfKind<"workout">): TrendDay["workouts"][number] {
  const {
    date: _date,
    end: _end,
    end_local: _local,
    zones: _zones,
    contributors: _parts,
    ...others
  } = presentWorkout(fact)
  const { pace_seconds_per_km: _pace, time_zone_offset_minutes: _offset, ...figures } = others
  return { ...figures, start_minutes: minutesOf(fact, fact.startMs) }
}

/** Minutes from the midnight at which the record's date begins, in the record's own offset. */
function minutesOf({ date, utcOffsetMinutes }: TrendRecord, instantMs: number): number {
  const localMs = instantMs + utcOffsetMinutes * MINUTE_MS
  const midnightMs = Date.parse(`${date}T00:00:00Z`)
  return Math.floor((localMs - midnightMs) / MINUTE_MS)
}

/** A longer period has no courses of nights and does not name what is missing: its charts show none, and years would be megabytes. */
const COURSE_DATES = 31
/** A usual range is of 30 values. Twice as many nights give them even if every other night lacks one. */
const NIGHTS_BEFORE = 2 * USUAL_VALUES
/** Dates of a history without any record. */
const EMPTY_DAYS = 30

/** A hundred years. */
export const MOST_TREND_DAYS = 36_500

/** The dates of charts. Dates win over `days`, a missing end is today, and `all` starts at the oldest record. */
export interface TrendDates {
  readonly days: number | "all"
  readonly start_date?: string | undefined
  readonly end_date?: string | undefined
  /** One source, as if there were no other. */
  readonly source?: string | undefined
}

/**
 * A row for each of the dates, also for dates without data, with the person's usual range at the time. Its cost depends on the dates, not
 * on the length of the history. @throws {InvalidRequest} for dates in the wrong order, for too many, and for a source that is not connected
 */
export async function readTrends(
  context: Pick<Context, "database" | "clock">,
  userId: string,
  { source: only, ...dates }: TrendDates,
): Promise<TrendsResponse> {
  const [zone, stored, preferences] = await Promise.all([
    readTimeZone(context, userId),
    readStoredSources(context, userId),
    readSourcePreferences(context, userId),
  ])
  const all = inOrder(answering(stored), preferences.order.sleep)
  const sources = only === undefined ? all : all.filter(({ provider }) => provider === only)
  if (only !== undefined && sources.length === 0) throw new InvalidRequest(`${only} is not connected`, "source")
  const today = todayIn(zone, context.clock.now())
  const { from, to } = rangeOf(dates, sources, today)
  const window = { userId, providers: sources.map(({ provider }) => provider), kinds: RECORD_KINDS, from, to }
  const [facts, before, lacking] = await Promise.all([
    readTrendRecords(context, window),
    readNightsBefore(context, window, NIGHTS_BEFORE),
    countDates({ from, to }) > COURSE_DATES || sources.length === 0 ? null : readLacking(context, window),
  ])
  const rows = rowsBetween({ from, to }, { facts, before }, preferences)
  const presented = sources.flatMap(presentSource)
  return {
    period: { start_date: from, end_date: to, days: rows.length },
    today,
    oldest_date: oldestOf(sources, today) ?? null,
    days: rows,
    missing: lacking && missingOf(lacking, facts, { kinds: RECORD_KINDS, range: { from, to }, today, zone }),
    source: presented[0] ?? null,
    sources: presented,
  }
}

/** What the rows of dates are made from, oldest first: the records of the dates and of those beside them, and earlier nights. */
export function recordsAround({ from, to }: DateRange, history: readonly HistoryRecord[]) {
  const [first, last] = [addDays(from, -1), addDays(to, 1)]
  const usualFrom = addDays(from, -USUAL_REACH)
  const isNight = (fact: StoredRecord) => fact.kind === "recovery" || (fact.kind === "sleep" && !fact.isNap)
  const records = withoutLengthsAlone(history)
    .filter(({ date }) => date >= usualFrom && date <= last)
    .map((fact): TrendRecord => ({ ...fact, course: fact.course ?? null }))
    .sort(oldestFirst)
  return {
    facts: records.filter(({ date }) => date >= first),
    before: records.filter((fact) => fact.date < first && isNight(fact)),
  }
}

const oldestFirst = (one: TrendRecord, other: TrendRecord): number =>
  one.date === other.date ? one.startMs - other.startMs : one.date < other.date ? -1 : 1

/**
 * A row for each of the dates.
 * @param facts of the dates and of those beside them @param before nights and recoveries of earlier dates. Both are oldest first.
 */
export function rowsBetween(
  { from, to }: DateRange,
  { facts, before }: Readonly<Record<"facts" | "before", readonly TrendRecord[]>>,
  preferences: SourcePreferences,
): TrendDay[] {
  const choices = withWholeNightChoices(chooseSources(facts, preferences), withCourse)
  return rowsOf(datesOf({ from, to }), { choices, before: nightsBefore(from, before, facts) }, preferences)
}

/** The nights and recoveries before a date. A night of the first date may have a part before it. @param facts from the date before on */
function nightsBefore(
  from: string,
  before: readonly TrendRecord[],
  facts: readonly TrendRecord[],
): readonly TrendRecord[] {
  const keyOf = ({ provider, kind, providerId }: TrendRecord) => `${provider} ${kind} ${providerId}`
  const known = new Set(facts.map(keyOf))
  const all = [...before.filter((fact) => !known.has(keyOf(fact))), ...facts.filter((fact) => !isNap(fact))]
  return withWholeNights(all).filter(({ kind, date }) => date < from && (kind === "sleep" || kind === "recovery"))
}

/** @throws {InvalidRequest} */
function rangeOf(
  { days, ...dates }: Omit<TrendDates, "source">,
  sources: readonly StoredSource[],
  today: string,
): DateRange {
  const first = dates.start_date ?? (days === "all" ? oldestOf(sources, dates.end_date ?? today) : undefined)
  const wanted = { ...dates, start_date: first, ...(days !== "all" && { days }) }
  const range = insightRange(wanted, today, EMPTY_DAYS)
  if (countDates(range) > MOST_TREND_DAYS)
    throw new InvalidRequest(`start_date must be at most ${MOST_TREND_DAYS} dates before the end`, "start_date")
  return range
}

/** The sources that answers read from. Without any, the first one that was disconnected with its data kept. */
export function answering(stored: readonly StoredSource[]): readonly StoredSource[] {
  const connected = stored.filter(({ status }) => status !== "disconnected")
  const byAge = stored.toSorted((one, other) => one.addedAt.getTime() - other.addedAt.getTime())
  return connected.length > 0 ? connected : byAge.slice(0, 1)
}

/** The oldest date of a record that is not in the future. */
export function oldestOf(sources: readonly StoredSource[], today: string): string | undefined {
  const dates = sources.flatMap(({ oldestDate }) => (oldestDate !== null && oldestDate <= today ? [oldestDate] : []))
  return dates.toSorted()[0]
}

/** The newest date of a record. One of a later date counts as of today. */
export const newestOf = (sources: readonly StoredSource[], today: string): string | undefined =>
  sources
    .flatMap(({ newestDate }) => (newestDate === null ? [] : [newestDate < today ? newestDate : today]))
    .toSorted()
    .at(-1)

/** @param before the nights before the first date, oldest first */
function rowsOf(
  dates: readonly string[],
  { choices, before }: { readonly choices: readonly Choice<TrendRecord>[]; readonly before: readonly TrendRecord[] },
  preferences: SourcePreferences,
): TrendDay[] {
  const byDate = Map.groupBy(choices, ({ fact }) => fact.date)
  const ranges = usualRanges()
  for (const facts of Map.groupBy(before, ({ date }) => date).values()) ranges.add(facts)
  const firstSource = (kind: NightKind) => sourceOfFirst(kind, choices) ?? sourceBefore(kind, before, preferences)
  let sources = { recovery: firstSource("recovery"), sleep: firstSource("sleep") }
  return dates.map((date) => {
    const ofDate = byDate.get(date) ?? []
    const chosen = ofDate.filter(({ because }) => because !== null)
    sources = {
      recovery: sourceOfFirst("recovery", chosen) ?? sources.recovery,
      sleep: sourceOfFirst("sleep", chosen) ?? sources.sleep,
    }
    ranges.add(ofDate.map(({ fact }) => fact))
    return {
      ...trendDay(
        date,
        chosen.map(({ fact }) => fact),
        { hasCourse: dates.length <= COURSE_DATES },
      ),
      ...ranges.bands(date, sources),
    }
  })
}

/** The source and device that a date's usual ranges are of. */
const sourceOfFirst = (kind: NightKind, choices: readonly Choice<TrendRecord>[]): Origin | undefined =>
  choices.find(({ fact, because }) => fact.kind === kind && because !== null && !isNap(fact))?.fact

/** Dates without any record have the ranges of the source that answered last. */
function sourceBefore(
  kind: NightKind,
  before: readonly TrendRecord[],
  preferences: SourcePreferences,
): Origin | undefined {
  const newest = before.findLast((fact) => fact.kind === kind)
  const ofDate = before.filter(({ date }) => date === newest?.date)
  return sourceOfFirst(kind, chooseSources(ofDate, preferences))
}

const isNap = (fact: TrendRecord): boolean => fact.kind === "sleep" && fact.isNap

function presentSource({ provider, status, lastSyncedAt }: StoredSource): TrendsResponse["sources"] {
  if (status === "disconnected") return []
  return [{ provider, status, last_synced_at: lastSyncedAt?.toISOString() ?? null }]
}
