import { type Logger, migrate, openDatabase, openPool, type PoolSettings } from "@restwell/core"
import type { Pool } from "pg"
import { throttle } from "../log/throttle.ts"
import { unreachable } from "./unreachable.ts"

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

export const JOB_POOL: PoolSettings = {
  max: JOB_CONNECTIONS,
  connectionTimeoutMillis: JOB_CONNECT_TIMEOUT_MS,
  longestSilenceMs: JOB_SILENCE_MS,
}

/** Begins the names of all our connections, by which a restore finds a service that runs. */
const APPLICATION_NAME = "restwell"

/** The connection to DATABASE_URL. A name that the operator gave it there comes after ours. */
export function connectionTo(databaseUrl: string): PoolSettings {
  const url = new URL(databaseUrl)
  const given = url.searchParams.get("application_name")
  if (given === null) return { connectionString: databaseUrl }
  url.searchParams.set("application_name", `${APPLICATION_NAME} ${given}`)
  return { connectionString: url.href }
}

export type OpenPool = (settings: PoolSettings) => Pool

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

/** True when the database answers a query. */
export const isAnswering = (pool: Pool): Promise<boolean> =>
  pool.query("select 1").then(
    () => true,
    () => false,
  )

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
