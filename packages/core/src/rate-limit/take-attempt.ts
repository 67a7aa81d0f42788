import { createHash } from "node:crypto"
import { sql } from "kysely"
import type { Context } from "../context/context.ts"

export interface AttemptLimit {
  readonly attempts: number
  readonly windowSeconds: number
}

/** More than the clocks of replicas differ. A window that began later than this was counted by a wrong clock. */
export const MAX_CLOCK_SKEW_MS = 600_000

/**
 * Counts an attempt at something that can be guessed, across all replicas. Returns 0 if it is allowed, else the seconds to wait.
 * @param subject the account or network. Stored as a hash, because it may be an e-mail address
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

/** Takes back an attempt that was none: it succeeded, or something else refused it. */
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
export const attemptSubject = (subject: string): Buffer => createHash("sha256").update(subject).digest()
