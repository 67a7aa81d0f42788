import { requestSync } from "@restwell/core"
import { startTestService, type TestService } from "@restwell/testing/service"
import { createWorld, storedRows, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { attackAndRepair, attackRecords } from "./attack-records.ts"
import { attackSamples, attackWithMillions } from "./attack-samples.ts"
import { attackProfiles, attackReads, attackWebhooks } from "./attack-service.ts"

let world: World
let service: TestService
beforeAll(async () => {
  world = await createWorld({ days: 60, seed: "hostile records" })
  service = await startTestService({ days: 30, environment: { FREE_MONTHLY_REQUESTS: "1000000" } })
})
afterAll(async () => {
  await service.close()
  await world.close()
})

test("hostile records are set aside, and every record beside them is stored", async () => {
  for (const seed of [1, 10_000]) {
    const { cases, rejected } = await attackRecords(world, seed)
    expect(cases).toBeGreaterThan(80)
    expect(rejected).toBeGreaterThan(cases / 4)
  }
})

test("what a vendor repairs arrives a day later", () => attackAndRepair(world, 50_000))

test("a workout that the vendor listed under a wrong id is corrected, and later syncs go on", async () => {
  const { simulator, context, store } = world
  const person = simulator.people.add({ email: "wrong-id@vendor.example" })
  const [workout] = simulator.records(person).workouts
  if (!workout) throw new Error("the person has no workout")
  const repair = simulator.faults.add({
    match: { personId: person.userId, path: /\/activity\/workout/ },
    kind: "rewrite",
    rewrite: (reply) => reply.replaceAll(workout.id, "2026"),
  })
  const userId = await world.addUser()
  await world.connect(userId, { email: person.email })
  const workouts = async () =>
    (await storedRows(world, userId)).flatMap(({ kind, provider_id }) => (kind === "workout" ? [provider_id] : []))
  expect(await workouts()).toContain("2026")
  repair()
  simulator.clock.advance(86_400_000)
  await requestSync(context, { userId, provider: "whoop" })
  await world.runDue()
  expect(await workouts()).toContain(workout.id)
  expect(await workouts()).not.toContain("2026")
  const { rows } = await store.pool.query("select status, failures from restwell.connection where user_id = $1", [
    userId,
  ])
  expect(rows).toEqual([{ status: "ok", failures: 0 }])
})

test("hostile heart rates are left out with a reason, and every one beside them is stored", async () => {
  const ring = await createWorld({ vendor: "oura", days: 30, seed: "hostile samples" })
  expect(await attackSamples(ring, 60_000)).toBeGreaterThan(80)
  await attackWithMillions(ring)
  await ring.close()
})

test("every page works with hostile records", async () => {
  expect(await attackReads(service, 20_000)).toBeGreaterThan(30)
})

test("a hostile profile never costs a connection", async () => {
  expect(await attackProfiles(service, 30_000, 15)).toBeGreaterThan(40)
})

test("a hostile webhook is accepted or refused", async () => {
  expect(await attackWebhooks(service, 40_000, 100)).toBe(100)
})
