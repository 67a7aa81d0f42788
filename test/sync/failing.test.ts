import { syncConnection } from "@restwell/core"
import type { VendorAdapter } from "@restwell/providers"
import type { Person } from "@restwell/simulator"
import { createWorld, PROVIDER, type World } from "@restwell/testing/world"
import { afterEach, beforeEach, expect, test } from "vitest"
import { connectionRow, read } from "./one-person.ts"

const MINUTE_MS = 60_000
const REASON = /^an unexpected error stopped the sync\. It is tried again at \d{4}-\d\d-\d\d \d\d:\d\d UTC$/

let world: World
let person: Person
let userId: string
beforeEach(async () => {
  world = await createWorld({ days: 120, hasWebhooks: true })
  person = world.simulator.people.add({ email: "ada@example.com" })
  userId = await world.addUser()
})
afterEach(() => world.close())

/** The database refuses rows of a table, as for a row that violates a constraint. Returns what ends it. */
async function refuse(table: "profile" | "record", condition: string): Promise<() => Promise<unknown>> {
  const rows = `user_id = '${userId}' and ${condition}`
  await world.store.pool.query(`alter table restwell.${table} add constraint refused check (not (${rows})) not valid`)
  return () => world.store.pool.query(`alter table restwell.${table} drop constraint refused`)
}

const row = (user = userId) => connectionRow({ world, person, userId: user })
const sourceOf = async (user = userId) => JSON.parse(await read({ world, person, userId: user }, "sleep")).source
const runDue = () => world.runDue().catch(() => {})

const STEPS: [string, () => Promise<() => Promise<unknown>>][] = [
  [
    "the profile",
    async () => {
      world.simulator.faults.add({ match: { path: "/developer/v2/user" }, kind: "status", status: 503, times: 3 })
      await world.authorize(userId, person)
      world.simulator.faults.clear()
      return refuse("profile", "true")
    },
  ],
  [
    "the newest days",
    async () => {
      await world.authorize(userId, person)
      return refuse("record", "true")
    },
  ],
  [
    "the history",
    async () => {
      await world.authorize(userId, person)
      return refuse("record", "started_at < '2026-11-01'")
    },
  ],
  [
    "an event's record",
    async () => {
      await world.connect(userId, person)
      const repair = await refuse("record", "kind = 'workout'")
      const [workout] = world.simulator.records(person).workouts
      if (!workout) throw new Error("a person without workouts")
      world.simulator.edit.workout.patch(person, workout.id, { sport_name: "fencing" })
      await world.simulator.webhooks.flush()
      return repair
    },
  ],
]

test.each(STEPS)(
  "an unexpected error while storing %s sets the connection to failing at the first attempt, until a sync succeeds",
  async (_step, prepare) => {
    const repair = await prepare()
    await runDue()
    const at = world.context.clock.now().getTime()
    const failing = await row()
    expect(failing).toMatchObject({ status: "failing", failures: 1, status_reason: expect.stringMatching(REASON) })
    expect(failing.next_sync_at.getTime()).toBe(at + MINUTE_MS)
    expect(await sourceOf()).toMatchObject({ status: "failing" })
    await repair()
    world.simulator.clock.advance(MINUTE_MS)
    await world.runDue()
    expect(await row()).toMatchObject({ status: "ok", status_reason: null, failures: 0 })
    expect(await sourceOf()).toMatchObject({ status: "ok" })
  },
)

test("an unexpected error is retried after 1, 2, 4 ... at most 30 minutes, and the reason names the next time", async () => {
  await world.authorize(userId, person)
  await refuse("record", "true")
  const waits = []
  for (let attempt = 0; attempt < 7; attempt += 1) {
    await runDue()
    const { next_sync_at: next, status_reason: reason } = await row()
    waits.push((next.getTime() - world.context.clock.now().getTime()) / MINUTE_MS)
    expect(reason).toContain(next.toISOString().slice(0, 16).replace("T", " "))
    world.simulator.clock.advance(next.getTime() - world.context.clock.now().getTime())
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30])
})

test("reads of a failing connection do not shorten the pause before the next attempt", async () => {
  await world.connect(userId, person)
  world.simulator.clock.advance(16 * MINUTE_MS)
  await refuse("record", "true")
  await expect(world.sync(userId)).rejects.toThrow("refused")
  await sourceOf()
  expect(world.requested).toEqual([])
  world.simulator.clock.advance(MINUTE_MS + 1)
  await sourceOf()
  await expect.poll(() => world.requested).toEqual([{ userId, provider: PROVIDER }])
})

test("a bug in one person's sync leaves the others' syncs running", async () => {
  const bob = world.simulator.people.add({ email: "bob@example.com" })
  const other = await world.addUser()
  await world.connect(userId, person)
  await world.connect(other, bob)
  const before = await sourceOf(other)
  await refuse("record", "true")
  world.simulator.clock.advance(2 * 3_600_000)
  await expect(world.sync(userId)).rejects.toThrow("refused")
  await world.sync(other)
  expect(await sourceOf()).toMatchObject({ status: "failing", last_synced_at: before.last_synced_at })
  expect(await sourceOf(other)).toMatchObject({ status: "ok" })
  expect((await sourceOf(other)).last_synced_at > before.last_synced_at).toBe(true)
})

test("a TypeError of an adapter sets the connection to failing, without its text in the reason", async () => {
  await world.connect(userId, person)
  const broken = (adapter: VendorAdapter): VendorAdapter => ({
    ...adapter,
    fetchPage: () => Promise.reject(new TypeError("cannot read resting_heart_rate 47 of undefined")),
  })
  const context = {
    ...world.context,
    adaptersFor: (...calls: Parameters<typeof world.context.adaptersFor>) =>
      new Map([...world.context.adaptersFor(...calls)].map(([name, adapter]) => [name, broken(adapter)])),
  }
  await world.store.pool.query("update restwell.connection set refresh_at = null")
  const { signal } = new AbortController()
  await expect(syncConnection(context, { userId, provider: PROVIDER }, { signal })).rejects.toThrow(TypeError)
  expect(await row()).toMatchObject({ status: "failing", status_reason: expect.stringMatching(REASON) })
})

test("a statement that takes too long for one person sets the connection to failing", async () => {
  await world.connect(userId, person)
  await world.store.pool.query(
    `create function restwell.cancel() returns trigger language plpgsql as
     $$ begin raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$`,
  )
  await world.store.pool.query(
    "create trigger cancel before insert or update on restwell.record for each row execute function restwell.cancel()",
  )
  await expect(world.sync(userId)).rejects.toThrow("statement timeout")
  expect(await row()).toMatchObject({ status: "failing" })
})

test("every change of the status, to failing and back, changes the entity tag of the answers", async () => {
  await world.connect(userId, person)
  const tag = async () => {
    const query = { type: "sleep", days: 7 } as const
    const reading = await world.reader.read({ credential: { userId }, query, ifNoneMatch: [], isCounted: true })
    return reading.outcome === "answer" ? reading.response.etag : undefined
  }
  const before = await tag()
  const repair = await refuse("record", "true")
  await expect(world.sync(userId)).rejects.toThrow("refused")
  const during = await tag()
  await repair()
  await world.sync(userId)
  expect(new Set([before, during, await tag()]).size).toBe(3)
})
