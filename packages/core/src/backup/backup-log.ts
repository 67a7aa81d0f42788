/** The log of the backups that this installation made or tried. Times are the database's, which all processes share. */
import { hostname } from "node:os"
import { sql } from "kysely"
import type { Context } from "../context/context.ts"
import type { BackupOrigin } from "../store/backup-table.ts"

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
}

/** Returns the newest backups, for the operator. */
export async function readBackups({ database }: LogContext): Promise<Backups> {
  const { rows } = await sql<BackupEntry & { status: string }>`
    select * from (
      select distinct on (b.status) b.status, b.origin, b.file, b.host, b.has_secret as "hasSecret", b.started_at as "startedAt",
        b.ended_at as "endedAt", b.bytes::double precision as bytes,
        case when b.status = 'running' then null else b.error end as error
      from restwell.backup b
      where (b.status <> 'running' or b.alive_at > now() - make_interval(secs => ${SILENT_SECONDS}))
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
  return { last: find("done"), failure: find("failed"), running: find("running") }
}

export interface NewBackup {
  readonly origin: BackupOrigin
  readonly file: string
  readonly hasSecret: boolean
}

/** Logs the beginning of a backup. @returns its id */
export async function beginBackup({ database }: LogContext, { origin, file, hasSecret }: NewBackup): Promise<string> {
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

/** Begins a scheduled backup if one is due, and none is being written by any process. @returns its id */
export async function claimDueBackup(
  { database }: LogContext,
  { file, hasSecret, everyHours }: Omit<NewBackup, "origin"> & { readonly everyHours: number },
): Promise<string | undefined> {
  await failSilent({ database })
  // A clock that was wrong may have left entries of the future. They delay nothing.
  const { rows } = await sql<{ id: string }>`
    insert into restwell.backup (origin, file, host, has_secret, status)
    select 'schedule', ${file}, ${hostname()}, ${hasSecret}, 'running'
    where not exists (
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
export async function showLife({ database }: LogContext, id: string): Promise<void> {
  await sql`update restwell.backup set alive_at = now() where id = ${id} and status = 'running'`.execute(database)
}

/** Logs the end of a backup, and forgets the oldest entries. */
export async function endBackup(
  { database }: LogContext,
  id: string,
  end: { readonly bytes: number } | { readonly error: string },
): Promise<void> {
  const [status, bytes, error] =
    "bytes" in end ? (["done", end.bytes, null] as const) : (["failed", null, end.error] as const)
  await sql`update restwell.backup set status = ${status}, ended_at = clock_timestamp(), bytes = ${bytes}, error = ${error}
    where id = ${id}`.execute(database)
  await sql`delete from restwell.backup where id in (
    select id from restwell.backup where status <> 'running' order by started_at desc offset ${KEPT})`.execute(database)
}

/** Removes the entry of a backup that was interrupted, so that another process begins it at once. */
export async function forgetBackup({ database }: LogContext, id: string): Promise<void> {
  await database.deleteFrom("backup").where("id", "=", id).execute()
}
