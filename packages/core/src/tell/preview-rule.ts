// What a rule would have sent in the last mornings, judged by the functions that judge each new one.

import { PREVIEW_DAYS, type PreviewResponse, type RuleRequest } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { todayIn } from "../base/calendar.ts"
import { Unavailable } from "../context/errors.ts"
import { readTimeZone } from "../context/time-zone.ts"
import { instantAt } from "../people/due-times.ts"
import { checkedRule, readNotifications } from "../people/notification-settings.ts"
import { type NotifyContext, readMornings } from "./mornings.ts"
import { outagesOf, quotaMornings, readMonths, readStatusChanges } from "./outages.ts"

/** @throws {InvalidRequest} for a rule that cannot be judged @throws {Unavailable} while the data change again and again */
export async function previewRule(
  context: NotifyContext,
  userId: string,
  request: RuleRequest,
): Promise<PreviewResponse> {
  const dates = await matchingDates(context, userId, checkedRule(request, "rule"))
  const newestFirst = [...new Set(dates)].toSorted().toReversed()
  return { dates: newestFirst, count: newestFirst.length, days: PREVIEW_DAYS }
}

/** Tries until the data do not change meanwhile. */
const MOST_TRIES = 5
const RETRY_AFTER_SECONDS = 2

async function matchingDates(
  context: NotifyContext,
  userId: string,
  rule: ReturnType<typeof checkedRule>,
): Promise<string[]> {
  const zone = await readTimeZone(context, userId)
  const now = context.clock.now()
  const today = todayIn(zone, now)
  const first = addDays(today, 1 - PREVIEW_DAYS)
  const isShown = ({ date }: { readonly date: string }): boolean => date >= first && date <= today
  if (rule.kind === "connection")
    return outagesOf(await readStatusChanges(context, userId), now)
      .map(({ at }) => ({ date: todayIn(zone, at) }))
      .filter(isShown)
      .map(({ date }) => date)
  if (rule.kind === "quota") {
    const { briefing } = await readNotifications(context, userId)
    const limit = context.plans[await readPlan(context, userId)]
    const question = { percent: rule.percent, limit, zone, earliest: briefing.earliest }
    return quotaMornings(await readMonths(context, userId), question)
      .filter((morning) => isShown(morning) && morning.at <= now)
      .map(({ date }) => date)
  }
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const known = await readMornings(context, { userId, days: PREVIEW_DAYS, rules: [rule] })
    if (!known) continue
    const isPast = (date: string) => rule.kind !== "missing" || instantAt(zone, date, rule.at) <= now
    const { since } = known
    return known.mornings.flatMap(({ date, matches }) =>
      since !== null && date >= since && matches.length > 0 && isPast(date) ? [date] : [],
    )
  }
  throw new Unavailable("your data are changing, try again in a moment", RETRY_AFTER_SECONDS)
}

async function readPlan({ database }: Pick<NotifyContext, "database">, userId: string) {
  const { plan } = await database
    .selectFrom("person")
    .select("plan")
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow()
  return plan
}
