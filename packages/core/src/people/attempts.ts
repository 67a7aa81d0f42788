import { createHash } from "node:crypto"
import { MINUTE_MS } from "@restwell/client/time-units"
import { sql } from "kysely"
import type { Context } from "../context/context.ts"

export interface AttemptLimit {
  readonly attempts: number
  readonly windowSeconds: number
}

/** More than the clocks of replicas differ. A window that began later than this was counted by a wrong clock. */
export const MAX_CLOCK_SKEW_MS = 10 * MINUTE_MS

/**
 * Counts an attempt at something that can be guessed, across all replicas. Returns 0 if it is allowed, else the seconds to wait.
 * @param subject the account or network. Stored as a hash, because it may be an email address
 */
export async function takeAttempt(
  { database, clock }: Pick<Context, "database" | "clock">,
  subject: string,
  { attempts, windowSeconds }: AttemptLimit,
): Promise<number> {
  const now = clock.now()
  const earliestBegin = new Date(now.getTime() - windowSeconds * 1000 + 1)
  const latestBegin = new Date(now.getTime() + MAX_CLOCK_SKEW_MS)
  await database.deleteFrom("attempt").where("expires_at", "<", now).execute()
  const { rows } = await sql<{ count: number; began_at: Date }>`
    insert into restwell.attempt as a (subject, count, began_at, expires_at)
    values (${attemptSubject(subject)}, 1, ${now}, ${new Date(now.getTime() + windowSeconds * 1000)})
    on conflict (subject) do update set
      count = case when a.began_at between ${earliestBegin} and ${latestBegin} then a.count + 1 else 1 end,
      began_at = case when a.began_at between ${earliestBegin} and ${latestBegin} then a.began_at else excluded.began_at end,
      expires_at = case when a.began_at between ${earliestBegin} and ${latestBegin} then a.expires_at else excluded.expires_at end
    returning count, began_at
  `.execute(database)
  const [row] = rows
  if (!row || row.count <= attempts) return 0
  return Math.max(1, Math.ceil((row.began_at.getTime() + windowSeconds * 1000 - now.getTime()) / 1000))
}

/** Removes an attempt that did not count: it succeeded, or something else refused it. */
export async function returnAttempt({ database }: Pick<Context, "database">, subject: string): Promise<void> {
  await database
    .updateTable("attempt")
    .set({ count: sql`greatest(count - 1, 0)` })
    .where("subject", "=", attemptSubject(subject))
    .execute()
}

/** Resets the count after a success: only consecutive failures look like guessing. */
export async function forgetAttempts({ database }: Pick<Context, "database">, subject: string): Promise<void> {
  await database.deleteFrom("attempt").where("subject", "=", attemptSubject(subject)).execute()
}

/** Returns the key of a subject's row. */
const attemptSubject = (subject: string): Buffer => createHash("sha256").update(subject).digest()

/** How long to wait between wrong guesses: nothing for the first ones, then 1 second, 2, 4, and so on up to the longest delay. */
export interface AttemptDelays {
  readonly free: number
  readonly longestSeconds: number
}

/** Attempts are forgotten after a day without any. */
const FORGOTTEN_SECONDS = 86_400
/** 2 to this power is longer than any delay, and a number that PostgreSQL can hold. */
const MAX_DOUBLINGS = 30

/**
 * Counts an attempt at something that can be guessed, across all replicas. Returns 0 if it is allowed, else the seconds to wait. A
 * refused attempt is not counted, so impatience does not make the delay longer. Of simultaneous attempts after a delay, one is allowed.
 * @param subject what the attempts are counted for. Stored as a hash
 */
export async function takeDelayedAttempt(
  { database, clock }: Pick<Context, "database" | "clock">,
  subject: string,
  { free, longestSeconds }: AttemptDelays,
): Promise<number> {
  const now = clock.now()
  const id = attemptSubject(subject)
  const latestBegin = new Date(now.getTime() + MAX_CLOCK_SKEW_MS)
  const delaySeconds = sql`case when a.count < ${free} then 0
    else least(${longestSeconds}, power(2, least(a.count - ${free}, ${MAX_DOUBLINGS}))) end`
  const wait = sql<number>`extract(epoch from a.began_at - ${now}::timestamptz)::float8 + ${delaySeconds}`
  await database.deleteFrom("attempt").where("expires_at", "<", now).execute()
  const { rows: taken } = await sql`
    insert into restwell.attempt as a (subject, count, began_at, expires_at)
    values (${id}, 1, ${now}, ${new Date(now.getTime() + FORGOTTEN_SECONDS * 1000)})
    on conflict (subject) do update set
      count = case when a.began_at > ${latestBegin} then 1 else a.count + 1 end,
      began_at = excluded.began_at,
      expires_at = excluded.expires_at
    where a.count < ${free} or ${wait} <= 0 or a.began_at > ${latestBegin}
    returning count`.execute(database)
  if (taken.length > 0) return 0
  const { rows } = await sql<{ wait: number }>`
    select ${wait} as wait from restwell.attempt a where subject = ${id}`.execute(database)
  return Math.max(1, Math.ceil(rows[0]?.wait ?? 1))
}
