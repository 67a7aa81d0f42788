import { Pool, type PoolConfig, types } from "pg"

const DATE_OID = 1082

/**
 * A pool whose calendar dates stay text: a date has no time and no zone, and a JavaScript Date would give it both.
 * @param onIdleError told when a connection that nobody uses breaks, as all do when the database restarts; the pool opens new ones
 */
export function openPool(config: PoolConfig, onIdleError: (error: Error) => void): Pool {
  const pool = new Pool({
    ...config,
    types: {
      getTypeParser: (oid, format) => (oid === DATE_OID ? (text: string) => text : types.getTypeParser(oid, format)),
    },
  })
  // A connection that breaks in use fails its statement, and then tells all who listen to it: where nobody does, the process ends.
  pool.on("connect", (client) => void client.on("error", () => {}))
  return pool.on("error", onIdleError)
}
