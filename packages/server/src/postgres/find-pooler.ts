import { randomUUID } from "node:crypto"
import { isBehindPooler, type PoolSettings } from "@restwell/core"
import { Client, type ClientConfig } from "pg"
import { connectionTo } from "./open-pools.ts"
import { UnreachableDatabase, unreachable } from "./unreachable.ts"

const LONGEST_CONNECT_MS = 10_000
/** A busy pooler may give a client the same session a few times in a row. */
const PROBES = 5

/**
 * What stands between the service and its database. `transaction`: a pooler that gives each transaction any session. `session`: a pooler
 * that was not seen to do so.
 */
export type Pooler = "none" | "session" | "transaction"

/** `auto` finds a pooler by itself, `none` refuses one in transaction mode. */
export type PoolerSetting = "auto" | "transaction" | "none"

/** The connection of DATABASE_URL, with the restrictions of a pooler before it. @throws {UnreachableDatabase} */
export async function reachDatabase(
  databaseUrl: string,
  setting: PoolerSetting,
): Promise<PoolSettings & { readonly sharesSessions: boolean }> {
  const connection = connectionTo(databaseUrl)
  if (setting === "transaction") return { ...connection, sharesSessions: true }
  try {
    if (setting === "auto") return { ...connection, sharesSessions: await withClient(connection, isBehindPooler) }
    const isShared = (await findPooler(connection)) === "transaction"
    if (!isShared) return { ...connection, sharesSessions: false }
  } catch (error) {
    throw unreachable(databaseUrl, error)
  }
  throw new UnreachableDatabase(
    "DATABASE_URL leads to a pooler in transaction mode, and DATABASE_POOLER is none: set DATABASE_POOLER=transaction, or leave it out",
  )
}

/** Finds out what stands before a database, with two connections and some trivial queries. */
export const findPooler = (connection: ClientConfig): Promise<Pooler> =>
  withClient(connection, async (first) => {
    if (!(await isBehindPooler(first))) return "none"
    return withClient(connection, async (second) => ((await areShared(first, second)) ? "transaction" : "session"))
  })

/** True if one client's session is given to the other, or is not given back. */
async function areShared(first: Client, second: Client): Promise<boolean> {
  const marker = randomUUID()
  await first.query("select set_config('restwell.probe', $1, false)", [marker])
  for (let probe = 0; probe < PROBES; probe += 1)
    if ((await readMarker(second)) === marker || (await readMarker(first)) !== marker) return true
  return false
}

async function readMarker(client: Client): Promise<string | null | undefined> {
  const { rows } = await client.query<{ marker: string | null }>(
    "select current_setting('restwell.probe', true) as marker",
  )
  return rows[0]?.marker
}

async function withClient<Result>(connection: ClientConfig, use: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ ...connection, connectionTimeoutMillis: LONGEST_CONNECT_MS })
  // A connection that breaks fails its query, and then emits an error.
  client.on("error", () => {})
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end()
  }
}
