// The one webhook of a Polar app: how it is made, kept, signed and read, against the simulated Polar.
import {
  claimJob,
  createTokenCipher,
  createWebhookReceiver,
  holdJob,
  keepSubscribed,
  reencryptSecrets,
  type Secrets,
} from "@restwell/core"
import { createSubscriptionWork } from "@restwell/server/optional-work"
import { type Person, type PolarSimulator, type Simulator, signPolarWebhook } from "@restwell/simulator"
import { keysOf, startPolarBeside, startVendor } from "@restwell/testing/vendor"
import { createWorld, expectTruth, storedRows, type World } from "@restwell/testing/world"
import { afterEach, beforeEach, expect, test } from "vitest"

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

let whoop: Simulator
let polar: PolarSimulator
let world: World
let person: Person
let userId: string
beforeEach(async () => {
  whoop = await startVendor({ now: new Date("2026-11-20T12:00:00Z"), days: 20 })
  polar = await startPolarBeside(whoop)
  world = await createWorld({ vendor: "polar", simulator: whoop, beside: { polar } })
  person = whoop.people.add({ email: "ada@example.com" })
  userId = await world.addUser()
})
afterEach(async () => {
  await world.close()
  await polar.close()
  await whoop.close()
})

const never = new Promise<never>(() => {})
const createProcess = () =>
  createSubscriptionWork({
    clock: world.context.clock,
    callbackUrlOf: () => world.webhookUrl,
    wait: async (milliseconds) => whoop.clock.advance(milliseconds),
  })

/** What a process does that looks for work. */
async function look(process = createProcess()): Promise<void> {
  const { context } = world
  await process.addDue?.(context)
  const job = await claimJob(context, process.places(context), context.clock.now())
  if (!job) return
  await holdJob({ ...context, wait: async () => never }, job, {
    stopping: new AbortController().signal,
    run: (signal) => process.run(context, job, signal),
  })
}

const keep = (context = world.context) =>
  keepSubscribed(context, "polar", { callbackUrl: world.webhookUrl, wait: async () => {} })

function webhook() {
  const own = polar.webhook()
  if (!own) throw new Error("the app has no webhook")
  return own
}

/** Sends an event as Polar would. */
async function deliver(event: object, secret = webhook().signature_secret_key): Promise<number> {
  const body = JSON.stringify(event)
  const headers = { "content-type": "application/json", "polar-webhook-signature": signPolarWebhook(secret, body) }
  return (await fetch(world.webhookUrl, { method: "POST", headers, body })).status
}

const calls = (method: string) => polar.requestLog.count({ path: "/v3/webhooks", method })

/** Moves the clock in steps, and runs what is due after each. */
async function live(durationMs: number, stepMs = 30 * MINUTE_MS): Promise<void> {
  const end = whoop.clock.nowMs() + durationMs
  while (whoop.clock.nowMs() < end) {
    whoop.clock.advance(Math.min(stepMs, end - whoop.clock.nowMs()))
    await polar.webhooks.flush()
    await world.runDue()
  }
}

test("several processes make one webhook, and look after it daily", async () => {
  const processes = [createProcess(), createProcess(), createProcess()]
  await Promise.all(processes.map(look))
  const first = webhook()
  expect(first).toMatchObject({
    url: world.webhookUrl,
    active: true,
    events: ["EXERCISE", "SLEEP", "ACTIVITY_SUMMARY"],
  })
  expect(calls("POST")).toBe(1)
  whoop.clock.advance(DAY_MS)
  await Promise.all(processes.map(look))
  expect(webhook()).toEqual(first)
  expect(calls("GET")).toBe(2)
})

test("the secret is stored encrypted, and survives a rotation of the operator's own", async () => {
  const [older, newer] = ["o".repeat(40), "n".repeat(40)]
  const under = (...secrets: Secrets) => ({ ...world.context, cipher: createTokenCipher(secrets) })
  await keep(under(older))
  const { signature_secret_key: secret } = webhook()
  const { rows } = await world.store.pool.query("select secret from restwell.vendor_subscription")
  expect(rows[0].secret.includes(secret)).toBe(false)
  const counts = await reencryptSecrets(under(newer, older))
  expect(counts["webhook secrets"]).toEqual({ reencrypted: 1, left: 0, unreadable: 0 })
  const rawBody = Buffer.from(JSON.stringify({ event: "SLEEP", user_id: person.userId, date: "2026-11-20" }))
  const headers = { "polar-webhook-signature": signPolarWebhook(secret, rawBody.toString()) }
  await world.connect(userId, person)
  expect(await createWebhookReceiver(under(newer))("polar", { headers, rawBody })).toBe("accepted")
  await expect(createWebhookReceiver(under(older))("polar", { headers, rawBody })).rejects.toThrow("not signed")
})

