/** The history of a person for Home Assistant: which months differ from what was sent, and their statistics. */

import { createHash } from "node:crypto"
import { TrendResponseSchema, TrendsResponseSchema } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { DAY_MS } from "@restwell/client/time-units"
import { sql } from "kysely"
import { z } from "zod"
import { todayIn } from "../../base/calendar.ts"
import { PERSON_ONLY } from "../../read/compute-statistics.ts"
import { type ConnectedSnapshot, readHealthSnapshot } from "../../store/statements/read-health.ts"
import { weightOf } from "./figures.ts"
import { bodyOf, type HomeAssistantContext, isConnected } from "./people.ts"
import { type HomeStatistic, historyValuesOf, statisticsOf } from "./statistics.ts"

/** All months are looked at once a day. Other changes are looked for in this month and the one before. */
const WHOLE_EVERY_MS = DAY_MS
/** Months of one read. A year of rows takes some megabytes. */
const MONTHS_AT_ONCE = 12
/** The name of weights among the months. They are few, and are read as a whole. */
const WEIGHT = "weight"

interface SentHistory {
  readonly userId: string
  readonly device: string
  readonly name: string
  readonly target: string | null
  readonly months: Readonly<Record<string, string>>
  readonly checkedAt: Date | null
}

const MonthsSchema = z.record(z.string(), z.string())

/** Names an address without storing it. Another Home Assistant gets the whole history. */
const targetOf = (url: string): string => createHash("sha256").update(url).digest("hex").slice(0, 16)

async function readSent({ database }: Pick<HomeAssistantContext, "database">, device: string) {
  const row = await database
    .selectFrom("home_assistant as h")
    .innerJoin("user as u", "u.id", "h.user_id")
    .select(["h.user_id", "u.name", "h.history_target", "h.history_months", "h.history_checked_at"])
    .where("h.device", "=", device)
    .executeTakeFirst()
  return (
    row && {
      userId: row.user_id,
      device,
      name: row.name,
      target: row.history_target,
      months: MonthsSchema.parse(row.history_months),
      checkedAt: row.history_checked_at,
    }
  )
}

/**
 * A hash of each month's records and of the order of sources, newest month first: equal ones mean equal values.
 * @param from the first date, all if null
 */
async function fingerprintsOf(
  { database }: Pick<HomeAssistantContext, "database">,
  userId: string,
  from: string | null,
) {
  const { rows } = await sql<{ month: string; fingerprint: string }>`
    with settings as (
      select coalesce(string_agg(setting, '|' order by setting), '') as text from (
        select 'order ' || type || array_to_string(providers, ',') as setting from restwell.source_order where user_id = ${userId}
        union all
        select 'choice ' || type || date || provider from restwell.source_choice where user_id = ${userId}
        union all
        select 'source ' || provider || (status = 'disconnected') from restwell.connection where user_id = ${userId}) s)
    select to_char(date, 'YYYY-MM') as month,
      md5(settings.text || string_agg(provider || kind || provider_id || from_archive || coalesce(skin_temp_deviation::text, '')
        || md5(detail::text), '|' order by provider, kind, provider_id)) as fingerprint
    from restwell.record cross join settings
    where user_id = ${userId} and date is not null and kind <> 'workout' and (${from}::date is null or date >= ${from}::date)
    group by 1, settings.text order by 1 desc
  `.execute(database)
  return rows
}

/** Runs of neighbouring months, none longer than a read takes. @param months newest first */
function runsOf(months: readonly string[]): readonly { readonly from: string; readonly to: string }[] {
  const runs: string[][] = []
  for (const month of months) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (run && last !== undefined && run.length < MONTHS_AT_ONCE && monthBefore(last) === month) run.push(month)
    else runs.push([month])
  }
  return runs.map((run) => {
    const [newest = "", oldest = newest] = [run[0], run.at(-1)]
    return { from: `${oldest}-01`, to: endOf(newest) }
  })
}

const monthBefore = (month: string): string => addDays(`${month}-01`, -1).slice(0, 7)
const endOf = (month: string): string => Temporal.PlainYearMonth.from(month).toPlainDate({ day: 31 }).toString()

interface SendOptions {
  /** Home Assistant's address. */
  readonly url: string
  /** Sends statistics. Resolves once Home Assistant has taken them. */
  readonly send: (statistics: readonly HomeStatistic[]) => Promise<void>
}

