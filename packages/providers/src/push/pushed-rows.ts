// Rows that programs on a phone push, in one form whatever program sent them.

import { type PushedType, type SeriesType, SLEEP_STAGES, SUM_TYPES } from "@restwell/client"
import { DAY_MS, MINUTE_MS } from "@restwell/client/time-units"
import { CollectedRows } from "../apple-health/collected-rows.ts"
import { deviceKindOf, type RowType, SERIES_OF_ROWS, seriesOf } from "../apple-health/rows.ts"
import { PrefixMaximum } from "../apple-health/shared-spans.ts"
import type { SleepSession } from "../apple-health/sleep.ts"
import type { ArchivedRecord } from "../archive/archive-items.ts"
import type { SampleSet } from "../contract/series.ts"
import { offsetInZone } from "../normalize/derive.ts"
import { known } from "../normalize/known.ts"
import { plausibleRecord } from "../normalize/plausible.ts"

/** Rows that records are made of, and that are kept as they came. Of other types, which are samples only, those with an id are. */
const KEPT_TYPES = [
  "sleep_segment",
  "sleep_sums",
  "hrv_rmssd",
  "hrv_sdnn",
  "resting_heart_rate",
  "respiratory_rate",
  "spo2",
  "skin_temperature",
  "steps",
  "active_energy",
  "distance",
  "floors",
  "exercise_minutes",
  "workout",
] as const
type KeptType = (typeof KEPT_TYPES)[number]
export const isKept = (type: string): type is KeptType => KEPT_TYPES.some((kept) => kept === type)

/** What a program gives of a workout beside its sport and times. */
export interface WorkoutFigures {
  /** Without pauses. */
  readonly durationMs?: number
  /** Kilocalories. */
  readonly calories?: number
  readonly distanceMeters?: number
  readonly averageHeartRate?: number
  readonly maxHeartRate?: number
}

/** Sums of a whole sleep without its parts, milliseconds. */
interface SleepSums {
  readonly lightMs: number
  readonly deepMs: number
  readonly remMs: number
  readonly awakeMs: number
  /** Without a known stage. */
  readonly asleepMs: number
  readonly inBedMs: number
}

/** One row. Equal rows of two pushes are one. */
export interface PushedRow {
  readonly type: PushedType | "sleep_sums"
  /** The device or app that measured it. Empty where none is named. */
  readonly source: string
  /** The program's own id of the row. */
  readonly id?: string
  /** Epoch milliseconds. */
  readonly startMs: number
  readonly endMs: number
  /** Minutes east of UTC at the start, where the program gives it. */
  readonly utcOffsetMinutes?: number
  /** Of a count: minutes east of UTC at the start, by the person's time zone when it was pushed. Its date is that of this clock. */
  readonly clockMinutes?: number
  /** Of a count that came alone and begins at midnight: it may be that of the whole day. */
  readonly isMaybeOfDay?: true
  /** In the unit of the type. Of a sleep segment the stage, of a workout the sport. */
  readonly value: number | string
  readonly figures?: WorkoutFigures
  readonly sleep?: SleepSums
}

/** Rows whose values are added up. */
const isCount = ({ type }: Pick<PushedRow, "type">): boolean => SUM_TYPES.includes(type)
/** An end that only says that the row is short. */
const SHORT_MS = MINUTE_MS

/**
 * What identifies a row among all that were ever pushed: its id, or what it measures and when it begins. Counts that begin together and are
 * for different times are different: hours and days are other groupings of the minutes.
 */
export function rowKey(row: PushedRow): string {
  const { type, source, id, startMs, endMs, value } = row
  if (id !== undefined) return JSON.stringify([type, source, id])
  if (isCount(row)) return JSON.stringify([type, source, startMs, endMs - startMs > SHORT_MS ? endMs : null])
  return JSON.stringify(type === "sleep_segment" ? [type, source, startMs, endMs, value] : [type, source, startMs])
}

const figureCount = ({ figures = {} }: PushedRow): number => Object.keys(figures).length

/**
 * The rows of one key after a push. Of a row with an id, of counts and of a resting heart rate the newest counts: the counts of one push that
 * begin together are all there. Of other rows the later end counts, then the workout with more figures, then the longer sleep or the greater
 * value, whichever came first.
 * @param stored of the key @param pushed of the key, in the order of the push, at least one
 */
export function mergedRows(stored: readonly PushedRow[], pushed: readonly PushedRow[]): readonly PushedRow[] {
  const [last] = pushed.slice(-1)
  if (last === undefined) return stored
  if (last.id !== undefined) return [[...stored, ...pushed].reduce(newerOf)]
  // Apple makes the resting heart rate of a day anew while the day goes on.
  if (last.type === "resting_heart_rate") return [last]
  if (isCount(last)) return [...new Map(pushed.map((row) => [JSON.stringify(row), row])).values()]
  return [[...stored, ...pushed].reduce((one, other) => (compareRows(one, other) >= 0 ? one : other))]
}

