import { type Logger, migrate, openDatabase, openPool, type PoolSettings } from "@restwell/core"
import type { Pool, PoolConfig } from "pg"
import { throttle } from "../log/throttle.ts"

/** Readers and jobs have connections of their own, so a slow vendor never delays a reader. */
const READER_CONNECTIONS = 10
const JOB_CONNECTIONS = 10
/** A reader's statement takes milliseconds, so a longer one means that the database is in trouble. */
const READER_TIMEOUT_MS = 5_000
const CONNECT_TIMEOUT_MS = 2_000
/** The database reports its own timeout. If that does not arrive either, the network is broken. */
const READER_SILENCE_MS = READER_TIMEOUT_MS + 1_000
/** Jobs wait for each other's connections, and keep one during a vendor's call. */
const JOB_CONNECT_TIMEOUT_MS = 30_000
const JOB_SILENCE_MS = 60_000

export const READER_POOL: PoolSettings = {
  max: READER_CONNECTIONS,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  statement_timeout: READER_TIMEOUT_MS,
  // The readers' statements are prepared. Planning them anew for each read made the one behind a cold read take 1.05 ms instead of 0.69.
  options: "-c plan_cache_mode=force_generic_plan",
  longestSilenceMs: READER_SILENCE_MS,
}

export const JOB_POOL: PoolSettings = {
  max: JOB_CONNECTIONS,
  connectionTimeoutMillis: JOB_CONNECT_TIMEOUT_MS,
  longestSilenceMs: JOB_SILENCE_MS,
}

/** Begins the names of all our connections, by which a restore finds a service that runs. */
const APPLICATION_NAME = "restwell"

/** The connection to DATABASE_URL. A name that the operator gave it there comes after ours. */
export function connectionTo(databaseUrl: string): PoolConfig {
  const url = new URL(databaseUrl)
  const given = url.searchParams.get("application_name")
  if (given === null) return { connectionString: databaseUrl }
  url.searchParams.set("application_name", `${APPLICATION_NAME} ${given}`)
  return { connectionString: url.href }
}

export type OpenPool = (settings: PoolSettings) => Pool

/** Opens pools on one database that `started` closes, and logs idle connections that break before. */
export function poolsOn(connection: PoolConfig, logger: Pick<Logger, "warn">, started: AsyncDisposableStack): OpenPool {
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

/** True when the database answers a query. */
export const isAnswering = (pool: Pool): Promise<boolean> =>
  pool.query("select 1").then(
    () => true,
    () => false,
  )

/** There is no database to use at DATABASE_URL. */
export class UnreachableDatabase extends Error {
  override readonly name = "UnreachableDatabase"
}

/**
 * What is wrong with DATABASE_URL, by the code of a failed connection.
 * @see https://www.postgresql.org/docs/18/errcodes-appendix.html
 */
const CONNECT_ADVICE: Readonly<Record<string, string>> = {
  "28P01": "it refuses the password: correct the user or the password",
  "28000": "it refuses the user: correct the user, or allow it in the server's pg_hba.conf",
  "3D000": "it has no database of that name: create it, or correct the name",
  "42501": "the user lacks permission to make tables: make it the owner of the database",
  ENOTFOUND: "its host is not known: correct the host name",
  EAI_AGAIN: "its host cannot be looked up now: correct the host name, or try again",
  ECONNREFUSED: "nothing listens there: start PostgreSQL, or correct host and port",
  ENOENT: "nothing listens there: start PostgreSQL, or correct the host",
  EACCES: "this user may not open its socket: start as another user, or correct the host",
  ECONNRESET: "it is not a PostgreSQL, or ended the connection: correct host and port",
  ETIMEDOUT: "it does not answer: correct host and port, or let the network through",
  EHOSTUNREACH: "there is no way to its host: correct the host, or the network",
  ENETUNREACH: "there is no way to its host: correct the host, or the network",
}
/** Messages of pg for a server that speaks another protocol, or says nothing. */
const NO_POSTGRES = /^(?:Connection terminated|received invalid response|The server does not support SSL)/
const NO_ANSWER = /^timeout exceeded/

/** The failure of a first connection to DATABASE_URL in words for the operator, without its password. Returns other errors as they are. */
export function unreachable(databaseUrl: string | undefined, cause: unknown): unknown {
  const url = URL.parse(databaseUrl ?? "")
  if (url === null || !(cause instanceof Error)) return cause
  const code = "code" in cause ? String(cause.code) : ""
  const known = NO_POSTGRES.test(cause.message) ? "ECONNRESET" : NO_ANSWER.test(cause.message) ? "ETIMEDOUT" : code
  const advice = CONNECT_ADVICE[known]
  if (advice === undefined) return cause
  const where = `${url.searchParams.get("host") ?? url.hostname}${url.port && `:${url.port}`}${url.pathname}`
  return new UnreachableDatabase(`cannot use the database of DATABASE_URL (${where}): ${advice}`, { cause })
}

/** Brings the schema up to date. Its connection may be silent for long: a large table, or another process that migrates, takes its time. */
export async function migrateDatabase(connection: PoolConfig): Promise<void> {
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
