import { createWorld, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { attackRecords } from "./attack-records.ts"

let world: World
beforeAll(async () => {
  world = await createWorld({ days: 60, seed: "hostile records" })
})
afterAll(() => world.close())

test("hostile records are set aside, and every record beside them is stored", async () => {
  const outcomes = [await attackRecords(world, 1), await attackRecords(world, 10_000)]
  for (const { cases, rejected } of outcomes) {
    expect(cases).toBeGreaterThan(80)
    expect(rejected).toBeGreaterThan(cases / 4)
  }
})
