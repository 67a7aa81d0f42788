import type { Client, Pool } from "pg"

/** The columns of a table that are written. PostgreSQL derives the others. */
export async function writtenColumns(database: Pick<Pool | Client, "query">, table: string): Promise<string> {
  const { rows } = await database.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [`restwell.${table}`],
  )
  return rows.map(({ columns }) => columns).join()
}
