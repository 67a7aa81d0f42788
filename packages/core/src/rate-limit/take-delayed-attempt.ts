import { sql } from "kysely"
import type { Context } from "../context/context.ts"
import { attemptSubject, MAX_CLOCK_SKEW_MS } from "./take-attempt.ts"

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
