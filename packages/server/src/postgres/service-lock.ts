import { setTimeout as wait } from "node:timers/promises"
import { Client, type ClientConfig } from "pg"
import { tryAdvisoryLock } from "./advisory-lock.ts"

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
export class AlreadyRunning extends Error {
  override readonly name = "AlreadyRunning"
}

export interface ServiceLock {
  release(): Promise<void>
}

/**
 * Takes the lock that keeps a second service off this DATA_DIR. It ends with its connection, however the process ends.
 * @param onLost called when the connection breaks, and the lock with it
 * @throws {AlreadyRunning} when another service has it
 */
export async function takeServiceLock(config: ClientConfig, onLost: (error: Error) => void): Promise<ServiceLock> {
  let isLost: (error: Error) => void = () => {}
  const client = await connectTo(config, (error) => isLost(error))
  try {
    const deadline = performance.now() + PATIENCE_MS
    while (!(await tryAdvisoryLock(client, SERVICE_LOCK))) {
      if (performance.now() > deadline) throw new AlreadyRunning(await describeHolder(client))
      await wait(RETRY_MS)
    }
  } catch (error) {
    await client.end()
    throw error
  }
  isLost = onLost
  return {
    async release() {
      isLost = () => {}
      await client.end()
    },
  }
}

/** Describes the service that has the lock. Undefined if none has. */
export async function findRunningService(config: ClientConfig): Promise<AlreadyRunning | undefined> {
  const client = await connectTo(config, () => {})
  try {
    const holder = await holderOf(client)
    return holder === undefined ? undefined : new AlreadyRunning(describe(holder))
  } finally {
    await client.end()
  }
}

/** The process of the service that has the lock. Undefined if none has. */
export async function findServiceProcess(config: ClientConfig): Promise<number | undefined> {
  const client = await connectTo(config, () => {})
  try {
    const holder = await holderOf(client)
    return holder === undefined ? undefined : Number(processOf(holder)) || undefined
  } finally {
    await client.end()
  }
}

const processOf = (holder: string): string => holder.slice(APPLICATION_NAME.length).trim()

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

const describeHolder = async (client: Client): Promise<string> => describe((await holderOf(client)) ?? "")

/** The name of the connection that has the lock. */
async function holderOf(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ application_name: string }>(
    `select a.application_name from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.granted and (l.classid::bigint << 32 | l.objid::bigint) = $1`,
    [SERVICE_LOCK],
  )
  return rows[0]?.application_name
}

function describe(holder: string): string {
  const pid = processOf(holder)
  return `Restwell is already running on this DATA_DIR${pid ? ` (process ${pid})` : ""}: stop it first, or use another DATA_DIR`
}
