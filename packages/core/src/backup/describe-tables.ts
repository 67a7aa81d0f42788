import type { ClientBase } from "pg"
import { SCHEMA } from "../store/database.ts"
import type { BackupSequences, BackupTableDescription } from "./parts.ts"

/** Tables that a backup leaves out, and why. All others are in it, those of later versions too. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  kysely_migration: "the header has it, and the restore writes its own",
  kysely_migration_lock: "belongs to a running migration",
  backup: "names files of the place where it was made",
}

/** A table, and its size on disk for the progress. */
export interface StoredTable extends BackupTableDescription {
  readonly bytes: number
}

/** The tables of the schema with the columns that are written. PostgreSQL computes generated columns again. */
export async function describeTables(client: ClientBase): Promise<StoredTable[]> {
  const { rows } = await client.query<{
    name: string
    bytes: string
    columns: BackupTableDescription["columns"] | null
  }>(
    `select c.relname as name, pg_table_size(c.oid) as bytes, json_agg(
       json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all ($2)
     group by c.oid, c.relname order by c.relname`,
    [SCHEMA, Object.keys(LEFT_OUT)],
  )
  return rows.map(({ name, bytes, columns }) => ({ name, bytes: Number(bytes), columns: columns ?? [] }))
}

/** The sequences of the schema, those of identity columns included. */
export async function describeSequences(client: ClientBase): Promise<BackupSequences> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = $1::regnamespace and relkind = 'S' order by relname`,
    [SCHEMA],
  )
  const sequences: BackupSequences = []
  for (const { name } of rows) {
    const { rows: values } = await client.query<{ last_value: string; is_called: boolean }>(
      `select last_value::text, is_called from ${inSchema(client, name)}`,
    )
    for (const value of values) sequences.push({ name, ...value })
  }
  return sequences
}

/** A quoted name of the schema. */
export const inSchema = (client: ClientBase, name: string): string => `${SCHEMA}.${client.escapeIdentifier(name)}`

export const columnsOf = (client: ClientBase, { columns }: Pick<BackupTableDescription, "columns">): string =>
  columns.map(({ name }) => client.escapeIdentifier(name)).join(", ")

/** No limits, and the same text for a value on every server, whatever the settings of server and user. As pg_dump does. */
export const PLAIN_SESSION = `set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0;
  set local datestyle = iso; set local intervalstyle = postgres; set local timezone = 'UTC';
  set local extra_float_digits = 3; set local bytea_output = hex; set local client_encoding = 'UTF8'`
