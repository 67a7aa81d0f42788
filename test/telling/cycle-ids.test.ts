// Recoveries of vendors whose days have no ids: in answers and in events each has the id of the day of its date.
import { createWebhook } from "@restwell/core"
import type { VendorName } from "@restwell/providers"
import { createWorld, type World } from "@restwell/testing/world"
import { afterEach, expect, test } from "vitest"
import { z } from "zod"
import { read } from "../sync/one-person.ts"

const HOUR_MS = 3_600_000

let world: World
afterEach(() => world.close())

const RecoveriesSchema = z.object({
  records: z.array(z.object({ cycle_id: z.string().nullable(), date: z.iso.date() })).min(5),
})

async function eventsOf(userId: string) {
  const { rows } = await world.store.pool.query<{ id: string | null; date: string }>(
    "select data ->> 'id' as id, data ->> 'date' as date from restwell.delivery where user_id = $1",
    [userId],
  )
  return rows
}

test.each<VendorName>(["google_health", "intervals", "polar", "ultrahuman", "withings"])(
  "a recovery of %s belongs to the day of its date",
  async (vendor) => {
    world = await createWorld({ vendor, days: 20, timeoutMs: 20_000 })
    const person = world.simulator.people.add({ email: "ada@example.com" })
    const userId = await world.addUser()
    await world.connect(userId, person)
    await world.runDue()
    const hook = { url: "https://hooks.example/1", include_figures: false, events: ["recovery.scored" as const] }
    await createWebhook(world.context, { userId, network: "-" }, hook)
    for (let hours = 0; hours < 48; hours += 6) {
      world.simulator.clock.advance(6 * HOUR_MS)
      await world.runDue()
    }
    const { records } = RecoveriesSchema.parse(JSON.parse(await read({ world, person, userId }, "recovery")))
    expect(records.filter(({ cycle_id: id, date }) => id !== `${vendor}-${date}`)).toEqual([])
    const events = await eventsOf(userId)
    expect(events.length).toBeGreaterThan(0)
    expect(events.filter(({ id, date }) => id !== `${vendor}-${date}`)).toEqual([])
  },
)

test("a recovery of Oura without a day of Oura has no id of one", async () => {
  world = await createWorld({ vendor: "oura", days: 20 })
  const person = world.simulator.people.add({ email: "ada@example.com" })
  const userId = await world.addUser()
  await world.connect(userId, person)
  await world.store.pool.query(
    `update restwell.record set cycle_provider_id = null, detail = (detail::jsonb - 'cycleProviderId')::json
     where kind = 'recovery'`,
  )
  const { records } = RecoveriesSchema.parse(JSON.parse(await read({ world, person, userId }, "recovery")))
  expect(new Set(records.map(({ cycle_id: id }) => id))).toEqual(new Set([null]))
})