const newerOf = (one: PushedRow, other: PushedRow): PushedRow => (figureCount(other) < figureCount(one) ? one : other)

/** An order of two rows with one key. */
function compareRows(one: PushedRow, other: PushedRow): number {
  if (one.endMs !== other.endMs) return one.endMs - other.endMs
  const moreFigures = figureCount(one) - figureCount(other)
  if (moreFigures !== 0) return moreFigures
  const longerMs = asleepMsOf(one) - asleepMsOf(other)
  if (longerMs !== 0) return longerMs
  if (typeof one.value === "number" && typeof other.value === "number" && one.value !== other.value)
    return one.value - other.value
  const [text, otherText] = [JSON.stringify(one), JSON.stringify(other)]
  return text < otherText ? -1 : text > otherText ? 1 : 0
}

const STAGES: readonly string[] = SLEEP_STAGES
const typeOf = (type: Exclude<KeptType, "workout" | "sleep_sums">): RowType =>
  type === "sleep_segment" ? "sleep" : type

/** The series of a row. Undefined for a workout, and for sleep, whose stages are samples of the sleep that they are a part of. */
const seriesOfRow = (type: PushedRow["type"]): Pick<SampleSet, "type" | "method"> | undefined => {
  if (!isKept(type)) return { type: seriesOf(type) }
  return type === "workout" || type === "sleep_sums" ? undefined : SERIES_OF_ROWS[typeOf(type)]
}

/** The types of samples that come of kept rows alone. Of the others most come without rows. */
export const SERIES_OF_KEPT: readonly SeriesType[] = [
  ...new Set(KEPT_TYPES.flatMap((type) => seriesOfRow(type)?.type ?? [])),
]

/** Gives the counts of a push the clock by which they belong to dates. @param timeZone of the person, an IANA name */
export const withClock = (row: PushedRow, timeZone: string): PushedRow => {
  if (!isCount(row)) return row
  const { startMs, utcOffsetMinutes: given } = row
  const isOfJourney = given !== undefined && !isOffsetOf(timeZone, given, startMs)
  return { ...row, clockMinutes: isOfJourney ? given : offsetInZone(startMs, timeZone) }
}

/** The values of rows as samples. @param rows of whole days and of the days beside them @param timeZone of the person, an IANA name */
export function samplesOfRows(rows: readonly PushedRow[], timeZone: string): SampleSet[] {
  const counts = rows.filter(isCount)
  const ofDates = new Map(
    Map.groupBy(counts, dateKeyOf)
      .entries()
      .map(([date, ofDate]) => [date, othersOf(ofDate)]),
  )
  const endOf = (row: PushedRow) => countEndOf(row, ofDates.get(dateKeyOf(row)) ?? othersOf([]), timeZone)
  return setsOf(rows.map((row) => ({ row, endMs: isCount(row) ? endOf(row) : row.endMs })))
}

const dateKeyOf = ({ type, source, startMs, clockMinutes = 0 }: PushedRow): string =>
  `${type}/${Math.floor((startMs + clockMinutes * MINUTE_MS) / DAY_MS)}/${source}`

/**
 * When a count ends. One that came alone at midnight is that of the day if it is as much as all others of the date, or if some of them came
 * as minutes or hours. A whole day may have 23 hours, or 25.
 */
function countEndOf(
  { startMs, endMs, ...row }: PushedRow,
  { sum, areGrouped }: CountsOfDate,
  timeZone: string,
): number {
  const isOfDay = row.isMaybeOfDay && (areGrouped || sum <= Number(row.value))
  const ends = isOfDay ? startMs + DAY_MS : endMs
  const { clockMinutes = 0 } = row
  if (ends - startMs !== DAY_MS || offsetInZone(startMs, timeZone) !== clockMinutes) return ends
  return ends - (offsetInZone(ends, timeZone) - clockMinutes) * MINUTE_MS
}

/** The counts of a date that are surely not that of the whole day. */
interface CountsOfDate {
  readonly sum: number
  /** Some came as minutes or hours. */
  readonly areGrouped: boolean
}

function othersOf(ofDate: readonly PushedRow[]): CountsOfDate {
  const others = ofDate.filter(({ isMaybeOfDay }) => !isMaybeOfDay)
  return { sum: others.reduce((sum, { value }) => sum + Number(value), 0), areGrouped: others.some(isGrouped) }
}

const isGrouped = ({ startMs, endMs }: PushedRow): boolean => endMs > startMs

