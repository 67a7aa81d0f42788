// When something may be sent: not before a person's earliest hour, and not in quiet hours, which delay it.
import type { QuietHours } from "@restwell/client"
import { addDays, clockIn, midnightIn, type TimeZone, todayIn } from "../base/calendar.ts"

/** The first instant of a date at which the clock there shows a time. @param clock as in 07:00 */
export function instantAt(zone: TimeZone, date: string, clock: string): Date {
  if (zone.utcOffsetMinutes === null) {
    const there = Temporal.PlainDate.from(date).toZonedDateTime({ timeZone: zone.timeZone ?? "UTC", plainTime: clock })
    return new Date(there.epochMilliseconds)
  }
  const [hours = 0, minutes = 0] = clock.split(":").map(Number)
  return new Date(midnightIn(zone, date).getTime() + (hours * 60 + minutes) * 60_000)
}

/** The time, or later on its date there when it is before a time of day. */
function notBefore(at: Date, zone: TimeZone, clock: string): Date {
  const earliest = instantAt(zone, todayIn(zone, at), clock)
  return earliest > at ? earliest : at
}

/** The time, or the end of the quiet hours that it is in. They begin with their start, and end before their end. */
export function afterQuiet(at: Date, zone: TimeZone, quiet: QuietHours | null): Date {
  if (quiet === null) return at
  const { start, end } = quiet
  const clock = clockIn(zone, at)
  const isQuiet = start < end ? clock >= start && clock < end : clock >= start || clock < end
  if (!isQuiet) return at
  const today = todayIn(zone, at)
  return instantAt(zone, clock < end ? today : addDays(today, 1), end)
}

interface Hours {
  readonly earliest: string
  readonly quiet: QuietHours | null
}

/** The first time from one on at which a briefing may be sent. */
export function briefingDue(now: Date, zone: TimeZone, { earliest, quiet }: Hours): Date {
  // The end of quiet hours may be before the earliest hour of its own date.
  const once = (at: Date) => afterQuiet(notBefore(at, zone, earliest), zone, quiet)
  return once(once(now))
}
