import type { Pool } from "pg"

/** Drops the primary key and the indexes of a table, runs `work`, and creates them again. */
export async function withoutIndexes(pool: Pool, table: string, work: () => Promise<void>): Promise<void> {
  const { rows } = await pool.query<{ name: string; constraint: string | null; definition: string }>(
    `select i.indexrelid::regclass::text as name, c.conname as "constraint",
       coalesce(pg_get_constraintdef(c.oid), pg_get_indexdef(i.indexrelid)) as definition
     from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u')
     where i.indrelid = $1::regclass`,
    [`restwell.${table}`],
  )
  for (const { name, constraint } of rows)
    await pool.query(
      constraint === null ? `drop index ${name}` : `alter table restwell.${table} drop constraint ${constraint}`,
    )
  try {
    await work()
  } finally {
    await pool.query("set maintenance_work_mem = '512MB'")
    for (const { constraint, definition } of rows)
      await pool.query(
        constraint === null ? definition : `alter table restwell.${table} add constraint ${constraint} ${definition}`,
      )
  }
}
