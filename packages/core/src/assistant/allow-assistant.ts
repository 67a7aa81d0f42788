import { recordSecurityEvent } from "../audit/security-events.ts"
import type { Context } from "../context/context.ts"
import { personTransaction } from "../store/person-transaction.ts"
import { type HealthScope, isHealthScope } from "./health-scopes.ts"

/** The data a person lets an assistant read. */
export interface Allowance {
  readonly scopes: readonly HealthScope[]
  /** Scopes the assistant requested and the person did not allow. */
  readonly declined: readonly HealthScope[]
  /** Number of newest dates it may read. Null for all. */
  readonly days: number | null
}

export interface AllowedAssistant extends Allowance {
  readonly clientId: string
  /** The name the assistant registered. */
  readonly name: string
  /** The host of its metadata document. Null if it registered itself. */
  readonly verifiedHost: string | null
  /** The host it redirects to. */
  readonly redirectHost: string
}

/** Stores a person's decision. It applies to all of the assistant's tokens at once. @param network the visitor's network */
export async function allowAssistant(
  { database, clock }: Pick<Context, "database" | "clock">,
  userId: string,
  assistant: AllowedAssistant,
  network?: string,
): Promise<void> {
  const { clientId, name } = assistant
  const decision = {
    name,
    verified_host: assistant.verifiedHost,
    redirect_host: assistant.redirectHost,
    scopes: [...assistant.scopes],
    declined: [...assistant.declined],
    days: assistant.days,
    connected_at: clock.now(),
  }
  await personTransaction(database, userId, async (transaction) => {
    await transaction
      .insertInto("assistant")
      .values({ user_id: userId, client_id: clientId, last_read_at: null, ...decision })
      .onConflict((conflict) => conflict.columns(["user_id", "client_id"]).doUpdateSet(decision))
      .execute()
    const event = { type: "assistant_authorized", detail: name, network } as const
    await recordSecurityEvent({ database: transaction, clock }, userId, event)
  })
}

/** The person's earlier decision about this assistant. Undefined the first time. */
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
