// Local times of a time zone. intervals.icu gives dates, and times without an offset.
import { MINUTE_MS } from "@restwell/client/time-units"
import { offsetInZone } from "../normalize/derive.ts"
import { isZone, type LocalInstant, localInstantOf } from "../normalize/zoned-days.ts"

export const noonOf = (date: string, zone: string): LocalInstant =>
  localInstantOf(Temporal.PlainDate.from(date).toZonedDateTime({ timeZone: zone, plainTime: "12:00" }))

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
  if (!utc)
    return local && usable ? localInstantOf(Temporal.PlainDateTime.from(local).toZonedDateTime(usable)) : undefined
  const ms = utc.getTime()
  const ofZone = usable === undefined ? undefined : offsetInZone(ms, usable)
  const between = local ? Math.round((Date.parse(`${local}Z`) - ms) / MINUTE_MS) : undefined
  const isOffset =
    between !== undefined && between % QUARTER_MINUTES === 0 && between >= LEAST_OFFSET && between <= MOST_OFFSET
  const utcOffsetMinutes = isOffset && (between !== 0 || ofZone === undefined) ? between : ofZone
  return utcOffsetMinutes === undefined ? undefined : { ms, utcOffsetMinutes }
}
