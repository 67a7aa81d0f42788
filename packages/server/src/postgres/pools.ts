import { randomUUID } from "node:crypto"
import { MINUTE_MS } from "@restwell/client/time-units"
import {
  IMPORT_PLACES,
  isBehindPooler,
  isDiskFull,
  JOBS_CONNECTION,
  type Logger,
  migrate,
  OperatorError,
  openDatabase,
  openPool,
  type PoolSettings,
  type WatchedPool,
} from "@restwell/core"
import { Client, type ClientConfig } from "pg"
import type { Role } from "../config/config.ts"
import { throttle } from "../process/wait.ts"

/** There is no database to use at DATABASE_URL. */
class UnreachableDatabase extends OperatorError {
  override readonly name = "UnreachableDatabase"
}

/**
 * What is wrong with DATABASE_URL, by the code of a failed connection.
 * @see https://www.postgresql.org/docs/18/errcodes-appendix.html
 */
const CONNECT_ADVICE: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  "28P01": ["it refuses the password", "correct the user or the password"],
  "28000": ["it refuses the user", "correct the user, or allow it in the server's pg_hba.conf"],
  "3D000": ["it has no database of that name", "create it, or correct the name"],
  "42501": ["the user lacks permission to make tables", "make it the owner of the database"],
  ENOTFOUND: ["its host is not known", "correct the host name"],
  EAI_AGAIN: ["its host cannot be looked up now", "correct the host name, or try again"],
  ECONNREFUSED: ["nothing listens there", "start PostgreSQL, or correct host and port"],
  ENOENT: ["nothing listens there", "start PostgreSQL, or correct the host"],
  EACCES: ["this user may not open its socket", "start as another user, or correct the host"],
  ECONNRESET: ["it is not a PostgreSQL, or ended the connection", "correct host and port"],
  ETIMEDOUT: ["it does not answer", "correct host and port, or let the network through"],
  EHOSTUNREACH: ["there is no way to its host", "correct the host, or the network"],
  ENETUNREACH: ["there is no way to its host", "correct the host, or the network"],
}
/** Messages of pg for a server that speaks another protocol, or says nothing. */
const NO_POSTGRES = /^(?:Connection terminated|received invalid response|The server does not support SSL)/
const NO_ANSWER = /^timeout (?:exceeded|expired)/

/** The failure of a first connection to DATABASE_URL in words for the operator, without its password. Returns other errors as they are. */
export function unreachable(databaseUrl: string | undefined, cause: unknown): unknown {
  const url = URL.parse(databaseUrl ?? "")
  if (url === null || !(cause instanceof Error)) return cause
  const code = "code" in cause ? String(cause.code) : ""
  const known = NO_POSTGRES.test(cause.message) ? "ECONNRESET" : NO_ANSWER.test(cause.message) ? "ETIMEDOUT" : code
  const advice = CONNECT_ADVICE[known]
  if (advice === undefined) return cause
  const where = `${url.searchParams.get("host") ?? url.hostname}${url.port && `:${url.port}`}${url.pathname}`
  const [reason, remedy] = advice
  return new UnreachableDatabase(`cannot use the database of DATABASE_URL (${where}): ${reason}`, remedy, { cause })
}

/** Readers and jobs have connections of their own, so a slow vendor never delays a reader. */
const READER_CONNECTIONS = 10
const JOB_CONNECTIONS = 10
const QUEUE_CONNECTIONS = 1
const STATISTICS_CONNECTIONS = 1
/** A large push is stored, and small ones beside it. */
const PUSH_CONNECTIONS = 4
/** Of each archive that is read: one writes while the other reads the file. */
const IMPORT_CONNECTIONS = 2
/** A reader's statement takes milliseconds, so a longer one means that the database is in trouble. */
const READER_TIMEOUT_MS = 5_000
const CONNECT_TIMEOUT_MS = 2_000
/** The database reports its own timeout. If that does not arrive either, the network is broken. */
const READER_SILENCE_MS = READER_TIMEOUT_MS + 1_000
/** Jobs wait for each other's connections, and keep one during a vendor's call. */
const JOB_CONNECT_TIMEOUT_MS = 30_000
const JOB_SILENCE_MS = MINUTE_MS
/** The database ends a statement before its silence counts as that of the database: then it alone failed. */
const JOB_TIMEOUT_MS = JOB_SILENCE_MS - 5_000
/**
 * PostgreSQL keeps what a connection once needed: 15 MB after the sync of a long history, where a new one has 4. A busy connection never
 * ends for idleness.
 */
export const JOB_LIFETIME_SECONDS = 120

/**
 * A connection plans each prepared statement once: planning the one behind a cold read for each read made it take 1.05 ms instead of
 * 0.69. A plan that was made while the tables were small must still be right when they are large, so rows are found by an index alone:
 * 11,000 reads a second of 200 people are counted so, and 8,000 with scans of tables that were small.
 */
const KEPT_PLANS = ["plan_cache_mode=force_generic_plan", "enable_seqscan=off"]

export const READER_POOL: PoolSettings = {
  max: READER_CONNECTIONS,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  statement_timeout: READER_TIMEOUT_MS,
  options: KEPT_PLANS.map((setting) => `-c ${setting}`).join(" "),
  longestSilenceMs: READER_SILENCE_MS,
}

/** The connection of the thread that computes statistics. The thread ends when it is idle. */
export const statisticsConnection = (connection: PoolSettings): PoolSettings => ({
  application_name: APPLICATION_NAME,
  ...connection,
  ...READER_POOL,
  max: STATISTICS_CONNECTIONS,
  // A thread that still loads on a busy machine may need seconds for it.
  connectionTimeoutMillis: READER_TIMEOUT_MS,
  idleTimeoutMillis: 0,
})

