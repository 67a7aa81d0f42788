import { afterEach, beforeEach, expect, test } from "vitest"
import { firstOf, openSubject, type Subject } from "./one-person.ts"

const DAY_MS = 86_400_000

let subject: Subject
beforeEach(async () => {
  subject = await openSubject()
})
afterEach(() => subject.world.close())

const inDays = (days: number): string =>
  new Date(subject.world.context.clock.now().getTime() + days * DAY_MS).toISOString()

/** Lets the vendor send one workout with other fields, in lists and by its id. */
function change(id: string, fields: object): () => void {
  const changed = (record: { id?: string }) => (record.id === id ? { ...record, ...fields } : record)
  return subject.world.simulator.faults.add({
    match: { path: /workout/ },
    kind: "transform",
    transform: (reply) =>
      "records" in Object(reply)
        ? { ...Object(reply), records: Object(reply).records.map(changed) }
        : changed(Object(reply)),
  })
}

async function stored(id: string): Promise<{ sport: string; updatedAt: Date } | undefined> {
  const { rows } = await subject.world.store.pool.query(
    `select detail->>'sportType' as sport, vendor_updated_at as "updatedAt"
     from restwell.record where provider_id = $1`,
    [id],
  )
  return rows[0]
}

/** The version that a person has who connects while the vendor sends what is true. */
async function truth(id: string): Promise<Awaited<ReturnType<typeof stored>>> {
  const { world, person } = subject
  const other = await world.addUser()
  await world.connect(other, person, "allow")
  const version = await stored(id)
  await world.store.pool.query(`delete from restwell."user" where id = $1`, [other])
  return version
}

async function rejections(): Promise<string[]> {
  const { rows } = await subject.world.store.pool.query<{ reason: string }>(
    "select reason from restwell.rejected_record",
  )
  return rows.map(({ reason }) => reason)
}

test("a record that starts later than tomorrow is rejected, and one of tomorrow is not", async () => {
  const { world, person, userId } = subject
  const [later, tomorrow] = world.simulator.records(person).workouts
  const restore = change(later?.id ?? "", { start: inDays(2), end: inDays(2) })
  await world.connect(userId, person)
  expect(await rejections()).toEqual(["start: more than a day in the future"])
  restore()
  change(tomorrow?.id ?? "", { start: inDays(0.9), end: inDays(0.95), updated_at: inDays(0.9) })
  world.simulator.clock.advance(DAY_MS / 24)
  await world.sync(userId)
  expect(await rejections()).toEqual([])
  expect(await stored(tomorrow?.id ?? "")).toBeDefined()
})

test("a record that ends or was created later than tomorrow is rejected", async () => {
  const { world, person, userId } = subject
  const [cycle] = world.simulator.records(person).cycles
  const [recovery] = world.simulator.records(person).recoveries
  world.simulator.edit.cycle.patch(person, cycle?.id ?? 0, { end: inDays(3) })
  world.simulator.edit.recovery.patch(person, recovery?.cycle_id ?? 0, { created_at: inDays(3) })
  await world.connect(userId, person)
  expect((await rejections()).toSorted()).toEqual([
    "created_at: more than a day in the future",
    "end: more than a day in the future",
  ])
})

test("a change of later than tomorrow counts as made now, and every version that is read later replaces it", async () => {
  const { world, person, userId } = subject
  const { id } = firstOf(world.simulator.records(person).workouts)
  const before = await truth(id)
  const restore = change(id, { updated_at: "2099-01-01T00:00:00Z", sport_name: "tennis" })
  await world.connect(userId, person)
  expect(await stored(id)).toMatchObject({ sport: "tennis" })
  restore()
  const restoreSecond = change(id, { updated_at: "2098-01-01T00:00:00Z", sport_name: "golf" })
  world.simulator.clock.advance(DAY_MS / 24)
  await world.sync(userId)
  expect(await stored(id)).toMatchObject({ sport: "golf" })
  // The vendor repairs its clock: the version is the one of before, which is older than the last fetch.
  restoreSecond()
  world.simulator.clock.advance(DAY_MS / 24)
  await world.sync(userId)
  expect(await stored(id)).toEqual(before)
  const restoreThird = change(id, { updated_at: "2099-01-01T00:00:00Z", sport_name: "chess" })
  world.simulator.clock.advance(DAY_MS / 24)
  await world.sync(userId)
  expect(await stored(id)).toMatchObject({ sport: "chess" })
  restoreThird()
  world.simulator.edit.workout.patch(person, id, { sport_name: "padel" })
  world.simulator.clock.advance(DAY_MS / 24)
  await world.sync(userId)
  expect(await stored(id)).toMatchObject({ sport: "padel" })
})

test("an older version of the vendor's never replaces a newer one", async () => {
  const { world, person, userId } = subject
  const { id } = firstOf(world.simulator.records(person).workouts)
  await world.connect(userId, person)
  const newest = await stored(id)
  change(id, { updated_at: "2026-01-01T00:00:00Z", sport_name: "tennis" })
  world.simulator.clock.advance(DAY_MS / 24)
  await world.sync(userId)
  expect(await stored(id)).toEqual(newest)
})
