import { disconnect } from "@restwell/core"
import type { VendorName } from "@restwell/providers"
import type { Person } from "@restwell/simulator"
import type { NoticeOf } from "@restwell/testing/vendor"
import { createWorld, expectTruth, storedRows, truthOf, type World } from "@restwell/testing/world"
import { afterEach, beforeEach, describe, expect, test } from "vitest"

const MINUTE_MS = 60_000
const HALF_HOUR_MS = 30 * MINUTE_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Oura's records are joined from several collections. */
const CALLS_A_DAY = { whoop: 8, oura: 60 }
const SLEEPS = { whoop: "/developer/v2/activity/sleep", oura: "/v2/usercollection/sleep" }

let world: World
let person: Person
let userId: string

async function open(vendor: VendorName): Promise<void> {
  world = await createWorld({ vendor, days: 20, hasWebhooks: true })
  person = world.simulator.people.add({ email: "ada@example.com" })
  userId = await world.addUser()
  await world.connect(userId, person)
}
afterEach(() => world.close())

describe.each(["whoop", "oura"] as const)("changes that %s announces", (provider) => {
  beforeEach(() => open(provider))

  test("a record that an event announces is fetched by its id alone", async () => {
    await live(DAY_MS)
    const workout = newestWorkout()
    vendor().requestLog.clear()
    world.simulator.clock.advance(MINUTE_MS)
    world.vendor.renameWorkout(person, workout, "fencing")
    await vendor().webhooks.flush()
    await world.runDue()
    expect(await storedText(workout)).toContain("fencing")
    expect(callsForRecords()).toBeLessThanOrEqual(2)
  })

  test("after days of events the stored records are the vendor's, with few calls per day and person", async () => {
    const people = [{ userId, person }, await connectAnother()]
    // The first reconciliation comes a day after the history.
    await live(2 * DAY_MS)
    vendor().requestLog.clear()
    await live(3 * DAY_MS)
    const calls = vendor().requestLog.count({ path: world.vendor.paths.data })
    expect(calls / 3 / people.length).toBeLessThanOrEqual(CALLS_A_DAY[provider])
    for (const each of people) await expectTruth(world, each)
  })

  test("events that come five times and in any order change only the records they announce", async () => {
    Object.assign(vendor().webhooks.manners, { copies: 5, shuffled: true })
    await live(3 * DAY_MS, 6 * HOUR_MS)
    expect(new Set(world.webhooks)).toEqual(new Set(["accepted", "repeated"]))
    await expectTruth(world, { userId, person })
  })

  test("a deleted sleep is deleted with its recovery, even if only one of the two events arrives", async () => {
    await live(DAY_MS)
    const { rows } = await world.store.pool.query(
      "select sleep_provider_id as id from restwell.record where user_id = $1 and kind = 'recovery' order by date desc",
      [userId],
    )
    const { id } = rows[0]
    muted(() => world.vendor.delete(person, "sleep", id))
    await deliver({ kind: "sleep", id, verb: "deleted" })
    await world.runDue()
    expect(await storedRows(world, userId)).toEqual(await truthOf(world, person))
  })

  test("a record that changes while it is fetched is fetched again", async () => {
    await live(DAY_MS)
    const workout = newestWorkout()
    vendor().faults.add({ match: { path: /workout\// }, kind: "late_reply", ms: 400, times: 1 })
    world.vendor.renameWorkout(person, workout, "fencing")
    await vendor().webhooks.flush()
    const syncing = world.runJob(userId)
    await new Promise((resolve) => setTimeout(resolve, 100))
    world.simulator.clock.advance(1000)
    world.vendor.renameWorkout(person, workout, "tennis")
    await vendor().webhooks.flush()
    await syncing
    await world.runDue()
    expect(await storedText(workout)).toContain("tennis")
    expect(await waiting()).toBe(0)
  })

  test("lost events are made up for by the nightly reconciliation, and by polling after a day without events", async () => {
    await live(DAY_MS)
    vendor().webhooks.manners.muted = true
    await live(31 * HOUR_MS)
    await expectTruth(world, { userId, person })
    await live(6 * HOUR_MS)
    vendor().requestLog.clear()
    await live(12 * HOUR_MS)
    expect(vendor().requestLog.count({ path: SLEEPS[provider] })).toBeGreaterThanOrEqual(11)
  })

  test("a record that is not found by its id but is still listed is kept", async () => {
    await live(DAY_MS)
    const workout = newestWorkout()
    const repair = vendor().faults.add({ match: { path: /workout\// }, kind: "status", status: 404 })
    world.vendor.renameWorkout(person, workout, "fencing")
    await vendor().webhooks.flush()
    await world.runDue()
    repair()
    expect(await storedText(workout)).toContain("fencing")
  })
})

describe.each(["whoop", "oura"] as const)("webhooks of %s that change nothing", (provider) => {
  beforeEach(() => open(provider))

  test("an event for an unknown or former person is acknowledged and discarded", async () => {
    const stranger = world.simulator.people.add({ email: "nobody@example.com" })
    expect(await deliver({ person: stranger })).toBe(204)
    expect(world.webhooks).toEqual(["unknown_member"])
    await disconnect(world.context, { userId, provider, wipeData: false })
    expect(await deliver({})).toBe(204)
    expect(world.webhooks).toEqual(["unknown_member", "unknown_member"])
    expect(await waiting()).toBe(0)
  })

  test("an event that is unsigned, too old or malformed is refused, and nothing is stored", async () => {
    expect(await deliver({}, { secret: "another" })).toBe(400)
    expect(await deliver({}, { ageMs: 3 * HOUR_MS })).toBe(400)
    expect(await deliver({}, { ageMs: -HOUR_MS })).toBe(400)
    expect(await deliver({ id: "../profile" })).toBe(400)
    expect(world.webhooks).toEqual(["unauthorized", "unauthorized", "unauthorized", "invalid_request"])
    expect(await waiting()).toBe(0)
  })

  test("a replayed delivery is recognised", async () => {
    await deliver({ eventId: "trace" })
    await world.runDue()
    vendor().requestLog.clear()
    await deliver({ eventId: "trace" })
    await world.runDue()
    expect(world.webhooks).toEqual(["accepted", "repeated"])
    expect(vendor().requestLog.count({ path: world.vendor.paths.data })).toBe(0)
  })

  test("connecting as another person is refused, until the records of the former one are deleted", async () => {
    const other = world.simulator.people.add({ email: "grace@example.com" })
    const before = await storedRows(world, userId)
    await disconnect(world.context, { userId, provider, wipeData: false })
    await expect(world.authorize(userId, other)).rejects.toThrow("delete the stored data first")
    expect(await storedRows(world, userId)).toEqual(before)
    await disconnect(world.context, { userId, provider, wipeData: true })
    await world.authorize(userId, other)
    await world.runDue()
    expect(await storedRows(world, userId)).toEqual(await truthOf(world, other))
  })
})

async function connectAnother(): Promise<{ readonly userId: string; readonly person: Person }> {
  const another = { userId: await world.addUser(), person: world.simulator.people.add({ email: "ben@example.com" }) }
  await world.connect(another.userId, another.person)
  return another
}

/** Heart rates are read after each sync. */
const callsForRecords = () =>
  vendor()
    .requestLog.filter({ path: world.vendor.paths.data })
    .filter(({ path }) => !path.endsWith("/heartrate")).length

const vendor = () => world.vendor.simulator

/** Moves the clock in steps, and runs the jobs that are due after each. */
async function live(durationMs: number, stepMs = HALF_HOUR_MS): Promise<void> {
  const { clock } = world.simulator
  const end = clock.nowMs() + durationMs
  while (clock.nowMs() < end) {
    clock.advance(Math.min(stepMs, end - clock.nowMs()))
    await vendor().webhooks.flush()
    await world.runDue()
  }
}

function newestWorkout(): string {
  const [workout] = world.vendor.idsOf(person, "workout")
  if (workout === undefined) throw new Error("the simulated person has no workout")
  return workout
}

async function storedText(id: string): Promise<string> {
  const rows = await storedRows(world, userId)
  return JSON.stringify(rows.find(({ provider_id }) => provider_id === id))
}

/** Does something of which the vendor's webhooks are lost. */
function muted(change: () => void): void {
  vendor().webhooks.manners.muted = true
  change()
  vendor().webhooks.manners.muted = false
}

async function waiting(): Promise<number> {
  const { rows } = await world.store.pool.query("select count(*)::int as count from restwell.vendor_event")
  return rows[0].count
}

/** Sends an event as the vendor would, about an unknown sleep of our person by default. */
async function deliver(notice: Partial<NoticeOf>, { secret = "simulator-secret", ageMs = 0 } = {}): Promise<number> {
  const body = world.vendor.write({ person, kind: "sleep", id: world.vendor.unknownId, verb: "updated", ...notice })
  const headers = world.vendor.sign(body, world.simulator.clock.nowMs() - ageMs, secret)
  const answer = await fetch(world.webhookUrl, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  })
  return answer.status
}
