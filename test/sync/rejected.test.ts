import { readSyncCounts, retryRejected } from "@restwell/core"
import type { Person } from "@restwell/simulator"
import { createWorld, storedRows, truthOf, type World, withoutOpenCycle } from "@restwell/testing/world"
import { afterEach, beforeEach, expect, test } from "vitest"

const DAY_MS = 86_400_000

let world: World
let person: Person
let userId: string
let repair: () => void

/** Connects a person with one old workout that is malformed. */
beforeEach(async () => {
  world = await createWorld({ days: 60 })
  person = world.simulator.people.add({ email: "ada@example.com" })
  const odd = world.simulator.records(person).workouts.at(-1)?.id
  const drift = (record: { id: string }) => (record.id === odd ? { ...record, start: "soon" } : record)
  repair = world.simulator.faults.add({
    match: { path: /workout/ },
    kind: "transform",
    transform: (reply) =>
      "records" in Object(reply)
        ? { ...Object(reply), records: Object(reply).records.map(drift) }
        : drift(Object(reply)),
  })
  userId = await world.addUser()
  await world.connect(userId, person)
})
afterEach(() => world.close())

const rejected = async () => (await readSyncCounts(world.context)).rejected

async function expectTruth(): Promise<void> {
  expect(withoutOpenCycle(await storedRows(world, userId))).toEqual(withoutOpenCycle(await truthOf(world, person)))
}

test("the operator sees the number of rejected records, and the rest of the history is stored", async () => {
  expect(await rejected()).toEqual([{ provider: "whoop", kind: "workout", count: 1 }])
  const { workouts, sleeps, cycles, recoveries } = world.simulator.records(person)
  expect(await storedRows(world, userId)).toHaveLength(
    workouts.length + sleeps.length + cycles.length + recoveries.length - 1,
  )
})

test("a rejected record is fetched again a day later", async () => {
  repair()
  world.simulator.clock.advance(DAY_MS / 2)
  expect(await retryRejected(world.context)).toBe(0)
  world.simulator.clock.advance(DAY_MS / 2)
  await world.runDue()
  expect(await rejected()).toEqual([])
  await expectTruth()
})

test("a record that stays malformed is fetched once a day for a week, then once by each new version of the software", async () => {
  let fetched = 0
  for (let day = 0; day < 12; day += 1) {
    world.simulator.clock.advance(DAY_MS)
    fetched += await retryRejected(world.context)
    await world.runDue()
  }
  expect(fetched).toBe(7)
  expect(await retryRejected({ ...world.context, version: "1.1.0" })).toBe(1)
  expect(await retryRejected({ ...world.context, version: "1.1.0" })).toBe(0)
  repair()
  await world.runDue()
  expect(await rejected()).toEqual([])
  await expectTruth()
})

test("a rejected record that the vendor deletes is removed", async () => {
  const odd = world.simulator.records(person).workouts.at(-1)
  world.simulator.edit.workout.delete(person, odd?.id ?? "")
  world.simulator.clock.advance(DAY_MS)
  await world.runDue()
  expect(await rejected()).toEqual([])
})

test("of two malformed payloads of one record the last is kept, and a list that never ends in the past does end", async () => {
  const other = await world.addUser()
  const twice = world.simulator.people.add({ email: "bob@example.com" })
  const { id } = world.simulator.records(twice).workouts[0] ?? { id: "" }
  const payloads = ["soon", "later"].map((start) => ({ id, start }))
  world.simulator.faults.clear()
  world.simulator.faults.add({
    match: { path: /workout$/, personId: twice.userId },
    kind: "transform",
    transform: () => ({ records: [...payloads, ...payloads, null, 7], next_token: "" }),
  })
  await world.connect(other, twice)
  const { rows } = await world.store.pool.query(
    "select provider_id, raw from restwell.rejected_record where user_id = $1 order by raw::text",
    [other],
  )
  expect(rows).toHaveLength(3)
  expect(rows).toEqual(
    expect.arrayContaining([
      { provider_id: null, raw: 7 },
      { provider_id: null, raw: null },
      { provider_id: id, raw: payloads[1] },
    ]),
  )
})

test("many records that lose their ids in a list are neither deleted nor an obstacle", async () => {
  world.simulator.faults.clear()
  await world.sync(userId)
  const before = (await storedRows(world, userId)).filter(({ kind }) => kind === "sleep")
  world.simulator.faults.add({
    match: { path: /sleep$/, personId: person.userId },
    kind: "transform",
    transform: (reply) => ({
      ...Object(reply),
      records: Object(reply).records.map((record: object) => ({ ...record, id: "\0" })),
    }),
  })
  await world.sync(userId)
  expect((await storedRows(world, userId)).filter(({ kind }) => kind === "sleep")).toEqual(before)
  const { rows } = await world.store.pool.query("select status, failures from restwell.connection")
  expect(rows).toEqual([{ status: "ok", failures: 0 }])
})

/** Takes the ids off what a list of the vendor has. */
const withoutIds = (path: RegExp, of: Person, isOne: (id: string) => boolean = () => true) =>
  world.simulator.faults.add({
    match: { path, personId: of.userId },
    kind: "transform",
    transform: (reply) => ({
      ...Object(reply),
      records: Object(reply).records.map((record: { id: string }) =>
        isOne(record.id) ? { ...record, id: 7 } : record,
      ),
    }),
  })

test("a rejected record without an id is forgotten once its list has the record instead", async () => {
  repair()
  const newest = world.simulator.records(person).workouts[0]?.id
  const restore = withoutIds(/workout$/, person, (id) => id === newest)
  await world.sync(userId)
  expect(await rejected()).toEqual([{ provider: "whoop", kind: "workout", count: 2 }])
  world.simulator.clock.advance(DAY_MS)
  await world.runDue()
  expect(await rejected()).toEqual([{ provider: "whoop", kind: "workout", count: 1 }])
  restore()
  world.simulator.clock.advance(DAY_MS)
  await world.runDue()
  expect(await rejected()).toEqual([])
  await expectTruth()
})

test("a history of which no record tells its id is read again within the hour", async () => {
  const other = await world.addUser()
  const late = world.simulator.people.add({ email: "late@example.com" })
  const restore = withoutIds(/sleep$/, late)
  await world.connect(other, late)
  restore()
  world.simulator.clock.advance(DAY_MS / 24)
  await world.runDue()
  const sleepsOf = (rows: Awaited<ReturnType<typeof storedRows>>) => rows.filter(({ kind }) => kind === "sleep")
  expect(sleepsOf(await storedRows(world, other))).toEqual(sleepsOf(await truthOf(world, late)))
})