function setsOf(rows: readonly { readonly row: PushedRow; readonly endMs: number }[]): SampleSet[] {
  const sets = new Map<string, SampleSet & { readonly samples: SampleSet["samples"][number][] }>()
  for (const { row, endMs } of rows) {
    const { type, source, startMs, value, utcOffsetMinutes, clockMinutes = utcOffsetMinutes } = row
    const series = seriesOfRow(type)
    if (!series || typeof value !== "number") continue
    const set = sets.getOrInsertComputed(`${type}/${source}`, () => ({
      ...series,
      ...(source && { device: source }),
      samples: [],
    }))
    set.samples.push({
      atMs: startMs,
      value,
      ...(endMs > startMs && { durationMs: endMs - startMs }),
      ...(clockMinutes !== undefined && { utcOffsetMinutes: clockMinutes }),
    })
  }
  return [...sets.values()]
}

interface DeriveOptions {
  /** Local date of the records, YYYY-MM-DD. */
  readonly date: string
  /** Of the person, an IANA name. */
  readonly timeZone: string
  /** Decides which day is not over. */
  readonly now: Date
}

/** Returns the records of a date. @param rows of the days around it, each once and in an order that depends on them alone */
export function derivePushed(rows: readonly PushedRow[], { date, ...options }: DeriveOptions): ArchivedRecord[] {
  const collected = new CollectedRows(options)
  const hasParts = sleepPartsOf(rows)
  for (const row of rows) {
    const { type, source: device, startMs, endMs, value, utcOffsetMinutes, clockMinutes, figures } = row
    if (!isKept(type)) continue
    if (utcOffsetMinutes !== undefined && !isOffsetOf(options.timeZone, utcOffsetMinutes, startMs))
      collected.zones.add(zoneOf(utcOffsetMinutes), startMs)
    if (type === "sleep_sums") {
      if (!hasParts(row)) collected.addSession(sessionOf(row))
    } else if (type === "workout")
      collected.addWorkout({ device, startMs, endMs, sport: String(value), raw: rawOf(row), ...known({ ...figures }) })
    else
      collected.add({
        type: typeOf(type),
        device,
        startMs,
        endMs,
        value: typeof value === "number" ? value : STAGES.indexOf(value),
        ...known({ utcOffsetMinutes: clockMinutes }),
      })
  }
  return [...collected.records(date)].flatMap((archived) => {
    const plausible = plausibleRecord(archived.record, [])
    return "record" in plausible ? [{ ...archived, record: plausible.record }] : []
  })
}

/** Parts of a sleep say more than its sums. @returns whether there are parts of a sleep by the same source */
function sleepPartsOf(rows: readonly PushedRow[]): (sleep: PushedRow) => boolean {
  const parts = Map.groupBy(
    rows.filter(({ type }) => type === "sleep_segment"),
    ({ source }) => source,
  )
  const ends = new Map(
    [...parts].map(([source, segments]) => {
      const latest = new PrefixMaximum(segments.map(({ startMs }) => startMs))
      for (const { startMs, endMs } of segments) latest.raise(startMs, endMs)
      return [source, latest]
    }),
  )
  return ({ source, startMs, endMs }) => (ends.get(source)?.upTo(endMs - 1) ?? startMs) > startMs
}

function sessionOf(row: PushedRow): SleepSession {
  const { source: device, startMs, endMs, sleep = NO_SLEEP } = row
  const { lightMs: light, deepMs: deep, remMs: rem, asleepMs: asleep, awakeMs: awake, inBedMs } = sleep
  return {
    device,
    kind: deviceKindOf(device),
    startMs,
    endMs,
    segments: [],
    ms: { awake, light, deep, rem, asleep, in_bed: inBedMs },
    asleepMs: asleepMsOf(row),
    hasStages: light + deep + rem > 0,
  }
}

/** Of sums, with all stages. */
const asleepMsOf = ({ sleep: { lightMs, deepMs, remMs, asleepMs } = NO_SLEEP }: PushedRow): number =>
  lightMs + deepMs + remMs + asleepMs

const NO_SLEEP: SleepSums = { lightMs: 0, deepMs: 0, remMs: 0, awakeMs: 0, asleepMs: 0, inBedMs: 0 }

const rawOf = (row: PushedRow) => JSON.parse(JSON.stringify(row))

const HALF_A_YEAR_MS = 182 * DAY_MS

/**
 * True if clocks of a time zone have an offset at some time of the year. Programs write the offset that the phone has when it sends: the
 * person's own zone knows better when summer time began. Another offset is that of a journey.
 */
const isOffsetOf = (timeZone: string, utcOffsetMinutes: number, ms: number): boolean =>
  [ms, ms + HALF_A_YEAR_MS].some((at) => offsetInZone(at, timeZone) === utcOffsetMinutes)

/** `+05:30`, which is the name of a time zone too. */
function zoneOf(utcOffsetMinutes: number): string {
  const [hours, minutes] = [Math.floor(Math.abs(utcOffsetMinutes) / 60), Math.abs(utcOffsetMinutes) % 60]
  const two = (value: number) => String(value).padStart(2, "0")
  return `${utcOffsetMinutes < 0 ? "-" : "+"}${two(hours)}:${two(minutes)}`
}
