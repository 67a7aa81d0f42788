// What only WHOOP's webhooks do: they name a recovery by its sleep, and announce no cycle.
import { type Person, signWebhook } from "@restwell/simulator"
import { createWorld, storedRows, type World } from "@restwell/testing/world"
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

test("an event of an unknown type is acknowledged and discarded", async () => {
  expect(await deliver({ type: "body.updated", id: "1" })).toBe(204)
  expect(world.webhooks).toEqual(["unknown_type"])
})

/** Moves the clock in steps, and runs the jobs that are due after each. */
async function live(durationMs: number): Promise<void> {
  for (let passed = 0; passed < durationMs; passed += 10 * MINUTE_MS) {
    world.simulator.clock.advance(10 * MINUTE_MS)
    await world.simulator.webhooks.flush()
    await world.runDue()
  }
}

/** Sends an event as the vendor would, for our person. */
async function deliver(event: { type: string; id: string }): Promise<number> {
  const body = JSON.stringify({ user_id: person.userId, ...event })
  const timestamp = String(world.simulator.clock.nowMs())
  const answer = await fetch(world.webhookUrl, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-whoop-signature": signWebhook("simulator-secret", timestamp, body),
      "x-whoop-signature-timestamp": timestamp,
    },
    body,
  })
  return answer.status
}