test("a new night, day and exercise are read soon after Polar announces them, and by what the event names", async () => {
  await keep()
  await world.connect(userId, person)
  await live(2 * DAY_MS)
  await expectTruth(world, { userId, person })
  expect(new Set(world.webhooks)).toEqual(new Set(["accepted"]))
  polar.requestLog.clear()
  const [beside] = world.vendor.idsOf(person, "workout")
  world.vendor.addWorkout(person, beside ?? "", { id: "new1", earlierByMs: HOUR_MS })
  await polar.webhooks.flush()
  await world.runDue()
  expect((await storedRows(world, userId)).map(({ provider_id }) => provider_id)).toContain("new1")
  expect(polar.requestLog.filter({ path: world.vendor.paths.data }).map(({ path }) => path)).toEqual([
    "/v3/exercises/new1",
  ])
})

test("a day with webhooks takes few calls", async () => {
  await keep()
  await world.connect(userId, person)
  await live(2 * DAY_MS)
  polar.requestLog.clear()
  await live(3 * DAY_MS)
  expect(polar.requestLog.count({ path: world.vendor.paths.data }) / 3).toBeLessThan(75)
  await expectTruth(world, { userId, person })
})

test("a webhook that Polar deactivated after a week of failures is noticed and activated", async () => {
  await keep()
  await world.connect(userId, person)
  const { id } = webhook()
  // Nothing arrives in time.
  polar.webhooks.manners.timeoutMs = 0
  await live(8 * DAY_MS, 6 * HOUR_MS)
  expect(webhook().active).toBe(false)
  polar.webhooks.manners.timeoutMs = 5_000
  const stored = (await storedRows(world, userId)).map(({ kind, provider_id }) => `${kind}/${provider_id}`)
  expect(stored).toEqual(expect.arrayContaining(keysOf(world.vendor, person)))
  await look()
  expect(webhook()).toMatchObject({ id, active: true })
  world.webhooks.length = 0
  await live(DAY_MS)
  expect(world.webhooks).toContain("accepted")
})

test("a webhook whose secret was lost on the way is made again", async () => {
  polar.faults.add({ kind: "drop_reply_after_effect", match: { path: "/v3/webhooks", method: "POST" }, times: 1 })
  await keep()
  const { id } = webhook()
  await world.connect(userId, person)
  expect(await deliver({ event: "SLEEP", user_id: person.userId, date: "2026-11-20" })).toBe(204)
  expect(calls("POST")).toBe(2)
  expect(calls("DELETE")).toBe(1)
  expect(id).toBe(webhook().id)
})

test("a secret that no longer opens is replaced at the next look", async () => {
  await look()
  const former = webhook()
  await world.store.pool.query("update restwell.vendor_subscription set secret = 'damaged'::bytea")
  whoop.clock.advance(5 * MINUTE_MS)
  await look()
  expect(webhook().id).not.toBe(former.id)
  await world.connect(userId, person)
  const event = { event: "SLEEP", user_id: person.userId, date: "2026-11-20" }
  expect(await deliver(event, former.signature_secret_key)).toBe(400)
  expect(await deliver(event)).toBe(204)
  expect(world.webhooks).toEqual(["unauthorized", "accepted"])
})

test.each<[string, object, string]>([
  ["an exercise with a path for an id", { event: "EXERCISE", entity_id: "../users" }, "invalid_request"],
  ["an exercise without an id", { event: "EXERCISE" }, "invalid_request"],
  ["a night without a date", { event: "SLEEP" }, "invalid_request"],
  ["a night of no date", { event: "SLEEP", date: "2026-02-30" }, "invalid_request"],
  ["more dates than Polar serves", { event: "SLEEP", from: "2026-01-01", to: "2026-11-20" }, "invalid_request"],
  ["several dates", { event: "ACTIVITY_SUMMARY", from: "2026-11-18", to: "2026-11-20" }, "accepted"],
  [
    "an event that was delivered late",
    { event: "SLEEP", date: "2026-11-19", timestamp: "2026-11-19T06:00:00Z" },
    "accepted",
  ],
  ["a type that is not read", { event: "PHYSICAL_INFORMATION" }, "unknown_type"],
  ["somebody else", { event: "SLEEP", date: "2026-11-20", user_id: 77_777 }, "unknown_member"],
])("an event about %s", async (_case, event, outcome) => {
  await keep()
  await world.connect(userId, person)
  await deliver({ user_id: person.userId, ...event })
  expect(world.webhooks).toEqual([outcome])
})

test("an event without Polar's signature is refused, a PING without one is answered and does nothing", async () => {
  expect(await deliver({ event: "SLEEP", user_id: 1, date: "2026-11-20" }, "guessed")).toBe(400)
  expect(await deliver({ event: "PING", timestamp: "2026-11-20T12:00:00Z" }, "guessed")).toBe(200)
  expect(world.webhooks).toEqual(["unauthorized"])
})

test("a night that Polar announces twice is stored once, with what it says last", async () => {
  await keep()
  await world.connect(userId, person)
  await live(DAY_MS)
  const [night] = world.vendor.idsOf(person, "sleep")
  for (const score of [41, 83]) {
    world.vendor.rescoreSleep(person, night ?? "", score)
    await polar.webhooks.flush()
  }
  await world.runDue()
  const nights = (await storedRows(world, userId)).filter(
    ({ kind, provider_id }) => kind === "sleep" && provider_id === night,
  )
  expect(nights).toHaveLength(1)
  expect(JSON.stringify(nights)).toContain('"sleep_score":83')
})
