import type { HealthType } from "@restwell/client"
import { bodyOf, deleteAccount, disconnect, requestSync } from "@restwell/core"
import type { Person } from "@restwell/simulator"
import { createWorld, type World } from "@restwell/testing/world"
import { afterEach, beforeEach, expect, test } from "vitest"

const DAY_MS = 86_400_000

let world: World
let person: Person
let userId: string

beforeEach(async () => {
  world = await createWorld({ days: 120 })
  person = world.simulator.people.add({ email: "ada@example.com" })
  userId = await world.addUser()
})
afterEach(() => world.close())

/** Every stored record as text: two stores are the same when these are. */
async function storedRecords(): Promise<string> {
  const { rows } = await world.store.pool.query(
    "select to_jsonb(r) as record from restwell.record r where user_id = $1 order by kind, provider_id",
    [userId],
  )
  return JSON.stringify(rows)
}

async function connectionRow(): Promise<{ status: string; history_complete: boolean; next_sync_at: Date }> {
  const { rows } = await world.store.pool.query("select * from restwell.connection where user_id = $1", [userId])
  return rows[0]
}

async function answerTo(type: HealthType, days = 90): Promise<string> {
  const reading = await world.reader.read({
    credential: { userId },
    query: { type, days },
    ifNoneMatch: [],
    isCounted: true,
  })
  if (reading.outcome !== "answer") throw new Error(`expected an answer, got ${reading.outcome}`)
  return JSON.stringify(bodyOf(reading.bytes))
}

const firstOf = <Item>(items: readonly Item[]): Item => {
  const [first] = items
  if (first === undefined) throw new Error("the simulated person has none of these")
  return first
}

test("syncing twice changes no record", async () => {
  await world.connect(userId, person)
  const before = await storedRecords()
  await world.sync(userId)
  expect(await storedRecords()).toBe(before)
})

test("what is listed again and is as it was is not written again", async () => {
  await world.connect(userId, person)
  const places = async () =>
    (await world.store.pool.query("select kind, provider_id, ctid::text from restwell.record order by 1, 2")).rows
  const before = await places()
  await requestSync(world.context, { userId, provider: "whoop" })
  world.simulator.requestLog.clear()
  await world.sync(userId)
  expect(world.simulator.requestLog.count()).toBeGreaterThan(0)
  expect(await places()).toEqual(before)
})

test("the newest days are asked for first, then the history, to its end", async () => {
  await world.connect(userId, person)
  const starts = world.simulator.requestLog
    .filter({ path: "/developer/v2/cycle" })
    .map(({ query }) => new URLSearchParams(query).get("start"))
  expect(starts[0]).toBe(new Date(world.context.clock.now().getTime() - 10 * DAY_MS).toISOString())
  expect(await connectionRow()).toMatchObject({ history_complete: true, status: "ok" })
})

test("a history with a pause of half a year is found whole", async () => {
  await world.connect(userId, person)
  const old = { ...firstOf(world.simulator.records(person).workouts), id: "0d6d6ed6-9a5f-4f0b-8a55-5d8f3c4c7e11" }
  const start = new Date(world.context.clock.now().getTime() - 400 * DAY_MS)
  const end = new Date(start.getTime() + 3_600_000)
  world.simulator.edit.workout.put(person, { ...old, start: start.toISOString(), end: end.toISOString() })
  const other = await world.addUser()
  await world.connect(other, person)
  const { rows } = await world.store.pool.query(
    "select started_at from restwell.record where user_id = $1 and provider_id = $2",
    [other, old.id],
  )
  expect(rows).toEqual([{ started_at: start }])
})

test("a first fetch that was broken off goes on where it ended", async () => {
  const broken = { match: { path: "/developer/v2/cycle" }, kind: "transform" as const }
  let calls = 0
  const repair = world.simulator.faults.add({
    ...broken,
    transform: (reply) => {
      calls += 1
      return calls > 3 ? { records: "none" } : reply
    },
  })
  await world.connect(userId, person)
  expect(await connectionRow()).toMatchObject({ history_complete: false, status: "vendor_unavailable" })
  const stored = (await storedRecords()).length
  repair()
  world.simulator.requestLog.clear()
  await world.sync(userId)
  expect(await connectionRow()).toMatchObject({ history_complete: true, status: "ok" })
  expect((await storedRecords()).length).toBeGreaterThan(stored)
})

