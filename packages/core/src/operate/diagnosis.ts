import { sql } from "kysely"
import { isActive, isRetryDue } from "../connect/connection-status.ts"
import type { Context } from "../context/context.ts"
import type { ConnectionStatus } from "../store/connection-tables.ts"
import { readSchemaState, type SchemaState } from "../store/migrate.ts"
import { type LeftOutCount, readLeftOutFields } from "../sync/sync-state.ts"
import { type Backups, readBackups } from "./scheduled-backup.ts"

/** The name of the connection by which a process takes jobs. Begins like those of all connections. */
export const JOBS_CONNECTION = "restwell jobs"

/** The database server and the schema in it, for the operator. */
export interface DatabaseState {
  /** Like 18.4. */
  readonly version: string
  readonly isOldServer: boolean
  /** A standby, or a database that was set to read-only. */
  readonly isReadOnly: boolean
  readonly encoding: string
  /** Tables of Restwell that the user may not read or write. */
  readonly forbiddenTables: number
  /** Sessions of running services, this one not counted. */
  readonly services: number
  /** Connections that clients may open, and open connections. */
  readonly connections: { readonly most: number; readonly open: number }
  readonly schema: SchemaState
}

/** Reads what a service needs to know before it uses a database. Changes nothing. */
export async function readDatabaseState({ database }: Pick<Context, "database">): Promise<DatabaseState> {
  const { rows } = await sql<
    Omit<DatabaseState, "connections" | "schema" | "isOldServer"> & { most: number; open: number }
  >`
    select current_setting('server_version') as version,
      pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as "isReadOnly",
      current_setting('server_encoding') as encoding,
      (select count(*)::int from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'restwell' and c.relkind in ('r', 'p')
          and not (has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select')
            and has_table_privilege(c.oid, 'insert') and has_table_privilege(c.oid, 'update')
            and has_table_privilege(c.oid, 'delete'))) as "forbiddenTables",
      (select count(distinct coalesce(client_addr::text, ''))::int from pg_stat_activity
        where datname = current_database() and application_name = ${JOBS_CONNECTION}) as services,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as open
  `.execute(database)
  const [row] = rows
  if (!row) throw new Error("the database did not describe itself")
  const { most, open, ...state } = row
  const { isOldServer, ...schema } = await readSchemaState(database)
  return { ...state, isOldServer, connections: { most, open }, schema }
}

/** Connections of one vendor with the same status and reason. No figure is about one person. */
interface ConnectionGroup {
  readonly provider: string
  readonly status: ConnectionStatus
  readonly count: number
  readonly reason: string | null
  /** Until when the vendor's limit makes the last of them wait. */
  readonly limitedUntil: Date | null
}

/** Connections of one vendor that lack the same collection for the same reason. */
interface CollectionGroup {
  readonly provider: string
  readonly reason: string
  readonly nextStep: string
  readonly count: number
}

/** Work that is due and that no worker has begun. */
interface WaitingWork {
  readonly what: "syncs" | "imports" | "events"
  readonly count: number
  /** Since when the first one is due. */
  readonly since: Date
}

/** Webhooks of a vendor to people who have been connected for long enough to have got some. */
interface WebhookSilence {
  readonly provider: string
  readonly connections: number
  /** The newest webhook of any of them. Null if none has ever come. */
  readonly lastEventAt: Date | null
}

export interface SyncHealth {
  readonly groups: readonly ConnectionGroup[]
  readonly gaps: readonly CollectionGroup[]
  readonly waiting: readonly WaitingWork[]
  readonly silences: readonly WebhookSilence[]
}

/** Reads the state of all connections and of the work for them, for the operator. Changes nothing. */
export async function readSyncHealth({ database, clock }: Pick<Context, "database" | "clock">): Promise<SyncHealth> {
  const now = clock.now()
  const [groups, gaps, waiting, silences] = await Promise.all([
    sql<ConnectionGroup>`
      select c.provider, c.status, count(*)::int as count, c.status_reason as reason,
        max(c.waiting_until) filter (where c.waiting_until > ${now}) as "limitedUntil"
      from restwell.connection c group by 1, 2, 4 order by 1, 2, 4`.execute(database),
    sql<CollectionGroup>`
      select c.provider, g ->> 'reason' as reason, g ->> 'nextStep' as "nextStep", count(*)::int as count
      from restwell.connection c cross join jsonb_array_elements(c.gaps) g
      where ${isActive} and (g ->> 'failures')::int > 0 group by 1, 2, 3 order by 1, 2`.execute(database),
    sql<WaitingWork>`
      select * from (
        select 'syncs' as what, count(*)::int as count, min(c.next_sync_at) as since from restwell.connection c
        where ${isActive} and ${isRetryDue(now)} and c.next_sync_at <= ${now}
          and (c.waiting_until is null or c.waiting_until <= ${now})
        union all
        select 'imports', count(*)::int, min(i.created_at) from restwell.import i
        where i.status in ('queued', 'running') and not exists (
          select from restwell.job j where j.kind = 'import' and j.key = i.id::text and j.claim is not null)
        union all
        select 'events', count(*)::int, min(e.due_at) from restwell.vendor_event e
        join restwell.connection c using (user_id, provider)
        where ${isActive} and ${isRetryDue(now)} and e.due_at <= ${now}
          and (c.waiting_until is null or c.waiting_until <= ${now})
      ) due where count > 0`.execute(database),
    sql<WebhookSilence>`
      select c.provider, count(*)::int as connections, max(c.last_event_at) as "lastEventAt"
      from restwell.connection c
      where ${isActive} and c.status = 'ok' and c.connected_at < ${now}::timestamptz - interval '7 days'
      group by c.provider`.execute(database),
  ])
  return { groups: groups.rows, gaps: gaps.rows, waiting: waiting.rows, silences: silences.rows }
}

