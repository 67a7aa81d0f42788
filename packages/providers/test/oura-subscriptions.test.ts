// Oura's webhooks from the subscription to the event, against the simulated Oura.

import { createServer, type Server } from "node:http"
import { DAY_MS } from "@restwell/client/time-units"
import { type OuraSimulator, startOuraSimulator } from "@restwell/simulator"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createOuraAdapter, type OauthAdapter, type ReadWebhook, type WebhookSubscriber } from "../src/index.ts"
import { adapterUnderTest, rejection } from "./adapter-under-test.ts"
import { connect, simulatorCredentials } from "./connect.ts"

const NOW = new Date("2026-11-19T12:00:00Z")
const LENA = "lena@example.com"

let simulator: OuraSimulator
let adapter: OauthAdapter
let subscriber: WebhookSubscriber
let receiver: Server
let callbackUrl: string
let received: ReadWebhook[]

/** Answers as a service does: the challenge through the adapter, events by status 204. */
async function startReceiver(): Promise<Server> {
  const server = createServer(async (request, response) => {
    const query = new URL(request.url ?? "/", "http://service").searchParams
    if (request.method === "GET") {
      const challenge = subscriber.answerChallenge?.(query)
      return response.writeHead(challenge ? 200 : 404).end(JSON.stringify(challenge ?? {}))
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const webhook = adapter.readWebhook?.({ headers: request.headers, rawBody: Buffer.concat(chunks) })
    if (webhook) received.push(webhook)
    return response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return server
}

beforeEach(async () => {
  received = []
  simulator = await startOuraSimulator({ now: NOW, days: 20, autoApprove: true, rateLimits: "off" })
  const under = adapterUnderTest(simulator.url, simulatorCredentials(simulator), (options) =>
    createOuraAdapter({ ...options, now: () => simulator.clock.now() }),
  )
  adapter = under.adapter
  if (!adapter.webhookSubscriber) throw new Error("Oura needs subscriptions")
  subscriber = adapter.webhookSubscriber
  receiver = await startReceiver()
  const address = receiver.address()
  callbackUrl = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/api/webhooks/oura`
})
afterEach(async () => {
  await simulator.close()
  receiver.close()
})

const keep = () => subscriber.keepSubscribed({ callbackUrl })

test("subscribes to every event of what is read, once", async () => {
  const { endsAt } = await keep()
  expect(endsAt).toEqual(new Date(NOW.getTime() + 90 * DAY_MS))
  const first = simulator.subscriptions()
  expect(first).toHaveLength(18)
  simulator.requestLog.clear()
  await keep()
  expect(simulator.subscriptions()).toEqual(first)
  expect(simulator.requestLog.count()).toBe(1)
})

test("events of a new day are read as events of that person", async () => {
  await keep()
  await connect(adapter, LENA)
  simulator.clock.advance(2 * DAY_MS)
  await simulator.webhooks.flush()
  const events = received.flatMap((webhook) => (webhook.outcome === "events" ? webhook.events : []))
  expect(events).toHaveLength(received.length)
  expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(["sleep", "recovery", "cycle", "workout"]))
  const { accessToken } = await connect(adapter, LENA)
  const { data } = await adapter.fetchProfile(accessToken)
  expect(new Set(events.map(({ memberId }) => memberId))).toEqual(new Set([data.providerId]))
  for (const { kind, providerId } of events) {
    const page = await adapter.fetchRecord(accessToken, { kind, providerId })
    expect(page.rejected).toEqual([])
  }
})

test("renews what ends within a month, and makes again what has ended", async () => {
  await keep()
  simulator.clock.advance(70 * DAY_MS)
  expect((await keep()).endsAt).toEqual(new Date(NOW.getTime() + 160 * DAY_MS))
  simulator.clock.advance(200 * DAY_MS)
  const { endsAt } = await keep()
  expect(endsAt?.getTime()).toBe(simulator.clock.nowMs() + 90 * DAY_MS)
  await connect(adapter, LENA)
  simulator.clock.advance(2 * DAY_MS)
  await simulator.webhooks.flush()
  expect(received.length).toBeGreaterThan(0)
})

test("takes over subscriptions to a former address of the service", async () => {
  await keep()
  const former = callbackUrl
  callbackUrl = `${former}?moved=1`
  await keep()
  expect(new Set(simulator.subscriptions().map(({ callback_url }) => callback_url))).toEqual(new Set([callbackUrl]))
  expect(simulator.subscriptions()).toHaveLength(18)
})

test("a lost answer costs nothing: the next call finds what is there", async () => {
  simulator.faults.add({ kind: "drop_reply_after_effect", match: { method: "POST" }, times: 1 })
  expect(await rejection(keep())).toMatchObject({ name: "VendorUnavailable" })
  await keep()
  expect(simulator.subscriptions()).toHaveLength(18)
})

test("an event that Oura refuses is named, and costs the others nothing", async () => {
  simulator.faults.add({ kind: "status", status: 422, match: { method: "POST" }, times: 1 })
  expect(await keep()).toMatchObject({ refused: ["sleep.create"] })
  expect(simulator.subscriptions()).toHaveLength(17)
})

test("a callback that Oura cannot verify is a refusal", async () => {
  const closed = { callbackUrl: "http://127.0.0.1:9/closed" }
  expect(await rejection(subscriber.keepSubscribed(closed))).toMatchObject({ name: "RequestRefused" })
})

test("answers no challenge of strangers", () => {
  const query = (parameters: Record<string, string>) => new URLSearchParams(parameters)
  expect(subscriber.answerChallenge?.(query({ challenge: "abc" }))).toBeUndefined()
  expect(subscriber.answerChallenge?.(query({ challenge: "abc", verification_token: "guess" }))).toBeUndefined()
  expect(subscriber.answerChallenge?.(query({}))).toBeUndefined()
})

test("says that the app's credentials are wrong", async () => {
  const wrong = adapterUnderTest(simulator.url, { clientSecret: "mistyped" }, (options) =>
    createOuraAdapter({ ...options, now: () => NOW }),
  ).adapter
  const error = await rejection(Promise.resolve(wrong.webhookSubscriber?.keepSubscribed({ callbackUrl })))
  expect(error).toMatchObject({ name: "RequestRefused", message: expect.stringContaining("client secret") })
})
