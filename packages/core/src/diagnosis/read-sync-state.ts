import { sql } from "kysely"
import { isActive, isRetryDue } from "../connection/active-connection.ts"
import type { Context } from "../context/context.ts"
import type { ConnectionStatus } from "../store/connection.ts"

/** Connections of one vendor with the same status and reason. No figure is about one person. */
export interface ConnectionGroup {
  readonly provider: string
  readonly status: ConnectionStatus
  readonly count: number
  readonly reason: string | null
}

/** Work that is due and that no worker has begun. */
export interface WaitingWork {
  readonly what: "syncs" | "imports" | "events"
  readonly count: number
  /** Since when the first one is due. */
  readonly since: Date
}

/** The app's subscription to a vendor's webhooks. */
export interface Subscription {
  readonly provider: string
  readonly callbackUrl: string
  /** When the vendor last confirmed it. Null if it never did. */
  readonly keptAt: Date | null
  readonly endsAt: Date | null
}

/** Webhooks of a vendor to people who have been connected for long enough to have got some. */
export interface WebhookSilence {
  readonly provider: string
  readonly connections: number
  /** The newest webhook of any of them. Null if none has ever come. */
  readonly lastEventAt: Date | null
}

export interface SyncState {
  readonly groups: readonly ConnectionGroup[]
  readonly waiting: readonly WaitingWork[]
  readonly subscriptions: readonly Subscription[]
  readonly silences: readonly WebhookSilence[]
}

/** Reads the state of all connections and of the work for them, for the operator. Changes nothing. */
export async function readSyncState({ database, clock }: Pick<Context, "database" | "clock">): Promise<SyncState> {
  const now = clock.now()
  const [groups, waiting, subscriptions, silences] = await Promise.all([
    sql<ConnectionGroup>`
      select c.provider, c.status, count(*)::int as count, c.status_reason as reason
      from restwell.connection c group by 1, 2, 4 order by 1, 2, 4`.execute(database),
    sql<WaitingWork>`
      select * from (
        select 'syncs' as what, count(*)::int as count, min(c.next_sync_at) as since from restwell.connection c
        where ${isActive} and ${isRetryDue(now)} and c.next_sync_at <= ${now}
          and (c.waiting_until is null or c.waiting_until <= ${now})
        union all
        select 'imports', count(*)::int, min(i.created_at) from restwell.import i
        where i.status = 'queued' or i.status = 'running' and i.claimed_at < ${now}::timestamptz - interval '10 minutes'
        union all
        select 'events', count(*)::int, min(e.due_at) from restwell.vendor_event e
        join restwell.connection c using (user_id, provider)
        where ${isActive} and ${isRetryDue(now)} and e.due_at <= ${now}
          and (c.waiting_until is null or c.waiting_until <= ${now})
      ) due where count > 0`.execute(database),
    sql<Subscription>`
      select provider, callback_url as "callbackUrl", kept_at as "keptAt", ends_at as "endsAt"
      from restwell.vendor_subscription`.execute(database),
    sql<WebhookSilence>`
      select c.provider, count(*)::int as connections, max(c.last_event_at) as "lastEventAt"
      from restwell.connection c
      where ${isActive} and c.status = 'ok' and c.connected_at < ${now}::timestamptz - interval '7 days'
      group by c.provider`.execute(database),
  ])
  return {
    groups: groups.rows,
    waiting: waiting.rows,
    subscriptions: subscriptions.rows,
    silences: silences.rows,
  }
}
