/** The log of the backups that this installation made or tried. Times are the database's, which all processes share. */

import { createHash } from "node:crypto"
import { glob, rm, stat } from "node:fs/promises"
import { hostname } from "node:os"
import { join, resolve } from "node:path"
import { sql } from "kysely"
import type { Pool } from "pg"
import type { Secrets } from "../base/encryption.ts"
import type { Context } from "../context/context.ts"
import type { BackupOrigin } from "../store/connection-tables.ts"
import { databaseTrouble } from "../store/database-trouble.ts"
import { backupFolderFault } from "./backup-folder.ts"
import { fileTrouble, makeFolders, UNFINISHED, writeWholeFile } from "./whole-file.ts"
import { type WriteOptions, type WrittenRows, writeBackup } from "./write-backup.ts"

type LogContext = Pick<Context, "database">

/** A process that has shown no life for this long has died. It shows life every few seconds. */
const SILENT_SECONDS = 60
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
  /** Null while it is written. */
  readonly endedAt: Date | null
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
  /** One that is being written. */
  readonly running: BackupEntry | null
  /** Whether the owner has just asked for one, which no worker has begun. */
  readonly isRequested: boolean
}

/** Returns the newest backups, for the operator. */
export async function readBackups({ database }: LogContext): Promise<Backups> {
  const { rows } = await sql<BackupEntry & { status: string }>`
    select * from (
      select distinct on (b.status) b.status, b.origin, b.file, b.host, b.has_secret as "hasSecret", b.started_at as "startedAt",
        b.ended_at as "endedAt", b.bytes::double precision as bytes,
        case when b.status in ('requested', 'running') then null else b.error end as error
      from restwell.backup b
      where (b.status not in ('requested', 'running') or b.alive_at > now() - make_interval(secs => ${SILENT_SECONDS}))
        and (b.status <> 'failed' or not exists (
          select from restwell.backup d where d.status = 'done' and d.origin = b.origin and d.started_at > b.started_at))
      order by b.status, b.started_at desc
    ) newest`.execute(database)
  const find = (status: string): BackupEntry | null => {
    const found = rows.find((row) => row.status === status)
    if (!found) return null
    const { status: _, ...entry } = found
    return entry
  }
  return {
    last: find("done"),
    failure: find("failed"),
    running: find("running"),
    isRequested: find("requested") !== null,
  }
}

interface NewBackup {
  readonly origin: BackupOrigin
  readonly file: string
  readonly hasSecret: boolean
}

/** Logs the beginning of a backup. @returns its id */
async function beginBackup({ database }: LogContext, { origin, file, hasSecret }: NewBackup): Promise<string> {
  const { id } = await database
    .insertInto("backup")
    .values({
      origin,
      file,
      host: hostname(),
      has_secret: hasSecret,
      status: "running",
      ended_at: null,
      bytes: null,
      error: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow()
  return id
}

/** Asks for a backup now. The next worker that looks begins it. */
export async function requestBackup({ database }: LogContext): Promise<void> {
  await sql`
    insert into restwell.backup (origin, file, host, has_secret, status)
    select 'schedule', '', ${hostname()}, false, 'requested'
    where not exists (select from restwell.backup where status = 'requested')`.execute(database)
}

/** Begins a scheduled backup if one is due or requested, and none is being written by any process. @returns its id */
async function claimDueBackup(
  { database }: LogContext,
  { file, hasSecret, everyHours }: Omit<NewBackup, "origin"> & { readonly everyHours: number },
): Promise<string | undefined> {
  await failSilent({ database })
  // A clock that was wrong may have left entries of the future. They delay nothing.
  const { rows } = await sql<{ id: string }>`
    with request as (
      delete from restwell.backup where status = 'requested'
        and not exists (select from restwell.backup where status = 'running' and origin = 'schedule')
      returning id)
    insert into restwell.backup (origin, file, host, has_secret, status)
    select 'schedule', ${file}, ${hostname()}, ${hasSecret}, 'running'
    where exists (select from request) or not exists (
      select from restwell.backup where origin = 'schedule' and started_at <= now()
        and (status = 'done' and started_at > now() - make_interval(hours => ${everyHours})
          or status = 'failed' and ended_at > now() - make_interval(mins => ${RETRY_MINUTES})))
    on conflict (status) where status = 'running' and origin = 'schedule' do nothing
    returning id`.execute(database)
  return rows[0]?.id
}

/** Ends the entries of processes that died. */
async function failSilent({ database }: LogContext): Promise<void> {
  await sql`update restwell.backup set status = 'failed', ended_at = now() - make_interval(mins => ${RETRY_MINUTES}),
      error = 'the process ended before the backup was complete'
    where status = 'running' and (alive_at < now() - make_interval(secs => ${SILENT_SECONDS}) or alive_at > now())`.execute(
    database,
  )
}

/** Shows that the process still writes. */
async function showLife({ database }: LogContext, id: string): Promise<void> {
  await sql`update restwell.backup set alive_at = now() where id = ${id} and status = 'running'`.execute(database)
}

/** Logs the end of a backup, and forgets the oldest entries. */
async function endBackup(
  { database }: LogContext,
  id: string,
  end: { readonly bytes: number } | { readonly error: string },
): Promise<void> {
  const [status, bytes, error] =
    "bytes" in end ? (["done", end.bytes, null] as const) : (["failed", null, end.error] as const)
  await sql`update restwell.backup set status = ${status}, ended_at = clock_timestamp(), bytes = ${bytes}, error = ${error}
    where id = ${id}`.execute(database)
  await sql`delete from restwell.backup where id in (
    select id from restwell.backup where status in ('done', 'failed') order by started_at desc offset ${KEPT})`.execute(
    database,
  )
}

/** Removes the entry of a backup that was interrupted, so that another process begins it at once. */
async function forgetBackup({ database }: LogContext, id: string): Promise<void> {
  await database.deleteFrom("backup").where("id", "=", id).execute()
}

interface LoggedBackupOptions extends Omit<WriteOptions, "write"> {
  readonly file: string
}

type LoggedBackupContext = Pick<Context, "database"> & { readonly pool: Pool }

/** PostgreSQL's codes for a table that is missing, as in a database of an earlier version, and for a standby, which takes no rows. */
const NO_LOG = new Set(["42P01", "25006"])
const SHOW_LIFE_MS = 5_000

/** Writes a backup to a file of its own, and logs it where the database has the log. */
export async function writeLoggedBackup(
  context: LoggedBackupContext,
  options: LoggedBackupOptions,
): Promise<WrittenRows & { readonly bytes: number }> {
  const entry = { origin: "command", file: options.file, hasSecret: options.hasSecret } as const
  const id = await beginBackup(context, entry).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && NO_LOG.has(String(error.code))) return undefined
    throw error
  })
  try {
    const written = await writeFile(context, id, options)
    if (id !== undefined) await endBackup(context, id, written)
    return written
  } catch (error) {
    // Its operator sees why it failed. If the database is gone, the entry ends by its silence.
    if (id !== undefined) await forgetBackup(context, id).catch(() => undefined)
    throw error
  }
}

