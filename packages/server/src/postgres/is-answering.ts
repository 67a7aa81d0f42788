import type { Pool } from "pg"

/** True when the database answers a query. */
export const isAnswering = (pool: Pool): Promise<boolean> =>
  pool.query("select 1").then(
    () => true,
    () => false,
  )
