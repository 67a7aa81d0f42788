import { type NormalizedProfile, ProviderError, RateLimited, type TokenSet } from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import type { ConnectionId, Context } from "../context/context.ts"
import type { ConnectionStatus } from "../store/connection-tables.ts"
import type { Database } from "../store/database.ts"
import { storeProfile } from "../store/statements/write-records.ts"
import { applyEvent, NOT_WAITING, storeWait } from "./connection-status.ts"
import { type TakenGrant, takeGrants } from "./end-grant.ts"
import { vendorFailureText } from "./failure-texts.ts"
import { storeGrant } from "./grants.ts"

/** What a vendor has just given for a connection. */
export interface NewGrant {
  readonly connection: ConnectionId
  readonly tokens: TokenSet
}

interface StoredConnection {
  readonly status: ConnectionStatus
  /** Former grants. */
  readonly replaced: readonly TakenGrant[]
}

/**
 * Stores a connection with its grant, new or instead of a former one, whose data stay.
 * @param read the profile, or why the vendor does not give it: the connection then says so
 */
export async function storeConnection(
  transaction: Transaction<Database>,
  context: Context,
  { connection, tokens, read }: NewGrant & { readonly read: NormalizedProfile | ProviderError },
): Promise<StoredConnection> {
  const replaced = await takeGrants(transaction, context, connection)
  await upsertConnection(transaction, context, connection)
  await storeGrant(transaction, context, connection, tokens)
  if (!(read instanceof ProviderError)) await storeProfile(transaction, connection, read, context.clock.now())
  await applyEvent(transaction, context, connection, { type: "connected" })
  if (read instanceof RateLimited) await storeWait(transaction, context, connection, read)
  else if (read instanceof ProviderError)
    await applyEvent(transaction, context, connection, {
      type: "vendor_failed",
      reason: vendorFailureText(connection.provider, read),
    })
  const { status } = await transaction
    .selectFrom("connection")
    .select("status")
    .where("user_id", "=", connection.userId)
    .where("provider", "=", connection.provider)
    .executeTakeFirstOrThrow()
  return { status, replaced }
}

/** The member is unknown until the profile is stored: it may be another one than before. */
async function upsertConnection(
  transaction: Transaction<Database>,
  context: Context,
  connection: ConnectionId,
): Promise<void> {
  const now = context.clock.now()
  await transaction
    .insertInto("connection")
    .values({
      user_id: connection.userId,
      provider: connection.provider,
      // The `connected` event that follows changes it.
      status: "disconnected",
      status_changed_at: now,
      connected_at: now,
      first_live_at: now,
      next_sync_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(["user_id", "provider"]).doUpdateSet((row) => ({
        generation: row("connection.generation", "+", "1"),
        connected_at: now,
        first_connected_at: row.fn.coalesce("connection.first_connected_at", "connection.connected_at"),
        first_live_at: row.fn.coalesce("connection.first_live_at", sql<Date>`${now}`),
        next_sync_at: now,
        member_id: null,
        // Find what changed while disconnected, and what the person allows now.
        reconciled_at: null,
        gaps: sql<string>`(select coalesce(jsonb_agg(g || ${JSON.stringify({ retryAt: now })}::jsonb), '[]')
          from jsonb_array_elements(connection.gaps) g)`,
        retry_after: null,
        failures: 0,
        ...NOT_WAITING,
      })),
    )
    .execute()
}