/** How the installation is doing, for its owner. It holds no name and no measurement. */
interface Operation {
  readonly people: number
  readonly postgresVersion: string
  /** The last migration of the schema. */
  readonly schemaVersion: string
  readonly databaseBytes: number
  /** Size on disk by subject, with indexes, largest first. */
  readonly storage: readonly { readonly group: StorageGroup; readonly bytes: number }[]
  readonly backups: Backups
  /** Connections that do not work, by vendor, status and reason. */
  readonly failures: readonly ConnectionFailure[]
  /** Records of vendors that this version could not read. */
  readonly rejectedRecords: number
  /** Fields that are missing in their records because they are wrong. */
  readonly leftOutFields: readonly LeftOutCount[]
  /** Emails that the mail server has not taken and that are tried again. */
  readonly mailFailures: number
  /** Connections that are due and wait for a worker. */
  readonly waitingSyncs: number
}

interface ConnectionFailure {
  readonly provider: string
  readonly status: string
  readonly reason: string | null
  readonly count: number
}

type StorageGroup = "records" | "imports" | "logs" | "jobs" | "other"

/** Tables of a group; all others are `other`. */
const GROUPS: Readonly<Record<string, StorageGroup>> = {
  record: "records",
  profile: "records",
  rejected_record: "records",
  journal_entry: "records",
  journal_answer: "imports",
  import: "imports",
  import_part: "imports",
  folder_file: "imports",
  import_record: "imports",
  import_profile: "imports",
  pushed_day: "imports",
  push: "imports",
  push_part: "imports",
  job: "jobs",
  delivery: "jobs",
  access_log: "logs",
  security_event: "logs",
}

/** Statuses of a connection that needs somebody's help. */
const FAILING = ["failing", "reauthorization_required", "vendor_unavailable"] as const

/** Reads sizes, versions, backups and failures. */
export async function readOperation(context: Pick<Context, "database" | "clock">): Promise<Operation> {
  const { database, clock } = context
  const [facts, tables, backups, failures, counts, leftOutFields] = await Promise.all([
    sql<{ people: number; version: string; migration: string; bytes: number }>`
      select (select count(*)::int from restwell."user") as people, current_setting('server_version') as version,
        (select max(name) from restwell.kysely_migration) as migration,
        pg_database_size(current_database())::double precision as bytes`.execute(database),
    sql<{ name: string; bytes: number }>`
      select coalesce(parent.relname, c.relname) as name,
        pg_total_relation_size(c.oid)::double precision as bytes
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      left join pg_inherits i on i.inhrelid = c.oid left join pg_class parent on parent.oid = i.inhparent
      where n.nspname = 'restwell' and c.relkind = 'r'`.execute(database),
    readBackups(context),
    sql<ConnectionFailure>`
      select provider, status, status_reason as reason, count(*)::int as count from restwell.connection
      where status = any(${[...FAILING]}) group by 1, 2, 3 order by 4 desc, 1, 2 limit 20`.execute(database),
    sql<{ rejected: number; waiting: number; mails: number }>`
      select (select count(*)::int from restwell.rejected_record) as rejected,
        (select count(*)::int from restwell.mail where sent_at is null and error is not null
          and expires_at > ${clock.now()}) as mails,
        (select count(*)::int from restwell.connection where next_sync_at <= ${clock.now()}
          and status not in ('disconnected', 'archive', 'reauthorization_required')) as waiting`.execute(database),
    readLeftOutFields(database),
  ])
  const [fact] = facts.rows
  const [count] = counts.rows
  return {
    people: fact?.people ?? 0,
    postgresVersion: fact?.version ?? "",
    schemaVersion: fact?.migration ?? "",
    databaseBytes: fact?.bytes ?? 0,
    storage: storageOf(tables.rows),
    backups,
    failures: failures.rows,
    rejectedRecords: count?.rejected ?? 0,
    leftOutFields,
    mailFailures: count?.mails ?? 0,
    waitingSyncs: count?.waiting ?? 0,
  }
}

function storageOf(tables: readonly { name: string; bytes: number }[]): Operation["storage"] {
  const sizes = new Map<StorageGroup, number>()
  for (const { name, bytes } of tables) {
    const group = GROUPS[name] ?? "other"
    sizes.set(group, (sizes.get(group) ?? 0) + bytes)
  }
  return [...sizes].map(([group, bytes]) => ({ group, bytes })).toSorted((one, other) => other.bytes - one.bytes)
}
