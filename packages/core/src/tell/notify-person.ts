/**
 * Tells a person what there is to tell: the briefing, rules that match, and that a history has arrived. It runs when something of the person
 * changed and when something is due, finds out from the store what that is, and may run at any time and as often as it likes: each notice
 * is stored in the transaction that hands it to the channels, and there is one for a subject and date.
 */

import { DEFAULT_PREFERENCES, type DisplayPreferences, type Rule } from "@restwell/client"
import { addDays, utcDateOf } from "@restwell/client/calendar-dates"
import { DAY_MS, MINUTE_MS } from "@restwell/client/time-units"
import { sql, type Transaction } from "kysely"
import { type TimeZone, todayIn } from "../base/calendar.ts"
import type { Plan } from "../base/plans.ts"
import type { Context } from "../context/context.ts"
import { Unavailable } from "../context/errors.ts"
import { type ClaimedJob, type DueTime, personOf } from "../jobs/job-queue.ts"
import { afterQuiet, briefingDue, instantAt } from "../people/due-times.ts"
import { type NotificationSettings, readNotificationSettings } from "../people/notification-settings.ts"
import type { MorningNight } from "../read/morning-night.ts"
import type { Morning, Mornings } from "../read/mornings.ts"
import { type Database, dataTransaction } from "../store/database.ts"
import type { NoticeMessage } from "../store/notification-tables.ts"
import {
  type ArrivedHistory,
  composeBriefing,
  composeMatch,
  composeOutage,
  composeQuota,
  composeSummary,
} from "./compose-notice.ts"
import { LONGEST_BRIEFING_AGE_MS } from "./deliver.ts"
import {
  closeMorning,
  completeAt,
  isNewsAt,
  type NotifyContext,
  noteScored,
  type OpenMorning,
  readMornings,
  readOpenMornings,
  TOLD_DAYS,
} from "./mornings.ts"
import { nextOutage, outagesOf, quotaMornings, readMonths, readStatusChanges } from "./outages.ts"
import { sendNotice } from "./send-notice.ts"

/** What is known of the person in a run. */
interface Run {
  readonly context: NotifyContext
  readonly userId: string
  readonly now: Date
  readonly settings: NotificationSettings
  readonly zone: TimeZone
  readonly preferences: DisplayPreferences
  readonly plan: Plan
  readonly mornings: Mornings
}

/** After an unexpected error, and while too much else is computed. */
const RETRY_MS = 5 * MINUTE_MS

/** Runs the job of a person. @returns when to run again, undefined when nothing is foreseen */
export async function runNotifyJob(
  context: NotifyContext & Pick<Context, "logger">,
  job: ClaimedJob,
): Promise<DueTime | undefined> {
  const userId = personOf(job)
  try {
    return await notifyPerson(context, userId)
  } catch (error) {
    if (!(error instanceof Unavailable)) context.logger.error({ err: error, userId }, "could not tell a person")
    return new Date(context.clock.now().getTime() + RETRY_MS)
  }
}

async function notifyPerson(context: NotifyContext, userId: string): Promise<DueTime | undefined> {
  const settings = await readNotificationSettings(context, userId)
  const person = settings && (await readPerson(context, userId))
  if (!settings || !person) return undefined
  const rules = settings.rules.filter(({ enabled }) => enabled)
  const mornings = await readMornings(context, { userId, days: TOLD_DAYS, rules })
  if (!mornings) return "at_once"
  const run: Run = { context, userId, now: context.clock.now(), settings, mornings, ...person }
  await noteScored(context, userId, mornings)
  const due: (Date | undefined)[] = []
  for (const morning of await readOpenMornings(context, userId)) due.push(...(await tellMorning(run, morning)))
  due.push(await tellSummary(run))
  for (const rule of rules) due.push(await tellOthers(run, rule))
  return due
    .filter((at) => at !== undefined)
    .toSorted((one, other) => one.getTime() - other.getTime())
    .at(0)
}

async function readPerson({ database }: NotifyContext, userId: string) {
  const row = await database
    .selectFrom("person")
    .select([
      "plan",
      "units",
      "clock",
      "first_weekday",
      "utc_offset_minutes as utcOffsetMinutes",
      "time_zone as timeZone",
    ])
    .where("user_id", "=", userId)
    .executeTakeFirst()
  if (!row) return undefined
  const { plan, units, clock, first_weekday, ...zone } = row
  const preferences: DisplayPreferences = {
    units: units ?? DEFAULT_PREFERENCES.units,
    clock: clock ?? DEFAULT_PREFERENCES.clock,
    first_weekday: first_weekday ?? DEFAULT_PREFERENCES.first_weekday,
  }
  return { plan, zone, preferences }
}

