import { claimJob, holdJob } from "@restwell/core"
import { createSubscriptionWork, type OptionalWork } from "@restwell/server/optional-work"
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
  world = await createWorld({ vendor: "oura", simulator: whoop, beside: { oura } })
  callbackUrl = world.webhookUrl
  first = createProcess()
})
afterEach(async () => {
  await world.close()
  await oura.close()
  await whoop.close()
})

/** What happens while the service waits for its second try. */
let meanwhile: () => void
/** Where vendors reach the service. */
let callbackUrl: string | undefined
let first: OptionalWork
const wait = async (milliseconds: number): Promise<void> => {
  whoop.clock.advance(milliseconds)
  meanwhile()
}
const createProcess = () =>
  createSubscriptionWork({ clock: world.context.clock, callbackUrlOf: () => callbackUrl, wait })
/** What a process does that looks for work. @param process by default one that has been running since the beginning */
async function keep(process = first): Promise<void> {
  const { context } = world
  await process.addDue?.(context)
  const places = process.places(context)
  const job = places.length > 0 ? await claimJob(context, places, context.clock.now()) : undefined
  if (!job) return
  await holdJob({ ...context, wait: async () => never }, job, {
    stopping: new AbortController().signal,
    run: (signal) => process.run(context, job, signal),
  })
}
const never = new Promise<never>(() => {})
const calls = () => oura.requestLog.count({ path: "/v2/webhook/subscription" })
const valid = () => oura.subscriptions().filter(({ expiration_time: end }) => Date.parse(end) > whoop.clock.nowMs())

test("the service subscribes once for all processes, and looks after it daily", async () => {
  await Promise.all([keep(), keep(createProcess()), keep(createProcess())])
  expect(valid()).toHaveLength(ALL)
  const before = calls()
  expect(before).toBe(ALL + 1)
  await keep()
  await keep(createProcess())
  expect(calls()).toBe(before)
  whoop.clock.advance(DAY_MS)
  await keep(createProcess())
  await keep()
  expect(calls()).toBe(before + 1)
})

test("subscriptions never end while the service runs", async () => {
  for (let day = 0; day < 200; day += 1) {
    await keep()
    expect(valid()).toHaveLength(ALL)
    whoop.clock.advance(DAY_MS)
  }
})

test("a new address is subscribed at once, and none where vendors cannot reach the service", async () => {
  callbackUrl = undefined
  await keep()
  expect(calls()).toBe(0)
  callbackUrl = world.webhookUrl
  await keep()
  callbackUrl = `${world.webhookUrl}moved`
  await keep()
  expect(new Set(valid().map(({ callback_url: url }) => url))).toEqual(new Set([callbackUrl]))
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
