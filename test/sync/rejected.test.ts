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
