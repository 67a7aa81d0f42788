import { createHash } from "node:crypto"
import { type Context, recordSecurityEvent } from "../context/context.ts"
import { NotFound } from "../context/errors.ts"
import { personTransaction } from "../store/database.ts"
import { type HealthScope, isHealthScope } from "./scopes.ts"

/** The numbers of newest dates a person can allow. Null is all of them. */
export const SHARED_DAYS = [7, 30, 90, null] as const

/** The data a person lets an assistant read. */
export interface Allowance {
  readonly scopes: readonly HealthScope[]
  /** Scopes the assistant requested and the person did not allow. */
  readonly declined: readonly HealthScope[]
  /** Number of newest dates it may read. Null for all. */
  readonly days: number | null
}

interface AllowedAssistant extends Allowance {
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

/** The person whose assistant has read last. Undefined where nobody lets an assistant read. */
export async function findLastAsking({ database }: Pick<Context, "database">): Promise<string | undefined> {
  const row = await database
    .selectFrom("assistant")
    .select("user_id")
    .orderBy("last_read_at", (order) => order.desc().nullsLast())
    .limit(1)
    .executeTakeFirst()
  return row?.user_id
}

export interface ListedAssistant extends AllowedAssistant {
  /** Used in paths instead of the client id, which may be a URL. */
  readonly id: string
  readonly connectedAt: Date
  readonly lastReadAt: Date | null
}

/** The assistants that may read a person's data, newest first. */
export async function listAssistants(
  { database }: Pick<Context, "database">,
  userId: string,
): Promise<ListedAssistant[]> {
  const rows = await database
    .selectFrom("assistant")
    .select(["client_id as clientId", "name", "verified_host as verifiedHost", "redirect_host as redirectHost"])
    .select(["scopes", "declined", "days", "connected_at as connectedAt", "last_read_at as lastReadAt"])
    .where("user_id", "=", userId)
    .orderBy("connected_at", "desc")
    .orderBy("client_id")
    .execute()
  return rows.map((row) => ({
    ...row,
    id: assistantIdOf(row.clientId),
    scopes: row.scopes.filter(isHealthScope),
    declined: row.declined.filter(isHealthScope),
  }))
}

const assistantIdOf = (clientId: string): string =>
  createHash("sha256").update(clientId).digest("base64url").slice(0, 22)

/**
 * Removes an assistant with all its codes and tokens. Its next request is refused.
 * @param network the visitor's network @throws {NotFound}
 */
export async function revokeAssistant(
  context: Pick<Context, "database" | "clock">,
  userId: string,
  assistantId: string,
  network?: string,
): Promise<void> {
  const assistant = (await listAssistants(context, userId)).find(({ id }) => id === assistantId)
  if (!assistant) throw new NotFound("you have no assistant with this id")
  await personTransaction(context.database, userId, async (transaction) => {
    for (const table of ["assistant", "oauth_record"] as const)
      await transaction
        .deleteFrom(table)
        .where("user_id", "=", userId)
        .where("client_id", "=", assistant.clientId)
        .execute()
    const event = { type: "assistant_revoked", detail: assistant.name, network } as const
    await recordSecurityEvent({ database: transaction, clock: context.clock }, userId, event)
  })
}
