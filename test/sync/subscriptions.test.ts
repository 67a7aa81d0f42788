import { keepSubscribed } from "@restwell/core"
import type { OuraSimulator, Simulator } from "@restwell/simulator"
import { ouraUnderTest, startOuraBeside, startVendor } from "@restwell/testing/vendor"
import { createWorld, type World } from "@restwell/testing/world"
import { afterEach, beforeEach, expect, test } from "vitest"

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const ALL = 18

let whoop: Simulator
let oura: OuraSimulator
let world: World
beforeEach(async () => {
  meanwhile = () => {}
  whoop = await startVendor({ now: new Date("2026-11-20T12:00:00Z"), days: 20 })
  oura = await startOuraBeside(whoop)
  world = await createWorld({ vendor: "oura", simulator: whoop, oura })
})
afterEach(async () => {
  await world.close()
  await oura.close()
  await whoop.close()
})

/** What happens while the service waits for its second try. */
let meanwhile: () => void
const wait = async (milliseconds: number): Promise<void> => {
  whoop.clock.advance(milliseconds)
  meanwhile()
}
const keep = (callbackUrl: string | undefined = world.webhookUrl) =>
  keepSubscribed(world.context, () => callbackUrl, wait)
const calls = () => oura.requestLog.count({ path: "/v2/webhook/subscription" })
const valid = () => oura.subscriptions().filter(({ expiration_time: end }) => Date.parse(end) > whoop.clock.nowMs())

test("the service subscribes once for all processes, and looks after it daily", async () => {
  await Promise.all([keep(), keep(), keep()])
  expect(valid()).toHaveLength(ALL)
  const first = calls()
  expect(first).toBe(ALL + 1)
  await keep()
  expect(calls()).toBe(first)
  whoop.clock.advance(DAY_MS)
  await keep()
  expect(calls()).toBe(first + 1)
})

test("subscriptions never end while the service runs", async () => {
  for (let day = 0; day < 200; day += 1) {
    await keep()
    expect(valid()).toHaveLength(ALL)
    whoop.clock.advance(DAY_MS)
  }
})

test("a new address is subscribed at once, and none where vendors cannot reach the service", async () => {
  await keepSubscribed(world.context, () => undefined, wait)
  expect(calls()).toBe(0)
  await keep()
  const moved = `${world.webhookUrl}moved`
  await keep(moved)
  expect(new Set(valid().map(({ callback_url: url }) => url))).toEqual(new Set([moved]))
})

test("a callback that does not answer yet is tried again after 20 seconds", async () => {
  const startedMs = whoop.clock.nowMs()
  const repair = oura.faults.add({ kind: "status", status: 400, match: { path: "/v2/webhook", method: "POST" } })
  meanwhile = repair
  await keep()
  expect(whoop.clock.nowMs() - startedMs).toBe(20_000)
  expect(valid()).toHaveLength(ALL)
})

test("a vendor that refuses one type at first is asked for it again after 20 seconds", async () => {
  meanwhile = oura.faults.add({ kind: "status", status: 400, times: 1, match: { path: "/v2/webhook", method: "POST" } })
  await keep()
  expect(valid()).toHaveLength(ALL)
})

test("a vendor that does not answer is asked again after 15 minutes", async () => {
  const repair = oura.faults.add({ kind: "status", status: 503, match: { path: "/v2/webhook" } })
  await keep()
  repair()
  await keep()
  expect(oura.subscriptions()).toEqual([])
  whoop.clock.advance(15 * MINUTE_MS)
  await keep()
  expect(valid()).toHaveLength(ALL)
})

test("subscriptions that are lost are found within an hour once no webhooks arrive", async () => {
  await keep()
  const userId = await world.addUser()
  const person = whoop.people.add({ email: "ada@example.com" })
  await world.connect(userId, person)
  // Nobody's webhooks arrive for 30 hours, although the subscriptions were there a moment ago.
  oura.webhooks.manners.muted = true
  whoop.clock.advance(30 * HOUR_MS)
  await keep()
  const before = calls()
  whoop.clock.advance(HOUR_MS)
  await keep()
  expect(calls()).toBeGreaterThan(before)
  // Once they arrive, a day passes again.
  oura.webhooks.manners.muted = false
  const { renameWorkout, idsOf } = ouraUnderTest(oura)
  renameWorkout(person, idsOf(person, "workout")[0] ?? "", "fencing")
  await oura.webhooks.flush()
  await world.runDue()
  const after = calls()
  whoop.clock.advance(HOUR_MS)
  await keep()
  expect(calls()).toBe(after)
})
