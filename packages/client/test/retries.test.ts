/** When the client retries, how long it waits, and how an abort ends a call. */

import { RESET, SLEEP } from "@restwell/testing/answers"
import { expect, it } from "vitest"
import {
  type ClientOptions,
  createClient,
  NetworkError,
  RateLimitedError,
  ServiceUnavailableError,
  TimeoutError,
  UnauthorizedError,
} from "../src/index.ts"
import { type Reply, startServer } from "./local-server.ts"

const OK: Reply = { status: 200, body: SLEEP }
const busy = (headers: Record<string, string> = {}, status = 503): Reply => ({
  status,
  headers,
  body: { error: "unavailable", message: "starting" },
})
const usedUp = (headers: Record<string, string> = {}): Reply => ({
  status: 429,
  headers,
  body: { error: "rate_limited", message: "monthly request limit exceeded", limit: 1000, reset: RESET },
})

/** Reads sleep from a server with these replies. Returns the outcome, the waits, and the number of requests. */
async function readFrom(replies: readonly [Reply, ...Reply[]], options: Partial<ClientOptions> = {}) {
  await using server = await startServer(...replies)
  const waitsMs: number[] = []
  const delay = async (milliseconds: number) => {
    waitsMs.push(milliseconds)
  }
  const client = createClient({ baseUrl: server.url, apiKey: "rw_key", delay, random: () => 1, ...options })
  const outcome = await client.sleep().catch((error: unknown) => error)
  return { outcome, waitsMs, requests: server.requests.length }
}

it("retries a busy service and doubles the wait each time", async () => {
  const { outcome, waitsMs } = await readFrom([busy(), busy({}, 502), busy({}, 504), OK], { retries: 3 })
  expect(outcome).toMatchObject({ data: SLEEP })
  expect(waitsMs).toEqual([300, 600, 1200])
})

it("spreads the waits of many clients over half of the back-off", async () => {
  const { waitsMs } = await readFrom([busy()], { random: () => 0 })
  expect(waitsMs).toEqual([150, 300])
})

it("throws the last failure when the retries are used up", async () => {
  const { outcome, requests } = await readFrom([busy()])
  expect(outcome).toBeInstanceOf(ServiceUnavailableError)
  expect(requests).toBe(3)
})

it("retries after a broken connection and after a timeout", async () => {
  const broken: Reply = (_, response) => response.destroy()
  const silent: Reply = () => undefined
  const { outcome, waitsMs } = await readFrom([broken, silent, OK], { timeoutMs: 1_000 })
  expect(outcome).toMatchObject({ data: SLEEP })
  expect(waitsMs).toHaveLength(2)
})

it.each([
  ["seconds", { "retry-after": "7" }, 7000],
  ["a date", { "retry-after": "Fri, 20 Nov 2026 22:34:12 GMT", date: "Fri, 20 Nov 2026 22:34:03 GMT" }, 9000],
  [
    "a date that has passed",
    { "retry-after": "Fri, 20 Nov 2026 22:34:00 GMT", date: "Fri, 20 Nov 2026 22:34:03 GMT" },
    0,
  ],
])("waits at least as long as Retry-After asks in %s", async (_, headers, requestedMs) => {
  expect((await readFrom([busy(headers), OK], { random: () => 0 })).waitsMs).toEqual([requestedMs])
  expect((await readFrom([busy(headers), OK], { random: () => 1 })).waitsMs).toEqual([requestedMs + 300])
})

it("uses its own back-off when Retry-After is malformed", async () => {
  expect((await readFrom([busy({ "retry-after": "in a moment" }), OK])).waitsMs).toEqual([300])
})

it("retries a 429 with a short Retry-After", async () => {
  const { outcome, waitsMs } = await readFrom([usedUp({ "retry-after": "2" }), OK])
  expect(outcome).toMatchObject({ data: SLEEP })
  expect(waitsMs).toEqual([2300])
})

it.each([
  ["is days away", { "retry-after": "864000" }],
  ["is a second too far away", { "retry-after": "31" }],
  ["is missing", {}],
])("does not retry a 429 when Retry-After %s", async (_, headers) => {
  const { outcome, waitsMs, requests } = await readFrom([usedUp(headers), OK])
  expect(outcome).toBeInstanceOf(RateLimitedError)
  expect({ waitsMs, requests }).toEqual({ waitsMs: [], requests: 1 })
})

it("does not wait longer than maxRetryAfterSeconds", async () => {
  const { outcome, requests } = await readFrom([busy({ "retry-after": "31" }), OK])
  expect(outcome).toMatchObject({ status: 503, retryAfterSeconds: 31 })
  expect(requests).toBe(1)
  expect((await readFrom([busy({ "retry-after": "31" }), OK], { maxRetryAfterSeconds: 31 })).requests).toBe(2)
})

it.each([400, 401, 404, 500])("does not retry a %i", async (status) => {
  const { requests } = await readFrom([{ status, body: { error: "no", message: "no" } }])
  expect(requests).toBe(1)
})

it("does not retry a rejected key", async () => {
  const { outcome } = await readFrom([{ status: 401, body: { error: "unauthorized", message: "no" } }, OK])
  expect(outcome).toBeInstanceOf(UnauthorizedError)
})

it("does not retry with retries: 0", async () => {
  const { outcome, requests } = await readFrom([(_, response) => response.destroy(), OK], { retries: 0 })
  expect(outcome).toBeInstanceOf(NetworkError)
  expect(outcome).not.toBeInstanceOf(TimeoutError)
  expect(requests).toBe(1)
})

it.each(["the call's", "the client's"])(
  "ends a request at once, with the reason, when %s signal aborts",
  async (whose) => {
    const controller = new AbortController()
    const reason = new Error("the page was left")
    await using server = await startServer(() => controller.abort(reason))
    const { signal } = controller
    const ofClient = whose === "the client's" ? { signal } : {}
    const client = createClient({ baseUrl: server.url, apiKey: "rw_key", ...ofClient })
    await expect(client.sleep({}, whose === "the call's" ? { signal } : {})).rejects.toBe(reason)
    await expect(client.profile({ signal })).rejects.toBe(reason)
    expect(server.requests).toHaveLength(1)
  },
)

it("ends a wait at once when the signal aborts", async () => {
  const controller = new AbortController()
  await using server = await startServer(busy({ "retry-after": "20" }))
  const client = createClient({
    baseUrl: server.url,
    apiKey: "rw_key",
    random: () => {
      // Called just before the wait starts, so the abort comes during the wait.
      setImmediate(() => controller.abort())
      return 0
    },
  })
  await expect(client.sleep({}, { signal: controller.signal })).rejects.toMatchObject({ name: "AbortError" })
  expect(server.requests).toHaveLength(1)
})
