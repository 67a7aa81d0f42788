/** The job of the scheduled backups, and the log of all backups. Times of the log are the database's, which all processes share. */

import { createHash } from "node:crypto"
import { access, glob, rm, stat } from "node:fs/promises"
import { hostname } from "node:os"
import { basename, join, resolve } from "node:path"
import { HOUR_MS, SECOND_MS } from "@restwell/client/time-units"
import { sql } from "kysely"
import type { Pool } from "pg"
import type { Secrets } from "../base/encryption.ts"
import type { Context } from "../context/context.ts"
import { addJob, type ClaimedJob, type DueTime, endJob, isJobRunning, scheduleJob } from "../jobs/job-queue.ts"
import type { BackupOrigin } from "../store/connection-tables.ts"
import { databaseTrouble } from "../store/database-trouble.ts"
import { backupFolderFault } from "./backup-folder.ts"
import { fileTrouble, makeFolders, UNFINISHED, writeWholeFile } from "./whole-file.ts"
import { type WriteOptions, type WrittenRows, writeBackup } from "./write-backup.ts"

type LogContext = Pick<Context, "database">

/** How soon a scheduled backup is tried again after a failure. */
const RETRY_MINUTES = 15
/** Entries that are kept. */
const KEPT = 200

/** A backup in the log. */
export interface BackupEntry {
  readonly origin: BackupOrigin
  readonly file: string
  /** The machine that wrote the file. */
  readonly host: string
  readonly hasSecret: boolean
  readonly startedAt: Date
  readonly endedAt: Date
  /** Size of the file. Null for one that was not completed. */
  readonly bytes: number | null
  /** Why it failed, one sentence. Null for one that did not. */
  readonly error: string | null
}

export interface Backups {
  /** The newest complete one. */
  readonly last: BackupEntry | null
  /** The newest one that failed, if no later one of the same origin is complete. */
  readonly failure: BackupEntry | null
  /** True while a scheduled one is written, or is about to be. */
  readonly isRunning: boolean
}

/** Returns the newest backups, for the operator. A clock that was wrong may have left entries of the future, which say nothing. */
export async function readBackups(context: LogContext): Promise<Backups> {
  const [{ rows }, isRunning] = await Promise.all([
    sql<BackupEntry & { status: string }>`
      select distinct on (b.status) b.status, b.origin, b.file, b.host, b.has_secret as "hasSecret",
        b.started_at as "startedAt", b.ended_at as "endedAt", b.bytes::double precision as bytes, b.error
      from restwell.backup b
      where b.started_at <= now() and (b.status <> 'failed' or not exists (
        select from restwell.backup d where d.status = 'done' and d.origin = b.origin
          and d.started_at > b.started_at and d.started_at <= now()))
      order by b.status, b.started_at desc`.execute(context.database),
    isJobRunning(context, BACKUP_JOB),
  ])
  const find = (status: string): BackupEntry | null => {
    const found = rows.find((row) => row.status === status)
    if (!found) return null
    const { status: _, ...entry } = found
    return entry
  }
  return { last: find("done"), failure: find("failed"), isRunning }
}

const BACKUP_JOB = { kind: "backup", key: "schedule" } as const

/** Asks for a backup now, or for one more if one is being written. */
export const requestBackup = (context: LogContext): Promise<void> =>
  addJob(context, { ...BACKUP_JOB, userId: null, priority: 0, due: "at_once" })

/** Makes backups due as a schedule says. Call it when work begins, after a changed schedule, and after the clock went back. */
export const scheduleBackups = (
  { database, clock }: Pick<Context, "database" | "clock">,
  schedule: BackupSchedule,
): Promise<void> =>
  scheduleJob({ database }, BACKUP_JOB, (transaction) => nextBackup({ database: transaction, clock }, schedule))