export const JOB_POOL: PoolSettings = {
  max: JOB_CONNECTIONS,
  statement_timeout: JOB_TIMEOUT_MS,
  connectionTimeoutMillis: JOB_CONNECT_TIMEOUT_MS,
  longestSilenceMs: JOB_SILENCE_MS,
  maxLifetimeSeconds: JOB_LIFETIME_SECONDS,
}

/** The queue's statements take milliseconds, so a longer one means that the database or the network is gone without a word. */
const LONGEST_QUEUE_SILENCE_MS = 10_000

/**
 * The connection of the job queue, which stays open. @param ring called with the table that PostgreSQL announces, and without one when something
 * may have been announced that nobody heard. @default nobody listens
 */
export const queuePool = (ring?: (table?: string) => void): PoolSettings => ({
  // By it the doctor finds processes that work.
  application_name: JOBS_CONNECTION,
  max: QUEUE_CONNECTIONS,
  idleTimeoutMillis: 0,
  connectionTimeoutMillis: JOB_CONNECT_TIMEOUT_MS,
  longestSilenceMs: LONGEST_QUEUE_SILENCE_MS,
  ...(ring && {
    async onConnect(client) {
      client.on("notification", ({ payload }) => ring(payload))
      // The next look makes another connection.
      client.once("end", () => ring())
      await client.query("listen restwell")
      // Nobody listened before.
      ring()
    },
  }),
})

/** The connections of a thread that reads an archive. */
export const importConnection = (connection: PoolSettings): PoolSettings => ({
  application_name: APPLICATION_NAME,
  ...connection,
  ...JOB_POOL,
  max: IMPORT_CONNECTIONS,
})

/** The connections of the thread that stores pushes. */
export const pushConnection = (connection: PoolSettings): PoolSettings => ({
  application_name: APPLICATION_NAME,
  ...connection,
  ...JOB_POOL,
  max: PUSH_CONNECTIONS,
})

/** Connections that a process opens at most. Only a process that answers stores pushes, and only one that works reads archives. */
export function mostConnections(role: Role): number {
  const pushes = role === "worker" ? 0 : PUSH_CONNECTIONS
  const imports = role === "api" ? 0 : IMPORT_CONNECTIONS * Object.keys(IMPORT_PLACES).length
  return READER_CONNECTIONS + JOB_CONNECTIONS + QUEUE_CONNECTIONS + STATISTICS_CONNECTIONS + pushes + imports
}

/** Begins the names of all our connections, by which a restore finds a service that runs. */
const APPLICATION_NAME = "restwell"

/** The connection to DATABASE_URL. A name that the operator gave it there comes after ours. */
function connectionTo(databaseUrl: string): PoolSettings {
  const url = new URL(databaseUrl)
  const given = url.searchParams.get("application_name")
  if (given === null) return { connectionString: databaseUrl }
  url.searchParams.set("application_name", `${APPLICATION_NAME} ${given}`)
  return { connectionString: url.href }
}

export type OpenPool = (settings: PoolSettings) => WatchedPool

/** Another error says nothing about the space, as when the role may make no temporary tables. */
const isStillFull = (pool: WatchedPool): Promise<boolean> => pool.query(TRY_TO_GROW).then(() => false, isDiskFull)

/** Opens pools on one database that `started` closes, and logs idle connections that break before. */
export function poolsOn(
  connection: PoolSettings,
  logger: Pick<Logger, "warn">,
  started: AsyncDisposableStack,
): OpenPool {
  // All of them break at once when the database restarts.
  const logBroken = throttle((count, err: Error) => logger.warn({ err, count }, "idle database connections broke"))
  return (settings) => {
    let isEnding = false
    const pool = openPool({ application_name: APPLICATION_NAME, ...connection, ...settings }, (err) => {
      // The server may stop before the last connections of a closing pool.
      if (!isEnding) logBroken(err)
    })
    started.defer(() => {
      isEnding = true
      return pool.endSoon()
    })
    return pool
  }
}

/** A standby refuses it, whether there are rows or not. It writes nothing. */
const TRY_TO_WRITE = "select from restwell.owner where false for update"
/** Needs a new file, so a full disk refuses it. The table goes with the transaction. */
const TRY_TO_GROW = "create temporary table room on commit drop as select repeat('x', 8192) as bytes"

/** True when the database answers and takes changes. After a write that found its disk full, only a write that finds space counts. */
export async function isWritable(pool: WatchedPool): Promise<boolean> {
  try {
    await pool.query(TRY_TO_WRITE)
    if (pool.wasDiskFull) pool.wasDiskFull = await isStillFull(pool)
    return !pool.wasDiskFull
  } catch {
    return false
  }
}

/** Brings the schema up to date. Its connection may be silent for long: a large table, or another process that migrates, takes its time. */
export async function migrateDatabase(connection: PoolSettings): Promise<void> {
  const pool = openPool(
    { application_name: APPLICATION_NAME, ...connection, max: 1, connectionTimeoutMillis: JOB_CONNECT_TIMEOUT_MS },
    () => {},
  )
  try {
    await migrate(openDatabase(pool))
  } catch (error) {
    throw unreachable(connection.connectionString, error)
  } finally {
    await pool.end()
  }
}

const LONGEST_CONNECT_MS = 10_000
/** A busy pooler may give a client the same session a few times in a row. */
const PROBES = 5

/**
 * What is between the service and its database. `transaction`: a pooler that gives each transaction any session. `session`: a pooler
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
    "DATABASE_URL leads to a pooler in transaction mode, and DATABASE_POOLER is none",
    "set DATABASE_POOLER=transaction, or leave it out",
  )
}

/** Finds out what is in front of a database, with two connections and some trivial queries. */
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
