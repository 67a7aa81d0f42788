import type { ClientBase, Pool } from "pg"

/** Takes a lock that ends with the connection, however its process ends. False if another connection has it. */
export async function tryAdvisoryLock(client: ClientBase, key: number): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [key])
  return rows[0]?.taken === true
}

/** Runs while no other process does, or returns false. */
export async function withAdvisoryLock(pool: Pool, key: number, run: () => Promise<void>): Promise<boolean> {
  const client = await pool.connect()
  try {
    const isTaken = await tryAdvisoryLock(client, key)
    if (isTaken) await run()
    return isTaken
  } finally {
    client.release(true)
  }
}
