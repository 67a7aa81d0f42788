// Events about connections that stop working, and work again.
import { HOUR_MS } from "@restwell/client/time-units"
import { sql, type Transaction } from "kysely"
import type { ConnectionId, Context } from "../context/context.ts"
import type { ConnectionStatus } from "../store/connection-tables.ts"
import { type Database, personTransaction } from "../store/database.ts"
import { type DataEvent, queueEvents } from "./outbox.ts"

/** Vendors are often away for a while. A person hears of a failure that lasts longer. */
const LONG_FAILURE_MS = 6 * HOUR_MS

const isFailing = (status: ConnectionStatus): boolean =>
  status === "vendor_unavailable" || status === "failing" || status === "reauthorization_required"

/**
 * Notes since when a connection fails, in the transaction that changes its status. A grant that ended is said at once, a vendor that does not
 * answer by {@link tellLongFailures}. Its end is said to those who were told of the failure.
 */
export async function noteFailure(
  transaction: Transaction<Database>,
  context: Pick<Context, "clock">,
  connection: ConnectionId,
  { status, reason }: { readonly status: ConnectionStatus; readonly reason: string | null },
): Promise<void> {
  const { userId, provider } = connection
  const now = context.clock.now()
  if (isFailing(status)) {
    const isTold = status === "reauthorization_required"
    await sql`
      update restwell.connection set failing_since = coalesce(failing_since, ${now}), is_failure_told = is_failure_told or ${isTold}
      where user_id = ${userId} and provider = ${provider}
    `.execute(transaction)
    // Also to those who were told that the vendor does not answer: only they themselves can renew a grant.
    if (isTold) await queueEvents(transaction, context, userId, [failing(provider, { status, reason })])
    return
  }
  const { rows } = await sql<{ wasTold: boolean }>`
    update restwell.connection c set failing_since = null, is_failure_told = false
    from (select is_failure_told from restwell.connection where user_id = ${userId} and provider = ${provider} for no key update) before
    where c.user_id = ${userId} and c.provider = ${provider} and c.failing_since is not null
    returning before.is_failure_told as "wasTold"
  `.execute(transaction)
  if (rows[0]?.wasTold === true && (status === "ok" || status === "syncing"))
    await queueEvents(transaction, context, userId, [
      { type: "connection.restored", data: { ...about(provider), status, reason: null } },
    ])
}

const about = (source: string) => ({ mode: "live", source, kind: null, id: null, date: null }) as const

const failing = (
  provider: string,
  { status, reason }: { readonly status: ConnectionStatus; readonly reason: string | null },
): DataEvent => ({ type: "connection.failing", data: { ...about(provider), status, reason } })

/** Says which connections have failed for hours. Each process may look, and each failure is said once. */
export async function tellLongFailures(context: Pick<Context, "database" | "clock">): Promise<void> {
  const before = new Date(context.clock.now().getTime() - LONG_FAILURE_MS)
  const due = await context.database
    .selectFrom("connection")
    .select(["user_id as userId", "provider"])
    .where("failing_since", "<=", before)
    .where("is_failure_told", "=", false)
    .execute()
  for (const { userId, provider } of due)
    await personTransaction(context.database, userId, async (transaction) => {
      const told = await transaction
        .updateTable("connection")
        .set({ is_failure_told: true })
        .where("user_id", "=", userId)
        .where("provider", "=", provider)
        .where("failing_since", "<=", before)
        .where("is_failure_told", "=", false)
        .returning(["status", "status_reason as reason"])
        .executeTakeFirst()
      if (told) await queueEvents(transaction, context, userId, [failing(provider, told)])
    })
}
