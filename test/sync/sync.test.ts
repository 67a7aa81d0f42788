import { requestSync } from "@restwell/core"
import { afterEach, beforeEach, expect, test } from "vitest"
import { changedRecords, connectionRow, firstOf, openSubject, read, type Subject, storedRecords } from "./one-person.ts"

const DAY_MS = 86_400_000

let subject: Subject
beforeEach(async () => {
  subject = await openSubject()
})
afterEach(() => subject.world.close())

test("syncing twice changes no record", async () => {
  const { world, person, userId } = subject
  await world.connect(userId, person)
  const before = await storedRecords(subject)
  await world.sync(userId)
  expect(await storedRecords(subject)).toBe(before)
})

test("an unchanged record that is listed again is not written again", async () => {
  const { world, person, userId } = subject
  await world.connect(userId, person)
  const locations = async () =>
    (await world.store.pool.query("select kind, provider_id, ctid::text from restwell.record order by 1, 2")).rows
  const before = await locations()
  await requestSync(world.context, { userId, provider: "whoop" })
  world.simulator.requestLog.clear()
  await world.sync(userId)
  expect(world.simulator.requestLog.count()).toBeGreaterThan(0)
  expect(await locations()).toEqual(before)
})

test("the newest days are fetched first, then the whole history", async () => {
  const { world, person, userId } = subject
  await world.connect(userId, person)
  const starts = world.simulator.requestLog
    .filter({ path: "/developer/v2/cycle" })
    .map(({ query }) => new URLSearchParams(query).get("start"))
  expect(starts[0]).toBe(new Date(world.context.clock.now().getTime() - 10 * DAY_MS).toISOString())
  expect(await connectionRow(subject)).toMatchObject({ history_complete: true, status: "ok" })
})

test("a history with a gap of half a year is fetched completely", async () => {
  const { world, person, userId } = subject
  await world.connect(userId, person)
  const old = { ...firstOf(world.simulator.records(person).workouts), id: "0d6d6ed6-9a5f-4f0b-8a55-5d8f3c4c7e11" }
  const start = new Date(world.context.clock.now().getTime() - 400 * DAY_MS)
  const end = new Date(start.getTime() + 3_600_000)
  world.simulator.edit.workout.put(person, { ...old, start: start.toISOString(), end: end.toISOString() })
  const other = await world.addUser()
  await world.connect(other, person, "allow")
  const { rows } = await world.store.pool.query(
    "select started_at from restwell.record where user_id = $1 and provider_id = $2",
    [other, old.id],
  )
  expect(rows).toEqual([{ started_at: start }])
})

test("an interrupted first sync resumes", async () => {
  const { world, person, userId } = subject
  const broken = { match: { path: /\/developer\/v2\/(?:cycle|recovery|activity)/ }, kind: "transform" as const }
  let calls = 0
  const repair = world.simulator.faults.add({
    ...broken,
    transform: (reply) => {
      calls += 1
      return calls > 10 ? { records: "none" } : reply
    },
  })
  await world.connect(userId, person)
  expect(await connectionRow(subject)).toMatchObject({ history_complete: false, status: "vendor_unavailable" })
  const stored = (await storedRecords(subject)).length
  repair()
  world.simulator.requestLog.clear()
  await world.sync(userId)
  expect(await connectionRow(subject)).toMatchObject({ history_complete: true, status: "ok" })
  expect((await storedRecords(subject)).length).toBeGreaterThan(stored)
})

test("a record that changes at the vendor is updated", async () => {
  const { world, person, userId } = subject
  await world.connect(userId, person)
  const workout = firstOf(world.simulator.records(person).workouts)
  world.simulator.clock.advance(60_000)
  world.simulator.edit.workout.patch(person, workout.id, { sport_name: "table-tennis" })
  await world.sync(userId)
  expect(await read(subject, "workout")).toContain('"sport_type":"table-tennis"')
})

test("a sleep that is deleted at the vendor is deleted, with its recovery", async () => {
  const { world, person, userId } = subject
  await world.connect(userId, person)
  const recovery = firstOf(world.simulator.records(person).recoveries)
  world.simulator.edit.sleep.delete(person, recovery.sleep_id)
  await world.sync(userId)
  expect(await read(subject, "sleep")).not.toContain(recovery.sleep_id)
  expect(await read(subject, "recovery")).not.toContain(`"whoop-${recovery.cycle_id}"`)
})

