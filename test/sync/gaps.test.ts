import { requestSync } from "@restwell/core"
import type { OuraSimulator, Person, Simulator } from "@restwell/simulator"
import { startOuraBeside, startVendor } from "@restwell/testing/vendor"
import { createWorld, type World } from "@restwell/testing/world"
import { afterEach, beforeEach, expect, test } from "vitest"

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let whoop: Simulator
let oura: OuraSimulator
let world: World
let person: Person
let userId: string
beforeEach(async () => {
  whoop = await startVendor({ now: new Date("2026-11-20T12:00:00Z"), days: 30 })
  oura = await startOuraBeside(whoop)
  world = await createWorld({ vendor: "oura", simulator: whoop, beside: { oura }, hasWebhooks: true })
  person = whoop.people.add({ email: "ada@example.com" })
  userId = await world.addUser()
  await world.connect(userId, person)
  await pass(25 * HOUR_MS)
  await world.runDue()
  await pass(2 * MINUTE_MS)
  await world.runDue()
  expect(await gaps()).toEqual([])
})
afterEach(async () => {
  await world.close()
  await oura.close()
  await whoop.close()
})

async function pass(durationMs: number): Promise<void> {
  whoop.clock.advance(durationMs)
  await oura.webhooks.flush()
}

async function status() {
  const connection = "select status, status_reason, gaps from restwell.connection where user_id = $1"
  const { rows } = await world.store.pool.query(connection, [userId])
  return rows[0]
}

const gaps = async (): Promise<readonly unknown[]> => (await status()).gaps

const refuse = (path: RegExp) => oura.faults.add({ kind: "status", status: 403, match: { path } })

/** Changes the newest sleeps. Their events can be read a minute later. */
async function changeSleeps(count: number): Promise<void> {
  for (const { id } of oura.records(person).sleep.slice(-count)) oura.edit.sleep.patch(person, id, {})
  await pass(MINUTE_MS)
}

test("data that was refused for a moment is read half an hour later, even if an event arrives just then", async () => {
  const repair = refuse(/\/daily_sleep$/)
  await changeSleeps(1)
  await world.runDue()
  expect(await gaps()).toHaveLength(1)
  repair()
  await pass(30 * MINUTE_MS)
  await changeSleeps(1)
  await world.runDue()
  expect(await gaps()).toEqual([])
})

test("an event beside a gap does not end its pause, and a requested sync does", async () => {
  const repair = refuse(/\/daily_sleep$/)
  await changeSleeps(1)
  await world.runDue()
  const refused = await gaps()
  expect(refused).toHaveLength(1)
  await changeSleeps(8)
  await world.runDue()
  expect(await gaps()).toEqual(refused)
  repair()
  await requestSync(world.context, { userId, provider: "oura" })
  await world.runDue()
  expect(await gaps()).toEqual([])
})

test("a vendor that refuses everything is unavailable as a whole, and its data returns", async () => {
  const repair = refuse(/\/usercollection\//)
  await changeSleeps(1)
  await world.runDue()
  await requestSync(world.context, { userId, provider: "oura" })
  await world.runDue()
  expect(await status()).toMatchObject({
    status: "vendor_unavailable",
    status_reason: expect.stringContaining("allow"),
  })
  repair()
  await pass(30 * MINUTE_MS)
  await world.runDue()
  expect(await status()).toMatchObject({ status: "ok", gaps: [] })
})

test("an event waits for its own collection, and not without end while another one of its kind is due", async () => {
  const change = async () => {
    const readiness = oura.records(person).daily_readiness.at(-1)
    if (readiness) oura.edit.daily_readiness.patch(person, readiness.id, {})
    await pass(MINUTE_MS)
  }
  const repairOxygen = refuse(/\/daily_spo2$/)
  await change()
  await world.runDue()
  await pass(20 * MINUTE_MS)
  const repairReadiness = refuse(/\/daily_readiness(?:\/|$)/)
  await change()
  await world.runDue()
  expect(await gaps()).toMatchObject([{ collection: "daily_readiness" }, { collection: "daily_spo2" }])
  // The pause of blood oxygen is over, that of readiness is not.
  await pass(15 * MINUTE_MS)
  await change()
  await world.runDue()
  expect(await gaps()).toMatchObject([{ collection: "daily_readiness", failures: 1 }, { failures: 2 }])
  repairOxygen()
  repairReadiness()
  await pass(60 * MINUTE_MS)
  await world.runDue()
  expect(await gaps()).toEqual([])
})

test("a token that ends between the lists of a record's parts is refreshed, and no collection is called refused", async () => {
  const expire = (reply: unknown) => {
    oura.tokens.expireAccess(person)
    return reply
  }
  oura.faults.add({ kind: "transform", transform: expire, times: 1, match: { path: /\/usercollection\/sleep$/ } })
  await changeSleeps(8)
  await world.runDue()
  expect(await status()).toMatchObject({ status: "ok", gaps: [] })
})