/** When the next backup is due: some hours after the last one began, and some minutes after a failure. */
async function nextBackup(
  { database, clock }: Pick<Context, "database" | "clock">,
  { everyHours }: BackupSchedule,
): Promise<DueTime> {
  // A clock that was wrong may have left entries of the future. They delay nothing.
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from max(case status when 'done' then started_at + make_interval(hours => ${everyHours})
      else ended_at + make_interval(mins => ${RETRY_MINUTES}) end) - now())::double precision as seconds
    from restwell.backup where origin = 'schedule' and started_at <= now()`.execute(database)
  const seconds = rows[0]?.seconds ?? 0
  return seconds > 0 ? new Date(clock.now().getTime() + seconds * 1_000) : "at_once"
}

interface EndedBackup {
  readonly origin: BackupOrigin
  readonly file: string
  readonly hasSecret: boolean
  /** When it began, of `performance.now()`. */
  readonly startedMs: number
  readonly end: { readonly bytes: number } | { readonly error: string }
}

/** Logs a backup that has ended, and forgets the oldest entries. */
async function logBackup(
  { database }: LogContext,
  { origin, file, hasSecret, startedMs, end }: EndedBackup,
): Promise<void> {
  const [status, bytes, error] =
    "bytes" in end ? (["done", end.bytes, null] as const) : (["failed", null, end.error] as const)
  const seconds = (performance.now() - startedMs) / 1_000
  await sql`
    insert into restwell.backup (origin, file, host, has_secret, status, started_at, ended_at, bytes, error)
    values (${origin}, ${file}, ${hostname()}, ${hasSecret}, ${status}, now() - make_interval(secs => ${seconds}), now(),
      ${bytes}, ${error})`.execute(database)
  await sql`delete from restwell.backup where id in (
    select id from restwell.backup order by started_at desc offset ${KEPT})`.execute(database)
}

interface LoggedBackupOptions extends Omit<WriteOptions, "write"> {
  readonly file: string
}

type LoggedBackupContext = Pick<Context, "database"> & { readonly pool: Pool }

/** PostgreSQL's codes for a table that is missing, as in a database of an earlier version, and for a standby, which takes no rows. */
const NO_LOG = new Set(["42P01", "25006"])

/** Writes a backup to a file of its own, and logs it where the database has the log. */
export async function writeLoggedBackup(
  context: LoggedBackupContext,
  options: LoggedBackupOptions,
): Promise<WrittenRows & { readonly bytes: number }> {
  const startedMs = performance.now()
  const written = await writeFile(context, options)
  const { file, hasSecret } = options
  await logBackup(context, { origin: "command", file, hasSecret, startedMs, end: written }).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && NO_LOG.has(String(error.code)))) throw error
  })
  return written
}

async function writeFile(
  { pool }: Pick<LoggedBackupContext, "pool">,
  { file, ...options }: LoggedBackupOptions,
): Promise<WrittenRows & { readonly bytes: number }> {
  const { bytes, result } = await writeWholeFile(file, (write) => writeBackup(pool, { ...options, write }))
  return { ...result, bytes }
}

/** Where and how often backups are made. */
export interface BackupSchedule {
  readonly directory: string
  /** Complete backups that stay in the folder. */
  readonly keep: number
  readonly everyHours: number
  readonly hasSecret: boolean
}

export interface ScheduledBackupContext extends Pick<Context, "database" | "clock" | "logger" | "version"> {
  readonly pool: Pool
  /** The folder of the embedded PostgreSQL. Undefined for a database elsewhere. */
  readonly dataDir: string | undefined
  readonly secrets: () => Secrets
  /** Aborts when the process stops. */
  readonly signal: AbortSignal
}

/** A file that no process has written to for this long was left by a killed one. */
const ABANDONED_MS = HOUR_MS

/**
 * Makes the backup of a job. A failure is logged, for the operator to see, and tried again later. The job ends with its entry in the log, so
 * that no other process makes the same backup once more.
 * @returns when to make the next one
 */
export async function runBackup(
  context: ScheduledBackupContext,
  job: ClaimedJob,
  schedule: BackupSchedule,
): Promise<DueTime> {
  const { logger, signal, database, clock } = context
  const startedMs = performance.now()
  const installation = await readInstallation(context)
  const file = await freeFile(schedule, installation, clock.now())
  const end = await write(context, { file, schedule }).catch((error: unknown) => {
    if (signal.aborted) return undefined
    logger.error({ err: error, file }, "backup failed")
    return { error: describe(error) }
  })
  if (end === undefined) return "at_once"
  const again = await database.transaction().execute(async (transaction) => {
    await logBackup({ database: transaction }, { ...schedule, origin: "schedule", file, startedMs, end })
    const next = await nextBackup({ database: transaction, clock }, schedule)
    await endJob({ database: transaction }, job, next)
    return next
  })
  if ("error" in end) return again
  logger.info({ file, bytes: end.bytes }, "backup made")
  await prune(schedule, { installation, file, now: clock.now() }).catch((error: unknown) =>
    logger.error({ err: error }, "could not delete old backups"),
  )
  return again
}

/**
 * The name of a backup that was made at that time. Names sort by time. Scheduled ones name their installation, and no other one deletes
 * them.
 */
export const backupName = (now: Date, installation?: string): string =>
  `restwell-${[now.toISOString().replace(/[-:]|\.\d+/g, ""), ...(installation === undefined ? [] : [installation])].join("-")}.backup`

/** Names have whole seconds. A backup that is asked for right after another one has the name of the next. */
async function freeFile(
  { directory }: Pick<BackupSchedule, "directory">,
  installation: string,
  now: Date,
): Promise<string> {
  const file = join(directory, backupName(now, installation))
  return (await exists(file)) ? freeFile({ directory }, installation, new Date(now.getTime() + SECOND_MS)) : file
}

/** Names this installation among all that write to one folder. A copy of its database counts as another installation. */
async function readInstallation({ database, dataDir }: ScheduledBackupContext): Promise<string> {
  const { rows } = await sql<{ id: string; oid: string }>`
    select id::text, (select oid::text from pg_database where datname = current_database()) as oid
    from restwell.installation`.execute(database)
  const place = dataDir === undefined ? "" : resolve(dataDir)
  return createHash("sha256")
    .update(JSON.stringify([rows, place]))
    .digest("hex")
    .slice(0, INSTALLATION_LENGTH)
}

const INSTALLATION_LENGTH = 12

async function write(
  { secrets, version: program, clock, signal, dataDir, pool }: ScheduledBackupContext,
  { file, schedule: { directory, hasSecret } }: { readonly file: string; readonly schedule: BackupSchedule },
): Promise<{ readonly bytes: number }> {
  const fault = await backupFolderFault(directory, dataDir)
  if (fault !== undefined)
    throw new UnfitFolder(`the folder for backups cannot be used: ${fault}: choose another folder`)
  await makeFolders(directory, 0o700)
  return writeFile({ pool }, { file, program, signal, hasSecret, secrets: secrets(), now: clock.now() })
}

/** Backups must not be in the folder. The message is for the operator. */
class UnfitFolder extends Error {}

/** One sentence without a value of a row. */
function describe(error: unknown): string {
  if (error instanceof UnfitFolder) return error.message
  const trouble = fileTrouble(error)
  if (trouble !== undefined) return `the folder for backups cannot be used: ${trouble}`
  const code = error instanceof Error && "code" in error ? String(error.code) : "unexpected"
  return databaseTrouble(error) ?? `the backup could not be written (${code}): see the log`
}

interface Pruned {
  readonly installation: string
  /** The backup that was just made. */
  readonly file: string
  readonly now: Date
}

/**
 * Deletes all but the newest backups of an installation, and what its killed processes left. Other files are not touched, and none with a
 * later name than the backup that was just made: a wrong clock named one of the two.
 */
async function prune({ directory, keep }: BackupSchedule, { installation, file, now }: Pruned): Promise<void> {
  const complete: string[] = []
  for await (const name of glob(`restwell-*Z-${installation}.backup*`, { cwd: directory })) {
    if (name.endsWith(".backup")) complete.push(name)
    else if (UNFINISHED.test(name) && (await isAbandoned(join(directory, name), now)))
      await rm(join(directory, name), { force: true })
  }
  const upToThis = complete.filter((name) => name <= basename(file)).toSorted()
  for (const name of upToThis.toReversed().slice(keep)) await rm(join(directory, name), { force: true })
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

const isAbandoned = (path: string, now: Date): Promise<boolean> =>
  stat(path).then(
    ({ mtimeMs }) => now.getTime() - mtimeMs > ABANDONED_MS,
    () => false,
  )
