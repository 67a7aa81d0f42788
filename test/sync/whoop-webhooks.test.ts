// What only WHOOP's webhooks do: they name a recovery by its sleep, and announce no cycle.
import { requestSync } from "@restwell/core"
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

const gapsOf = async (): Promise<unknown> => {
  const { rows } = await world.store.pool.query("select gaps from restwell.connection where user_id = $1", [userId])
  return rows[0].gaps
}

const fail = (path: RegExp, status: number) => world.simulator.faults.add({ kind: "status", status, match: { path } })

test.each([500, 403])(
  "while sleep fails with %i, a night's recovery and cycle arrive with their events",
  async (status) => {
    await live(DAY_MS)
    const before = world.simulator.records(person).recoveries.length
    const hasNight = () => {
      const { recoveries } = world.simulator.records(person)
      return recoveries.length > before && recoveries.every(({ score_state }) => score_state === "SCORED")
    }
    fail(/\/activity\/sleep/, status)
    while (!hasNight()) {
      // Its listing is too new for a further one at the night's event.
      await requestSync(world.context, { userId, provider: "whoop" })
      for (let step = 0; step < 12 && !hasNight(); step += 1) await live(10 * MINUTE_MS)
    }
    await live(10 * MINUTE_MS)
    const { recoveries, cycles } = world.simulator.records(person)
    const keys = (await storedRows(world, userId)).map(({ kind, provider_id }) => `${kind}/${provider_id}`)
    expect(keys).toEqual(expect.arrayContaining(recoveries.map(({ cycle_id }) => `recovery/${cycle_id}`)))
    expect(keys).toEqual(expect.arrayContaining(cycles.map(({ id }) => `cycle/${id}`)))
    expect(await gapsOf()).toMatchObject([{ collection: "sleep" }])
  },
)

test("a collection that is refused beside a gap of another one is named with its first event", async () => {
  await live(DAY_MS)
  fail(/\/recovery$/, 403)
  const { recoveries, workouts } = world.simulator.records(person)
  world.simulator.edit.recovery.patch(person, recoveries[0]?.cycle_id ?? 0, {})
  await live(10 * MINUTE_MS)
  expect(await gapsOf()).toMatchObject([{ collection: "recovery" }])
  fail(/\/activity\/workout/, 403)
  world.simulator.edit.workout.patch(person, workouts[0]?.id ?? "", {})
  await live(10 * MINUTE_MS)
  expect(await gapsOf()).toMatchObject([{ collection: "recovery" }, { collection: "workout" }])
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
