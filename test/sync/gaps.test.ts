import type { OuraSimulator, Simulator } from "@restwell/simulator"
import { startOuraBeside, startVendor } from "@restwell/testing/vendor"
import { createWorld, type World } from "@restwell/testing/world"
import { afterEach, beforeEach, expect, test } from "vitest"
import { firstOf } from "./one-person.ts"

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let whoop: Simulator
let oura: OuraSimulator
let world: World
beforeEach(async () => {
  whoop = await startVendor({ now: new Date("2026-11-20T12:00:00Z"), days: 30 })
  oura = await startOuraBeside(whoop)
  world = await createWorld({ vendor: "oura", simulator: whoop, oura, hasWebhooks: true })
})
afterEach(async () => {
  await world.close()
  await oura.close()
  await whoop.close()
})

test("data that was refused for a moment is read half an hour later, even if an event arrives just then", async () => {
  const person = whoop.people.add({ email: "ada@example.com" })
  const userId = await world.addUser()
  await world.connect(userId, person)
  const pass = async (durationMs: number) => {
    whoop.clock.advance(durationMs)
    await oura.webhooks.flush()
  }
  const gaps = async (): Promise<readonly unknown[]> => {
    const { rows } = await world.store.pool.query("select gaps from restwell.connection where user_id = $1", [userId])
    return rows[0].gaps
  }
  await pass(25 * HOUR_MS)
  await world.runDue()
  await pass(2 * MINUTE_MS)
  await world.runDue()
  expect(await gaps()).toEqual([])

  const { id } = firstOf(
    oura
      .records(person)
      .sleep.filter(({ type }) => type === "long_sleep")
      .toReversed(),
  )
  const changeSleep = async () => {
    oura.edit.sleep.patch(person, id, {})
    await pass(MINUTE_MS)
  }
  const repair = oura.faults.add({ kind: "status", status: 403, match: { path: /\/daily_sleep$/ } })
  await changeSleep()
  await world.runDue()
  expect(await gaps()).toHaveLength(1)
  repair()
  await pass(30 * MINUTE_MS)
  await changeSleep()
  await world.runDue()
  expect(await gaps()).toEqual([])
})
