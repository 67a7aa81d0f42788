import { createHash } from "node:crypto"
import { sql } from "kysely"
import type { Context } from "../context/context.ts"

export interface AttemptLimit {
  readonly attempts: number
  readonly windowSeconds: number
}

/** More than the clocks of replicas are apart: what began later than this was counted by a clock that was wrong. */
const CLOCKS_APART_MS = 600_000

/**
 * Counts an attempt at something that may be guessed, for all replicas alike: 0 when it may be made, else the seconds until the
 * next may. @param subject who or what is limited; kept as a hash, for it may be an address
 */
export async function takeAttempt(
  { database, clock }: Pick<Context, "database" | "clock">,
  subject: string,
  { attempts, windowSeconds }: AttemptLimit,
): Promise<number> {
  const now = clock.now()
  const justAfter = new Date(now.getTime() - windowSeconds * 1000 + 1)
  const impossible = new Date(now.getTime() + CLOCKS_APART_MS)
  await database.deleteFrom("attempt").where("expires_at", "<", now).execute()
  const { rows } = await sql<{ count: number; began_at: Date }>`
    insert into restwell.attempt as a (subject, count, began_at, expires_at)
    values (${hashOf(subject)}, 1, ${now}, ${new Date(now.getTime() + windowSeconds * 1000)})
    on conflict (subject) do update set
      count = case when a.began_at between ${justAfter} and ${impossible} then a.count + 1 else 1 end,
      began_at = case when a.began_at between ${justAfter} and ${impossible} then a.began_at else excluded.began_at end,
      expires_at = case when a.began_at between ${justAfter} and ${impossible} then a.expires_at else excluded.expires_at end
    returning count, began_at
  `.execute(database)
  const [row] = rows
  if (!row || row.count <= attempts) return 0
  return Math.max(1, Math.ceil((row.began_at.getTime() + windowSeconds * 1000 - now.getTime()) / 1000))
}

/** A success ends the count: only failures one after the other are guesses. */
export async function forgetAttempts({ database }: Pick<Context, "database">, subject: string): Promise<void> {
  await database.deleteFrom("attempt").where("subject", "=", hashOf(subject)).execute()
}

const hashOf = (subject: string): Buffer => createHash("sha256").update(subject).digest()