/** Writes the file of a logged backup. @param id its entry in the log, where it has one */
async function writeFile(
  context: LoggedBackupContext,
  id: string | undefined,
  { file, ...options }: LoggedBackupOptions,
): Promise<WrittenRows & { readonly bytes: number }> {
  let shownMs = performance.now()
  const { bytes, result } = await writeWholeFile(file, (writeBytes) =>
    writeBackup(context.pool, {
      ...options,
      async write(part) {
        await writeBytes(part)
        const nowMs = performance.now()
        if (id === undefined || nowMs - shownMs < SHOW_LIFE_MS) return
        shownMs = nowMs
        await showLife(context, id)
      },
    }),
  )
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
const ABANDONED_MS = 60 * 60_000

/** Makes a backup if one is due and no other process makes it. A failure is logged, for the operator to see, and tried again later. */
export async function runDueBackup(context: ScheduledBackupContext, schedule: BackupSchedule): Promise<void> {
  const { logger, signal } = context
  const installation = await readInstallation(context)
  const file = join(schedule.directory, backupName(context.clock.now(), installation))
  const id = await claimDueBackup(context, { ...schedule, file })
  if (id === undefined) return
  try {
    const bytes = await write(context, { id, file, schedule })
    await endBackup(context, id, { bytes })
    logger.info({ file, bytes }, "backup made")
  } catch (error) {
    if (signal.aborted) return await forgetBackup(context, id)
    logger.error({ err: error, file }, "backup failed")
    return await endBackup(context, id, { error: describe(error) })
  }
  await prune(schedule, installation, context.clock.now()).catch((error: unknown) =>
    logger.error({ err: error }, "could not delete old backups"),
  )
}

/**
 * The name of a backup that was made at that time. Names sort by time. Scheduled ones name their installation, and no other one deletes
 * them.
 */
export const backupName = (now: Date, installation?: string): string =>
  `restwell-${[now.toISOString().replace(/[-:]|\.\d+/g, ""), ...(installation === undefined ? [] : [installation])].join("-")}.backup`

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
  context: ScheduledBackupContext,
  { id, file, schedule }: { id: string; file: string; schedule: BackupSchedule },
): Promise<number> {
  const { secrets, version: program, clock, signal, dataDir } = context
  const fault = await backupFolderFault(schedule.directory, dataDir)
  if (fault !== undefined)
    throw new UnfitFolder(`the folder for backups cannot be used: ${fault}: choose another folder`)
  await makeFolders(schedule.directory, 0o700)
  const { hasSecret } = schedule
  const written = await writeFile(context, id, {
    file,
    program,
    signal,
    hasSecret,
    secrets: secrets(),
    now: clock.now(),
  })
  return written.bytes
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

/** Deletes all but the newest backups of an installation, and what its killed processes left. Other files are not touched. */
async function prune({ directory, keep }: BackupSchedule, installation: string, now: Date): Promise<void> {
  const complete: string[] = []
  for await (const name of glob(`restwell-*Z-${installation}.backup*`, { cwd: directory })) {
    if (name.endsWith(".backup")) complete.push(name)
    else if (UNFINISHED.test(name) && (await isAbandoned(join(directory, name), now)))
      await rm(join(directory, name), { force: true })
  }
  for (const name of complete.toSorted().toReversed().slice(keep)) await rm(join(directory, name), { force: true })
}

const isAbandoned = (path: string, now: Date): Promise<boolean> =>
  stat(path).then(
    ({ mtimeMs }) => now.getTime() - mtimeMs > ABANDONED_MS,
    () => false,
  )
