import { setTimeout as timer } from "node:timers/promises"
import {
  type ConnectionId,
  type Context,
  databaseTrouble,
  healSchedules,
  type JobQueue,
  requestDueSyncs,
  retryRejected,
  sweepSeenEvents,
  syncConnection,
  type Urgency,
} from "@restwell/core"
import type { PoolConfig } from "pg"
import { PgBoss } from "pg-boss"
import { z } from "zod"
import type { Wait } from "../time/wait.ts"
import { createDatabaseRest } from "./database-backoff.ts"
import type { SyncMeter } from "./sync-meter.ts"

const QUEUE = "sync"
const SCHEMA = "restwell_jobs"

/** A worker that dies is noticed after this long, and its connection can be synced by another. */
const HEARTBEAT_SECONDS = 10
const SUPERVISE_SECONDS = 5
/** A connection at the pace the vendor allows. Longer than any run: the history makes room for others. */
const LONGEST_JOB_SECONDS = 60 * 60
const DUE_INTERVAL_MS = 2_000
const SWEEP_MS = 3_600_000
const RETRY_REJECTED_MS = 15 * 60_000
/** A clock that is set back by less delays nothing by more. */
const CLOCK_GOES_BACK_MS = 60_000
const DRAIN_MS = 10_000
/** Beyond it, before the rest of the process is stopped without it. */
const LATE_MS = 3_000

/** pg-boss takes the highest first. */
const PRIORITY: Readonly<Record<Urgency, number>> = { now: 10, later: 5, history: 0 }

const ConnectionIdSchema = z.object({ userId: z.string(), provider: z.string() })

export interface WorkOptions {
  /** Connections that are synced at a time for whatever reason. */
  readonly concurrency: number
  /** Beside them, those that are synced for anything but their history: years of one person never keep another waiting. */
  readonly urgentConcurrency: number
  readonly meter: SyncMeter
}

export interface SyncQueue extends JobQueue {
  /** Begins to take jobs, one a connection at a time across all processes. */
  work(context: Context, options: WorkOptions): Promise<void>
  /** Aborts when the end is near: jobs end at their next step. */
  readonly stopping: AbortSignal
  /** Hands jobs in flight back at their next step, and waits for them. */
  stop(): Promise<void>
}

interface RunOptions {
  readonly signal: AbortSignal
  readonly withHistory: boolean
  readonly meter: SyncMeter
}

/** The jobs of all processes on one database. pg-boss keeps them in a schema of its own. */
export async function startSyncQueue(database: PoolConfig, logger: Context["logger"], wait: Wait): Promise<SyncQueue> {
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
  const rest = createDatabaseRest()

  const run = async (context: Context, payload: unknown, options: RunOptions): Promise<void> => {
    const connection = ConnectionIdSchema.parse(payload)
    // What is due stays due.
    if (rest.isResting) return
    logger.debug(connection, "sync began")
    const { signal, withHistory, meter } = options
    const startedAt = performance.now()
    const seconds = () => (performance.now() - startedAt) / 1000
    try {
      await syncConnection(context, connection, { signal: AbortSignal.any([signal, stopping.signal]), withHistory })
      meter("done", seconds())
      rest.worked()
    } catch (error) {
      // A wait for the budget that the end broke off: the connection is due, and goes on in another process.
      if (stopping.signal.aborted) return logger.info(connection, "sync handed back")
      meter("failed", seconds())
      if (databaseTrouble(error) !== undefined) rest.failed()
      // pg-boss keeps the failure with the job; the next due sync is the retry.
      logger.error({ ...connection, err: error }, "sync failed")
      throw error
    } finally {
      logger.debug(connection, "sync ended")
    }
  }
  const regularly = async (what: () => Promise<unknown>, everyMs: number, failure: string) => {
    const attempt = () => what().catch((error: unknown) => logger.error({ err: error }, failure))
    const goOn = async () => {
      for (;;) {
        await wait(everyMs, stopping.signal)
        await attempt()
      }
    }
    await attempt()
    goOn().catch((error: unknown) => {
      if (!stopping.signal.aborted) logger.error({ err: error }, failure)
    })
  }

  let seenAt = 0
  const requestDue = async (context: Context) => {
    if (rest.isResting) return
    const now = context.clock.now().getTime()
    const hasGoneBack = now < seenAt - CLOCK_GOES_BACK_MS
    seenAt = now
    if (hasGoneBack) await healSchedules(context)
    await requestDueSyncs(context)
  }

  return {
    stopping: stopping.signal,
    async requestSync(connection, urgency = "now") {
      const options = { singletonKey: keyOf(connection), priority: PRIORITY[urgency] }
      // A job that waits already is moved up, and never back.
      if (urgency === "now") await boss.upsert(QUEUE, connection, options)
      else await boss.send(QUEUE, connection, options)
    },
    async isAnyoneWaiting() {
      const { rows } = await boss
        .getDb()
        .executeSql(`select 1 from ${SCHEMA}.job where name = $1 and state = 'created' limit 1`, [QUEUE])
      return rows.length > 0
    },
    async work(context, { concurrency, urgentConcurrency, meter }) {
      const take = async (minPriority: number) => {
        const worker = boss.work(QUEUE, { minPriority, pollingIntervalSeconds: 2 }, async (jobs) => {
          try {
            for (const job of jobs)
              await run(context, job.data, { signal: job.signal, withHistory: minPriority === PRIORITY.history, meter })
          } finally {
            // Left alone, a worker that has done one job rests for half a minute, whatever waits.
            boss.notifyWorker(await worker)
          }
        })
        await worker
      }
      for (let count = 0; count < concurrency; count += 1) await take(PRIORITY.history)
      for (let count = 0; count < urgentConcurrency; count += 1) await take(PRIORITY.later)
      await healSchedules(context)
      await regularly(() => sweepSeenEvents(context), SWEEP_MS, "seen events could not be swept away")
      await regularly(() => retryRejected(context), RETRY_REJECTED_MS, "rejected records could not be asked for again")
      await regularly(() => requestDue(context), DUE_INTERVAL_MS, "due syncs could not be asked for")
    },
    async stop() {
      stopping.abort()
      // A database that has gone quiet may hold pg-boss up for longer than anybody waits for the end.
      const late = timer(DRAIN_MS + LATE_MS, undefined, { ref: false }).then(() =>
        logger.warn({}, "the job queue did not stop in time"),
      )
      await Promise.race([boss.stop({ graceful: true, timeout: DRAIN_MS }), late])
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
