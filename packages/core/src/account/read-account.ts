import type { ConnectionStatus } from "../connection/connection-status.ts"
import type { Context } from "../context.ts"
import { monthOf, nextMonth } from "../quota/month.ts"
import type { Plan, Quota } from "../quota/plans.ts"

export interface Account {
  readonly plan: Plan
  readonly usage: Quota & { readonly used: number }
  readonly apiKey: { readonly prefix: string; readonly createdAt: Date; readonly lastUsedAt: Date | null } | null
  readonly connections: readonly AccountConnection[]
}

export interface AccountConnection {
  readonly provider: string
  readonly status: ConnectionStatus
  readonly statusReason: string | null
  readonly connectedAt: Date
  readonly lastSyncedAt: Date | null
  readonly history: HistoryProgress
}

/** How far the first fetch of the whole history has come. Vendors do not tell where it begins. */
export interface HistoryProgress {
  readonly complete: boolean
  /** Everything that started from here on is stored; null before the first window. */
  readonly fetchedBackTo: Date | null
  readonly records: number
}

/** What the person's account page shows. */
export async function readAccount(context: Context, userId: string): Promise<Account> {
  const now = context.clock.now()
  const { database } = context
  const [person, usage, apiKey, connections] = await Promise.all([
    database.selectFrom("person").select("plan").where("user_id", "=", userId).executeTakeFirstOrThrow(),
    database
      .selectFrom("usage")
      .select("used")
      .where("user_id", "=", userId)
      .where("month", "=", monthOf(now))
      .executeTakeFirst(),
    database.selectFrom("api_key").selectAll().where("user_id", "=", userId).executeTakeFirst(),
    readConnections(context, userId),
  ])
  const limit = context.plans[person.plan]
  // No row is no request yet.
  const used = usage?.used ?? 0
  return {
    plan: person.plan,
    usage: { limit, used, remaining: Math.max(limit - used, 0), reset: nextMonth(now) },
    apiKey: apiKey ? { prefix: apiKey.prefix, createdAt: apiKey.created_at, lastUsedAt: apiKey.last_used_at } : null,
    connections,
  }
}

async function readConnections({ database }: Context, userId: string): Promise<AccountConnection[]> {
  const rows = await database
    .selectFrom("connection")
    .selectAll("connection")
    .select((row) =>
      row
        .selectFrom("record")
        .select((record) => record.fn.countAll<string>().as("records"))
        .whereRef("record.user_id", "=", "connection.user_id")
        .whereRef("record.provider", "=", "connection.provider")
        .as("records"),
    )
    .where("user_id", "=", userId)
    .orderBy("connected_at")
    .execute()
  return rows.map((row) => ({
    provider: row.provider,
    status: row.status,
    statusReason: row.status_reason,
    connectedAt: row.connected_at,
    lastSyncedAt: row.last_synced_at,
    history: { complete: row.history_complete, fetchedBackTo: row.fetched_back_to, records: Number(row.records) },
  }))
}
