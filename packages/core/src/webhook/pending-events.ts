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
  /** Grows when it is told again: then what was read before does not answer it. */
  readonly version: string
  readonly receivedAt: Date
}

/** Read in one go; the rest is read after. */
const MOST_EVENTS = 100

/** What is to be read now, in the order it was told. */
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

/** Takes out what has been answered, but for what was told again since. */
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
