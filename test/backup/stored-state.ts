import type { Pool } from "pg"

/** Tables that no backup contains: core/src/operate/backup-parts.ts says why. */
const LEFT_OUT = ["kysely_migration", "kysely_migration_lock", "backup", "installation"]

/** A digest and the number of rows of every table of the schema, and the value of every sequence. */
export async function storedRows(pool: Pool): Promise<Record<string, string>> {
  const { rows: tables } = await pool.query<{ name: string; kind: string }>(
    `select relname as name, relkind::text as kind from pg_class
     where relnamespace = 'restwell'::regnamespace and relkind in ('r', 'p', 'S') and relname <> all ($1) order by 1`,
    [LEFT_OUT],
  )
  const state: Record<string, string> = {}
  for (const { name, kind } of tables) {
    const { rows } = await pool.query<{ digest: string }>(
      kind === "S"
        ? `select last_value || ' ' || is_called as digest from restwell."${name}"`
        : `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by t::text)), '') as digest from restwell."${name}" t`,
    )
    state[name] = rows[0]?.digest ?? ""
  }
  return state
}

/** Every column, constraint, index, trigger and function of the schema. */
export async function schemaOf(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(
    `select format('%s.%s %s %s', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull) as line
     from pg_attribute a join pg_class c on c.oid = attrelid
     where c.relnamespace = 'restwell'::regnamespace and attnum > 0 and not attisdropped
     union all select conrelid::regclass || ' ' || conname || pg_get_constraintdef(oid) from pg_constraint
     where connamespace = 'restwell'::regnamespace
     union all select pg_get_indexdef(indexrelid) from pg_index i join pg_class c on c.oid = i.indrelid
     where c.relnamespace = 'restwell'::regnamespace
     union all select pg_get_triggerdef(t.oid) || tgenabled::text from pg_trigger t join pg_class c on c.oid = tgrelid
     where c.relnamespace = 'restwell'::regnamespace and not tgisinternal
     union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'restwell'::regnamespace
     order by 1`,
  )
  return rows.map(({ line }) => line)
}
