import { recordSecurityEvent } from "../audit/security-events.ts"
import type { Context } from "../context/context.ts"
import { type HealthScope, isHealthScope } from "./health-scopes.ts"

/** What a person allowed an assistant. */
export interface Allowance {
  readonly scopes: readonly HealthScope[]
  /** Asked for and not allowed. */
  readonly declined: readonly HealthScope[]
  /** How many dates back; null for all. */
  readonly days: number | null
}

export interface AllowedAssistant extends Allowance {
  readonly clientId: string
  /** What it calls itself. */
  readonly name: string
  /** The site that vouches for it; null where nobody does. */
  readonly verifiedHost: string | null
  /** Where it takes the answer. */
  readonly redirectHost: string
}

/**
 * Remembers what a person allowed an assistant; the newest word counts for all its tokens.
 * @param network where the person said so from
 */
export async function allowAssistant(
  { database, clock }: Pick<Context, "database" | "clock">,
  userId: string,
  { clientId, name, verifiedHost, redirectHost, scopes, declined, days }: AllowedAssistant,
  network?: string,
): Promise<void> {
  const allowed = {
    name,
    verified_host: verifiedHost,
    redirect_host: redirectHost,
    scopes: [...scopes],
    declined: [...declined],
    days,
    connected_at: clock.now(),
  }
  await database.transaction().execute(async (transaction) => {
    await transaction
      .insertInto("assistant")
      .values({ user_id: userId, client_id: clientId, last_read_at: null, ...allowed })
      .onConflict((conflict) => conflict.columns(["user_id", "client_id"]).doUpdateSet(allowed))
      .execute()
    const event = { type: "assistant_authorized", detail: name, network } as const
    await recordSecurityEvent({ database: transaction, clock }, userId, event)
  })
}

/** What the person allowed this assistant before; undefined the first time. */
export async function findAllowance(
  { database }: Pick<Context, "database">,
  userId: string,
  clientId: string,
): Promise<Allowance | undefined> {
  const row = await database
    .selectFrom("assistant")
    .select(["scopes", "declined", "days"])
    .where("user_id", "=", userId)
    .where("client_id", "=", clientId)
    .executeTakeFirst()
  return (
    row && { scopes: row.scopes.filter(isHealthScope), declined: row.declined.filter(isHealthScope), days: row.days }
  )
}
