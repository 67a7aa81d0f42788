// Dates of a time zone: their first instants, and the UTC offset there.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import { offsetInZone } from "./derive.ts"

/** The zone of a person whose own is not known. */
const UNKNOWN_ZONE = "UTC"

/** Returns a zone that dates can be computed in. */
export function usableZone(zone: string | null | undefined): string {
  return zone && isZone(zone) ? zone : UNKNOWN_ZONE
}

/** Whether dates can be computed in a zone of this name. */
export function isZone(zone: string): boolean {
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
  localInstantOf(Temporal.PlainDate.from(date).toZonedDateTime(zone))

export const localInstantOf = (zoned: Temporal.ZonedDateTime): LocalInstant => ({
  ms: zoned.epochMilliseconds,
  utcOffsetMinutes: Math.round(zoned.offsetNanoseconds / 1e6 / MINUTE_MS),
})

/** Clocks are this far behind UTC at most. */
const LATEST_ZONE_MS = 12 * HOUR_MS

/** Whether a date has not ended in every zone. It may be today for a person whose zone is not known. */
export const isTodaySomewhere = (date: string, now: Date): boolean =>
  now.getTime() < Date.parse(`${date}T00:00:00Z`) + DAY_MS + LATEST_ZONE_MS

/** Returns the date at an instant. */
export const dateInZone = (at: Date, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone).toPlainDate().toString()
