import type { EventName, RecordKind } from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import type { ConnectionId, Context } from "../context/context.ts"
import type { Database } from "../store/database.ts"

/** A record that waits to be read again. */
export interface PendingEvent {
  readonly kind: RecordKind
  /** What `providerId` is the id of. */
  readonly namedBy: EventName
  readonly providerId: string
  /** Grows with every further event about the record. An older read does not handle it. */
  readonly version: string
  readonly receivedAt: Date
}

/** Most events of one step. The next step reads the rest. */
const MOST_EVENTS = 100

/** Returns the records to read now, in the order of their events. */
export async function readPendingEvents(
  { database, clock }: Pick<Context, "database" | "clock">,
  { userId, provider }: ConnectionId,
): Promise<PendingEvent[]> {
  const rows = await database
    .selectFrom("vendor_event")
    .select(["kind", "named_by", "provider_id", "version", "received_at"])
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .where("due_at", "<=", clock.now())
    .orderBy("version")
    .limit(MOST_EVENTS)
    .execute()
  return rows.map((row) => ({
    kind: row.kind,
    namedBy: row.named_by,
    providerId: row.provider_id,
    version: row.version,
    receivedAt: row.received_at,
  }))
}

/** Deletes handled events, except those with a further event since. */
export async function deleteHandled(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  events: readonly PendingEvent[],
): Promise<void> {
  if (events.length === 0) return
  await sql`
    delete from restwell.vendor_event
    where user_id = ${userId} and provider = ${provider} and version = any (${events.map(({ version }) => version)}::bigint[])
  `.execute(transaction)
}
