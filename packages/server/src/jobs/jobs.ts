import {
  Bell,
  type ClaimedJob,
  type Context,
  createJobQueue,
  IMPORT_PLACES,
  type ImportThreads,
  type JobKind,
  type JobPlace,
  type JobQueue,
  JobRunner,
  LOOK_EVERY_MS,
  openDatabase,
  SYNC_PLACES,
} from "@restwell/core"
import { type OpenPool, queuePool } from "../postgres/pools.ts"
import { type RepeatOptions, throttle, type Wait, waitInRealTime, waitUnreferenced } from "../process/wait.ts"
import type { OptionalWork } from "./optional-work.ts"
import { dueSyncRequester, startPeriodicJobs } from "./periodic-jobs.ts"
import { createDatabaseBackoff, runSyncJob, type SyncMeter } from "./sync-job.ts"

/** Settings change seldom, and a process that hears nothing looks for them this seldom. */
const LOOK_FOR_SETTINGS_MS = 2_000
const DRAIN_MS = 13_000

/** Work that needs settings which may be missing. */
const OPTIONAL_KINDS = [
  "mail",
  "backup",
  "subscription",
  "delivery",
  "notify",
  "home_assistant",
  "home_assistant_history",
] as const satisfies readonly JobKind[]
type OptionalKind = (typeof OPTIONAL_KINDS)[number]

export interface WorkOptions {
  /** Connections that are synced at a time, for any reason. */
  readonly concurrency: number
  /** Connections beside them that are synced for anything but their history, so that one long history delays nobody else. */
  readonly urgentConcurrency: number
  readonly meter: SyncMeter
  /** Reads the archives that people upload. */
  readonly imports: Pick<ImportThreads, "run">
  readonly optional: Readonly<Partial<Record<OptionalKind, OptionalWork>>>
}

export interface Jobs extends JobQueue {
  /** When to look for changed settings. */
  readonly settingsLooks: Pick<RepeatOptions, "everyMs" | "wait">
  /** There may be something to do for this process. */
  ring(): void
  /** Begins to take jobs: one for each connection at a time, across all processes. */
  work(context: Context, options: WorkOptions): Promise<void>
  /** Aborts when the process stops. Jobs end at their next step. */
  readonly stopping: AbortSignal
  /** Takes no more jobs. Those of this process are handed back at their next step. */
  leave(): void
  /** Leaves, and waits for the jobs of this process. */
  stop(): Promise<void>
}

interface JobsOptions extends Pick<Context, "clock" | "logger"> {
  readonly openPool: OpenPool
  readonly wait: Wait
  /** True if this process hears what PostgreSQL announces: it works, and no pooler gives each transaction another session. */
  readonly isListening: boolean
}

/** The jobs of all processes on one database. */
export function createJobs({ openPool, clock, logger, wait, isListening }: JobsOptions): Jobs {
  const settings = new Bell()
  const hear = (table?: string) => {
    runner.ring()
    if (table === undefined || table === "service_setting") settings.ring()
  }
  const pool = openPool(queuePool(isListening ? hear : undefined))
  const context = { database: openDatabase(pool), clock, wait: waitUnreferenced }
  // A database that is away fails every look.
  const onFailure = throttle((failures, err: unknown) => logger.error({ err, failures }, "job queue failed"))
  const lookEveryMs = isListening ? LOOK_EVERY_MS.listening : LOOK_EVERY_MS.deaf
  const runner = new JobRunner({ context, onFailure, wait, lookEveryMs })
  return {
    ...createJobQueue(context),
    settingsLooks: {
      everyMs: Math.max(lookEveryMs, LOOK_FOR_SETTINGS_MS),
      wait: async (milliseconds, signal) => void (await settings.wait(milliseconds, waitInRealTime, signal)),
    },
    ring: () => runner.ring(),
    stopping: runner.stopping,
    leave: () => runner.leave(),
    async work(context, { concurrency, urgentConcurrency, meter, imports, optional }) {
      const always: readonly JobPlace[] = [
        { ...IMPORT_PLACES.small },
        { ...IMPORT_PLACES.any },
        ...Array.from({ length: concurrency }, () => ({ ...SYNC_PLACES.any })),
        ...Array.from({ length: urgentConcurrency }, () => ({ ...SYNC_PLACES.urgent })),
      ]
      const sometimes = OPTIONAL_KINDS.flatMap((kind) => optional[kind] ?? [])
      const runOptional = (kind: OptionalKind) => (job: ClaimedJob) => async (signal: AbortSignal) =>
        optional[kind]?.run(context, job, signal)
      const backoff = createDatabaseBackoff()
      const addDueSyncs = dueSyncRequester(context, backoff)
      await startPeriodicJobs({ context, wait, signal: runner.stopping })
      runner.start({
        async addDue() {
          for (const work of sometimes) await work.addDue?.(context)
          return addDueSyncs()
        },
        places: () => [...always, ...sometimes.flatMap((work) => work.places(context))],
        run: {
          import: (job) => (signal) => imports.run(context, job, signal),
          mail: runOptional("mail"),
          backup: runOptional("backup"),
          subscription: runOptional("subscription"),
          delivery: runOptional("delivery"),
          notify: runOptional("notify"),
          home_assistant: runOptional("home_assistant"),
          home_assistant_history: runOptional("home_assistant_history"),
          sync: (claimed, place) => async (signal) => {
            const withHistory = place.minPriority <= SYNC_PLACES.any.minPriority
            await runSyncJob({ context, meter, backoff }, claimed, { signal, withHistory })
            return undefined
          },
        },
      })
    },
    async stop() {
      // A database that does not answer may delay it.
      const late = waitUnreferenced(DRAIN_MS).then(() => logger.warn({}, "the jobs did not stop in time"))
      await Promise.race([runner.stop(), late])
    },
  }
}
