/** Puts a row into every table that has none, whatever tables there are: a new one is covered as soon as it exists. */
import type { Client } from "pg"
import { z } from "zod"

/** A text with all that COPY has to escape. */
const TEXT = String.raw`'tab	newline
backslash \ \. \N quote '' ü 😀'`

/** A value of each type, as an expression. */
const VALUES: Readonly<Record<string, string>> = {
  text: TEXT,
  boolean: "true",
  integer: "7",
  bigint: "9007199254740993",
  "double precision": "0.1::float8 + 0.2::float8",
  date: "'2026-03-29'",
  "timestamp with time zone": "'2026-03-29 01:30:00.123456+00'",
  jsonb: String.raw`'{"a": [1.50, null, "tab\t ü \\"], "b": {}}'`,
  json: String.raw`'{"a": [1.50, null, "tab\t ü \\"], "a": {}}'`,
  bytea: String.raw`'\x00ff5c0a09'`,
  uuid: "'00000000-0000-4000-8000-000000000001'",
  "text[]": String.raw`array['a,b', 'c"d', E'\\ {}', '']`,
  "integer[]": "array[7, -2147483648, 0]",
}

/** Columns whose value a check decides. */
const SPECIAL: Readonly<Record<string, string>> = {
  "usage.by_day": "array_fill(3, array[31])",
  "refresh_reply.token_hash": "(select id_hash from restwell.oauth_record limit 1)",
}

const ColumnSchema = z.object({
  name: z.string(),
  type: z.string(),
  /** The table and column that a foreign key refers to. */
  refers_to: z.string().nullable(),
  refers_column: z.string().nullable(),
  /** The first of the words that a check allows. */
  allowed: z.string().nullable(),
})

const COLUMNS = `
  select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, f.confrelid::regclass::text as refers_to,
    (select r.attname from pg_attribute r where r.attrelid = f.confrelid and r.attnum = f.confkey[array_position(f.conkey, a.attnum)]) as refers_column,
    (select substring(pg_get_constraintdef(k.oid) from 'ARRAY\\[''([^'']+)''') from pg_constraint k
     where k.conrelid = a.attrelid and k.contype = 'c' and k.conkey = array[a.attnum] limit 1) as allowed
  from pg_attribute a
  left join lateral (select * from pg_constraint f where f.conrelid = a.attrelid and f.contype = 'f' and a.attnum = any (f.conkey) limit 1) f on true
  where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  order by a.attnum`

/** @returns the tables that were empty */
export async function fillEveryTable(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where relnamespace = 'restwell'::regnamespace and relkind in ('r', 'p') and relname !~ '^kysely|^backup$' order by 1`,
  )
  const empty: string[] = []
  for (const { name } of rows)
    if ((await client.query(`select 1 from ${name} limit 1`)).rows.length === 0) empty.push(name)
  let waiting = empty
  while (waiting.length > 0) {
    const left: string[] = []
    for (const name of waiting) if (!(await tryToFill(client, name))) left.push(name)
    if (left.length === waiting.length) throw new Error(`no row can be put into ${left.join(", ")}`)
    waiting = left
  }
  return empty
}

/** False while a table that it refers to is empty. */
async function tryToFill(client: Client, table: string): Promise<boolean> {
  const { rows } = await client.query(COLUMNS, [table])
  const columns = z.array(ColumnSchema).parse(rows)
  for (const { refers_to } of columns)
    if (refers_to !== null && refers_to !== table)
      if ((await client.query(`select 1 from ${refers_to} limit 1`)).rows.length === 0) return false
  const values = columns.map(({ name, type, allowed, refers_to, refers_column }) => {
    const special = SPECIAL[`${table.replace(/^restwell\./, "")}.${name}`]
    if (special !== undefined) return special
    if (allowed !== null) return `'${allowed}'`
    if (refers_to !== null) return `(select "${refers_column}" from ${refers_to} t order by t::text limit 1)`
    const value = VALUES[type]
    if (value === undefined) throw new Error(`${table}.${name}: add a value of the type ${type} to VALUES`)
    return value
  })
  const names = columns.map(({ name }) => `"${name}"`).join(", ")
  await client.query(`insert into ${table} (${names}) overriding system value values (${values.join(", ")})`)
  return true
}
