import type { JournalDaysResponse } from "@restwell/client"
import { addDays } from "../calendar/date-range.ts"
import { todayIn } from "../calendar/time-zone.ts"
import type { Context } from "../context/context.ts"
import { readAnsweredDays } from "../store/read-journal.ts"
import { readTimeZone } from "../store/read-trend-rows.ts"

/** Before every date that a vendor has. */
const FIRST_DATE = "1900-01-01"

/** The answers of each of the dates that end today, for the charts. @param days how many dates, or `all` */
export async function readJournalDays(
  context: Pick<Context, "database" | "clock">,
  userId: string,
  days: number | "all",
): Promise<JournalDaysResponse> {
  const to = todayIn(await readTimeZone(context, userId), context.clock.now())
  const from = days === "all" ? FIRST_DATE : addDays(to, 1 - days)
  return { days: await readAnsweredDays(context.database, userId, { from, to }) }
}
