// Messages for receivers, written in the transaction that stores what they are about. `tell/deliver.ts` sends them.
import type { EventMode, WebhookEvent } from "@restwell/client"
import type { RecordKind } from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import type { Context } from "../context/context.ts"
import { addJob, type DueTime } from "../jobs/job-queue.ts"
import { type Database, lockData } from "../store/database.ts"
import type { ReceiverKind } from "../store/telling-tables.ts"

/** What an event is about. Fields are null where it is about no record, or about several sources. */
interface EventSubject {
  readonly mode: EventMode
  readonly source: string | null
  readonly kind: RecordKind | null
  /** The record's id in answers of REST. */
  readonly id: string | null
  readonly date: string | null
}

/** What happened to a person's data, for webhooks that want the event. */
export interface DataEvent {
  readonly type: Exclude<WebhookEvent, "briefing.ready" | "rule.matched">
  readonly data: EventSubject & Readonly<Record<string, unknown>>
  /** The vendor's id of the record, to read it when it is sent. */
  readonly recordId?: string
  /** When the night of its date is taken as whole. A score is told then, and not before. Left out for what comes as a whole. */
  readonly due?: Date
}

type Clocked = Pick<Context, "clock">

/** True if a webhook of the person may want events. Nothing is computed or written for others. */
export async function hasWebhooks(transaction: Transaction<Database>, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from restwell.receiver where user_id = ${userId} and kind = 'webhook' and disabled_at is null limit 1
  `.execute(transaction)
  return rows.length > 0
}

/**
 * Writes events for the webhooks that want them, in their order. An update that no attempt was made for stands for the next update of its
 * record too, which is read when it is sent: so what waits has a bound, however often a record changes. It gets another id, because an
 * attempt may be on its way with the older state: that one ends a message that is gone, and the newer state is sent after it.
 * A score that waits until its night is whole stands for the changes of its record, and is dropped with it.
 */
export async function queueEvents(
  transaction: Transaction<Database>,
  { clock }: Clocked,
  userId: string,
  events: readonly DataEvent[],
): Promise<void> {
  if (events.length === 0) return
  await lockData(transaction, userId)
  const now = clock.now()
  // The receivers are locked before their deliveries, as the end of a webhook locks them, so that the two cannot deadlock.
  const { rows } = await sql<{ id: string }>`
    with told as (
      select r.id as receiver_id, r.events, e.place, e.event ->> 'type' as type, e.event -> 'data' as data,
        e.event ->> 'recordId' as record_id, (e.event ->> 'due')::timestamptz as due_at
      from jsonb_array_elements(${JSON.stringify(events)}::jsonb) with ordinality as e (event, place)
      join restwell.receiver r on r.user_id = ${userId} and r.kind = 'webhook' and r.disabled_at is null
      for key share of r),
    held as (
      select d.id, t.receiver_id, t.place, t.type from told t
      join restwell.delivery d on d.user_id = ${userId} and d.receiver_id = t.receiver_id and d.record_id = t.record_id
        and d.type = (t.data ->> 'kind') || '.scored' and d.status = 'waiting' and d.attempts = 0 and d.due_at > ${now}
      where t.type in ('record.changed', 'record.deleted')),
    dropped as (
      delete from restwell.delivery d using held h
      where d.user_id = ${userId} and d.receiver_id = h.receiver_id and d.id = h.id and h.type = 'record.deleted'
      returning d.id),
    moved as (
      update restwell.delivery d set due_at = t.due_at
      from (select distinct receiver_id, data ->> 'source' as source, data ->> 'date' as date, due_at from told where due_at is not null) t
      where d.user_id = ${userId} and d.receiver_id = t.receiver_id and d.data ->> 'source' = t.source and d.data ->> 'date' = t.date
        and d.type like '%.scored' and d.status = 'waiting' and d.attempts = 0 and d.due_at > ${now}
        and d.id not in (select id from held where type = 'record.deleted')
      returning d.receiver_id),
    wanted as (
      select t.* from told t
      where t.type = any(t.events) and not exists (select from held h where h.receiver_id = t.receiver_id and h.place = t.place)),
    renewed as (
      update restwell.delivery d set id = gen_random_uuid(), data = w.data, created_at = ${now}
      from wanted w
      where d.user_id = ${userId} and d.receiver_id = w.receiver_id and d.record_id = w.record_id and d.type = w.type
        and d.status = 'waiting' and d.last_attempt_at is null
        and d.data ->> 'change' = 'updated' and (d.data - 'date') = (w.data - 'date')
      returning d.receiver_id, w.place),
    written as (
      insert into restwell.delivery (user_id, receiver_id, type, data, record_id, created_at, due_at)
      select ${userId}, w.receiver_id, w.type, w.data, w.record_id, ${now},
        case when w.type like '%.scored' then w.due_at end
      from wanted w
      where not exists (select from renewed n where n.receiver_id = w.receiver_id and n.place = w.place)
      order by w.place, w.receiver_id
      returning receiver_id)
    select receiver_id as id from moved union select receiver_id from renewed union select receiver_id from written
  `.execute(transaction)
  await requestDeliveries(transaction, userId, rows, "at_once")
}

/** A message for a person, by a channel that the person chose for it. */
export interface Message {
  readonly userId: string
  readonly channel: ReceiverKind
  readonly type: "briefing.ready" | "rule.matched"
  /** Without secrets. Receivers get it as it is. */
  readonly data: Readonly<Record<string, unknown>>
  /** When to send it. @default now */
  readonly due?: Date
}

/**
 * Writes a message for each receiver of the channel. Webhooks that list the type get it, or all where none of them does: the person chose the
 * channel. Returns how many get it: 0 for a channel without a receiver.
 */
export async function queueMessage(
  transaction: Transaction<Database>,
  { clock }: Clocked,
  { userId, channel, type, data, due }: Message,
): Promise<number> {
  await lockData(transaction, userId)
  const { rows } = await sql<{ id: string }>`
    with able as (
      select id, type_is_listed from restwell.receiver r
      cross join lateral (select coalesce(${type} = any(r.events), false)) as listed (type_is_listed)
      where r.user_id = ${userId} and r.kind = ${channel} and r.disabled_at is null)
    insert into restwell.delivery (user_id, receiver_id, type, data, created_at, due_at)
    select ${userId}, id, ${type}, ${JSON.stringify(data)}::jsonb, ${clock.now()}, ${due ?? null}
    from able where type_is_listed or not exists (select from able where type_is_listed)
    returning receiver_id as id
  `.execute(transaction)
  await requestDeliveries(transaction, userId, rows, due ?? "at_once")
  return rows.length
}

/** One job a receiver, so that a slow one delays nobody. */
export async function requestDeliveries(
  transaction: Context["database"],
  userId: string,
  receivers: readonly { readonly id: string }[],
  due: DueTime,
): Promise<void> {
  for (const { id: key } of receivers)
    await addJob({ database: transaction }, { kind: "delivery", key, userId, priority: 0, due })
}
