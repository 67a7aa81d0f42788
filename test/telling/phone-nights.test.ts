/* Webhooks about a night that a phone pushes in parts: it is scored once, as a whole. */
import { DAY_MS, HOUR_MS } from "@restwell/client/time-units"
import {
  claimJob,
  createIngestToken,
  createWebhook,
  DELIVERY_PLACES,
  type DeliveryContext,
  deliverMessages,
  holdJob,
  openIngestToken,
  type Pusher,
} from "@restwell/core"
import { createWorld, type World } from "@restwell/testing/world"
import { afterEach, beforeEach, expect, test } from "vitest"
import { storePush } from "../pushes/pusher.ts"

const BEGIN = Date.parse("2026-11-20T00:00:00Z")
const TODAY = BEGIN + 5 * DAY_MS

let world: World
let pusher: Pusher
let sent: string[]

beforeEach(async () => {
  sent = []
  world = await createWorld({ now: new Date(BEGIN), days: 1 })
  const userId = await world.addUser()
  const { token } = await createIngestToken(world.context, { userId, name: "Phone" })
  pusher = await openIngestToken(world.context, token)
  for (let midnight = BEGIN + DAY_MS; midnight < TODAY; midnight += DAY_MS) await pushAt(midnight, 7.1, -1, 7)
  const events = ["sleep.scored", "recovery.scored", "record.deleted"] as const
  const hook = { url: "https://hooks.example/", include_figures: true, events: [...events] }
  await createWebhook(world.context, { userId, network: "-" }, hook)
})
afterEach(() => world.close())

/** Pushes sleep and an HRV at an hour of a date. Hours count from its midnight. */
async function pushAt(midnight: number, hours: number, from: number, to: number): Promise<void> {
  world.simulator.clock.advance(Math.max(0, midnight + hours * HOUR_MS - world.simulator.clock.nowMs()))
  const [start, at, end] = [from, from + 0.5, to].map((hour) => new Date(midnight + hour * HOUR_MS).toISOString())
  const records = [
    { type: "sleep_segment", start, end, value: "light", source: "Watch" },
    { type: "hrv_sdnn", start: at, end: at, value: 48, unit: "ms", source: "Watch" },
  ]
  await storePush(world, pusher, { records })
  await deliverAt(hours, midnight)
}

/** Sends what is due at an hour of today. */
async function deliverAt(hours: number, midnight = TODAY): Promise<void> {
  const { context, simulator, store } = world
  simulator.clock.advance(Math.max(0, midnight + hours * HOUR_MS - simulator.clock.nowMs()))
  const job = await claimJob(context, DELIVERY_PLACES.slice(0, 1), context.clock.now())
  if (!job) return
  const webhook: DeliveryContext["senders"]["webhook"] = async (_, { type, record }) => {
    sent.push(`${type} ${hours} ${record?.["asleep_hours"] ?? ""}`.trim())
    return { outcome: "delivered", status: 200, answer: "" }
  }
  const run = (signal: AbortSignal) =>
    deliverMessages({ ...context, pool: store.pool, senders: { webhook } }, job, signal)
  await holdJob(context, job, { stopping: new AbortController().signal, run })
}

test("a night whose first part was pushed in the night is scored once, when it is over", async () => {
  await pushAt(TODAY, 2.5, -1, 2.4)
  for (const hours of [3.5, 5, 6.5]) await deliverAt(hours)
  await pushAt(TODAY, 7.1, 2.4, 7)
  await deliverAt(7.9)
  expect(sent).toEqual([])
  await deliverAt(8)
  expect(sent.toSorted()).toEqual(["recovery.scored 8", "sleep.scored 8 8"])
  await deliverAt(12)
  expect(sent).toHaveLength(2)
})

test("a night that stays short is scored three hours after the usual waking", async () => {
  await pushAt(TODAY, 2.5, -1, 2.4)
  await deliverAt(9.9)
  expect(sent).toEqual([])
  await deliverAt(10)
  expect(sent.toSorted()).toEqual(["recovery.scored 10", "sleep.scored 10 3.4"])
})

test("a night that was over for long when it came is scored at once", async () => {
  await pushAt(TODAY, 11, -1, 7)
  expect(sent.toSorted()).toEqual(["recovery.scored 11", "sleep.scored 11 8"])
})

test("of a part that became another record nothing is told", async () => {
  // An hour of sleep is a nap until the rest of the night is there.
  await pushAt(TODAY, 0.5, -1, 0.4)
  await pushAt(TODAY, 7.1, 0.4, 7)
  await deliverAt(12)
  expect(sent.toSorted()).toEqual(["recovery.scored 12", "sleep.scored 12 8"])
})
