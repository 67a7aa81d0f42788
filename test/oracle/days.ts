/* The calendar: the date of a record, and the dates of a query. */
import type { WireSleep, WireWorkout } from "@restwell/simulator"
import type { Chart } from "./chart.ts"

export interface OracleQuery {
  type: "summary" | "sleep" | "recovery" | "workout" | "cycle" | "profile"
  days?: number
  start_date?: string
  end_date?: string
}

/** The person's clock at a moment: where a sleep ended, or where a workout began. */
export interface SeenClock {
  readonly atMs: number
  readonly offset: string
}

export interface Range {
  readonly first: Temporal.PlainDate
  readonly last: Temporal.PlainDate
  /** The offset of "today". */
  readonly offset: string
  /** Of all records. They give the midnights of the summary. */
  readonly clocks: readonly SeenClock[]
}

/** Offset as Temporal writes it: WHOOP's `Z` is `+00:00`. */
const zone = (offset: string): string => (offset === "Z" ? "+00:00" : offset)

export function localDate(instant: Temporal.Instant, offset: string): Temporal.PlainDate {
  return shifted(instant, offset).toPlainDate()
}

/** The wall clock at an offset. Temporal knows zones of less than a day, WHOOP's edits of a time zone may be any `+hh:mm`. */
function shifted(instant: Temporal.Instant, offset: string): Temporal.PlainDateTime {
  return instant.toZonedDateTimeISO(zone(offset)).toPlainDateTime()
}

/** The local date of waking. */
export function dateOfSleep(sleep: WireSleep): Temporal.PlainDate {
  return localDate(Temporal.Instant.from(sleep.end), sleep.timezone_offset)
}

/** The local date of its start. */
export function dateOfWorkout(workout: WireWorkout): Temporal.PlainDate {
  return localDate(Temporal.Instant.from(workout.start), workout.timezone_offset)
}

/** The dates of a query. Null if there are none, or more than 90. */
export function rangeOf(chart: Chart, now: Date, query: OracleQuery): Range | null {
  return rangeAt({ offset: chart.newestOffset() ?? "Z", clocks: chart.clocks() }, now, query)
}

/** The same where "today" is the date at an offset. */
export function rangeAt(
  { offset, clocks }: Omit<Range, "first" | "last">,
  now: Date,
  query: OracleQuery,
): Range | null {
  const today = localDate(Temporal.Instant.fromEpochMilliseconds(now.getTime()), offset)
  const last = query.end_date === undefined ? today : Temporal.PlainDate.from(query.end_date)
  const first =
    query.start_date === undefined
      ? last.subtract({ days: (query.days ?? 7) - 1 })
      : Temporal.PlainDate.from(query.start_date)
  const range = { first, last, offset, clocks }
  return datesIn(range) >= 1 && datesIn(range) <= 90 ? range : null
}

export function datesIn({ first, last }: Range): number {
  return first.until(last, { largestUnit: "days" }).days + 1
}

export function isIn({ first, last }: Range, date: Temporal.PlainDate): boolean {
  return Temporal.PlainDate.compare(first, date) <= 0 && Temporal.PlainDate.compare(date, last) <= 0
}

/** The dates of a summary, with the local midnights at their beginning and end. */
export function periodOf(range: Range): object {
  const { first, last } = range
  return {
    start: midnight(first, range),
    end: midnight(last.add({ days: 1 }), range),
    start_date: first.toString(),
    end_date: last.toString(),
    days: datesIn(range),
  }
}

/**
 * Local midnight at a date, as an instant in UTC: on the clock at that midnight, which the clock at the midnight of UTC leads to. Who flies east
 * over midnight has two such clocks, and the later one counts.
 */
function midnight(date: Temporal.PlainDate, { clocks, offset }: Range): string {
  const seen = clocks.toSorted((one, other) => one.atMs - other.atMs || eastMs(one.offset) - eastMs(other.offset))
  // Until the first clock was seen, it is that one. Without any it is that of today.
  const eastAt = (moment: number) => eastMs((seen.findLast(({ atMs }) => atMs <= moment) ?? seen[0])?.offset ?? offset)
  const utcMs = date.toZonedDateTime("UTC").epochMilliseconds
  const nearbyMs = utcMs - eastAt(utcMs)
  const laterMs = Math.max(nearbyMs, utcMs - eastAt(nearbyMs))
  return written(Temporal.Instant.fromEpochMilliseconds(utcMs - eastAt(laterMs)))
}

const eastMs = (offset: string): number =>
  -Temporal.PlainDate.from("1970-01-01").toZonedDateTime(zone(offset)).epochMilliseconds

/** A moment on the clock of an offset, to the second, with that offset. */
export function localClock(moment: string, offset: string): string {
  const wall = shifted(Temporal.Instant.from(moment), offset)
  return `${wall.toString({ fractionalSecondDigits: 0, roundingMode: "floor" })}${zone(offset)}`
}

/** An instant as every answer writes it: UTC, with milliseconds. */
export function written(instant: Temporal.Instant): string {
  return instant.toString({ fractionalSecondDigits: 3 })
}
