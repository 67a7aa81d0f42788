// Receivers that take their time share the places of a process: each has a turn, and nobody's many receivers hold all places.
import {
  claimJob,
  createWebhook,
  DELIVERY_PLACES,
  type DeliveryContext,
  deliverMessages,
  holdJob,
  JobRunner,
  queueMessage,
  type Sender,
} from "@restwell/core"
import { waitInRealTime } from "@restwell/server/wait"
import { createWorld, type World } from "@restwell/testing/world"
import { afterEach, beforeEach, expect, test } from "vitest"

const ANSWER_MS = 14_000
const MOST_WEBHOOKS = 20

let world: World
beforeEach(async () => {
  world = await createWorld({ days: 1 })
})
afterEach(() => world.close())

/** A person with webhooks, each of which waits for some messages. */
async function personWith({ webhooks = 1, messages = 1 }): Promise<string> {
  const userId = await world.addUser()
  for (let count = 0; count < webhooks; count += 1) {
    const hook = { url: `https://hooks.example/${count}`, include_figures: false, events: ["rule.matched" as const] }
    await createWebhook(world.context, { userId, network: "-" }, hook)
  }
  for (let count = 0; count < messages; count += 1) {
    const message = { userId, channel: "webhook", type: "rule.matched", data: {} } as const
    await world.context.database
      .transaction()
      .execute((transaction) => queueMessage(transaction, world.context, message))
  }
  return userId
}

const contextOf = (webhook: Sender): DeliveryContext => ({
  ...world.context,
  pool: world.store.pool,
  senders: { webhook },
})

test("a receiver whose answers take long goes behind the others after 15 seconds, and gets all in the end", async () => {
  const slow = await personWith({ messages: 4 })
  await personWith({})
  const order: string[] = []
  const context = contextOf(async ({ userId }) => {
    order.push(userId === slow ? "slow" : "quick")
    if (userId === slow) world.simulator.clock.advance(ANSWER_MS)
    return { outcome: "delivered", status: 200, answer: "" }
  })
  for (;;) {
    const job = await claimJob(context, DELIVERY_PLACES.slice(0, 1), context.clock.now())
    if (!job) break
    const run = (signal: AbortSignal) => deliverMessages(context, job, signal)
    await holdJob(context, job, { stopping: new AbortController().signal, run })
  }
  expect(order).toEqual(["slow", "slow", "quick", "slow", "slow"])
})

test("one person's receivers hold half of the places, and another person's message is sent beside them", async () => {
  const many = await personWith({ webhooks: MOST_WEBHOOKS })
  const other = await personWith({})
  const sent: string[] = []
  const released = Promise.withResolvers<void>()
  const context = contextOf(async ({ userId }) => {
    sent.push(userId)
    if (userId === many) await released.promise
    return { outcome: "delivered", status: 200, answer: "" }
  })
  const failures: unknown[] = []
  const onFailure = (error: unknown) => void failures.push(error)
  const runner = new JobRunner({ context, onFailure, wait: waitInRealTime, lookEveryMs: 1_000 })
  runner.start({
    addDue: async () => undefined,
    places: () => DELIVERY_PLACES,
    run: { delivery: (job) => (signal) => deliverMessages(context, job, signal) },
  })
  try {
    await expect.poll(() => sent).toContain(other)
    const { rows } = await world.store.pool.query(
      "select count(*)::int as held from restwell.job where claim is not null and user_id = $1",
      [many],
    )
    expect(rows).toEqual([{ held: DELIVERY_PLACES.length / 2 }])
    released.resolve()
    await expect.poll(() => sent.filter((userId) => userId === many)).toHaveLength(MOST_WEBHOOKS)
  } finally {
    released.resolve()
    await runner.stop()
  }
  expect(failures).toEqual([])
})
