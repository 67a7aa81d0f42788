// What a date's answer says, in parts of which records are made: nights, the figures of the night before, the day. What is carried over from
// another date, or is not there yet, is no part of it.
import { addDays } from "@restwell/client/calendar-dates"
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@restwell/client/time-units"
import type { Json } from "../contract/records.ts"
import { jsonTextOf } from "../normalize/storable-text.ts"
import { startOfDate } from "../normalize/zoned-days.ts"
import type { UltrahumanDay, UltrahumanEntry } from "./api.ts"
import {
  SLEEP_FIELDS,
  type UltrahumanBedtimes,
  UltrahumanBedtimesSchema,
  UltrahumanDayStartSchema,
  UltrahumanTimesSchema,
  VITAL_FIELDS,
} from "./wire.ts"

/** A date's answer, with the zone that its instants are read in: the person's now, who may have been anywhere on the date. */
export interface ZonedDay extends Pick<UltrahumanDay, "date" | "entries"> {
  readonly zone: string
  /** True where no answer has told the zone, which is UTC then. */
  readonly isZoneUnknown: boolean
  /** Of the answer of the day before. What both have is carried over. */
  readonly entriesBefore: readonly UltrahumanEntry[]
}

/** Clocks on earth are ahead of UTC and behind it by this at most. */
const AHEAD_MS = 14 * HOUR_MS
const BEHIND_MS = 12 * HOUR_MS

type Row = { [key: string]: Json }

interface Night {
  readonly startSeconds: number
  readonly endSeconds: number
  readonly object: UltrahumanEntry["object"]
}

/** The kinds of rows that an answer is divided into. */
export type RowKind = "sleep" | "recovery" | "cycle"

/** Returns the rows of a kind. Their payloads are what the answer has, without the graphs and series that no record is made of. */
export function rowsOf(kind: RowKind, day: ZonedDay): Json[] {
  switch (kind) {
    case "sleep":
      return sleepRows(day)
    case "recovery":
      return recoveryRow(day)
    default:
      return cycleRow(day)
  }
}

const headOf = ({ date, zone, isZoneUnknown }: ZonedDay, id = date): Row => ({
  id,
  date,
  zone,
  ...(isZoneUnknown && { is_zone_unknown: true }),
})

/** Without a readable time or score, a sleep that is there is a row that is set aside with its reason. */
function sleepRows(day: ZonedDay): Json[] {
  const objects = distinct(day).flatMap(({ type, object }) => (type === "sleep" ? [object] : []))
  const unreadable = objects.filter((object) => isScored(object) && !UltrahumanTimesSchema.safeParse(object).success)
  const [main, ...others] = nightsOf(day)
  return [
    ...(main ? [{ ...headOf(day), sleep: picked(main.object, SLEEP_FIELDS) }] : []),
    ...others.map((night) => ({ ...headOf(day, idOfOther(day, night)), sleep: picked(night.object, SLEEP_FIELDS) })),
    // The date's own id belongs to a night that can be read.
    ...unreadable.slice(0, main ? 0 : 1).map((object) => ({ ...headOf(day), sleep: picked(object, SLEEP_FIELDS) })),
  ]
}

const isScored = ({ sleep_score: score }: UltrahumanEntry["object"]): boolean => score != null

const idOfOther = ({ date }: ZonedDay, { startSeconds }: Night): string => `${date}-${startSeconds}`

/** Returns the nights of a date, the longest first. Of those that overlap, which are one that came twice, it is the longest. */
function nightsOf(day: ZonedDay): Night[] {
  const nights = distinct(day)
    .filter(({ type, object }) => type === "sleep" && isOfNight(day, object))
    .flatMap(({ object }): Night[] => {
      const times = UltrahumanTimesSchema.safeParse(object).data
      return times ? [{ startSeconds: times.bedtime_start, endSeconds: times.bedtime_end, object }] : []
    })
    .toSorted((one, other) => lengthOf(other) - lengthOf(one) || one.startSeconds - other.startSeconds)
  return nights.filter((night, index) => !nights.slice(0, index).some((longer) => overlap(night, longer)))
}

const lengthOf = ({ startSeconds, endSeconds }: Night): number => endSeconds - startSeconds

const overlap = (one: Night, other: Night): boolean =>
  one.startSeconds < other.endSeconds && other.startSeconds < one.endSeconds

/** A night has a score, and ends on its date. One without a score is not there yet, and one of another date is carried over. */
const isOfNight = (day: ZonedDay, object: UltrahumanEntry["object"]): boolean =>
  UltrahumanTimesSchema.safeParse(object).success && !isOfAnotherDate(day, object)

const VITALS = ["recovery_index", "avg_sleep_hrv", "sleep_rhr", "night_rhr", "spo2"]

