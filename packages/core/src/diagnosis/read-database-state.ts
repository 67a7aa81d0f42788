import { sql } from "kysely"
import type { Context } from "../context/context.ts"
import { readSchemaState, type SchemaState } from "../store/migrate.ts"

/** The database server and the schema in it, for the operator. */
export interface DatabaseState {
  /** Like 18.4. */
  readonly version: string
  readonly isOldServer: boolean
  /** A standby, or a database that was set to read-only. */
  readonly isReadOnly: boolean
  readonly encoding: string
  /** The server's clock, and ours at that moment. */
  readonly now: Date
  readonly readAt: Date
  /** Tables of Restwell that the user may not read or write. */
  readonly forbiddenTables: number
  /** Sessions of running services, this one not counted. */
  readonly services: number
  /** Connections that clients may open, and open connections. */
  readonly connections: { readonly most: number; readonly open: number }
  readonly schema: SchemaState
}

/** Reads what a service needs to know before it uses a database. Changes nothing. */
export async function readDatabaseState({
  database,
  clock,
}: Pick<Context, "database" | "clock">): Promise<DatabaseState> {
  const { rows } = await sql<
    Omit<DatabaseState, "connections" | "schema" | "isOldServer" | "readAt"> & { most: number; open: number }
  >`
    select current_setting('server_version') as version,
      pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as "isReadOnly",
      current_setting('server_encoding') as encoding, clock_timestamp() as now,
      (select count(*)::int from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'restwell' and c.relkind in ('r', 'p')
          and not (has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select')
            and has_table_privilege(c.oid, 'insert') and has_table_privilege(c.oid, 'update')
            and has_table_privilege(c.oid, 'delete'))) as "forbiddenTables",
      (select count(distinct coalesce(client_addr::text, ''))::int from pg_stat_activity
        where datname = current_database() and application_name = 'restwell jobs') as services,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as open
  `.execute(database)
  const readAt = clock.now()
  const [row] = rows
  if (!row) throw new Error("the database did not describe itself")
  const { most, open, ...state } = row
  const { isOldServer, ...schema } = await readSchemaState(database)
  return { ...state, readAt, isOldServer, connections: { most, open }, schema }
}
