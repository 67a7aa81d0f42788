import { sql } from "kysely"
import type { Context } from "../context/context.ts"
import { monthOf, nextMonth } from "../quota/month.ts"
import type { Plan, Quota } from "../quota/plans.ts"
import type { ConnectionStatus } from "../store/connection.ts"

export interface Account {
  readonly plan: Plan
  readonly usage: Quota & { readonly used: number; readonly byDay: readonly DailyRequests[] }
  readonly apiKey: { readonly prefix: string; readonly createdAt: Date; readonly lastUsedAt: Date | null } | null
  /** The vendors the operator set up. */
  readonly providers: readonly string[]
  readonly connections: readonly AccountConnection[]
}

/** Counted requests of a UTC date. */
export interface DailyRequests {
  readonly date: string
  readonly requests: number
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
  const [person, months, apiKey, connections] = await Promise.all([
    database.selectFrom("person").select("plan").where("user_id", "=", userId).executeTakeFirstOrThrow(),
    readMonths(context, userId, now),
    database.selectFrom("api_key").selectAll().where("user_id", "=", userId).executeTakeFirst(),
    readConnections(context, userId),
  ])
  const limit = context.plans[person.plan]
  // No row is no request yet.
  const used = months.get(monthOf(now))?.used ?? 0
  return {
    plan: person.plan,
    usage: { limit, used, remaining: Math.max(limit - used, 0), reset: nextMonth(now), byDay: lastDays(months, now) },
    apiKey: apiKey ? { prefix: apiKey.prefix, createdAt: apiKey.created_at, lastUsedAt: apiKey.last_used_at } : null,
    providers: [...context.adapters.keys()],
    connections,
  }
}

const SHOWN_DAYS = 30

interface Month {
  readonly used: number
  readonly by_day: readonly number[]
}

/** The counts of the months that the last 30 dates may lie in, by their first day. */
async function readMonths({ database }: Context, userId: string, now: Date): Promise<ReadonlyMap<string, Month>> {
  const rows = await database
    .selectFrom("usage")
    .select((row) => [sql<string>`${row.ref("month")}::text`.as("month"), "used", "by_day"])
    .where("user_id", "=", userId)
    .orderBy("usage.month", "desc")
    .where("usage.month", "<=", monthOf(now))
    .limit(3)
    .execute()
  return new Map(rows.map((row) => [row.month, row]))
}

/** The last 30 UTC dates, oldest first. A date of a month without a row had no request. */
function lastDays(months: ReadonlyMap<string, Month>, now: Date): DailyRequests[] {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO("UTC").toPlainDate()
  return Array.from({ length: SHOWN_DAYS }, (_, index) => {
    const date = today.subtract({ days: SHOWN_DAYS - 1 - index })
    const month = months.get(date.with({ day: 1 }).toString())
    return { date: date.toString(), requests: month?.by_day[date.day - 1] ?? 0 }
  })
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