/**
 * The figures of the night before. Those without a time belong to the night of the answer: where that is carried over from another date, so
 * are they.
 */
function recoveryRow(day: ZonedDay): Json[] {
  const entries = distinct(day)
  const nights = nightsOf(day)
  const sleeps = entries.filter(({ type }) => type === "sleep")
  const isCarriedOver = nights.length === 0 && sleeps.some(({ object }) => isOfAnotherDate(day, object))
  const figures = entries.filter((entry) => {
    if (!VITALS.includes(entry.type)) return false
    return dayStartOf(entry.object) === undefined ? !isCarriedOver : isOfDate(day, entry)
  })
  const [main] = nights
  const vitals = main && picked(main.object, VITAL_FIELDS)
  const row: Row = {
    ...headOf(day),
    ...(main && { sleep_id: day.date }),
    // Of points of one type, the last one that has a figure. Zero is one where no other is.
    ...Object.fromEntries(
      figures
        .filter(({ object }) => hasFigure(object))
        .toSorted((one, other) => Number(isMeasured(one.object)) - Number(isMeasured(other.object)))
        .map(({ type, object }) => [type, picked(object, FIGURE_FIELDS)]),
    ),
    ...(vitals && Object.keys(vitals).length > 0 && { sleep: vitals }),
  }
  return Object.keys(row).some((name) => VITALS.includes(name) || name === "sleep") ? [row] : []
}

const FIGURE_FIELDS = ["value", "avg", "day_start_timestamp"]

const hasFigure = ({ value, avg }: UltrahumanEntry["object"]): boolean => value != null || avg != null

const isMeasured = ({ value, avg }: UltrahumanEntry["object"]): boolean => Boolean(value) || Boolean(avg)

/** A night is of another date if it ended where that date was nowhere, or if the day before has it as well. */
function isOfAnotherDate({ date, entriesBefore }: ZonedDay, object: UltrahumanEntry["object"]): boolean {
  const times = UltrahumanBedtimesSchema.safeParse(object).data
  if (!times) return false
  const endMs = times.bedtime_end * SECOND_MS
  const isOnDate =
    endMs >= startOfDate(date, "UTC").ms - AHEAD_MS && endMs < startOfDate(addDays(date, 1), "UTC").ms + BEHIND_MS
  return !isOnDate || entriesBefore.some(({ type, object: before }) => type === "sleep" && isSameNight(before, times))
}

function isSameNight(object: UltrahumanEntry["object"], times: UltrahumanBedtimes): boolean {
  const other = UltrahumanBedtimesSchema.safeParse(object).data
  return other?.bedtime_start === times.bedtime_start && other.bedtime_end === times.bedtime_end
}

const dayStartOf = (object: UltrahumanEntry["object"]): number | undefined =>
  UltrahumanDayStartSchema.safeParse(object).data?.day_start_timestamp

/** A day that begins as near as this to where a neighbour begins is the neighbour. */
const SAME_START_MS = 30 * MINUTE_MS

/**
 * A point names the day that it is of by where that began, which is the midnight of wherever the person was. So it is of its date unless
 * that is the midnight of a neighbour here, or further off than zones are apart, or the day before has it as well. Without it, it is of
 * the date that was asked for.
 */
export function isOfDate({ date, zone, entriesBefore }: ZonedDay, { type, object }: UltrahumanEntry): boolean {
  const start = dayStartOf(object)
  if (start === undefined) return true
  if (entriesBefore.some((before) => before.type === type && dayStartOf(before.object) === start)) return false
  const apartMs = (other: string) => Math.abs(start * SECOND_MS - startOfDate(other, zone).ms)
  const isNeighbour = [addDays(date, -1), addDays(date, 1)].some((other) => apartMs(other) < SAME_START_MS)
  return !isNeighbour && apartMs(date) < AHEAD_MS + BEHIND_MS
}

function cycleRow(day: ZonedDay): Json[] {
  const steps = distinct(day).findLast(
    (entry) =>
      entry.type === "steps" && isOfDate(day, entry) && entry.object["total"] != null && isWalked(entry.object),
  )
  return steps ? [{ ...headOf(day), steps: picked(steps.object, ["total"]) }] : []
}

/** A day without the ring is sent as no steps at no time. */
const isWalked = ({ total, values }: UltrahumanEntry["object"]): boolean =>
  total !== 0 || (Array.isArray(values) && values.length > 0)

/** A point that comes twice is one. */
function distinct({ entries }: Pick<ZonedDay, "entries">): readonly UltrahumanEntry[] {
  return [...new Map(entries.map((entry) => [jsonTextOf(entry), entry])).values()]
}

function picked(object: UltrahumanEntry["object"], fields: readonly string[]): Row {
  return Object.fromEntries(Object.entries(object).filter(([name, value]) => value !== null && fields.includes(name)))
}