/** Tells what is still to tell of a morning. @returns when it is due, if it is not yet */
async function tellMorning(run: Run, open: OpenMorning): Promise<readonly (Date | undefined)[]> {
  const { now, mornings } = run
  const morning = mornings.mornings.find(({ date }) => date === open.date)
  // A night that is gone leaves its morning open: another one may come in its place.
  if (!morning?.night?.isScored) return []
  const { night, matches } = morning
  const complete = completeAt(night, open)
  if (complete > now) return [complete]
  return [
    open.rulesJudgedAt === null ? await judgeRules(run, open, matches) : undefined,
    open.briefedAt === null ? await brief(run, open, night) : undefined,
  ]
}

/** Judges the rules about the figures of a morning, once. @returns when it is due, if it is not yet */
async function judgeRules(
  run: Run,
  { date, scoredAt }: OpenMorning,
  matches: Morning["matches"],
): Promise<Date | undefined> {
  const { context, userId, now, settings, zone, preferences } = run
  const due = afterQuiet(now, zone, settings.quiet)
  if (due > now) return due
  await dataTransaction(context.database, userId, async (transaction) => {
    if (!(await closeMorning(transaction, { userId, date, now }, "rules_judged_at"))) return
    for (const { rule: id, figure } of matches) {
      const rule = settings.rules.find((each) => each.id === id)
      if (!rule || figure === null || sinceOf(run, rule) >= scoredAt) continue
      const message = composeMatch(rule, { date, match: figure }, preferences)
      await sendNotice(transaction, context, { userId, subject: id, rule: id, date, channels: rule.channels, message })
    }
  })
  return undefined
}

/** From when on a rule counts. */
const sinceOf = ({ settings }: Pick<Run, "settings">, { id }: Rule): Date => new Date(settings.rulesSince[id] ?? 0)

/** Sends the briefing of a morning, once. @returns when it is due, if it is not yet */
async function brief(run: Run, { date, scoredAt }: OpenMorning, night: MorningNight): Promise<Date | undefined> {
  const { context, userId, now, settings, zone, preferences } = run
  const { enabled, earliest, channels } = settings.briefing
  const due = briefingDue(zone, { now, scoredAt, earliest, quiet: settings.quiet })
  if (due > now) return due
  // Nothing ran when it was due, and the next morning has one of its own.
  const wasDue = briefingDue(zone, { now: scoredAt, scoredAt, earliest, quiet: settings.quiet })
  const isLate = now.getTime() - wasDue.getTime() > LONGEST_BRIEFING_AGE_MS
  const isWanted = enabled && !isLate && isNewsAt(night, now) && settings.briefingSince < scoredAt
  const known = isWanted ? await readMornings(context, { userId, days: 1, rules: [], dayOf: date }) : undefined
  // The data changed meanwhile.
  if (isWanted && !known) return now
  const message = known?.day ? composeBriefing(known.day, preferences) : undefined
  // A night without any figure may get some.
  if (isWanted && !message) return undefined
  await dataTransaction(context.database, userId, async (transaction) => {
    if (!(await closeMorning(transaction, { userId, date, now }, "briefed_at")) || !message) return
    await sendNotice(transaction, context, { userId, subject: "briefing", date, channels, message })
  })
  return undefined
}

/** Says once which histories have arrived, in one message, where the briefing goes. @returns when it is due, if it is not yet */
async function tellSummary({ context, userId, now, settings, zone }: Run): Promise<Date | undefined> {
  const { database } = context
  const arrived = await database
    .selectFrom("arrived_history")
    .select(["provider", "arrived_at as at"])
    .where("user_id", "=", userId)
    .orderBy("provider")
    .execute()
  const [first] = arrived
  if (!first) return undefined
  const due = afterQuiet(now, zone, settings.quiet)
  if (due > now) return due
  const { briefing, briefingSince } = settings
  await dataTransaction(database, userId, async (transaction) => {
    const { rows: told } = await sql<{ provider: string }>`
      delete from restwell.arrived_history where user_id = ${userId} and provider = any (${arrived.map(({ provider }) => provider)}::text[])
      returning provider
    `.execute(transaction)
    const wanted = arrived.filter(
      ({ provider, at }) => briefingSince < at && told.some((each) => each.provider === provider),
    )
    if (!briefing.enabled || wanted.length === 0) return
    const providers = wanted.map(({ provider }) => provider)
    const histories = await readHistories(transaction, userId, providers)
    // An archive may have been undone since.
    if (histories.length === 0) return
    const message = composeSummary(histories)
    const about = { subject: `history:${providers.join()}`, date: todayIn(zone, first.at), channels: briefing.channels }
    await sendNotice(transaction, context, { userId, ...about, message })
  })
  return undefined
}

