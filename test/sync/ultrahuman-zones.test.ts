// The zone of Ultrahuman's dates is that of the answer, and some answers have none.
import type { UltrahumanSimulator } from "@restwell/simulator"
import { startUltrahumanBeside, startVendor } from "@restwell/testing/vendor"
import { createWorld, storedRows, type World } from "@restwell/testing/world"
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { withoutHistory } from "./one-person.ts"

const HOUR_MS = 3_600_000
const DATE = "2026-11-19"

let vendor: UltrahumanSimulator
let world: World
beforeAll(async () => {
  const simulator = await startVendor({ seed: "zones", now: new Date("2026-11-20T12:00:00Z"), days: 40 })
  vendor = await startUltrahumanBeside(simulator)
  world = await createWorld({ simulator, vendor: "ultrahuman", beside: { ultrahuman: vendor }, timeoutMs: 20_000 })
})
afterEach(() => vendor.faults.clear())
afterAll(async () => {
  await world.close()
  await vendor.close()
  await world.simulator.close()
})

const NIGHT = {
  bedtime_start: Date.parse(`${DATE}T00:10:00Z`) / 1000,
  bedtime_end: Date.parse(`${DATE}T07:50:00Z`) / 1000,
  sleep_score: { score: 79 },
  total_sleep: { minutes: 415 },
}

async function offsetsOf(userId: string) {
  const rows = await storedRows(world, userId)
  const of = (wanted: string) => rows.find(({ kind }) => kind === wanted)?.utc_offset_minutes
  return [of("sleep"), of("cycle")]
}

test.each([
  ["lacks", '"other":1'],
  ["is null", '"latest_time_zone":null'],
  ["is empty", '"latest_time_zone":""'],
  ["is unknown", '"latest_time_zone":"Nowhere/Else"'],
])("a zone that %s is taken from the first answer that tells it, and stays", async (name, instead) => {
  const { person, userId } = await withoutHistory(world, name.replaceAll(" ", "-"))
  vendor.moveTo(person, "Asia/Kolkata")
  vendor.edit.days.put(person, {
    id: DATE,
    metrics: [
      { type: "sleep", object: NIGHT },
      { type: "steps", object: { total: 4000, values: [] } },
    ],
  })
  const repair = vendor.faults.add({
    match: { personId: person.userId },
    kind: "rewrite",
    rewrite: (reply) => reply.replace(/"latest_time_zone":"[^"]*"/, instead),
  })
  await world.connect(userId, person)
  expect(await offsetsOf(userId)).toEqual([0, 0])
  repair()
  for (const zone of ["Asia/Kolkata", "America/New_York"]) {
    vendor.moveTo(person, zone)
    world.simulator.clock.advance(HOUR_MS)
    await world.sync(userId)
    expect(await offsetsOf(userId)).toEqual([330, 330])
  }
})
