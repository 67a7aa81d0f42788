import type { OauthVendorName } from "@restwell/providers"
import { Member, readHealth } from "@restwell/testing/member"
import { readMetrics, startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"

const DAY_MS = 86_400_000
const SECRET = "simulator-secret"

interface Sent {
  readonly path?: string
  readonly body?: string
  readonly secret?: string
  /** Sent instead of the right ones. */
  readonly headers?: Record<string, string>
}

/** What differs between the webhooks of vendors. */
const VENDORS = {
  whoop: {
    event: { user_id: 1, id: "5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11", type: "sleep.updated", trace_id: "a" },
    idField: "id",
    unknownType: { type: "body.updated" },
    signatureHeader: "x-whoop-signature",
    timestampHeader: "x-whoop-signature-timestamp",
  },
  oura: {
    event: {
      user_id: "5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a12",
      object_id: "5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11",
      event_type: "update",
      data_type: "sleep",
      event_time: "2026-11-20T12:00:00Z",
    },
    idField: "object_id",
    unknownType: { data_type: "heartrate" },
    signatureHeader: "x-oura-signature",
    timestampHeader: "x-oura-timestamp",
  },
  // It signs the body alone, with the secret that it gave for the webhook.
  polar: {
    event: { user_id: 77_777, event: "SLEEP", date: "2026-11-20", timestamp: "2026-11-20T12:00:00Z" },
    idField: "date",
    unknownType: { event: "PHYSICAL_INFORMATION" },
    signatureHeader: "polar-webhook-signature",
    timestampHeader: undefined,
  },
} as const satisfies Partial<Record<OauthVendorName, object>>
type Announcing = keyof typeof VENDORS

const old = (header: string): [string, Sent, number, string] => [
  "with an old timestamp",
  { headers: { [header]: "1700000000000" } },
  401,
  "unauthorized",
]

function sendTo(service: TestService, provider: Announcing, sent: Sent): Promise<Response> {
  const { path = `/api/webhooks/${provider}`, body = JSON.stringify(VENDORS[provider].event), secret = SECRET } = sent
  const signed = service.vendor.sign(body, service.simulator.clock.nowMs(), secret)
  const headers = { "content-type": "application/json", ...signed, ...sent.headers }
  return fetch(service.url + path, { method: "POST", headers, body })
}

/** Opens a service to which the vendor sends webhooks. */
async function open(vendor: Announcing): Promise<TestService> {
  const service = await startTestService({ vendor, days: 30 })
  if (vendor === "whoop") service.simulator.webhooks.urls = [`${service.url}/api/webhooks/whoop`]
  // The service makes Polar's by itself, and subscribes to Oura's: six collections, three events each.
  else if (vendor === "polar")
    await vi.waitFor(() => expect(service.simulatorOf("polar").webhook()).toBeDefined(), 20_000)
  else await vi.waitFor(() => expect(service.simulatorOf("oura").subscriptions()).toHaveLength(18), 20_000)
  return service
}

/** Waits until metrics count a call that an event led to. */
async function expectCallForEvent(service: TestService, provider: Announcing): Promise<void> {
  const event = new RegExp(`restwell_vendor_calls\\{provider="${provider}",purpose="event"\\} \\d`)
  await vi.waitFor(
    async () => {
      if (event.test(await readMetrics(service))) return
      // The sync that a read asked for may have fetched the announced night. The vendor announces another one.
      service.simulator.clock.advance(DAY_MS)
      await service.vendor.simulator.webhooks.flush()
      throw new Error("no call was made for an event")
    },
    { timeout: 60_000, interval: 2_000 },
  )
}

describe.each(["whoop", "oura", "polar"] as const)("webhooks of %s", (provider) => {
  const { event, idField, unknownType, signatureHeader, timestampHeader } = VENDORS[provider]
  let service: TestService
  beforeAll(async () => {
    service = await open(provider)
  })
  afterAll(() => service.close())

  const send = (sent: Sent) => sendTo(service, provider, sent)
  const metrics = (): Promise<string> => readMetrics(service)
  const counted = (outcome: string, count: string) =>
    new RegExp(`restwell_webhooks_total\\{provider="${provider}",outcome="${outcome}"\\} ${count}`)

  test("a night that the vendor announces is in the API within seconds", async () => {
    const person = service.simulator.people.add({ email: "ada@example.com" })
    const { key } = await Member.connected(service, person, {}, provider)
    const nights = async () => (await (await readHealth(service.url, key, "?type=sleep&days=3")).json()).records.length
    const before = service.vendor.idsOf(person, "sleep").length
    // People wake at another time each day, so one day may end before the next night does.
    service.simulator.clock.advance(1.5 * DAY_MS)
    const { webhooks } = service.vendor.simulator
    await webhooks.flush()
    expect(service.vendor.idsOf(person, "sleep").length).toBeGreaterThan(before)
    const [newest] = service.vendor.idsOf(person, "sleep")
    await vi.waitFor(
      async () => {
        const answer = await (await readHealth(service.url, key, "?type=sleep&days=3")).json()
        expect(answer.records[0]?.id).toBe(`${provider}-${newest}`)
      },
      { timeout: 30_000, interval: 50 },
    )
    expect(await nights()).toBeGreaterThan(0)
    expect(webhooks.deliveries.length).toBeGreaterThan(0)
    expect(webhooks.deliveries.every(({ state }) => state === "delivered")).toBe(true)
    // The calls of the last whole day are those of now: a later test reads them.
    service.simulator.clock.advance(DAY_MS)
    expect(await metrics()).toMatch(counted("accepted", "[1-9]"))
  })

  test("an event for an unknown member or of an unknown type gets 204, and is counted in /metrics", async () => {
    expect((await send({})).status).toBe(204)
    expect((await send({ body: JSON.stringify({ ...event, ...unknownType }) })).status).toBe(204)
    const text = await metrics()
    expect(text).toMatch(counted("unknown_member", "1"))
    expect(text).toMatch(counted("unknown_type", "1"))
  })

  test.each<[string, Sent, number, string]>([
    ["signed with another secret", { secret: "guessed" }, 401, "unauthorized"],
    ["without a signature", { headers: { [signatureHeader]: "" } }, 401, "unauthorized"],
    ...(timestampHeader === undefined ? [] : [old(timestampHeader)]),
    ["that is signed but not JSON", { body: "sleep" }, 400, "invalid_request"],
    ["that is signed but empty", { body: "" }, 400, "invalid_request"],
    ["that is signed but not an event", { body: '{"user_id":1}' }, 400, "invalid_request"],
    ["with a path for an id", { body: JSON.stringify({ ...event, [idField]: "../../user" }) }, 400, "invalid_request"],
    ["for an unknown vendor", { path: "/api/webhooks/fitbit" }, 404, "not_found"],
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
    expect(text).toMatch(counted("forged", timestampHeader === undefined ? "2" : "3"))
    expect(text).toMatch(counted("unreadable", "4"))
    expect(text).not.toContain("fitbit")
  })

  test("/metrics has connections, calls by purpose, waiting events and rejected records", async () => {
    const text = await metrics()
    expect(text).toContain(`restwell_connections{provider="${provider}",status="ok"} 1`)
    expect(text).toMatch(new RegExp(`restwell_vendor_calls\\{provider="${provider}",purpose="history"\\} \\d`))
    expect(text).toMatch(new RegExp(`restwell_vendor_calls_per_connection\\{provider="${provider}"\\} \\d`))
    expect(text).toContain("restwell_events_waiting")
    expect(text).toContain("restwell_rejected_records")
    await expectCallForEvent(service, provider)
  })

  test("the log contains neither the secret nor the event id of a webhook", () => {
    const log = service.log.join("")
    expect(log).not.toContain(SECRET)
    expect(log).not.toContain("5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11")
  })
})

test("a PING of Polar is answered with 200 before it has given a secret, and one for another vendor is not", async () => {
  const service = await startTestService({ vendor: "polar", days: 1 })
  try {
    const ping = (provider: string) =>
      fetch(`${service.url}/api/webhooks/${provider}`, {
        method: "POST",
        headers: { "content-type": "application/json", "polar-webhook-event": "PING" },
        body: '{"timestamp":"2026-11-20T12:00:00Z","event":"PING"}',
      })
    expect((await ping("polar")).status).toBe(200)
    expect((await ping("whoop")).status).toBe(401)
  } finally {
    await service.close()
  }
})