/**
 * Sends what of a person's history differs from what Home Assistant has. What was sent is noted run by run, so a failure repeats little, and a
 * repeat changes nothing there. @returns when to look at all months again; undefined once the person switched it off
 */
export async function sendHistory(
  context: HomeAssistantContext,
  device: string,
  { url, send }: SendOptions,
): Promise<Date | undefined> {
  const now = context.clock.now()
  const sent = await readSent(context, device)
  const snapshot = sent && (await readHealthSnapshot(context.pool, { userId: sent.userId }, PERSON_ONLY, now))
  if (!sent || !snapshot) return undefined
  const target = targetOf(url)
  const known = sent.target === target ? sent : { ...sent, months: {}, checkedAt: null }
  const isWhole = known.checkedAt === null || now.getTime() - known.checkedAt.getTime() >= WHOLE_EVERY_MS
  const today = todayIn(snapshot, now)
  const from = isWhole ? null : `${monthBefore(today.slice(0, 7))}-01`
  const found = await fingerprintsOf(context, sent.userId, from)
  const months = new Map(Object.entries(known.months))
  const note = (checkedAt: Date | null) => noteSent(context, device, { target, months, checkedAt })
  const changed = found.filter(({ month, fingerprint }) => months.get(month) !== fingerprint)
  for (const run of runsOf(changed.map(({ month }) => month))) {
    await send(statisticsOf(sent, await readValues(context, sent, run)))
    for (const { month, fingerprint } of changed)
      if (`${month}-01` >= run.from && `${month}-01` <= run.to) months.set(month, fingerprint)
    await note(known.checkedAt)
  }
  if (isWhole && isConnected(snapshot)) await sendWeights(context, { sent, snapshot, today, months, send })
  const checkedAt = isWhole ? now : (known.checkedAt ?? now)
  await note(checkedAt)
  return new Date(checkedAt.getTime() + WHOLE_EVERY_MS)
}

async function noteSent(
  { database }: Pick<HomeAssistantContext, "database">,
  device: string,
  { target, months, checkedAt }: { target: string; months: ReadonlyMap<string, string>; checkedAt: Date | null },
): Promise<void> {
  await database
    .updateTable("home_assistant")
    .set({
      history_target: target,
      history_months: JSON.stringify(Object.fromEntries(months)),
      history_checked_at: checkedAt,
    })
    .where("device", "=", device)
    .execute()
}

async function readValues(
  { clock, statistics }: HomeAssistantContext,
  { userId }: SentHistory,
  run: { from: string; to: string },
) {
  const dates = { days: "all", start_date: run.from, end_date: run.to } as const
  const answer = await statistics(userId, { kind: "trends", userId, dates, now: clock.now() })
  if (!answer) throw new Error("rows of dates are answered whatever changes meanwhile")
  const { days, today } = TrendsResponseSchema.parse(bodyOf(answer))
  return historyValuesOf(days.filter(({ date }) => date <= today))
}

interface Weights extends Pick<SendOptions, "send"> {
  readonly sent: SentHistory
  readonly snapshot: ConnectedSnapshot
  readonly today: string
  /** Their hash is added. */
  readonly months: Map<string, string>
}

/** Sends the weights, if they differ from those that were sent. A change of the data meanwhile requests another run. */
async function sendWeights(
  context: HomeAssistantContext,
  { sent, snapshot, today, months, send }: Weights,
): Promise<void> {
  const query = { type: "trend", metric: "weight", start_date: WEIGHTS_FROM, points: true } as const
  const answer = await context.statistics(sent.userId, { kind: "insight", query, limits: undefined, snapshot, today })
  if (!answer) return
  const { points, source } = TrendResponseSchema.parse(bodyOf(answer))
  const values = (points ?? []).flatMap(([date, value]) =>
    typeof value === "number" ? { date, value: weightOf(source.provider, value) } : [],
  )
  const fingerprint = createHash("md5").update(JSON.stringify(values)).digest("hex")
  if (values.length === 0 || months.get(WEIGHT) === fingerprint) return
  await send(statisticsOf(sent, values))
  months.set(WEIGHT, fingerprint)
}

/** Before any device that people have. */
const WEIGHTS_FROM = "1990-01-01"
