import { createHmac } from "node:crypto"
import { createServer, type IncomingMessage, type Server } from "node:http"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type OuraSimulator, startOuraSimulator } from "../src/index.ts"
import { APP_HEADERS, signInAtOura } from "./oura-sign-in.ts"

const NOW = new Date("2026-11-20T12:00:00Z")
const PERSON = "lena@example.com"
const DAY_MS = 86_400_000

interface Received {
  headers: IncomingMessage["headers"]
  raw: string
  body: { event_type: string; data_type: string; object_id: string; user_id: string }
}

let simulator: OuraSimulator
let receiver: Server
let url: string
let received: Received[]
let answersChallenge: boolean

beforeEach(async () => {
  received = []
  answersChallenge = true
  receiver = createServer(async (request, response) => {
    const query = new URL(request.url ?? "/", "http://receiver").searchParams
    if (request.method === "GET") {
      const challenge =
        answersChallenge && query.get("verification_token") === "secret-1" ? query.get("challenge") : "?"
      return response.end(JSON.stringify({ challenge }))
    }
    let raw = ""
    for await (const chunk of request) raw += String(chunk)
    received.push({ headers: request.headers, raw, body: JSON.parse(raw) })
    return response.end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
  const address = receiver.address()
  url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/hook`
  simulator = await startOuraSimulator({ now: NOW, days: 20 })
})
afterEach(async () => {
  await simulator.close()
  receiver.close()
})

const manage = (method: string, path = "", body?: object) =>
  fetch(`${simulator.url}/v2/webhook/subscription${path}`, {
    method,
    headers: { ...APP_HEADERS, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  })
const subscribe = (data_type: string, event_type: string) =>
  manage("POST", "", { callback_url: url, verification_token: "secret-1", data_type, event_type })

async function advance(durationMs: number): Promise<void> {
  simulator.clock.advance(durationMs)
  await simulator.webhooks.flush()
}

test("announces what is subscribed, signed over timestamp and body, with the person's id", async () => {
  expect((await subscribe("sleep", "create")).status).toBe(201)
  await signInAtOura(simulator, PERSON)
  await advance(2 * DAY_MS)
  const { sleep, personal_info } = simulator.records(PERSON)
  expect(received.length).toBeGreaterThan(0)
  for (const { headers, raw, body } of received) {
    expect(body).toMatchObject({ event_type: "create", data_type: "sleep", user_id: personal_info.id })
    expect(sleep.some(({ id }) => id === body.object_id)).toBe(true)
    const hmac = createHmac("sha256", APP_HEADERS["x-client-secret"]).update(`${headers["x-oura-timestamp"]}${raw}`)
    expect(headers["x-oura-signature"]).toBe(hmac.digest("hex").toUpperCase())
  }
})

test("announces changes and deletions, by edits too", async () => {
  await subscribe("workout", "update")
  await subscribe("workout", "delete")
  await signInAtOura(simulator, PERSON)
  const [first, second] = simulator.records(PERSON).workout
  simulator.edit.workout.patch(PERSON, first?.id ?? "", { label: "in the rain" })
  simulator.edit.workout.delete(PERSON, second?.id ?? "")
  await simulator.webhooks.flush()
  expect(received.map(({ body }) => [body.event_type, body.object_id])).toEqual([
    ["update", first?.id],
    ["delete", second?.id],
  ])
})

test("subscribes only for a callback that answers the challenge", async () => {
  answersChallenge = false
  expect((await subscribe("sleep", "create")).status).toBe(400)
  expect(simulator.subscriptions()).toEqual([])
})

test("refuses a second subscription, another app and an unknown type", async () => {
  await subscribe("sleep", "create")
  expect((await subscribe("sleep", "create")).status).toBe(409)
  expect((await subscribe("dreams", "create")).status).toBe(422)
  expect((await fetch(`${simulator.url}/v2/webhook/subscription`)).status).toBe(401)
})

test("a subscription ends after 90 days unless it is renewed", async () => {
  await subscribe("sleep", "create")
  await signInAtOura(simulator, PERSON)
  const [subscription] = simulator.subscriptions()
  simulator.clock.advance(80 * DAY_MS)
  expect((await manage("PUT", `/renew/${subscription?.id}`)).status).toBe(200)
  await advance(80 * DAY_MS)
  const before = received.length
  expect(before).toBeGreaterThan(0)
  await advance(11 * DAY_MS)
  received = []
  await advance(10 * DAY_MS)
  expect(received).toEqual([])
})

test("lists, changes and deletes subscriptions", async () => {
  await subscribe("sleep", "create")
  const [subscription] = simulator.subscriptions()
  expect(await (await manage("GET")).json()).toEqual([subscription])
  const changed = await manage("PUT", `/${subscription?.id}`, { verification_token: "secret-1", event_type: "update" })
  expect(await changed.json()).toMatchObject({ id: subscription?.id, event_type: "update" })
  expect((await manage("DELETE", `/${subscription?.id}`)).status).toBe(204)
  expect((await manage("GET", `/${subscription?.id}`)).status).toBe(403)
})
