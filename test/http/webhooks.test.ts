import { signWebhook } from "@restwell/simulator"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test, vi } from "vitest"

const DAY_MS = 86_400_000
const SECRET = "simulator-secret"

let service: TestService
beforeAll(async () => {
  service = await startTestService({ days: 30 })
  service.simulator.webhooks.urls = [`${service.url}/api/webhooks/whoop`]
})
afterAll(() => service.close())

interface Sent {
  readonly path?: string
  readonly body?: string
  readonly secret?: string
  readonly headers?: Record<string, string>
}

const EVENT = { user_id: 1, id: "5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11", type: "sleep.updated", trace_id: "a" }

function send({ path = "/api/webhooks/whoop", body = JSON.stringify(EVENT), secret = SECRET, headers }: Sent) {
  const timestamp = String(service.simulator.clock.nowMs())
  return fetch(service.url + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-whoop-signature": signWebhook(secret, timestamp, body),
      "x-whoop-signature-timestamp": timestamp,
      ...headers,
    },
    body,
  })
}

const metrics = async (): Promise<string> => (await fetch(`${service.url}/metrics`)).text()

test("a night that the vendor announces is in the API within seconds", async () => {
  const person = service.simulator.people.add({ email: "ada@example.com" })
  const { key } = await Member.connected(service, person)
  const nights = async () => (await (await readHealth(service.url, key, "?type=sleep&days=3")).json()).records.length
  const before = service.simulator.records(person).sleeps.length
  service.simulator.clock.advance(DAY_MS)
  await service.simulator.webhooks.flush()
  expect(service.simulator.records(person).sleeps.length).toBeGreaterThan(before)
  const { sleeps } = service.simulator.records(person)
  await vi.waitFor(
    async () => {
      const answer = await (await readHealth(service.url, key, "?type=sleep&days=3")).json()
      expect(answer.records[0]?.id).toBe(`whoop-${sleeps[0]?.id}`)
    },
    { timeout: 10_000, interval: 50 },
  )
  expect(await nights()).toBeGreaterThan(0)
  expect(service.simulator.webhooks.deliveries.every(({ state }) => state === "delivered")).toBe(true)
  expect(await metrics()).toMatch(/restwell_webhooks_total\{provider="whoop",outcome="accepted"\} [1-9]/)
})

test("an event for an unknown member or of an unknown type gets 204, and is counted in /metrics", async () => {
  expect((await send({})).status).toBe(204)
  expect((await send({ body: JSON.stringify({ ...EVENT, type: "body.updated" }) })).status).toBe(204)
  const text = await metrics()
  expect(text).toContain('restwell_webhooks_total{provider="whoop",outcome="unknown_member"} 1')
  expect(text).toContain('restwell_webhooks_total{provider="whoop",outcome="unknown_type"} 1')
})

test.each<[string, Sent, number, string]>([
  ["signed with another secret", { secret: "guessed" }, 401, "unauthorized"],
  ["without a signature", { headers: { "x-whoop-signature": "" } }, 401, "unauthorized"],
  ["with an old timestamp", { headers: { "x-whoop-signature-timestamp": "1700000000000" } }, 401, "unauthorized"],
  ["that is signed but not JSON", { body: "sleep" }, 400, "invalid_request"],
  ["that is signed but empty", { body: "" }, 400, "invalid_request"],
  ["that is signed but not an event", { body: '{"user_id":1}' }, 400, "invalid_request"],
  ["with a path for an id", { body: JSON.stringify({ ...EVENT, id: "../../user" }) }, 400, "invalid_request"],
  ["for an unknown vendor", { path: "/api/webhooks/oura" }, 404, "not_found"],
  ["larger than any event", { body: " ".repeat(70_000) }, 413, "payload_too_large"],
])("a webhook %s is refused", async (_case, sent, status, error) => {
  const answer = await send(sent)
  expect(answer.status).toBe(status)
  expect(await answer.json()).toMatchObject({ error })
})

test("any content type is accepted, because the signature covers the bytes", async () => {
  const answer = await send({ headers: { "content-type": "text/plain" } })
  expect(answer.status).toBe(204)
})

test("/metrics counts forged and unreadable webhooks", async () => {
  const text = await metrics()
  expect(text).toMatch(/restwell_webhooks_total\{provider="whoop",outcome="forged"\} 3/)
  expect(text).toMatch(/restwell_webhooks_total\{provider="whoop",outcome="unreadable"\} 4/)
  expect(text).not.toContain("oura")
})

test("/metrics has connections, calls by purpose, waiting events and rejected records", async () => {
  const text = await metrics()
  expect(text).toContain('restwell_connections{provider="whoop",status="ok"} 1')
  expect(text).toMatch(/restwell_vendor_calls\{provider="whoop",purpose="event"\} \d/)
  expect(text).toMatch(/restwell_vendor_calls\{provider="whoop",purpose="history"\} \d/)
  expect(text).toMatch(/restwell_vendor_calls_per_connection\{provider="whoop"\} \d/)
  expect(text).toContain("restwell_events_waiting")
  expect(text).toContain("restwell_rejected_records")
})

test("the log contains neither the secret nor the event id of a webhook", () => {
  const log = service.log.join("")
  expect(log).not.toContain(SECRET)
  expect(log).not.toContain(EVENT.id)
})
