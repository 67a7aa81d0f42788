import { type ConnectionId, type Context, type JobQueue, requestDueSyncs, syncConnection } from "@restwell/core"
import type { PoolConfig } from "pg"
import { PgBoss } from "pg-boss"
import { z } from "zod"

const QUEUE = "sync"
const SCHEMA = "restwell_jobs"

/** A worker that dies is noticed after this long, and its connection can be synced by another. */
const HEARTBEAT_SECONDS = 10
const SUPERVISE_SECONDS = 5
/** The whole first history of a person, at the pace the vendor allows. */
const LONGEST_JOB_SECONDS = 60 * 60
const DUE_INTERVAL_MS = 5_000
const DRAIN_MS = 10_000

const ConnectionIdSchema = z.object({ userId: z.string(), provider: z.string() })

export interface SyncQueue extends JobQueue {
  /** Begins to take jobs: at most so many connections at a time in this process, and one job a connection across all. */
  work(context: Context, concurrency: number): Promise<void>
  /** Hands jobs in flight back at their next step, and waits for them. */
  stop(): Promise<void>
}

/** The jobs of all processes on one database. pg-boss keeps them in a schema of its own. */
export async function startSyncQueue(database: PoolConfig, logger: Context["logger"]): Promise<SyncQueue> {
  const boss = new PgBoss({
    ...bossConnection(database),
    schema: SCHEMA,
    max: 4,
    useListenNotify: true,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    schedule: false,
  })
  boss.on("error", (error) => logger.error({ err: error }, "job queue"))
  await boss.start()
  await boss.createQueue(QUEUE, {
    policy: "exclusive",
    notify: true,
    retryLimit: 0,
    expireInSeconds: LONGEST_JOB_SECONDS,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deleteAfterSeconds: 3600,
  })
  const stopping = new AbortController()
  let due: NodeJS.Timeout | undefined

  const run = async (context: Context, payload: unknown, signal: AbortSignal): Promise<void> => {
    const connection = ConnectionIdSchema.parse(payload)
    try {
      await syncConnection(context, connection, AbortSignal.any([signal, stopping.signal]))
    } catch (error) {
      // pg-boss keeps the failure with the job; the next due sync is the retry.
      logger.error({ ...connection, err: error }, "sync failed")
      throw error
    }
  }
  const askForDue = (context: Context) =>
    requestDueSyncs(context).catch((error: unknown) => logger.error({ err: error }, "due syncs could not be asked for"))

  return {
    async requestSync(connection) {
      await boss.send(QUEUE, connection, { singletonKey: keyOf(connection) })
    },
    async work(context, concurrency) {
      await boss.work(QUEUE, { localConcurrency: concurrency, pollingIntervalSeconds: 2 }, async (jobs) => {
        for (const job of jobs) await run(context, job.data, job.signal)
      })
      due = setInterval(() => void askForDue(context), DUE_INTERVAL_MS)
      await askForDue(context)
    },
    async stop() {
      clearInterval(due)
      stopping.abort()
      await boss.stop({ graceful: true, timeout: DRAIN_MS })
    },
  }
}

const keyOf = ({ userId, provider }: ConnectionId): string => `${userId}/${provider}`

/** pg-boss takes the connection's settings one by one. */
const bossConnection = ({ connectionString, host, port, user, password, database }: PoolConfig) => ({
  application_name: "restwell jobs",
  ...(connectionString !== undefined && { connectionString }),
  ...(host !== undefined && { host }),
  ...(port !== undefined && { port }),
  ...(user !== undefined && { user }),
  ...(typeof password === "string" && { password }),
  ...(database !== undefined && { database }),
})
