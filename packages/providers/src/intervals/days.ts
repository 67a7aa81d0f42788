// Days and local times of a time zone. intervals.icu gives dates, and times without an offset.
import { MINUTE_MS } from "@restwell/client/time-units"
import { offsetInZone } from "../normalize/derive.ts"

/** The zone of a person whose own is not known. */
const UNKNOWN_ZONE = "UTC"

/** Returns a zone that dates can be computed in. */
export function usableZone(zone: string | null | undefined): string {
  return zone && isZone(zone) ? zone : UNKNOWN_ZONE
}

function isZone(zone: string): boolean {
  try {
    offsetInZone(0, zone)
    return true
  } catch {
    return false
  }
}

/** An instant and the UTC offset there, minutes east. */
export interface LocalInstant {
  readonly ms: number
  readonly utcOffsetMinutes: number
}

/** The first instant of a date. It is not midnight where a clock change skips that. */
export const startOfDate = (date: string, zone: string): LocalInstant =>
  of(Temporal.PlainDate.from(date).toZonedDateTime(zone))

export const noonOf = (date: string, zone: string): LocalInstant =>
  of(Temporal.PlainDate.from(date).toZonedDateTime({ timeZone: zone, plainTime: "12:00" }))

const of = (zoned: Temporal.ZonedDateTime): LocalInstant => ({
  ms: zoned.epochMilliseconds,
  utcOffsetMinutes: Math.round(zoned.offsetNanoseconds / 1e6 / MINUTE_MS),
})

/** Returns the date at an instant. */
export const dateInZone = (at: Date, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone).toPlainDate().toString()

export const nextDate = (date: string, days = 1): string => Temporal.PlainDate.from(date).add({ days }).toString()

/** Offsets of time zones are whole quarters of an hour. */
const QUARTER_MINUTES = 15
const [LEAST_OFFSET, MOST_OFFSET] = [-12 * 60, 14 * 60]

/**
 * Returns when and at which offset something started. The offset is that between the two times, or else that of the zone: a local time that
 * was written in UTC has none of its own. Undefined where neither tells it.
 */
export function startOf({
  utc,
  local,
  zone,
}: {
  readonly utc: Date | null | undefined
  readonly local: string | null | undefined
  readonly zone: string | null | undefined
}): LocalInstant | undefined {
  const usable = zone && isZone(zone) ? zone : undefined
  if (!utc) return local && usable ? of(Temporal.PlainDateTime.from(local).toZonedDateTime(usable)) : undefined
  const ms = utc.getTime()
  const ofZone = usable === undefined ? undefined : offsetInZone(ms, usable)
  const between = local ? Math.round((Date.parse(`${local}Z`) - ms) / MINUTE_MS) : undefined
  const isOffset =
    between !== undefined && between % QUARTER_MINUTES === 0 && between >= LEAST_OFFSET && between <= MOST_OFFSET
  const utcOffsetMinutes = isOffset && (between !== 0 || ofZone === undefined) ? between : ofZone
  return utcOffsetMinutes === undefined ? undefined : { ms, utcOffsetMinutes }
}
