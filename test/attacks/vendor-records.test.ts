import { startTestService, type TestService } from "@restwell/testing/service"
import { createWorld, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { attackAndRepair, attackRecords } from "./attack-records.ts"
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

test("every page works with hostile records", async () => {
  expect(await attackReads(service, 20_000)).toBeGreaterThan(30)
})

test("a hostile profile never costs a connection", async () => {
  expect(await attackProfiles(service, 30_000, 40)).toBeGreaterThan(80)
})

test("a hostile webhook is accepted or refused", async () => {
  expect(await attackWebhooks(service, 40_000, 100)).toBe(100)
})
