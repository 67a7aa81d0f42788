import { sql } from "kysely"
import { type Backups, readBackups } from "../backup/backup-log.ts"
import type { Context } from "../context/context.ts"

/** How the installation is doing, for its owner. It holds no name and no measurement. */
export interface Operation {
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
  /** Connections that are due and wait for a worker. */
  readonly waitingSyncs: number
}

export interface ConnectionFailure {
  readonly provider: string
  readonly status: string
  readonly reason: string | null
  readonly count: number
}

export type StorageGroup = "records" | "imports" | "logs" | "jobs" | "other"

/** Tables of a group; all others are `other`. */
const GROUPS: Readonly<Record<string, StorageGroup>> = {
  record: "records",
  profile: "records",
  rejected_record: "records",
  journal_entry: "records",
  journal_answer: "imports",
  import: "imports",
  import_part: "imports",
  import_record: "imports",
  import_profile: "imports",
  access_log: "logs",
  security_event: "logs",
}

/** Statuses of a connection that needs somebody's help. */
const FAILING = ["failing", "reauthorization_required", "vendor_unavailable"] as const

/** Reads sizes, versions, backups and failures. */
export async function readOperation(context: Pick<Context, "database" | "clock">): Promise<Operation> {
  const { database, clock } = context
  const [facts, tables, backups, failures, counts] = await Promise.all([
    sql<{ people: number; version: string; migration: string; bytes: number }>`
      select (select count(*)::int from restwell."user") as people, current_setting('server_version') as version,
        (select max(name) from restwell.kysely_migration) as migration,
        pg_database_size(current_database())::double precision as bytes`.execute(database),
    sql<{ schema: string; name: string; bytes: number }>`
      select n.nspname as schema, coalesce(parent.relname, c.relname) as name,
        pg_total_relation_size(c.oid)::double precision as bytes
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      left join pg_inherits i on i.inhrelid = c.oid left join pg_class parent on parent.oid = i.inhparent
      where n.nspname in ('restwell', 'restwell_jobs') and c.relkind = 'r'`.execute(database),
    readBackups(context),
    sql<ConnectionFailure>`
      select provider, status, status_reason as reason, count(*)::int as count from restwell.connection
      where status = any(${[...FAILING]}) group by 1, 2, 3 order by 4 desc, 1, 2 limit 20`.execute(database),
    sql<{ rejected: number; waiting: number }>`
      select (select count(*)::int from restwell.rejected_record) as rejected,
        (select count(*)::int from restwell.connection where next_sync_at <= ${clock.now()}
          and status not in ('disconnected', 'archive', 'reauthorization_required')) as waiting`.execute(database),
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
    waitingSyncs: count?.waiting ?? 0,
  }
}

function storageOf(tables: readonly { schema: string; name: string; bytes: number }[]): Operation["storage"] {
  const sizes = new Map<StorageGroup, number>()
  for (const { schema, name, bytes } of tables) {
    const group = schema === "restwell" ? (GROUPS[name] ?? "other") : "jobs"
    sizes.set(group, (sizes.get(group) ?? 0) + bytes)
  }
  return [...sizes].map(([group, bytes]) => ({ group, bytes })).toSorted((one, other) => other.bytes - one.bytes)
}
