import { setTimeout as wait } from "node:timers/promises"
import { OperatorError } from "@restwell/core"
import { Client, type ClientBase, type ClientConfig, type Pool } from "pg"

/** Takes a lock that ends with the connection, however its process ends. False if another connection has it. */
async function tryAdvisoryLock(client: ClientBase, key: number): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [key])
  return rows[0]?.taken === true
}

/** Runs while no other process does, or returns false. The lock ends with its transaction, so a pooler may stand before the database. */
export async function withAdvisoryLock(pool: Pool, key: number, run: () => Promise<void>): Promise<boolean> {
  const client = await pool.connect()
  try {
    await client.query("begin")
    const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_xact_lock($1) as taken", [key])
    const isTaken = rows[0]?.taken === true
    if (isTaken) await run()
    return isTaken
  } finally {
    client.release(true)
  }
}

/** A random number: its holder is the only service on this database. */
const SERVICE_LOCK = 4_816_209_377
/** PostgreSQL releases the lock of a killed process within this time. */
const PATIENCE_MS = 2_000
const RETRY_MS = 50
const LONGEST_CONNECT_MS = 10_000
const APPLICATION_NAME = "restwell service"
/** The name of the connection by which this process has the lock. */
export const LOCK_CONNECTION = `${APPLICATION_NAME} ${process.pid}`

/** Another service runs on the same DATA_DIR. */
export class AlreadyRunning extends OperatorError {
  override readonly name = "AlreadyRunning"
}

export interface ServiceLock {
  /** Resolves once, with the reason, when the connection breaks, and the lock with it. */
  readonly lost: Promise<Error>
  release(): Promise<void>
}

/**
 * Takes the lock that keeps a second service off this DATA_DIR. It ends with its connection, however the process ends.
 * @throws {AlreadyRunning} when another service has it
 */
export async function takeServiceLock(config: ClientConfig): Promise<ServiceLock> {
  // A connection that breaks reports it up to three times, and may break as soon as it has the lock.
  const { promise: lost, resolve: reportLoss } = Promise.withResolvers<Error>()
  const client = await connectTo(config, reportLoss)
  try {
    const deadline = performance.now() + PATIENCE_MS
    while (!(await tryAdvisoryLock(client, SERVICE_LOCK))) {
      if (performance.now() > deadline) throw runningAs((await holderOf(client)) ?? "")
      await wait(RETRY_MS)
    }
  } catch (error) {
    await client.end()
    throw error
  }
  return { lost, release: () => client.end() }
}

/** Describes the service that has the lock. Undefined if none has. */
export async function findRunningService(config: ClientConfig): Promise<AlreadyRunning | undefined> {
  const client = await connectTo(config, () => {})
  try {
    const holder = await holderOf(client)
    return holder === undefined ? undefined : runningAs(holder)
  } finally {
    await client.end()
  }
}

async function connectTo(config: ClientConfig, onError: (error: Error) => void): Promise<Client> {
  const client = new Client({
    ...config,
    application_name: LOCK_CONNECTION,
    connectionTimeoutMillis: LONGEST_CONNECT_MS,
  })
  client.on("error", onError)
  await client.connect()
  return client
}

/** The name of the connection that has the lock. */
async function holderOf(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ application_name: string }>(
    `select a.application_name from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.granted and (l.classid::bigint << 32 | l.objid::bigint) = $1`,
    [SERVICE_LOCK],
  )
  return rows[0]?.application_name
}

function runningAs(holder: string): AlreadyRunning {
  const pid = holder.slice(APPLICATION_NAME.length).trim()
  return new AlreadyRunning(
    `Restwell is already running on this DATA_DIR${pid ? ` (process ${pid})` : ""}`,
    "stop it first, or use another DATA_DIR",
  )
}
