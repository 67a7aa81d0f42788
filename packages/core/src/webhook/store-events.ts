import { createHash } from "node:crypto"
import type { VendorEvent } from "@restwell/providers"
import { sql } from "kysely"
import { z } from "zod"
import type { ConnectionId, Context } from "../context/context.ts"
import { isNotHeld } from "../sync/not-held.ts"

/** A workout that is new is told of when it arrives, and again with its score within minutes: one reading serves both, milliseconds. */
const SCORE_FOLLOWS_MS = 3 * 60_000

export interface StoredEvent {
  readonly outcome: "accepted" | "repeated" | "unknown_member"
  /** Connections that a worker can read it for now. */
  readonly awake: readonly ConnectionId[]
}

const RowSchema = z.object({
  position: z.int(),
  is_new: z.boolean(),
  user_ids: z.array(z.string()),
  awake: z.array(z.string()),
})

/**
 * Keeps events in one statement, for every connection of the member they name. The same event sent again is known; another event about the
 * same record makes one that waits be read anew, and two that wait are one. Rows are written in one order, so that two replicas never wait
 * for each other in a circle.
 */
export async function storeEvents(
  { database, clock }: Pick<Context, "database" | "clock">,
  events: readonly (VendorEvent & { readonly provider: string })[],
): Promise<StoredEvent[]> {
  const now = clock.now()
  const { rows } = await sql`
    with told as (
      select t."position", t.provider, t.member_id, t.kind, t.named_by, t.provider_id, decode(t.event_key, 'hex') as event_key
      from jsonb_to_recordset(${JSON.stringify(events.map(rowOf))}::jsonb) as t(
        "position" integer, provider text, member_id text, kind text, named_by text, provider_id text, event_key text)),
    fresh as (
      insert into restwell.vendor_event_seen (provider, event_key, seen_at)
      select distinct on (provider, event_key) provider, event_key, ${now}::timestamptz from told order by provider, event_key
      on conflict do nothing
      returning provider, event_key),
    meant as (
      select t.*, c.user_id,
        case when t.kind = 'workout' and c.history_complete and not exists (
          select from restwell.record r
          where r.user_id = c.user_id and r.provider = c.provider and r.kind = t.kind and r.provider_id = t.provider_id)
        then ${new Date(now.getTime() + SCORE_FOLLOWS_MS)}::timestamptz else ${now}::timestamptz end as due_at,
        ${isNotHeld(now)} as is_awake
      from told t
      join fresh using (provider, event_key)
      join restwell.connection c on c.provider = t.provider and c.member_id = t.member_id
        and c.status not in ('disconnected', 'reauthorization_required')),
    kept as (
      insert into restwell.vendor_event as e (user_id, provider, kind, named_by, provider_id, received_at, due_at)
      select user_id, provider, kind, named_by, provider_id, ${now}::timestamptz,
        case when count(*) > 1 then ${now}::timestamptz else min(due_at) end
      from meant group by user_id, provider, kind, named_by, provider_id order by user_id, provider, kind, named_by, provider_id
      on conflict (user_id, provider, kind, named_by, provider_id) do update
      set version = excluded.version, received_at = excluded.received_at, due_at = ${now}
      returning user_id, provider, due_at <= ${now} as is_ripe)
    select t."position",
      exists (select from fresh f where f.provider = t.provider and f.event_key = t.event_key)
        and not exists (select from told o where o.provider = t.provider and o.event_key = t.event_key and o."position" < t."position") as is_new,
      array(select m.user_id from meant m where m."position" = t."position") as user_ids,
      array(
        select m.user_id from meant m
        where m."position" = t."position" and m.is_awake
          and exists (select from kept k where k.user_id = m.user_id and k.provider = m.provider and k.is_ripe)) as awake
    from told t
  `.execute(database)
  const byPosition = new Map(
    z
      .array(RowSchema)
      .parse(rows)
      .map((row) => [row.position, row]),
  )
  return events.map(({ provider }, position) => {
    const row = byPosition.get(position)
    if (!row) throw new Error("an event was neither kept nor known")
    const awake = row.awake.map((userId) => ({ userId, provider }))
    if (!row.is_new) return { outcome: "repeated", awake }
    return { outcome: row.user_ids.length > 0 ? "accepted" : "unknown_member", awake }
  })
}

/** An event that its vendor gives no id is always new. */
function rowOf(
  { provider, memberId, kind, namedBy, providerId, eventId }: VendorEvent & { readonly provider: string },
  position: number,
) {
  const key = createHash("sha256").update(eventId ?? crypto.randomUUID())
  return {
    position,
    provider,
    member_id: memberId,
    kind,
    named_by: namedBy,
    provider_id: providerId,
    event_key: key.digest("hex"),
  }
}
