import type { ClientBase } from "pg"
import { isBehindPooler } from "../store/is-behind-pooler.ts"

/** A process asks every two seconds for changed settings, also if nobody uses it. */
const QUIET_SECONDS = 7
const LOOK_EVERY_SECONDS = 0.5

/** Sessions of other connections of Restwell, all of which have its name, and of those the ones used lately. */
const COUNT = `select count(*)::int as open,
    count(*) filter (where state <> 'idle' or state_change > clock_timestamp() - make_interval(secs => $2))::int as used
  from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and application_name ~* '^restwell' and application_name <> $1`

export interface FindOptions {
  /** The name of a connection of this process. */
  readonly ownConnection: string | undefined
  readonly signal: AbortSignal | undefined
}

/**
 * True if a process of Restwell uses the database. A pooler keeps the sessions of a process that has ended, and their names. Behind a pooler
 * a process runs if its sessions do not become quiet.
 */
export async function findRunningService(client: ClientBase, options: FindOptions): Promise<boolean> {
  const isPooled = await isBehindPooler(client)
  for (let seconds = 0; ; seconds += LOOK_EVERY_SECONDS) {
    options.signal?.throwIfAborted()
    const { rows } = await client.query<{ open: number; used: number }>(COUNT, [
      options.ownConnection ?? "",
      QUIET_SECONDS,
    ])
    const [found] = rows
    if (!found || found.open === 0 || (isPooled && found.used === 0)) return false
    if (!isPooled || seconds > 2 * QUIET_SECONDS) return true
    // The list of sessions is one snapshot in a transaction.
    await client.query("select pg_sleep($1), pg_stat_clear_snapshot()", [LOOK_EVERY_SECONDS])
  }
}
