import { access } from "node:fs/promises"
import { delimiter, join } from "node:path"

/** Where Debian installs PostgreSQL 15. `POSTGRES_BIN` names another folder of programs. */
const DEBIAN_POSTGRES = "/usr/lib/postgresql/15/bin"

/** Programs of the operating system that some tests need. */
export interface Engines {
  /** The folder of `postgres`, `initdb` and `pg_basebackup`. */
  readonly postgres: string
  readonly pgbouncer: string
}

/** The installed programs, or what to install. */
export async function findEngines(): Promise<Engines | { readonly missing: string }> {
  const { POSTGRES_BIN = DEBIAN_POSTGRES, PATH = "" } = process.env
  const folders = [...PATH.split(delimiter), "/usr/sbin"]
  const hasPostgres = await exists(join(POSTGRES_BIN, "pg_basebackup"))
  const pgbouncer = await firstOf(folders.map((folder) => join(folder, "pgbouncer")))
  if (hasPostgres && pgbouncer !== undefined) return { postgres: POSTGRES_BIN, pgbouncer }
  const missing = [!hasPostgres && "postgresql-15", pgbouncer === undefined && "pgbouncer"].filter(Boolean)
  return { missing: `skipped, install with: apt-get install --no-install-recommends ${missing.join(" ")}` }
}

async function firstOf(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (await exists(path)) return path
  return undefined
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
