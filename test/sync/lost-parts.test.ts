import { requestSync } from "@restwell/core"
import type { OuraSimulator, Person, Simulator } from "@restwell/simulator"
import { startOuraBeside, startVendor } from "@restwell/testing/vendor"
import { createWorld, expectTruth, storedRows, type World } from "@restwell/testing/world"
import { afterEach, beforeEach, expect, test } from "vitest"
import { firstOf } from "./one-person.ts"

// Oura's records are made of documents of several lists. A list can leave out a document that Oura has.

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
  whoop.clock.advance(25 * HOUR_MS)
  await oura.webhooks.flush()
  await world.runDue()
  // The night's events wait for a minute.
  whoop.clock.advance(2 * MINUTE_MS)
  await world.runDue()
})
afterEach(async () => {
  await world.close()
  await oura.close()
  await whoop.close()
})

type Part = "sleep" | "daily_sleep" | "daily_readiness" | "daily_spo2" | "daily_activity"

/** Lists of a collection without these documents. Each document is still there by its id. */
const leaveOut = (collection: Part, ids: readonly string[]) =>
  oura.faults.add({
    kind: "transform",
    match: { path: new RegExp(`/${collection}$`) },
    transform: (reply) => {
      const data: readonly unknown[] = Reflect.get(Object(reply), "data")
      return { ...Object(reply), data: data.filter((document) => !ids.includes(Reflect.get(Object(document), "id"))) }
    },
  })

/** Reads the last 90 days. Returns the calls it took. */
async function reconcile(): Promise<number> {
  const before = oura.requestLog.entries.length
  await requestSync(world.context, { userId, provider: "oura" })
  await world.runDue()
  return oura.requestLog.entries.length - before
}

/** A document of each collection, of a day in the middle of the stored ones. */
function idOf(collection: Part): string {
  const documents: readonly { readonly id: string }[] = oura.records(person)[collection]
  const { id } = firstOf(documents.slice(Math.floor(documents.length / 2)))
  return id
}

const connection = async () => {
  const { rows } = await world.store.pool.query("select status, gaps from restwell.connection where user_id = $1", [
    userId,
  ])
  return rows[0]
}
const status = async (): Promise<string> => (await connection()).status

test.each<Part>(["sleep", "daily_sleep", "daily_readiness", "daily_spo2", "daily_activity"])(
  "a document of %s that a list leaves out stays a part of the stored records",
  async (collection) => {
    const usual = await reconcile()
    const stored = await storedRows(world, userId)
    whoop.clock.advance(2 * MINUTE_MS)
    leaveOut(collection, [idOf(collection)])
    expect(await reconcile()).toBeLessThan(usual + 40)
    expect(await storedRows(world, userId)).toEqual(stored)
    expect(await status()).toBe("ok")
  },
)

test("a list that leaves out all scores is not believed, and read again", async () => {
  const usual = await reconcile()
  const stored = await storedRows(world, userId)
  whoop.clock.advance(2 * MINUTE_MS)
  const ids = oura.records(person).daily_sleep.map(({ id }) => id)
  const repair = leaveOut("daily_sleep", ids)
  expect(await reconcile()).toBeLessThan(usual + 40)
  expect(await storedRows(world, userId)).toEqual(stored)
  expect(await connection()).toMatchObject({ status: "ok", gaps: [{ collection: "sleep" }] })
  repair()
  whoop.clock.advance(2 * MINUTE_MS)
  await world.runDue()
  expect(await connection()).toMatchObject({ status: "ok", gaps: [] })
  await expectTruth(world, { userId, person })
})

test("the read of an event about a sleep keeps the score that a list leaves out", async () => {
  const stored = await storedRows(world, userId)
  const { id, day } = oura.records(person).sleep.findLast(({ type }) => type === "long_sleep") ?? { id: "", day: "" }
  const score = oura.records(person).daily_sleep.find((each) => each.day === day)
  leaveOut("daily_sleep", [score?.id ?? ""])
  oura.edit.sleep.patch(person, id, {})
  await oura.webhooks.flush()
  whoop.clock.advance(2 * MINUTE_MS)
  await world.runDue()
  const rows = await storedRows(world, userId)
  const scoreOf = (all: readonly object[]) =>
    all.find((row) => Reflect.get(row, "kind") === "sleep" && Reflect.get(row, "provider_id") === id)
  expect(scoreOf(rows)).toMatchObject({ detail: { scorePercent: score?.score } })
  expect(scoreOf(rows)).not.toEqual(scoreOf(stored))
})

test.each([false, true])(
  "a score that Oura deleted goes, and the night changed with it: %s",
  async (isNightChanged) => {
    const { id, day } = oura.records(person).daily_sleep.at(-1) ?? { id: "", day: "" }
    const night = oura.records(person).sleep.find((each) => each.day === day && each.type === "long_sleep")
    oura.webhooks.manners.muted = true
    oura.edit.daily_sleep.delete(person, id)
    if (isNightChanged) oura.edit.sleep.patch(person, night?.id ?? "", {})
    oura.webhooks.manners.muted = false
    await reconcile()
    const rows = await storedRows(world, userId)
    const stored = rows.find(({ kind, provider_id }) => kind === "sleep" && provider_id === night?.id)
    expect(stored).toBeDefined()
    expect(stored).not.toHaveProperty("detail.scorePercent")
    await expectTruth(world, { userId, person })
  },
)
