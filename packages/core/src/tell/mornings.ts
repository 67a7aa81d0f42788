// The mornings of which a person is told: which were scored and when, and what is done of each.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import { sql, type Transaction } from "kysely"
import { z } from "zod"
import type { Context } from "../context/context.ts"
import type { MorningNight } from "../read/morning-night.ts"
import type { Mornings, MorningsTask } from "../read/mornings.ts"
import type { Statistics } from "../read/statistics-thread.ts"
import type { Database } from "../store/database.ts"

export interface NotifyContext extends Pick<Context, "database" | "clock" | "plans"> {
  readonly statistics: Statistics
}

/** The mornings of a person, computed beside the reads of others. Undefined if the data changed meanwhile. */
export async function readMornings(
  { clock, statistics }: Pick<NotifyContext, "clock" | "statistics">,
  task: Omit<MorningsTask, "now">,
): Promise<Mornings | undefined> {
  const answer = await statistics(task.userId, { kind: "mornings", now: clock.now(), ...task })
  return answer && MORNINGS.parse(JSON.parse(new TextDecoder().decode(answer.bytes)))
}

/** What our own thread wrote. */
const MORNINGS = z.custom<Mornings>()

/** A night that ended longer ago is no news. */
const LONGEST_AGE_MS = DAY_MS

export const isNewsAt = ({ endMs }: MorningNight, now: Date): boolean => endMs >= now.getTime() - LONGEST_AGE_MS

/** Mornings that may still be told of. */
export const TOLD_DAYS = 3

/** Notes the nights that are scored, and that came by themselves: one that ended before its source was connected is a part of its history. */
export async function noteScored(
  { database, clock }: Pick<NotifyContext, "database" | "clock">,
  userId: string,
  { mornings }: Mornings,
): Promise<void> {
  const now = clock.now()
  const sources = await readSources(database, userId)
  // A phone that is late may bring yesterday's night with today's.
  for (const { date, night } of mornings) {
    const since = night?.isScored ? sources.get(night.provider) : undefined
    if (!night || !since || night.endMs <= since.getTime() || night.endMs > now.getTime() || !isNewsAt(night, now))
      continue
    await database
      .insertInto("morning")
      .values({ user_id: userId, date, scored_at: now, rules_judged_at: null, briefed_at: null })
      .onConflict((conflict) => conflict.columns(["user_id", "date"]).doNothing())
      .execute()
  }
}

/** What is on its way is not waited for longer than this after waking. What is pending for hours may never get its score. */
const LONGEST_WAIT_MS = 3 * HOUR_MS
/** Nor longer than this after a night that came later. */
const WAIT_AFTER_ARRIVAL_MS = 10 * MINUTE_MS

/** When the night of a morning may be told of, as far as it is known now. */
export function completeAt({ endMs, isAwaited, wholeAtMs }: MorningNight, { scoredAt }: OpenMorning): Date {
  const arrivedMs = scoredAt.getTime()
  const awaitedMs = isAwaited ? Math.max(endMs + LONGEST_WAIT_MS, arrivedMs + WAIT_AFTER_ARRIVAL_MS) : arrivedMs
  return new Date(Math.max(awaitedMs, wholeAtMs ?? arrivedMs))
}

/**
 * From when on the nights of each source are news: since the vendor was first connected, or since a phone pushes. Who connects anew misses
 * no night. Archives bring none.
 */
async function readSources(database: Context["database"], userId: string): Promise<ReadonlyMap<string, Date>> {
  const rows = await database
    .selectFrom("connection")
    .select((row) => ["provider", row.fn.coalesce("first_live_at", "connected_at").as("since")])
    .where("user_id", "=", userId)
    .where((row) => row.or([row("status", "<>", "archive"), row("pushed_at", "is not", null)]))
    .where("status", "<>", "disconnected")
    .execute()
  return new Map(rows.map(({ provider, since }) => [provider, since]))
}

export interface OpenMorning {
  readonly date: string
  readonly scoredAt: Date
  readonly rulesJudgedAt: Date | null
  readonly briefedAt: Date | null
}

/** The mornings of which something is still to do, oldest first. Others are forgotten after a while. */
export async function readOpenMornings(
  { database, clock }: Pick<NotifyContext, "database" | "clock">,
  userId: string,
): Promise<OpenMorning[]> {
  const forgotten = new Date(clock.now().getTime() - TOLD_DAYS * DAY_MS)
  await database
    .deleteFrom("morning")
    .where("user_id", "=", userId)
    .where("scored_at", "<", new Date(forgotten.getTime() - TOLD_DAYS * DAY_MS))
    .execute()
  return database
    .selectFrom("morning")
    .select(["date", "scored_at as scoredAt", "rules_judged_at as rulesJudgedAt", "briefed_at as briefedAt"])
    .where("user_id", "=", userId)
    .where("scored_at", ">=", forgotten)
    .where((row) => row.or([row("rules_judged_at", "is", null), row("briefed_at", "is", null)]))
    .orderBy("date")
    .execute()
}

/** Marks what is done of a morning. @returns false if another run has done it */
export async function closeMorning(
  transaction: Transaction<Database>,
  { userId, date, now }: { readonly userId: string; readonly date: string; readonly now: Date },
  column: keyof Pick<Database["morning"], "rules_judged_at" | "briefed_at">,
): Promise<boolean> {
  const { rows } = await sql`
    update restwell.morning set ${sql.ref(column)} = ${now}
    where user_id = ${userId} and date = ${date} and ${sql.ref(column)} is null returning date
  `.execute(transaction)
  return rows.length > 0
}
