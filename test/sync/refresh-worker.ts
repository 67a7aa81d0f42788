/** A second process with jobs of its own: at a word from its parent it runs some syncs of one connection at the same time. */
import { createCallGate, createTokenCipher, openDatabase, openPool, syncConnection } from "@restwell/core"
import { VENDORS } from "@restwell/providers"
import { z } from "zod"
import { TEST_SECRET } from "../support/world.ts"

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
  const database = openDatabase(pool)
  const clock = { now: () => now }
  const wait = async () => {}
  const limits = { perMinute: 1_000_000, perDay: 1_000_000 }
  const gate = createCallGate({
    database,
    clock,
    wait,
    provider: "whoop",
    limits,
    budget: VENDORS.whoop.syncPolicy.calls,
    purpose: "person",
  })
  const adapter = VENDORS.whoop.createAdapter({
    clientId: "simulator-client",
    clientSecret: "simulator-secret",
    baseUrl: vendorUrl,
    gate,
  })
  const silent = () => {}
  const context = {
    database,
    clock,
    logger: { debug: silent, info: silent, warn: silent, error: silent },
    jobs: { requestSync: wait, isAnyoneWaiting: async () => false },
    adapters: new Map([["whoop", adapter]]),
    adaptersFor: () => new Map([["whoop", adapter]]),
    cipher: createTokenCipher([TEST_SECRET]),
    wait,
    plans: { free: 1, pro: 1 },
    version: "1.0.0",
  }
  const { signal } = new AbortController()
  await Promise.all(
    Array.from({ length: jobs }, () => syncConnection(context, { userId, provider: "whoop" }, { signal })),
  )
  await pool.end()
  process.disconnect?.()
})
process.send?.("ready")
