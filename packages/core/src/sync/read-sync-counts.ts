import type { CallPurpose } from "@restwell/providers"
import { sql } from "kysely"
import { isActive } from "../connect/connection-status.ts"
import type { Context } from "../context/context.ts"
import type { ConnectionStatus } from "../store/connection-tables.ts"

/** Counts of all syncs, for the operator. No figure is about one person. */
interface SyncCounts {
  readonly connections: readonly {
    readonly provider: string
    readonly status: ConnectionStatus
    readonly count: number
  }[]
  /** All calls so far. */
  readonly calls: readonly { readonly provider: string; readonly purpose: CallPurpose; readonly count: number }[]
  /** Calls of the last whole UTC day per active connection. */
  readonly callsPerConnection: readonly { readonly provider: string; readonly count: number }[]
  /** Waiting events, and the age of the oldest, seconds. */
  readonly waiting: readonly { readonly provider: string; readonly count: number; readonly oldestSeconds: number }[]
  /** Connections whose sync waits for calls, by what it waits for. */
  readonly waitingForCalls: readonly { readonly provider: string; readonly reason: string; readonly count: number }[]
  /** Records that cannot be used. */
  readonly rejected: readonly { readonly provider: string; readonly kind: string; readonly count: number }[]
}

/** Counts over the whole database. Every process returns the same. */
export async function readSyncCounts({ database, clock }: Pick<Context, "database" | "clock">): Promise<SyncCounts> {
  const now = clock.now()
  const yesterday = new Date(now.getTime() - 86_400_000)
  const [connections, calls, callsPerConnection, waiting, waitingForCalls, rejected] = await Promise.all([
    sql<SyncCounts["connections"][number]>`
      select provider, status, count(*)::int as count from restwell.connection group by provider, status
    `.execute(database),
    sql<SyncCounts["calls"][number]>`
      select provider, purpose, sum(calls)::int as count from restwell.vendor_call_count group by provider, purpose
    `.execute(database),
    sql<SyncCounts["callsPerConnection"][number]>`
      select n.provider, sum(n.calls)::float8 / greatest(1, (
        select count(*) from restwell.connection c
        where c.provider = n.provider and ${isActive})) as count
      from restwell.vendor_call_count n where n.day = (${yesterday}::timestamptz at time zone 'UTC')::date group by n.provider
    `.execute(database),
    sql<SyncCounts["waiting"][number]>`
      select provider, count(*)::int as count,
        greatest(0, extract(epoch from ${now}::timestamptz - min(received_at)))::float8 as "oldestSeconds"
      from restwell.vendor_event group by provider
    `.execute(database),
    sql<SyncCounts["waitingForCalls"][number]>`
      select c.provider, c.waiting_reason as reason, count(*)::int as count from restwell.connection c
      where c.waiting_until > ${now} and ${isActive} group by c.provider, c.waiting_reason
    `.execute(database),
    sql<SyncCounts["rejected"][number]>`
      select provider, kind, count(*)::int as count from restwell.rejected_record group by provider, kind
    `.execute(database),
  ])
  return {
    connections: connections.rows,
    calls: calls.rows,
    callsPerConnection: callsPerConnection.rows,
    waiting: waiting.rows,
    waitingForCalls: waitingForCalls.rows,
    rejected: rejected.rows,
  }
}