test("what the vendor edits is updated", async () => {
  await world.connect(userId, person)
  const workout = firstOf(world.simulator.records(person).workouts)
  world.simulator.clock.advance(60_000)
  world.simulator.edit.workout.patch(person, workout.id, { sport_name: "table-tennis" })
  await world.sync(userId)
  expect(await answerTo("workout")).toContain('"sport_type":"table-tennis"')
})

test("what the vendor deletes is deleted, with the recovery that hung on it", async () => {
  await world.connect(userId, person)
  const recovery = firstOf(world.simulator.records(person).recoveries)
  world.simulator.edit.sleep.delete(person, recovery.sleep_id)
  await world.sync(userId)
  expect(await answerTo("sleep")).not.toContain(recovery.sleep_id)
  expect(await answerTo("recovery")).not.toContain(`"whoop-${recovery.cycle_id}"`)
})

test("an open cycle that grows without a new time of change is followed", async () => {
  await world.connect(userId, person)
  const open = firstOf(world.simulator.records(person).cycles.filter(({ end }) => !end))
  const score = { strain: 19.3, kilojoule: 9000, average_heart_rate: 70, max_heart_rate: 190 }
  world.simulator.edit.cycle.put(person, { ...open, score_state: "SCORED", score })
  await world.sync(userId)
  expect(await answerTo("cycle")).toContain('"strain":19.3')
})

test("an older version of a record never replaces a newer one", async () => {
  await world.connect(userId, person)
  const before = await storedRecords()
  const aged = (record: { updated_at: string }) => ({
    ...record,
    score_state: "PENDING_SCORE",
    updated_at: new Date(Date.parse(record.updated_at) - 1).toISOString(),
  })
  world.simulator.faults.add({
    match: { path: /\/v2\/activity\/(?:sleep|workout)$/ },
    kind: "transform",
    transform: (reply) => ({ ...Object(reply), records: Object(reply).records.map(aged) }),
  })
  await world.sync(userId)
  expect(await storedRecords()).toBe(before)
})

test("a late edit, weeks back, arrives when the person asks, and else within a day", async () => {
  await world.connect(userId, person)
  const old = world.simulator
    .records(person)
    .workouts.filter(({ start }) => Date.parse(start) < world.simulator.clock.nowMs() - 40 * DAY_MS)
  const [asked, polled] = [firstOf(old), firstOf(old.slice(1))]
  world.simulator.edit.workout.patch(person, asked.id, { sport_name: "fencing" })
  await world.sync(userId)
  expect(await answerTo("workout")).not.toContain("fencing")
  await requestSync(world.context, { userId, provider: "whoop" })
  await world.sync(userId)
  expect(await answerTo("workout")).toContain("fencing")
  world.simulator.edit.workout.delete(person, polled.id)
  world.simulator.clock.advance(DAY_MS)
  await world.sync(userId)
  expect(await answerTo("workout")).not.toContain(polled.id)
})

test("a record that one page missed while the list shifted is kept", async () => {
  await world.connect(userId, person)
  const before = await storedRecords()
  world.simulator.faults.add({
    match: { path: /\/v2\/activity\/sleep$/ },
    kind: "transform",
    transform: (reply) =>
      typeof reply === "object" && reply && "records" in reply && Array.isArray(reply.records)
        ? { ...reply, records: reply.records.slice(1) }
        : reply,
  })
  await world.sync(userId)
  expect(await storedRecords()).toBe(before)
})

test("a pending night is answered as pending, without figures, until it is scored", async () => {
  await world.connect(userId, person)
  const night = firstOf(world.simulator.records(person).sleeps.filter(({ nap }) => !nap))
  world.simulator.clock.advance(1000)
  world.simulator.edit.sleep.patch(person, night.id, { score_state: "PENDING_SCORE", score: null })
  await world.sync(userId)
  const pending = JSON.parse(await answerTo("sleep")).records.find(
    ({ id }: { id: string }) => id === `whoop-${night.id}`,
  )
  expect(pending).toMatchObject({ score_state: "pending", score: { performance: null }, stages: { rem_hours: null } })
  world.simulator.clock.advance(1000)
  world.simulator.edit.sleep.patch(person, night.id, { score_state: night.score_state, score: night.score })
  await world.sync(userId)
  const scored = JSON.parse(await answerTo("sleep")).records.find(
    ({ id }: { id: string }) => id === `whoop-${night.id}`,
  )
  expect(scored.score_state).toBe("scored")
})