test("an open cycle is updated even without a new updated_at", async () => {
  const { world, person, userId } = subject
  await world.connect(userId, person)
  const open = firstOf(world.simulator.records(person).cycles.filter(({ end }) => !end))
  const score = { strain: 19.3, kilojoule: 9000, average_heart_rate: 70, max_heart_rate: 190 }
  world.simulator.edit.cycle.put(person, { ...open, score_state: "SCORED", score })
  await world.sync(userId)
  expect(await read(subject, "cycle")).toContain('"strain":19.3')
})

test("an older version of a record never replaces a newer one", async () => {
  const { world, person, userId } = subject
  await world.connect(userId, person)
  const before = await storedRecords(subject)
  const aged = (record: Readonly<Record<string, unknown>>) => ({
    ...record,
    score_state: "PENDING_SCORE",
    updated_at: new Date(Date.parse(String(record["updated_at"])) - 1).toISOString(),
  })
  world.simulator.faults.add({
    match: { path: /\/v2\/activity\/(?:sleep|workout)$/ },
    kind: "transform",
    transform: changedRecords((records) => records.map(aged)),
  })
  await world.sync(userId)
  expect(await storedRecords(subject)).toBe(before)
})

test("an edit of an old record arrives when the person requests a sync, and otherwise within a day", async () => {
  const { world, person, userId } = subject
  await world.connect(userId, person)
  const old = world.simulator
    .records(person)
    .workouts.filter(({ start }) => Date.parse(start) < world.simulator.clock.nowMs() - 40 * DAY_MS)
  const [requested, polled] = [firstOf(old), firstOf(old.slice(1))]
  world.simulator.edit.workout.patch(person, requested.id, { sport_name: "fencing" })
  await world.sync(userId)
  expect(await read(subject, "workout")).not.toContain("fencing")
  await requestSync(world.context, { userId, provider: "whoop" })
  await world.sync(userId)
  expect(await read(subject, "workout")).toContain("fencing")
  world.simulator.edit.workout.delete(person, polled.id)
  world.simulator.clock.advance(DAY_MS)
  await world.sync(userId)
  expect(await read(subject, "workout")).not.toContain(polled.id)
})

test("a record that is missing from a page because the list shifted is kept", async () => {
  const { world, person, userId } = subject
  await world.connect(userId, person)
  const before = await storedRecords(subject)
  world.simulator.faults.add({
    match: { path: /\/v2\/activity\/sleep$/ },
    kind: "transform",
    transform: changedRecords((records) => records.slice(1)),
  })
  await world.sync(userId)
  expect(await storedRecords(subject)).toBe(before)
})

test("a pending night has no values until it is scored", async () => {
  const { world, person, userId } = subject
  await world.connect(userId, person)
  const night = firstOf(world.simulator.records(person).sleeps.filter(({ nap }) => !nap))
  world.simulator.clock.advance(1000)
  world.simulator.edit.sleep.patch(person, night.id, { score_state: "PENDING_SCORE", score: null })
  await world.sync(userId)
  const pending = JSON.parse(await read(subject, "sleep")).records.find(
    ({ id }: { id: string }) => id === `whoop-${night.id}`,
  )
  expect(pending).toMatchObject({ score_state: "pending", score: { performance: null }, stages: { rem_hours: null } })
  world.simulator.clock.advance(1000)
  world.simulator.edit.sleep.patch(person, night.id, { score_state: night.score_state, score: night.score })
  await world.sync(userId)
  const scored = JSON.parse(await read(subject, "sleep")).records.find(
    ({ id }: { id: string }) => id === `whoop-${night.id}`,
  )
  expect(scored.score_state).toBe("scored")
})

test("a malformed record is rejected with a reason, and the rest of its page is stored", async () => {
  const { world, person, userId } = subject
  const { workouts } = world.simulator.records(person)
  const odd = firstOf(workouts).id
  const drift = (record: Readonly<Record<string, unknown>>) =>
    record["id"] === odd ? { ...record, start: "soon" } : record
  world.simulator.faults.add({
    match: { path: /\/v2\/activity\/workout$/ },
    kind: "transform",
    transform: changedRecords((records) => records.map(drift)),
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
