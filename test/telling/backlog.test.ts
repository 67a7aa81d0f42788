// What waits for a receiver: an update of a record waits once, however often the record changes, and the next message is found without a sort.
import {
  claimJob,
  createIngestToken,
  createWebhook,
  DELIVERY_PLACES,
  type DeliveryContext,
  deliverMessages,
  holdJob,
  openDatabase,
  openIngestToken,
  type Pusher,
  type Sender,
} from "@restwell/core"
import { createWorld, type World } from "@restwell/testing/world"
import { afterEach, beforeEach, expect, test } from "vitest"
import { storePush } from "../pushes/pusher.ts"
import { openExplainedPool } from "../store/explained-pool.ts"

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

let world: World
let pusher: Pusher
beforeEach(async () => {
  world = await createWorld({ days: 1 })
  const userId = await world.addUser()
  const { token } = await createIngestToken(world.context, { userId, name: "Phone" })
  pusher = await openIngestToken(world.context, token)
  const hook = { url: "https://hooks.example/", include_figures: true, events: ["record.changed" as const] }
  await createWebhook(world.context, { userId, network: "-" }, hook)
})
afterEach(() => world.close())

/** Pushes a workout that began so many hours ago. A later push of it with another length changes its record. */
async function workOut(hoursAgo: number, minutes: number): Promise<void> {
  const startMs = world.simulator.clock.nowMs() - hoursAgo * HOUR_MS
  const [start, end] = [startMs, startMs + minutes * MINUTE_MS].map((ms) => new Date(ms).toISOString())
  await storePush(world, pusher, { records: [{ type: "workout", start, end, value: "running", source: "Watch" }] })
}

/** Sends all that waits. */
async function deliver(webhook: Sender, database = world.context.database): Promise<void> {
  const context: DeliveryContext = { ...world.context, database, pool: world.store.pool, senders: { webhook } }
  for (;;) {
    const job = await claimJob(context, DELIVERY_PLACES.slice(0, 1), context.clock.now())
    if (!job) return
    const run = (signal: AbortSignal) => deliverMessages(context, job, signal)
    await holdJob(context, job, { stopping: new AbortController().signal, run })
  }
}

test("updates of a record wait as one, and one that comes while the record is sent is sent after it", async () => {
  await workOut(5, 30)
  await workOut(3, 30)
  await workOut(5, 31)
  for (const minutes of [31, 32, 33]) await workOut(3, minutes)
  const sent: unknown[] = []
  const ids = new Set<string>()
  await deliver(async (_, { id, record }) => {
    ids.add(id)
    sent.push(record?.["duration_hours"])
    if (sent.length === 1) await workOut(5, 36)
    return { outcome: "delivered", status: 200, answer: "" }
  })
  expect(sent).toEqual([31, 36, 33].map((minutes) => Math.round((minutes / 60) * 100) / 100))
  expect(ids.size).toBe(sent.length)
  await workOut(3, 40)
  await deliver(async (_, { record }) => {
    sent.push(record?.["duration_hours"])
    return { outcome: "delivered", status: 200, answer: "" }
  })
  expect(sent).toHaveLength(4)
})

test("the next of many messages is read by an index in its order", async () => {
  await workOut(5, 30)
  await workOut(5, 31)
  await world.store.pool.query(`
    insert into restwell.delivery (user_id, receiver_id, type, data, created_at, attempts, due_at)
    select user_id, receiver_id, type, data, created_at, n % 3, case n % 3 when 0 then null else created_at end
    from restwell.delivery, generate_series(1, 20000) n`)
  await world.store.pool.query("analyze restwell.delivery")
  const explained = openExplainedPool(world.store.connection)
  try {
    let sent = 0
    await deliver(async () => {
      sent += 1
      // The turn of a receiver ends after 15 seconds, and its failure makes it wait.
      world.simulator.clock.advance(MINUTE_MS)
      return { outcome: "failed", status: 500, answer: "" }
    }, openDatabase(explained.pool))
    expect(sent).toBe(1)
    const reads = explained
      .takeScans()
      .filter(({ table, statement }) => table === "delivery" && statement.startsWith("select *"))
    expect(reads.map(({ isSorted }) => isSorted)).toEqual([false])
  } finally {
    await explained.pool.end()
  }
})
