import { query } from "./query.ts"

/**
 * Makes every write to these schemas fail as on a full disk. Returns a function that undoes it.
 * @see https://www.postgresql.org/docs/18/errcodes-appendix.html the code of `could not extend file`
 */
export async function fillDisk(url: string, schemas: readonly string[]): Promise<() => Promise<void>> {
  await query(
    url,
    `create or replace function public.disk_full() returns trigger language plpgsql as $$
     begin raise exception 'could not extend file "base/5/16384": No space left on device' using errcode = '53100'; end $$`,
  )
  const tables = await query<{ name: string }>(
    url,
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any ($1) and c.relkind = 'r' and not c.relispartition order by 1`,
    [schemas],
  )
  for (const { name } of tables)
    await query(
      url,
      `create trigger a_full_disk before insert or update on ${name} for each row execute function public.disk_full()`,
    )
  return async () => {
    for (const { name } of tables) await query(url, `drop trigger a_full_disk on ${name}`)
  }
}
