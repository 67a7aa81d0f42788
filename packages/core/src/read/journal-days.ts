import { INSIGHT_DAYS, type JournalDaysResponse } from "@restwell/client"
import { todayIn } from "../base/calendar.ts"
import type { Context } from "../context/context.ts"
import { readAnsweredDays } from "../store/statements/journal.ts"
import { readTimeZone } from "../store/statements/read-trend-rows.ts"
import { insightRange } from "./insight-query.ts"
import type { TrendDates } from "./trends.ts"

/** Before every date that a vendor has. */
const FIRST_DATE = "1900-01-01"

/** The answers of each of the dates, for the charts. @throws {InvalidRequest} for dates in the wrong order */
export async function readJournalDays(
  context: Pick<Context, "database" | "clock">,
  userId: string,
  { days, ...dates }: TrendDates,
): Promise<JournalDaysResponse> {
  const today = todayIn(await readTimeZone(context, userId), context.clock.now())
  const wanted = days === "all" ? { ...dates, start_date: dates.start_date ?? FIRST_DATE } : { days, ...dates }
  const range = insightRange(wanted, today, INSIGHT_DAYS.trendDefault)
  return { days: await readAnsweredDays(context.database, userId, range) }
}
