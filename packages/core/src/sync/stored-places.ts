import type { NormalizedRecord, RecordKind } from "@restwell/providers"
import type { ConnectionId, Context } from "../context/context.ts"
import { type RecordKey, textOf } from "../store/delete-records.ts"

type Store = Pick<Context, "database">

const storedOf = ({ database }: Store, { userId, provider }: ConnectionId) =>
  database.selectFrom("record").where("user_id", "=", userId).where("provider", "=", provider)

const storedOfKind = (store: Store, connection: ConnectionId, kind: RecordKind) =>
  storedOf(store, connection).where("kind", "=", kind)

/** The cycle that a stored sleep belongs to. */
export async function findCycleOfSleep(
  store: Store,
  connection: ConnectionId,
  sleepId: string,
): Promise<string | undefined> {
  const query = storedOfKind(store, connection, "sleep").where("provider_id", "=", sleepId)
  return (await query.select("cycle_provider_id").executeTakeFirst())?.cycle_provider_id ?? undefined
}

/** The stored recovery of a sleep. */
export async function findRecoveryOfSleep(
  store: Store,
  connection: ConnectionId,
  sleepId: string,
): Promise<string | undefined> {
  const query = storedOfKind(store, connection, "recovery").where("sleep_provider_id", "=", sleepId)
  return (await query.select("provider_id").executeTakeFirst())?.provider_id
}

/** When a stored record began; undefined when it is not stored. */
export async function findStart(
  store: Store,
  connection: ConnectionId,
  { kind, providerId }: RecordKey,
): Promise<Date | undefined> {
  const query = storedOfKind(store, connection, kind).where("provider_id", "=", providerId)
  return (await query.select("started_at").executeTakeFirst())?.started_at ?? undefined
}

/** True when all of these are stored, in whatever version. */
export async function knowsAllOf(
  store: Store,
  connection: ConnectionId,
  records: readonly NormalizedRecord[],
): Promise<boolean> {
  if (records.length === 0) return true
  const ids = records.map(({ providerId }) => providerId)
  const query = storedOf(store, connection).where("provider_id", "in", ids)
  const rows = await query.select(["kind", "provider_id"]).execute()
  const known = new Set(rows.map((row) => textOf({ kind: row.kind, providerId: row.provider_id })))
  return records.every((record) => known.has(textOf(record)))
}
