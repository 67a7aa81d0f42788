import { disconnect } from "@restwell/core"
import { type Person, signWebhook } from "@restwell/simulator"
import { createWorld, storedRows, truthOf, type World, withoutOpenCycle } from "@restwell/testing/world"
import { afterEach, beforeEach, expect, test } from "vitest"

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

let world: World
let person: Person
let userId: string

beforeEach(async () => {
  world = await createWorld({ days: 40, hasWebhooks: true })
  person = world.simulator.people.add({ email: "ada@example.com" })
  userId = await world.addUser()
  await world.connect(userId, person)
})
afterEach(() => world.close())

/** Moves the clock in steps, and runs the jobs that are due after each. */
async function live(durationMs: number, stepMs = 10 * MINUTE_MS): Promise<void> {
  const end = world.simulator.clock.nowMs() + durationMs
  while (world.simulator.clock.nowMs() < end) {
    world.simulator.clock.advance(Math.min(stepMs, end - world.simulator.clock.nowMs()))
    await world.simulator.webhooks.flush()
    await world.runDue()
  }
}

const newestWorkout = () => {
  const [workout] = world.simulator.records(person).workouts
  if (!workout) throw new Error("the simulated person has no workout")
  return workout
}

test("a record that an event announces is fetched by its id alone", async () => {
  await live(DAY_MS)
  const workout = newestWorkout()
  world.simulator.requestLog.clear()
  world.simulator.clock.advance(MINUTE_MS)
  world.simulator.edit.workout.patch(person, workout.id, { sport_name: "fencing" })
  await world.simulator.webhooks.flush()
  await world.runDue()
  const rows = await storedRows(world, userId)
  expect(JSON.stringify(rows.find(({ provider_id }) => provider_id === workout.id))).toContain("fencing")
  expect(world.simulator.requestLog.count({ path: /\/v2\// })).toBeLessThanOrEqual(2)
})

test("after a week of events the stored records are the vendor's, with at most 8 calls per day and person", async () => {
  const people = [{ userId, person }]
  for (const another of world.simulator.people.addMany(4)) {
    const user = await world.addUser()
    await world.connect(user, another)
    people.push({ userId: user, person: another })
  }
  // The first reconciliation comes a day after the history.
  await live(2 * DAY_MS)
  world.simulator.requestLog.clear()
  await live(7 * DAY_MS)
  const calls = world.simulator.requestLog.count({ path: /\/v2\// })
  expect(calls / 7 / people.length).toBeLessThanOrEqual(8)
  for (const each of people)
    expect(withoutOpenCycle(await storedRows(world, each.userId))).toEqual(
      withoutOpenCycle(await truthOf(world, each.person)),
    )
})

test("events that come five times and in any order change only the records they announce", async () => {
  Object.assign(world.simulator.webhooks.manners, { copies: 5, shuffled: true })
  await live(3 * DAY_MS, 6 * HOUR_MS)
  expect(new Set(world.webhooks)).toEqual(new Set(["accepted", "repeated"]))
  expect(withoutOpenCycle(await storedRows(world, userId))).toEqual(withoutOpenCycle(await truthOf(world, person)))
})

test("an event for a recovery names its sleep, which is found even without an event of its own", async () => {
  world.simulator.webhooks.urls = []
  const before = world.simulator.records(person).recoveries.length
  do world.simulator.clock.advance(10 * MINUTE_MS)
  while (world.simulator.records(person).recoveries.length === before)
  const [recovery] = world.simulator.records(person).recoveries
  await deliver({ type: "recovery.updated", id: recovery?.sleep_id ?? "" })
  await world.runJob(userId)
  const kinds = (await storedRows(world, userId)).map(({ kind, provider_id }) => `${kind}/${provider_id}`)
  expect(kinds).toContain(`recovery/${recovery?.cycle_id}`)
  expect(kinds).toContain(`sleep/${recovery?.sleep_id}`)
})

test("a deleted sleep is deleted with its recovery, even if only one of the two events arrives", async () => {
  await live(DAY_MS)
  const [recovery] = world.simulator.records(person).recoveries
  const { urls } = world.simulator.webhooks
  world.simulator.webhooks.urls = []
  world.simulator.edit.sleep.delete(person, recovery?.sleep_id ?? "")
  world.simulator.webhooks.urls = urls
  await deliver({ type: "sleep.deleted", id: recovery?.sleep_id ?? "" })
  await world.runDue()
  expect(await storedRows(world, userId)).toEqual(await truthOf(world, person))
})

test("a record that changes while it is fetched is fetched again", async () => {
  await live(DAY_MS)
  const workout = newestWorkout()
  world.simulator.faults.add({ match: { path: /workout\// }, kind: "late_reply", ms: 400, times: 1 })
  world.simulator.edit.workout.patch(person, workout.id, { sport_name: "fencing" })
  await world.simulator.webhooks.flush()
  const syncing = world.runJob(userId)
  await new Promise((resolve) => setTimeout(resolve, 100))
  world.simulator.clock.advance(1000)
  world.simulator.edit.workout.patch(person, workout.id, { sport_name: "tennis" })
  await world.simulator.webhooks.flush()
  await syncing
  await world.runDue()
  const rows = await storedRows(world, userId)
  expect(JSON.stringify(rows.find(({ provider_id }) => provider_id === workout.id))).toContain("tennis")
  expect(await waiting()).toBe(0)
})

test("lost events are made up for by the nightly reconciliation, and by polling after a day without events", async () => {
  await live(DAY_MS)
  world.simulator.webhooks.urls = []
  await live(31 * HOUR_MS)
  expect(withoutOpenCycle(await storedRows(world, userId))).toEqual(withoutOpenCycle(await truthOf(world, person)))
  await live(6 * HOUR_MS)
  world.simulator.requestLog.clear()
  await live(12 * HOUR_MS)
  expect(world.simulator.requestLog.count({ path: "/developer/v2/activity/sleep" })).toBeGreaterThanOrEqual(11)
})

test("a night without an event is found with the open cycle", async () => {
  await live(DAY_MS)
  world.simulator.webhooks.urls = []
  const nights = () => world.simulator.records(person).sleeps.filter(({ nap }) => !nap)
  const before = nights().length
  while (nights().length === before) world.simulator.clock.advance(HOUR_MS)
  // A read of data older than 15 minutes leads to one call, for the open cycle.
  await world.reader.read({
    credential: { userId },
    query: { type: "cycle", days: 1 },
    ifNoneMatch: [],
    isCounted: true,
  })
  await world.runJob(userId)
  expect((await storedRows(world, userId)).map(({ provider_id }) => provider_id)).toContain(nights()[0]?.id)
})

test("a record that is not found by its id but is still listed is kept", async () => {
  await live(DAY_MS)
  const workout = newestWorkout()
  const repair = world.simulator.faults.add({ match: { path: /workout\// }, kind: "status", status: 404 })
  world.simulator.edit.workout.patch(person, workout.id, { sport_name: "fencing" })
  await world.simulator.webhooks.flush()
  await world.runDue()
  repair()
  const rows = await storedRows(world, userId)
  expect(JSON.stringify(rows.find(({ provider_id }) => provider_id === workout.id))).toContain("fencing")
})

test("an event for an unknown or former person is acknowledged and discarded", async () => {
  expect(await deliver({ type: "sleep.updated", id: "0d6d6ed6-9a5f-4f0b-8a55-5d8f3c4c7e11", user_id: 1 })).toBe(204)
  expect(world.webhooks).toEqual(["unknown_member"])
  await disconnect(world.context, { userId, provider: "whoop", wipeData: false })
  expect(await deliver({ type: "sleep.updated", id: "0d6d6ed6-9a5f-4f0b-8a55-5d8f3c4c7e12" })).toBe(204)
  expect(world.webhooks).toEqual(["unknown_member", "unknown_member"])
  expect(await waiting()).toBe(0)
})

test("an event of an unknown type is acknowledged and discarded", async () => {
  expect(await deliver({ type: "body.updated", id: "1" })).toBe(204)
  expect(world.webhooks).toEqual(["unknown_type"])
})

test("an event that is unsigned, too old or malformed is refused, and nothing is stored", async () => {
  const event = { type: "sleep.updated", id: "0d6d6ed6-9a5f-4f0b-8a55-5d8f3c4c7e11" }
  expect(await deliver(event, { secret: "another" })).toBe(400)
  expect(await deliver(event, { ageMs: 3 * HOUR_MS })).toBe(400)
  expect(await deliver(event, { ageMs: -HOUR_MS })).toBe(400)
  expect(await deliver({ ...event, id: "../profile" })).toBe(400)
  expect(world.webhooks).toEqual(["unauthorized", "unauthorized", "unauthorized", "invalid_request"])
  expect(await waiting()).toBe(0)
})

test("a replayed delivery is recognised", async () => {
  const event = { type: "sleep.updated", id: "0d6d6ed6-9a5f-4f0b-8a55-5d8f3c4c7e11", trace_id: "trace" }
  await deliver(event)
  await world.runDue()
  world.simulator.requestLog.clear()
  await deliver(event)
  await world.runDue()
  expect(world.webhooks).toEqual(["accepted", "repeated"])
  expect(world.simulator.requestLog.count({ path: /\/v2\// })).toBe(0)
})

test("connecting as another person removes the records of the former one", async () => {
  const other = world.simulator.people.add({ email: "grace@example.com" })
  await disconnect(world.context, { userId, provider: "whoop", wipeData: false })
  await world.authorize(userId, other)
  expect(await storedRows(world, userId)).toEqual([])
  await world.runDue()
  expect(await storedRows(world, userId)).toEqual(await truthOf(world, other))
})

async function waiting(): Promise<number> {
  const { rows } = await world.store.pool.query("select count(*)::int as count from restwell.vendor_event")
  return rows[0].count
}

/** Sends an event as the vendor would, for our person by default. */
async function deliver(
  event: { type: string; id: string; user_id?: number; trace_id?: string },
  { secret = "simulator-secret", ageMs = 0 } = {},
): Promise<number> {
  const body = JSON.stringify({ user_id: person.userId, ...event })
  const timestamp = String(world.simulator.clock.nowMs() - ageMs)
  const answer = await fetch(world.webhookUrl, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-whoop-signature": signWebhook(secret, timestamp, body),
      "x-whoop-signature-timestamp": timestamp,
    },
    body,
  })
  return answer.status
}
