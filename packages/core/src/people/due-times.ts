// When something may be sent: not before a person's earliest hour, and not in quiet hours, which delay it.

import type { QuietHours } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { clockIn, midnightIn, type TimeZone, todayIn } from "../base/calendar.ts"
import type { Context } from "../context/context.ts"

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

/** True for a time of day in quiet hours. They begin with their start, and end before their end. */
const isQuiet = (clock: string, { start, end }: QuietHours): boolean =>
  start < end ? clock >= start && clock < end : clock >= start || clock < end

/** The time, or the end of the quiet hours that it is in. */
export function afterQuiet(at: Date, zone: TimeZone, quiet: QuietHours | null): Date {
  const clock = clockIn(zone, at)
  if (quiet === null || !isQuiet(clock, quiet)) return at
  const today = todayIn(zone, at)
  return instantAt(zone, clock < quiet.end ? today : addDays(today, 1), quiet.end)
}

/** The end of the quiet hours that a person has now. Undefined outside of them. */
export async function quietUntil(
  { database, clock }: Pick<Context, "database" | "clock">,
  userId: string,
): Promise<Date | undefined> {
  const row = await database
    .selectFrom("notification_settings as settings")
    .innerJoin("person", "person.user_id", "settings.user_id")
    .select(["quiet", "utc_offset_minutes as utcOffsetMinutes", "time_zone as timeZone"])
    .where("settings.user_id", "=", userId)
    .executeTakeFirst()
  const now = clock.now()
  const end = row && afterQuiet(now, row, row.quiet)
  return end && end > now ? end : undefined
}

interface BriefingTimes {
  readonly now: Date
  readonly scoredAt: Date
  readonly earliest: string
  readonly quiet: QuietHours | null
}

/** The first time from now on at which the briefing of a morning may be sent. */
export function briefingDue(zone: TimeZone, { now, scoredAt, earliest, quiet }: BriefingTimes): Date {
  // Quiet hours may end before the earliest hour of their date.
  if (quiet === null || !isQuiet(earliest, quiet)) return notBefore(afterQuiet(now, zone, quiet), zone, earliest)
  // Quiet hours around the earliest hour end after it, perhaps on the next date: reckoned from now, that would always be ahead.
  const due = afterQuiet(notBefore(scoredAt, zone, earliest), zone, quiet)
  return afterQuiet(due > now ? due : now, zone, quiet)
}
