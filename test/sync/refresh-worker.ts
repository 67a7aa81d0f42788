/** A second process that, when its parent sends a task, runs several syncs of one connection at the same time. */
import { openDatabase, openPool, syncConnection } from "@restwell/core"
import { createContext, PROVIDER } from "@restwell/testing/world"
import { z } from "zod"

const TaskSchema = z.object({
  connection: z.object({ host: z.string(), port: z.number().optional(), user: z.string(), database: z.string() }),
  vendorUrl: z.string(),
  userId: z.string(),
  now: z.coerce.date(),
  jobs: z.number(),
})

process.on("message", async (message) => {
  const { connection, vendorUrl, userId, now, jobs } = TaskSchema.parse(message)
  const { port, ...rest } = connection
  const pool = openPool({ ...rest, ...(port !== undefined && { port }), max: jobs * 2 }, () => {})
  const context = createContext({ database: openDatabase(pool), clock: { now: () => now }, vendorUrl })
  const { signal } = new AbortController()
  await Promise.all(
    Array.from({ length: jobs }, () => syncConnection(context, { userId, provider: PROVIDER }, { signal })),
  )
  await pool.end()
  process.disconnect?.()
})
process.send?.("ready")
