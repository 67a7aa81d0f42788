import { sql } from "kysely"
import { INACTIVE } from "../connection/active-connection.ts"
import { isEnded } from "../connection/states.ts"
import type { Context } from "../context/context.ts"
import { monthOf, nextMonth } from "../quota/month.ts"

/** The content of the person's account page. `providers` are the vendors that the operator set up. */
export async function readAccount(context: Context, userId: string) {
  const now = context.clock.now()
  const { database } = context
  const [{ plan, reconnect_mail: reconnectMail }, months, apiKey, connections] = await Promise.all([
    database
      .selectFrom("person")
      .select(["plan", "reconnect_mail"])
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow(),
    readMonths(context, userId, now),
    database
      .selectFrom("api_key")
      .select(["prefix", "created_at as createdAt", "last_used_at as lastUsedAt"])
      .where("user_id", "=", userId)
      .executeTakeFirst(),
    readConnections(context, userId, now),
  ])
  const limit = context.plans[plan]
  // A month without a row had no request.
  const used = months.get(monthOf(now))?.used ?? 0
  return {
    plan,
    reconnectMail,
    usage: { limit, used, remaining: Math.max(limit - used, 0), reset: nextMonth(now), byDay: lastDays(months, now) },
    apiKey: apiKey ?? null,
    providers: [...context.adapters.keys()],
    connections,
  }
}

const USAGE_DAYS = 30
/** The last 30 dates lie in at most three months: 31 January to 1 March. */
const USAGE_MONTHS = 3

type Months = ReadonlyMap<string, { readonly used: number; readonly by_day: readonly number[] }>

/** Usage by the first day of the month. */
async function readMonths({ database }: Context, userId: string, now: Date): Promise<Months> {
  const rows = await database
    .selectFrom("usage")
    .select((row) => [sql<string>`${row.ref("month")}::text`.as("month"), "used", "by_day"])
    .where("user_id", "=", userId)
    .orderBy("usage.month", "desc")
    .where("usage.month", "<=", monthOf(now))
    .limit(USAGE_MONTHS)
    .execute()
  return new Map(rows.map((row) => [row.month, row]))
}

/** Counted requests of the last 30 UTC dates, oldest first. */
function lastDays(months: Months, now: Date) {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO("UTC").toPlainDate()
  return Array.from({ length: USAGE_DAYS }, (_, index) => {
    const date = today.subtract({ days: USAGE_DAYS - 1 - index })
    const month = months.get(date.with({ day: 1 }).toString())
    return { date: date.toString(), requests: month?.by_day[date.day - 1] ?? 0 }
  })
}

/** `fetchedBackTo` is the start of the stored history, null before the first window. Vendors do not say where it begins. */
async function readConnections({ database }: Context, userId: string, now: Date) {
  const rows = await database
    .selectFrom("connection")
    .select(["provider", "status", "status_reason as statusReason", "connected_at as connectedAt"])
    .select(["last_synced_at as lastSyncedAt", "history_complete as complete", "fetched_back_to as fetchedBackTo"])
    .select(["waiting_reason as reason", "waiting_message as message", "waiting_until as until", "gaps"])
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
  return rows.map(({ complete, fetchedBackTo, records, reason, message, until, gaps, ...connection }) => ({
    ...connection,
    gaps: isEnded(connection.status) ? [] : gaps,
    // What waited until a time that is over goes on.
    waiting:
      reason === null || message === null || until === null || until <= now || INACTIVE.includes(connection.status)
        ? null
        : { reason, message, until },
    history: { complete, fetchedBackTo, records: Number(records) },
  }))
}
