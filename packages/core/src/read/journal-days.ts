import type { JournalDaysResponse } from "@restwell/client"
import { addDays, todayIn } from "../base/calendar.ts"
import type { Context } from "../context/context.ts"
import { readAnsweredDays } from "../store/statements/journal.ts"
import { readTimeZone } from "../store/statements/read-trend-rows.ts"

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
