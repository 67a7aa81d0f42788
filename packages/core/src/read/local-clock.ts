import { addDays } from "@restwell/client/calendar-dates"
import type { Pool } from "pg"
import { clockChangesIn, type DateRange } from "../base/calendar.ts"
import { LocalClock } from "../statistics/local-days.ts"
import { readClockChanges } from "../store/statements/read-clock.ts"
import type { HealthSnapshot } from "../store/statements/read-health.ts"

/** What says a person's clock: sleeps and workouts. A day is of one clock, and counts where there are neither. */
const KINDS = [["sleep", "workout"], ["cycle"]] as const

/**
 * Reads the person's clock on some dates: that of their records, and without any that of the account. Every answer has its midnights from here.
 * The newest offset is an hour off for dates before a clock change.
 */
export async function readLocalClock(
  pool: Pool,
  { userId, ...zone }: Pick<HealthSnapshot, "userId" | "utcOffsetMinutes" | "timeZone">,
  dates: DateRange,
): Promise<LocalClock> {
  // Wherever the person is, a date begins on the UTC date before it at the earliest, and ends on the one after it at the latest.
  const [from, to] = [new Date(addDays(dates.from, -1)), new Date(addDays(dates.to, 2))]
  for (const kinds of KINDS) {
    const changes = await readClockChanges(pool, userId, { from, to, kinds })
    if (changes.length > 0) return new LocalClock(changes)
  }
  return new LocalClock(clockChangesIn(zone, from, to))
}
