import { createHash } from "node:crypto"
import { HOUR_MS } from "@restwell/client/time-units"
import type { EventName, RecordKind, VendorEvent } from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import { z } from "zod"
import type { ConnectionId, Context } from "../context/context.ts"
import type { Database } from "../store/database.ts"
import { isActive, isRetryDue } from "./connection-status.ts"

interface StoredEvent {
  readonly outcome: "accepted" | "repeated" | "unknown_member"
  /** Connections whose event can be read now. */
  readonly ready: readonly ConnectionId[]
}

type ProviderEvent = VendorEvent & { readonly provider: string }

const RowSchema = z.object({
  position: z.int(),
  is_new: z.boolean(),
  user_ids: z.array(z.string()),
  ready: z.array(z.string()),
})

/**
 * Stores events in one statement, for every connection of the member. An event that is sent again changes nothing. Another event about a
 * waiting record increments its version, so that it is read again. Rows are written in one order, so that two replicas cannot deadlock.
 */
export async function storeEvents(
  context: Pick<Context, "database" | "clock" | "adapters">,
  events: readonly ProviderEvent[],
): Promise<StoredEvent[]> {
  const now = context.clock.now()
  const rowsIn = events.map((event, position) => rowOf(event, position, firstReadAt(context, event, now)))
  const { rows } = await sql`
    with received as (
      select t."position", t.provider, t.member_id, t.kind, t.named_by, t.provider_id, t.first_read_at,
        decode(t.event_key, 'hex') as event_key
      from jsonb_to_recordset(${JSON.stringify(rowsIn)}::jsonb) as t(
        "position" integer, provider text, member_id text, kind text, named_by text, provider_id text, event_key text,
        first_read_at timestamptz)),
    fresh as (
      insert into restwell.vendor_event_seen (provider, event_key, seen_at)
      select distinct on (provider, event_key) provider, event_key, ${now}::timestamptz
      from received order by provider, event_key
      on conflict do nothing
      returning provider, event_key),
    matched as (
      select t.*, c.user_id,
        case when t.first_read_at > ${now} and c.history_complete and not exists (
          select from restwell.record r
          where r.user_id = c.user_id and r.provider = c.provider and r.kind = t.kind and r.provider_id = t.provider_id)
        then t.first_read_at else ${now}::timestamptz end as due_at,
        ${isRetryDue(now)} as is_callable
      from received t
      join fresh using (provider, event_key)
      join restwell.connection c on c.provider = t.provider and c.member_id = t.member_id and ${isActive}),
    stored as (
      insert into restwell.vendor_event as e (user_id, provider, kind, named_by, provider_id, received_at, due_at)
      select user_id, provider, kind, named_by, provider_id, ${now}::timestamptz,
        case when count(*) > 1 then ${now}::timestamptz else min(due_at) end
      from matched group by user_id, provider, kind, named_by, provider_id
      order by user_id, provider, kind, named_by, provider_id
      on conflict (user_id, provider, kind, named_by, provider_id) do update
      set version = excluded.version, received_at = excluded.received_at, due_at = ${now}
      returning user_id, provider, due_at <= ${now} as is_due)
    select t."position",
      exists (select from fresh f where f.provider = t.provider and f.event_key = t.event_key)
        and not exists (
          select from received o
          where o.provider = t.provider and o.event_key = t.event_key and o."position" < t."position") as is_new,
      array(select m.user_id from matched m where m."position" = t."position") as user_ids,
      array(
        select m.user_id from matched m
        where m."position" = t."position" and m.is_callable
          and exists (select from stored s where s.user_id = m.user_id and s.provider = m.provider and s.is_due)) as ready
    from received t
  `.execute(context.database)
  const parsed = z.array(RowSchema).parse(rows)
  const byPosition = new Map(parsed.map((row) => [row.position, row]))
  return events.map(({ provider }, position) => {
    const row = byPosition.get(position)
    if (!row) throw new Error("an event was not stored")
    const ready = row.ready.map((userId) => ({ userId, provider }))
    if (!row.is_new) return { outcome: "repeated", ready }
    return { outcome: row.user_ids.length > 0 ? "accepted" : "unknown_member", ready }
  })
}

/** When a record that is not stored yet is read first. */
function firstReadAt({ adapters }: Pick<Context, "adapters">, { provider, kind }: ProviderEvent, now: Date): Date {
  const delayMs = adapters.get(provider)?.syncPolicy.events.firstReadDelayMs[kind]
  return delayMs === undefined ? now : new Date(now.getTime() + delayMs)
}

/** An event without an id counts as new. */
function rowOf(event: ProviderEvent, position: number, firstRead: Date) {
  const key = createHash("sha256").update(event.eventId ?? crypto.randomUUID())
  return {
    position,
    provider: event.provider,
    member_id: event.memberId,
    kind: event.kind,
    named_by: event.namedBy,
    provider_id: event.providerId,
    event_key: key.digest("hex"),
    first_read_at: firstRead,
  }
}

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

/** An event whose record cannot be read now. */
export interface PostponedEvent extends PendingEvent {
  readonly until: Date
}

/** Lets events wait. Another event about the same record ends the wait. */
export async function postponeEvents(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  events: readonly PostponedEvent[],
): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(({ version, until }) => ({ version, until }))
  await sql`
    update restwell.vendor_event e set due_at = p.until
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as p (version bigint, until timestamptz)
    where e.user_id = ${userId} and e.provider = ${provider} and e.version = p.version
  `.execute(transaction)
}

/** Longer than the age of any accepted delivery. */
const REMEMBERED_MS = 3 * HOUR_MS

/** Deletes the keys of deliveries that would be refused for their age. */
export async function sweepSeenEvents({ database, clock }: Pick<Context, "database" | "clock">): Promise<void> {
  await database
    .deleteFrom("vendor_event_seen")
    .where("seen_at", "<", new Date(clock.now().getTime() - REMEMBERED_MS))
    .execute()
}
