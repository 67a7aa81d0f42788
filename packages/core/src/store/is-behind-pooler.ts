import type { ClientBase } from "pg"

/** True if a pooler stands before the database: it answers with a process id of its own making, because no session belongs to the client. */
export async function isBehindPooler(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid")
  return "processID" in client && client.processID !== rows[0]?.pid
}
