// The status of a connection, the events that change it, and what its sync waits for. A connection whose history is not complete
// always says what it waits for, and until when.

import { utcDateOf } from "@restwell/client/calendar-dates"
import { DAY_MS } from "@restwell/client/time-units"
import type { RateLimited, WaitReason } from "@restwell/providers"
import { type RawBuilder, sql, type Transaction } from "kysely"
import { type ConnectionId, type Context, recordSecurityEvent } from "../context/context.ts"
import { requestNotifying } from "../jobs/request-notifying.ts"
import { noteFailure } from "../outbox/connection-events.ts"
import type { ConnectionStatus, StoredWaiting } from "../store/connection-tables.ts"
import { type Database, growDataVersion, personTransaction } from "../store/database.ts"

/** Connections with these statuses are not synced: they ended, wait for the person, or are archives. */
export const INACTIVE: ConnectionStatus[] = ["disconnected", "archive", "reauthorization_required"]

/** SQL: true if the connection `c` is synced. */
export const isActive = sql<boolean>`c.status not in (${sql.join(INACTIVE.map((status) => sql.lit(status)))})`

/** SQL: true if the connection `c` has no retry time after `at`. Times more than a day ahead come from a wrong clock and are ignored. */
export const isRetryDue = (at: Date): RawBuilder<boolean> =>
  sql<boolean>`(c.retry_after is null or c.retry_after <= ${at} or c.retry_after > ${at}::timestamptz + interval '25 hours')`

/** The longest that the email is tried. */
const TRIED_DAYS = 3
/** A connection that breaks again so soon gives no second notice. */
const PAUSE_DAYS = 1

/**
 * Tells the person by email that a connection has to be renewed, in the transaction that changes its status. Who has a rule about connections
 * that sends emails is told by that one.
 */
async function queueReconnectMail(
  transaction: Transaction<Database>,
  { clock }: Pick<Context, "clock">,
  { userId, provider }: ConnectionId,
): Promise<void> {
  const now = clock.now()
  const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS)
  await sql`
    insert into restwell.mail (kind, user_id, provider, created_at, expires_at)
    select 'reconnect', user_id, ${provider}, ${now}, ${inDays(TRIED_DAYS)} from restwell.person
    where user_id = ${userId} and reconnect_mail and not exists (
      select from restwell.mail m
      where m.user_id = ${userId} and m.kind = 'reconnect' and m.provider = ${provider}
        and m.created_at > ${inDays(-PAUSE_DAYS)})
      and not exists (
        select from restwell.notification_settings s, jsonb_array_elements(s.rules) rule
        where s.user_id = ${userId} and rule ->> 'kind' = 'connection' and (rule ->> 'enabled')::boolean
          and rule -> 'channels' ? 'email')
  `.execute(transaction)
}

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

/** Locks a connection against other changes, before anything that `lockData` locks. Events of its vendor still arrive. */
export const lockConnection = (transaction: Transaction<Database>, { userId, provider }: ConnectionId) =>
  transaction
    .selectFrom("connection")
    .select(["status", "status_reason", "history_complete", "history_told_at"])
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .forNoKeyUpdate()
    .executeTakeFirst()

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
  const connection = await lockConnection(transaction, { userId, provider })
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
  await noteFailure(transaction, context, { userId, provider }, { status, reason })
  await requestNotifying(transaction, userId)
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

interface Waiting {
  /** `history`: it waits for nothing, and reads the history. */
  readonly reason: WaitReason | "history"
  /** The reason in a sentence. */
  readonly message: string
  /** When the sync continues, about. Null while it works: vendors do not say how far their history goes back. */
  readonly until: Date | null
}

/** Of a sync that goes on. */
export const NOT_WAITING = { waiting_reason: null, waiting_message: null, waiting_until: null }

/** Returns what a connection's sync waits for, or works on while the history is not complete. Null for other connections. */
export function waitingOf(
  { status, reason, message, until, fetchedBackTo }: StoredWaiting,
  /** A wait that is over by then is none. Left out where equal data have to give equal bytes. */
  now?: Date,
): Waiting | null {
  if (INACTIVE.includes(status)) return null
  const isOver = until !== null && now !== undefined && until <= now
  if (reason !== null && message !== null && until !== null && !isOver) return { reason, message, until }
  if (status !== "syncing") return null
  return { reason: "history", message: historyMessage(fetchedBackTo), until: null }
}

const historyMessage = (fetchedBackTo: Date | null): string =>
  fetchedBackTo === null
    ? "the newest days are read first, then the history, in turn with other people's"
    : `the history is read in the background, newest days first, in turn with other people's. It is stored back to ${utcDateOf(fetchedBackTo)}`

/** A vendor may report that its window ends in 0 seconds. */
const SHORTEST_WAIT_MS = 1_000

export const waitsUntil = ({ clock }: Pick<Context, "clock">, { retryAfterSeconds }: RateLimited): Date =>
  new Date(clock.now().getTime() + Math.max(retryAfterSeconds * 1000, SHORTEST_WAIT_MS))

/** Stores what a sync waits for. The data version grows if answers contain it. */
export async function storeWait(
  transaction: Transaction<Database>,
  context: Pick<Context, "clock">,
  { userId, provider }: ConnectionId,
  error: RateLimited,
): Promise<void> {
  const changed = await transaction
    .updateTable("connection")
    .set({
      waiting_reason: error.reason,
      waiting_message: messageOf(error),
      waiting_until: waitsUntil(context, error),
    })
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .returning("status")
    .executeTakeFirst()
  if (changed?.status === "syncing") await growDataVersion(transaction, userId)
}

/** Stores that the calls of a running sync wait, unless that is stored already. */
export async function notePause(
  context: Pick<Context, "database" | "clock">,
  { userId, provider }: ConnectionId,
  error: RateLimited,
): Promise<void> {
  await personTransaction(context.database, userId, async (transaction) => {
    const { rows } = await sql`
      select from restwell.connection c
      where c.user_id = ${userId} and c.provider = ${provider} and c.status = 'syncing'
        and (c.waiting_until is null or c.waiting_until <= ${context.clock.now()})
      for no key update
    `.execute(transaction)
    if (rows.length > 0) await storeWait(transaction, context, { userId, provider }, error)
  })
}

/** The vendor's own refusal names a path of its API, which says nothing to a person. */
const messageOf = ({ reason, message }: RateLimited): string =>
  reason === "vendor_limit" ? "the vendor accepts no more calls from this service for now" : message
