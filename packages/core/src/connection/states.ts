import type { Transaction } from "kysely"
import { recordSecurityEvent } from "../audit/security-events.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import type { ConnectionStatus } from "../store/connection.ts"
import type { Database } from "../store/database.ts"
import { growDataVersion } from "../store/grow-data-version.ts"
import { INACTIVE } from "./active-connection.ts"
import { queueReconnectMail } from "./queue-reconnect-mail.ts"

/**
 * The states of a connection. Only this file changes them.
 *
 *   connect ──> syncing ──history stored──> ok
 *   syncing, ok, failing ──vendor fails──> vendor_unavailable
 *   syncing, ok, vendor_unavailable ──unexpected error──> failing
 *   vendor_unavailable, failing ──records are stored──> syncing or ok, as the history is complete or not
 *   any but disconnected ──vendor ends the grant, or no secret decrypts it──> reauthorization_required
 *   reauthorization_required ──connect, or the tokens are found after all──> syncing or ok
 *   any ──disconnect──> disconnected ──connect──> syncing or ok
 *
 *   disconnected ──an archive is stored──> archive ──the last archive is undone──> disconnected
 *   archive ──connect──> syncing or ok
 *
 * A network error never ends a grant. Only the vendor's refusal or a lost secret does.
 */
export type ConnectionEvent =
  | { readonly type: "connected" }
  | { readonly type: "synced" }
  | { readonly type: "vendor_failed"; readonly reason: string }
  /** A sync ended with an error that is neither the vendor's nor the database's. */
  | { readonly type: "sync_failed"; readonly reason: string }
  | { readonly type: "authorization_revoked"; readonly reason: string }
  /** New tokens that seemed lost could be stored, or the secret of the stored ones is back. */
  | { readonly type: "authorization_recovered" }
  | { readonly type: "disconnected"; readonly reason?: string }
  /** An uploaded archive has data of this provider. */
  | { readonly type: "archive_stored" }
  /** No archive has data of this provider any more. */
  | { readonly type: "archives_removed" }

/** Returns the status after an event. An event that does not apply changes nothing. */
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
      return isEnded(status) ? status : "reauthorization_required"
    case "synced":
      return isEnded(status) || status === "reauthorization_required" ? status : working
    case "vendor_failed":
      return isEnded(status) || status === "reauthorization_required" ? status : "vendor_unavailable"
    case "sync_failed":
      return isEnded(status) || status === "reauthorization_required" ? status : "failing"
    case "archive_stored":
      return status === "disconnected" ? "archive" : status
    case "archives_removed":
      return status === "archive" ? "disconnected" : status
  }
}

/** True without a grant at the vendor. */
export const isEnded = (status: ConnectionStatus): boolean => status === "disconnected" || status === "archive"

/**
 * Applies an event inside the caller's transaction. A change increments the data version, because answers contain the status, and is
 * recorded in the security log. A new reason for the same status is only stored.
 */
export async function applyEvent(
  transaction: Transaction<Database>,
  context: Pick<Context, "clock" | "logger">,
  { userId, provider }: ConnectionId,
  event: ConnectionEvent,
): Promise<ConnectionStatus> {
  const connection = await transaction
    .selectFrom("connection")
    .select(["status", "status_reason", "history_complete"])
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .forUpdate()
    .executeTakeFirst()
  // The account was deleted meanwhile.
  if (!connection) return "disconnected"
  const status = nextStatus(connection.status, event, connection.history_complete)
  const isChange = status !== connection.status
  const reason = "reason" in event ? (event.reason ?? null) : null
  const isNewReason = reason !== null && reason !== connection.status_reason && !INACTIVE.includes(status)
  if (!isChange && !isNewReason) return status
  await transaction
    .updateTable("connection")
    .set({ status, status_reason: reason, ...(isChange && { status_changed_at: context.clock.now() }) })
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .execute()
  if (!isChange) return status
  await growDataVersion(transaction, userId)
  if (status === "reauthorization_required") await queueReconnectMail(transaction, context, { userId, provider })
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
