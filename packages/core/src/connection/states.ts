import type { Transaction } from "kysely"
import { recordSecurityEvent } from "../audit/security-events.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import type { ConnectionStatus } from "../store/connection.ts"
import type { Database } from "../store/database.ts"
import { growDataVersion } from "../store/grow-data-version.ts"

/**
 * The life of a connection. This file alone changes it.
 *
 *   connect ──> syncing ──history stored──> ok
 *   syncing, ok ──vendor fails──> vendor_unavailable ──vendor answers──> syncing or ok, as the history is complete or not
 *   any but disconnected ──vendor ends the grant──> reauthorization_required ──connect──> syncing or ok
 *   reauthorization_required ──tokens thought lost are kept──> syncing or ok
 *   any ──disconnect──> disconnected ──connect──> syncing or ok
 *
 * A network error never ends a grant: only the vendor's own word does.
 */
export type ConnectionEvent =
  | { readonly type: "connected" }
  | { readonly type: "synced" }
  | { readonly type: "vendor_failed"; readonly reason: string }
  | { readonly type: "authorization_revoked"; readonly reason: string }
  /** The grant proves good after all: new tokens that were thought lost could be kept. */
  | { readonly type: "authorization_recovered" }
  | { readonly type: "disconnected" }

/** The status after an event; the same as before where the event does not apply. */
export function nextStatus(
  status: ConnectionStatus,
  event: ConnectionEvent,
  historyComplete: boolean,
): ConnectionStatus {
  const working = historyComplete ? "ok" : "syncing"
  switch (event.type) {
    case "connected":
      return working
    case "disconnected":
      return "disconnected"
    case "authorization_recovered":
      return status === "reauthorization_required" ? working : status
    case "authorization_revoked":
      return status === "disconnected" ? status : "reauthorization_required"
    case "synced":
      return status === "disconnected" || status === "reauthorization_required" ? status : working
    case "vendor_failed":
      return status === "disconnected" || status === "reauthorization_required" ? status : "vendor_unavailable"
  }
}

/**
 * Applies an event to a connection inside the caller's transaction. A change shows in every answer, so the data version grows with it, and in
 * the person's security log.
 */
export async function applyEvent(
  transaction: Transaction<Database>,
  context: Context,
  { userId, provider }: ConnectionId,
  event: ConnectionEvent,
): Promise<ConnectionStatus> {
  const connection = await transaction
    .selectFrom("connection")
    .select(["status", "history_complete"])
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .forUpdate()
    .executeTakeFirst()
  // Its person deleted their account meanwhile: there is nothing left to change.
  if (!connection) return "disconnected"
  const status = nextStatus(connection.status, event, connection.history_complete)
  const reason = "reason" in event && status !== connection.status ? event.reason : null
  if (status === connection.status) return status
  await transaction
    .updateTable("connection")
    .set({ status, status_reason: reason, status_changed_at: context.clock.now() })
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .execute()
  await growDataVersion(transaction, userId)
  await recordSecurityEvent({ database: transaction, clock: context.clock }, userId, {
    type: "connection_changed",
    detail: `${provider}: ${connection.status} -> ${status}`,
  })
  context.logger.info(
    { userId, provider, from: connection.status, to: status, event: event.type },
    "connection changed",
  )
  return status
}
