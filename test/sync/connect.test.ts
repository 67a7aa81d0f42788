import { createWorld, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"

let world: World
beforeAll(async () => {
  world = await createWorld({ days: 200 })
})
afterAll(() => world.close())

test("stores the whole history of a connected person, as the vendor has it", async () => {
  const person = world.simulator.people.add({ email: "ada@example.com" })
  const userId = await world.addUser()
  await world.connect(userId, person)
  const { sleeps, cycles, recoveries, workouts } = world.simulator.records(person)
  const { rows } = await world.store.pool.query<{ kind: string; count: string }>(
    "select kind, count(*) from restwell.record where user_id = $1 group by kind",
    [userId],
  )
  expect(Object.fromEntries(rows.map(({ kind, count }) => [kind, Number(count)]))).toEqual({
    sleep: sleeps.length,
    cycle: cycles.length,
    recovery: recoveries.length,
    workout: workouts.length,
  })
})
