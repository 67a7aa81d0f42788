import type { ClientBase, Pool } from "pg"

/** Takes a lock that ends with the connection, however its process ends. False if another connection has it. */
export async function tryAdvisoryLock(client: ClientBase, key: number): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [key])
  return rows[0]?.taken === true
}

/** Runs while no other process does, or returns false. The lock ends with its transaction, so a pooler may stand before the database. */
export async function withAdvisoryLock(pool: Pool, key: number, run: () => Promise<void>): Promise<boolean> {
  const client = await pool.connect()
  try {
    await client.query("begin")
    const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_xact_lock($1) as taken", [key])
    const isTaken = rows[0]?.taken === true
    if (isTaken) await run()
    return isTaken
  } finally {
    client.release(true)
  }
}
