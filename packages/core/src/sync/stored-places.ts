import type { NormalizedRecord } from "@restwell/providers"
import type { ConnectionId, Context } from "../context.ts"
import type { RecordKey } from "../store/delete-records.ts"

type Store = Pick<Context, "database">

/** The cycle that a stored sleep belongs to. */
export async function findCycleOfSleep(
  { database }: Store,
  { userId, provider }: ConnectionId,
  sleepId: string,
): Promise<string | undefined> {
  const row = await database
    .selectFrom("record")
    .select("cycle_provider_id")
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .where("kind", "=", "sleep")
    .where("provider_id", "=", sleepId)
    .executeTakeFirst()
  return row?.cycle_provider_id ?? undefined
}

/** The stored recovery of a sleep. */
export async function findRecoveryOfSleep(
  { database }: Store,
  { userId, provider }: ConnectionId,
  sleepId: string,
): Promise<string | undefined> {
  const row = await database
    .selectFrom("record")
    .select("provider_id")
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .where("kind", "=", "recovery")
    .where("sleep_provider_id", "=", sleepId)
    .executeTakeFirst()
  return row?.provider_id
}

/** When a stored record began; undefined when it is not stored. */
export async function findStart(
  { database }: Store,
  { userId, provider }: ConnectionId,
  { kind, providerId }: RecordKey,
): Promise<Date | undefined> {
  const row = await database
    .selectFrom("record")
    .select("started_at")
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .where("kind", "=", kind)
    .where("provider_id", "=", providerId)
    .executeTakeFirst()
  return row?.started_at ?? undefined
}

/** True when all of these are stored, in whatever version. */
export async function knowsAllOf(
  { database }: Store,
  { userId, provider }: ConnectionId,
  records: readonly NormalizedRecord[],
): Promise<boolean> {
  if (records.length === 0) return true
  const rows = await database
    .selectFrom("record")
    .select(["kind", "provider_id"])
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .where(
      "provider_id",
      "in",
      records.map(({ providerId }) => providerId),
    )
    .execute()
  const known = new Set(rows.map((row) => `${row.kind}/${row.provider_id}`))
  return records.every(({ kind, providerId }) => known.has(`${kind}/${providerId}`))
}
