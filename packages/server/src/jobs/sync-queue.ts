import type {
  CallbackUrlOf,
  ConnectionId,
  Context,
  ImportThread,
  JobQueue,
  PoolSettings,
  Urgency,
} from "@restwell/core"
import { Client, type ClientConfig } from "pg"
import { PgBoss } from "pg-boss"
import { JOB_LIFETIME_SECONDS } from "../postgres/pools.ts"
import { type Wait, waitUnreferenced } from "../process/wait.ts"
import { startPeriodicJobs } from "./periodic-jobs.ts"
import { createDatabaseBackoff, runSyncJob, type SyncMeter } from "./sync-job.ts"

const QUEUE = "sync"
const SCHEMA = "restwell_jobs"

/** After this long a dead worker is noticed, and another one can sync its connection. */
const HEARTBEAT_SECONDS = 10
const SUPERVISE_SECONDS = 5
/** Longer than any sync of one connection at the vendor's pace. Histories give way to other connections before. */
const LONGEST_JOB_SECONDS = 60 * 60
/** How often an idle worker looks for jobs. Notifications wake it earlier. */
const POLL_SECONDS = { besideNotifications: 2, alone: 1 }
/** The queue's statements take milliseconds, so a longer one means that the database or the network is gone without a word. */
const LONGEST_STATEMENT_MS = 15_000
const DRAIN_MS = 10_000
/** Extra time before the rest of the process stops without the queue. */
const LATE_MS = 3_000

/** pg-boss runs the highest first. */
const PRIORITY: Readonly<Record<Urgency, number>> = { now: 10, later: 5, history: 0 }

export interface WorkOptions {
  /** Connections that are synced at a time, for any reason. */
  readonly concurrency: number
  /** Connections beside them that are synced for anything but their history, so that one long history delays nobody else. */
  readonly urgentConcurrency: number
  readonly meter: SyncMeter
  readonly callbackUrlOf: CallbackUrlOf
  /** Reads the archives that people upload. */
  readonly imports: Pick<ImportThread, "run">
}

export interface SyncQueue extends JobQueue {
  /** Begins to take jobs: one for each connection at a time, across all processes. */
  work(context: Context, options: WorkOptions): Promise<void>
  /** Aborts when the process stops. Jobs end at their next step. */
  readonly stopping: AbortSignal
  /** Hands jobs back at their next step, and waits for them. */
  stop(): Promise<void>
}

/** The sync jobs of all processes on one database. pg-boss keeps them in a schema of its own. */
export async function startSyncQueue(
  database: PoolSettings,
  logger: Context["logger"],
  wait: Wait,
): Promise<SyncQueue> {
  const stopping = new AbortController()
  const signal = stopping.signal
  const boss = await startBoss(database, logger, signal)
  const backoff = createDatabaseBackoff()
  const pollingIntervalSeconds =
    database.sharesSessions === true ? POLL_SECONDS.alone : POLL_SECONDS.besideNotifications
  return {
    stopping: signal,
    async requestSync(connection, urgency = "now") {
      const options = { singletonKey: keyOf(connection), priority: PRIORITY[urgency] }
      // Upsert raises the priority of a job that waits. Send never lowers it.
      if (urgency === "now") await boss.upsert(QUEUE, connection, options)
      else await boss.send(QUEUE, connection, options)
    },
    async isAnyoneWaiting() {
      const sql = `select 1 from ${SCHEMA}.job where name = $1 and state = 'created' limit 1`
      const { rows } = await boss.getDb().executeSql(sql, [QUEUE])
      return rows.length > 0
    },
    async isSyncing(connection) {
      // As in pg-boss's own index of such jobs.
      const sql = `select 1 from ${SCHEMA}.job
        where name = $1 and coalesce(singleton_key, '') = $2 and state <= 'active' and policy = 'exclusive'`
      const { rows } = await boss.getDb().executeSql(sql, [QUEUE, keyOf(connection)])
      return rows.length > 0
    },
    async work(context, { concurrency, urgentConcurrency, meter, callbackUrlOf, imports }) {
      const job = { context, meter, backoff, stopping: signal }
      const startWorker = async (minPriority: number) => {
        const worker = boss.work(QUEUE, { minPriority, pollingIntervalSeconds }, async (jobs) => {
          try {
            const withHistory = minPriority === PRIORITY.history
            for (const { id, data, signal: ended } of jobs) await runSyncJob(job, data, { id, ended, withHistory })
          } finally {
            // Without it a worker pauses for half a minute after each job.
            boss.notifyWorker(await worker)
          }
        })
        await worker
      }
      for (let count = 0; count < concurrency; count += 1) await startWorker(PRIORITY.history)
      for (let count = 0; count < urgentConcurrency; count += 1) await startWorker(PRIORITY.later)
      await startPeriodicJobs({ context, backoff, callbackUrlOf, imports, wait, signal })
    },
    async stop() {
      stopping.abort()
      // pg-boss may wait long for a database that does not answer.
      const late = waitUnreferenced(DRAIN_MS + LATE_MS).then(() =>
        logger.warn({}, "the job queue did not stop in time"),
      )
      await Promise.race([boss.stop({ graceful: true, timeout: DRAIN_MS }), late])
    },
  }
}

async function startBoss(database: PoolSettings, logger: Context["logger"], stopping: AbortSignal): Promise<PgBoss> {
  const boss = new PgBoss({
    ...bossConnection(database),
    schema: SCHEMA,
    // Its statements are short, and PostgreSQL needs 4 to 11 MB for each connection. The embedded one serves few people.
    max: database.connectionString === undefined ? 1 : 2,
    // A pooler that shares sessions cannot deliver notifications.
    useListenNotify: database.sharesSessions !== true,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    schedule: false,
  })
  // A database that stops with the service may end a connection that pg-boss is about to close.
  boss.on("error", (error) => logger[stopping.aborted ? "info" : "error"]({ err: error }, "job queue failed"))
  await boss.start().catch((error: unknown) => {
    // Of processes that make the queue's tables at once, one may fail. It finds the tables at its next try.
    if (!isMadeTwice(error)) throw error
    return boss.start()
  })
  await boss.createQueue(QUEUE, {
    policy: "exclusive",
    notify: true,
    retryLimit: 0,
    expireInSeconds: LONGEST_JOB_SECONDS,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deleteAfterSeconds: 3600,
  })
  return boss
}

/** PostgreSQL's codes for a schema that exists, and for two that were made at once. */
const isMadeTwice = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "23505" || error.code === "42P06")

const keyOf = ({ userId, provider }: ConnectionId): string => `${userId}/${provider}`

/**
 * A connection that breaks between pg-boss's checkout and its own listener would end the process: the database may end a new session with the
 * packet that opens it. The loss fails the next statement.
 */
class BossClient extends Client {
  constructor(config?: ClientConfig) {
    super(config)
    this.on("error", () => {})
  }
}

/** pg-boss takes these settings of a connection, and passes client and limit on to pg. */
const bossConnection = ({ connectionString, host, port, user, password, database }: PoolSettings) => ({
  Client: BossClient,
  application_name: "restwell jobs",
  query_timeout: LONGEST_STATEMENT_MS,
  maxLifetimeSeconds: JOB_LIFETIME_SECONDS,
  ...(connectionString !== undefined && { connectionString }),
  ...(host !== undefined && { host }),
  ...(port !== undefined && { port }),
  ...(user !== undefined && { user }),
  ...(typeof password === "string" && { password }),
  ...(database !== undefined && { database }),
})