test("a record of another shape is kept aside with the reason, and the rest of its page goes on", async () => {
  const { workouts } = world.simulator.records(person)
  const odd = firstOf(workouts).id
  const drift = (record: { id: string }) => (record.id === odd ? { ...record, start: "soon" } : record)
  world.simulator.faults.add({
    match: { path: /\/v2\/activity\/workout$/ },
    kind: "transform",
    transform: (reply) => ({ ...Object(reply), records: Object(reply).records.map(drift) }),
  })
  await world.connect(userId, person)
  const { rows } = await world.store.pool.query(
    "select provider_id, reason from restwell.rejected_record where user_id = $1",
    [userId],
  )
  expect(rows).toEqual([{ provider_id: odd, reason: expect.stringContaining("start") }])
  const { rows: stored } = await world.store.pool.query(
    "select provider_id from restwell.record where user_id = $1 and kind = 'workout'",
    [userId],
  )
  const others = workouts.map(({ id }) => id).filter((id) => id !== odd)
  expect(stored.map(({ provider_id }) => provider_id).sort()).toEqual(others.sort())
})

test("while the vendor is down the stored answer stays, and says so; when it is back, so is the connection", async () => {
  await world.connect(userId, person)
  const before = JSON.parse(await answerTo("sleep"))
  const repair = world.simulator.faults.add({ match: { path: "/developer" }, kind: "status", status: 503 })
  await world.sync(userId)
  const during = JSON.parse(await answerTo("sleep"))
  expect(during.records).toEqual(before.records)
  expect(during.source).toEqual({ ...before.source, status: "vendor_unavailable" })
  expect((await connectionRow()).next_sync_at).toEqual(new Date(world.context.clock.now().getTime() + 60_000))
  repair()
  await world.sync(userId)
  expect(JSON.parse(await answerTo("sleep")).source.status).toBe("ok")
})

test("a grant that the vendor ended needs the person; connecting again keeps connection and data", async () => {
  await world.connect(userId, person)
  const before = await storedRecords()
  world.simulator.tokens.revokeAll(person)
  await world.sync(userId)
  expect(JSON.parse(await answerTo("sleep")).source.status).toBe("reauthorization_required")
  await world.connect(userId, person)
  expect(JSON.parse(await answerTo("sleep")).source.status).toBe("ok")
  expect(await storedRecords()).toBe(before)
})

test("an expired access token is refreshed, and a refused one too", async () => {
  await world.connect(userId, person)
  world.simulator.clock.advance(2 * 3_600_000)
  await world.sync(userId)
  expect(world.simulator.requestLog.counters().refreshes).toBe(1)
  world.simulator.tokens.expireAccess(person)
  await world.sync(userId)
  expect(world.simulator.requestLog.counters().refreshes).toBe(2)
  expect((await connectionRow()).status).toBe("ok")
})

test("a read of data older than 15 minutes asks for a sync, once a minute, and does not wait for it", async () => {
  await world.connect(userId, person)
  await answerTo("sleep")
  expect(world.requested).toEqual([])
  world.simulator.clock.advance(15 * 60_000 + 1)
  await Promise.all([answerTo("sleep"), answerTo("recovery"), answerTo("workout")])
  expect(world.requested).toEqual([{ userId, provider: "whoop" }])
})

test("a disconnect while a sync fetches voids what it brings", async () => {
  await world.connect(userId, person)
  await disconnect(world.context, { userId, provider: "whoop", wipeData: true })
  await world.connect(userId, person)
  world.simulator.faults.add({ match: { path: "/developer/v2/cycle" }, kind: "latency", ms: 300, times: 1 })
  const syncing = world.sync(userId)
  await disconnect(world.context, { userId, provider: "whoop", wipeData: true })
  await syncing
  expect(await storedRecords()).toBe("[]")
  expect((await connectionRow()).status).toBe("disconnected")
})

test("a deleted account is not made again by a sync in flight", async () => {
  await world.connect(userId, person)
  world.simulator.faults.add({ match: { path: "/developer/v2/cycle" }, kind: "latency", ms: 300, times: 1 })
  const syncing = world.sync(userId)
  await deleteAccount(world.context, userId)
  await syncing
  expect(await storedRecords()).toBe("[]")
})

test("when the calls are used up the rest waits for its time, and nothing is called broken", async () => {
  const lift = world.simulator.faults.add({ match: { path: /activity/ }, kind: "rate_limit" })
  await world.connect(userId, person)
  expect((await connectionRow()).status).toBe("syncing")
  expect((await connectionRow()).next_sync_at.getTime()).toBeGreaterThan(world.context.clock.now().getTime())
  lift()
  world.simulator.clock.advance(61_000)
  await world.sync(userId)
  expect((await connectionRow()).status).toBe("ok")
})