async function readHistories(
  transaction: Transaction<Database>,
  userId: string,
  providers: readonly string[],
): Promise<readonly ArrivedHistory[]> {
  const { rows } = await sql<ArrivedHistory>`
    select c.provider, count(distinct r.date)::integer as count, min(r.date) as first, max(r.date) as last,
      restwell.shown_status(c.status, c.pushed_at) <> 'archive' as "isLive"
    from restwell.connection c
    left join restwell.record r on r.user_id = c.user_id and r.provider = c.provider and r.kind = 'sleep'
      and not coalesce((r.detail ->> 'isNap')::boolean, false)
    where c.user_id = ${userId} and c.provider = any (${providers}::text[])
    group by c.provider, c.status, c.pushed_at order by c.provider
  `.execute(transaction)
  return rows
}

/** Something that a rule tells, which is not judged by figures. */
interface Told {
  /** When it is worth a notice. */
  readonly at: Date
  readonly date: string
  readonly localDate?: string
  readonly subject: string
  readonly message: NoticeMessage
}

/** What is older was not told because nothing ran, and is no news any more. */
const LONGEST_DELAY_MS = 7 * DAY_MS

/** Tells what a rule says that is not about the figures of a morning. @returns when to look again */
async function tellOthers(run: Run, rule: Rule): Promise<Date | undefined> {
  const { context, userId, now, settings, zone } = run
  const { told, next } = await toldBy(run, rule)
  let again = next
  for (const { at, ...notice } of told) {
    if (at <= sinceOf(run, rule) || at.getTime() < now.getTime() - LONGEST_DELAY_MS) continue
    const due = afterQuiet(now, zone, settings.quiet)
    if (due > now) {
      again = again === undefined || due < again ? due : again
      continue
    }
    await dataTransaction(context.database, userId, (transaction) =>
      sendNotice(transaction, context, { userId, rule: rule.id, channels: rule.channels, ...notice }),
    )
  }
  return again
}

interface Foreseen {
  readonly told: readonly Told[]
  /** When there may be something new. */
  readonly next: Date | undefined
}

async function toldBy(run: Run, rule: Rule): Promise<Foreseen> {
  switch (rule.kind) {
    case "missing":
      return missingNights(run, rule)
    case "connection":
      return outages(run, rule)
    case "quota":
      return usedQuota(run, rule)
    case "limit":
    case "unusual":
      return { told: [], next: undefined }
  }
}

type RuleOf<Kind extends Rule["kind"]> = Extract<Rule, { readonly kind: Kind }>

function missingNights({ now, zone, preferences, mornings }: Run, rule: RuleOf<"missing">): Foreseen {
  const today = todayIn(zone, now)
  const told = mornings.mornings.flatMap(({ date, matches }): Told[] => {
    const at = instantAt(zone, date, rule.at)
    const isMissing = mornings.since !== null && matches.some(({ rule: id }) => id === rule.id)
    // Quiet hours delay it by less than a day.
    if (!isMissing || at > now || at.getTime() < now.getTime() - DAY_MS) return []
    return [{ at, date, subject: rule.id, message: composeMatch(rule, { date, match: null }, preferences) }]
  })
  const next = [today, addDays(today, 1)].map((date) => instantAt(zone, date, rule.at)).find((at) => at > now)
  return { told, next }
}

async function outages({ context, userId, now, zone }: Run, rule: RuleOf<"connection">): Promise<Foreseen> {
  const changes = await readStatusChanges(context, userId)
  const told = outagesOf(changes, now).map(({ provider, kind, at }) => ({
    at,
    date: utcDateOf(at),
    localDate: todayIn(zone, at),
    // A vendor may be silent and then end its access on one date.
    subject: `${rule.id}:${provider}:${kind}:${at.toISOString()}`,
    message: composeOutage(provider, kind),
  }))
  return { told, next: nextOutage(changes, now) }
}

async function usedQuota(
  { context, userId, now, zone, settings, plan }: Run,
  rule: RuleOf<"quota">,
): Promise<Foreseen> {
  const limit = context.plans[plan]
  const { earliest } = settings.briefing
  const mornings = quotaMornings(await readMonths(context, userId), { percent: rule.percent, limit, zone, earliest })
  const told = mornings
    .filter(({ at }) => at <= now)
    .map(({ at, date: localDate, month }) => ({
      at,
      date: month,
      localDate,
      subject: `${rule.id}:${rule.percent}`,
      message: composeQuota(rule.percent, limit),
    }))
  const today = todayIn(zone, now)
  const next = [today, addDays(today, 1)].map((date) => instantAt(zone, date, earliest)).find((at) => at > now)
  return { told, next }
}
