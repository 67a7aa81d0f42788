import type { NormalizedRecord, RecordKind } from "@restwell/providers"
import { sql } from "kysely"
import type { ConnectionId, Context } from "../context/context.ts"
import { type RecordKey, textOf } from "../store/delete-records.ts"

type Store = Pick<Context, "database">

const storedOf = ({ database }: Store, { userId, provider }: ConnectionId) =>
  database
    .selectFrom("record")
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .where("from_archive", "=", false)

const storedOfKind = (store: Store, connection: ConnectionId, kind: RecordKind) =>
  storedOf(store, connection).where("kind", "=", kind)

/** Returns the id of the cycle that a stored sleep belongs to. */
export async function findCycleOfSleep(
  store: Store,
  connection: ConnectionId,
  sleepId: string,
): Promise<string | undefined> {
  const query = storedOfKind(store, connection, "sleep").where("provider_id", "=", sleepId)
  return (await query.select("cycle_provider_id").executeTakeFirst())?.cycle_provider_id ?? undefined
}

/** Returns the id of the stored recovery of a sleep. */
export async function findRecoveryOfSleep(
  store: Store,
  connection: ConnectionId,
  sleepId: string,
): Promise<string | undefined> {
  const query = storedOfKind(store, connection, "recovery").where("sleep_provider_id", "=", sleepId)
  return (await query.select("provider_id").executeTakeFirst())?.provider_id
}

/** Returns the start of a stored record, or undefined. */
export async function findStart(
  store: Store,
  connection: ConnectionId,
  { kind, providerId }: RecordKey,
): Promise<Date | undefined> {
  const query = storedOfKind(store, connection, kind).where("provider_id", "=", providerId)
  return (await query.select("started_at").executeTakeFirst())?.started_at ?? undefined
}

/** Returns the id of the stored record that has a part with this id. */
export async function findByPart(
  store: Store,
  connection: ConnectionId,
  { kind, providerId }: RecordKey,
): Promise<string | undefined> {
  const query = storedOfKind(store, connection, kind).where(
    sql<boolean>`detail -> 'partIds' @> to_jsonb(${providerId}::text)`,
  )
  return (await query.select("provider_id").executeTakeFirst())?.provider_id
}

/** Returns whether all of these are stored, in any version. */
export async function areAllStored(
  store: Store,
  connection: ConnectionId,
  records: readonly NormalizedRecord[],
): Promise<boolean> {
  if (records.length === 0) return true
  const ids = records.map(({ providerId }) => providerId)
  const query = storedOf(store, connection).where("provider_id", "in", ids)
  const rows = await query.select(["kind", "provider_id as providerId"]).execute()
  const stored = new Set(rows.map(textOf))
  return records.every((record) => stored.has(textOf(record)))
}
