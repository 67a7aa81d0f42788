/** The client against a real HTTP server: requests, results and cache. */
import { inspect } from "node:util"
import {
  CYCLES,
  NO_CYCLES,
  PENDING_RECOVERY,
  PROFILE,
  PROFILE_WITHOUT_EMAIL,
  quotaHeaders,
  RECOVERY,
  RESET,
  SLEEP,
  SLEEP_WITHOUT_CONSISTENCY,
  SUMMARY,
  WORKOUTS,
  WORKOUTS_WITHOUT_ZONES,
} from "@restwell/testing/answers"
import { expect, it, onTestFinished, vi } from "vitest"
import { createClient, type HealthClient, type Quota } from "../src/index.ts"
import { sendReply, startServer } from "./local-server.ts"

const API_KEY = "rw_0123456789abcdefghijklmnopqrstuv012345"
const QUOTA: Quota = { limit: 1000, remaining: 999, reset: new Date(RESET) }
const ok = (body: unknown, headers: Record<string, string> = {}) => ({
  status: 200,
  headers: { ...quotaHeaders(999), ...headers },
  body,
})

const READS: readonly [string, unknown, (client: HealthClient) => Promise<unknown>][] = [
  ["summary", SUMMARY, (client) => client.summary()],
  ["sleep", SLEEP, (client) => client.sleep()],
  ["sleep", SLEEP_WITHOUT_CONSISTENCY, (client) => client.sleep()],
  ["recovery", RECOVERY, (client) => client.recovery()],
  ["recovery", PENDING_RECOVERY, (client) => client.recovery()],
  ["workout", WORKOUTS, (client) => client.workouts()],
  ["workout", WORKOUTS_WITHOUT_ZONES, (client) => client.workouts()],
  ["cycle", CYCLES, (client) => client.cycles()],
  ["cycle", NO_CYCLES, (client) => client.cycles()],
  ["profile", PROFILE, (client) => client.profile()],
  ["profile", PROFILE_WITHOUT_EMAIL, (client) => client.profile()],
]

it.each(READS)("reads type=%s with the key in the header and the body as data", async (type, body, read) => {
  await using server = await startServer(ok(body))
  const client = createClient({ baseUrl: server.url, apiKey: API_KEY })
  expect(await read(client)).toEqual({ data: body, quota: QUOTA, notModified: false })
  expect(server.requests).toMatchObject([
    { method: "GET", path: `/api/v1/health?type=${type}`, headers: { authorization: `Bearer ${API_KEY}` } },
  ])
})

it("prefers the given wait, and gives it the time beside its own", async () => {
  await using server = await startServer((_request, response) => {
    setTimeout(() => sendReply(response, ok(SLEEP)), 200)
  }, ok(SLEEP))
  const client = createClient({ baseUrl: server.url, apiKey: API_KEY, timeoutMs: 1, retries: 0 })
  expect((await client.sleep({ days: 1 }, { waitSeconds: 60 })).data).toEqual(SLEEP)
  expect(server.requests[0]?.headers).toMatchObject({ prefer: "wait=60" })
  await createClient({ baseUrl: server.url, apiKey: API_KEY }).sleep()
  expect(server.requests[1]?.headers).not.toHaveProperty("prefer")
})

it("sends the given date range", async () => {
  await using server = await startServer(ok(SLEEP))
  const client = createClient({ baseUrl: `${server.url}/restwell/`, apiKey: API_KEY })
  await client.sleep({ days: 30 })
  await client.sleep({ startDate: "2026-11-01" })
  await client.sleep({ startDate: "2026-11-01", endDate: "2026-11-07" })
  await client.sleep({ endDate: "2026-11-07", days: 3 })
  await client.sleep({ days: undefined, endDate: undefined })
  expect(server.requests.map(({ path }) => path.replace("/restwell/api/v1/health?type=sleep", ""))).toEqual([
    "&days=30",
    "&start_date=2026-11-01",
    "&start_date=2026-11-01&end_date=2026-11-07",
    "&days=3&end_date=2026-11-07",
    "",
  ])
})

it("reads lists as CSV text, which is cached like other answers", async () => {
  const text = "date,asleep_hours\r\n2026-11-19,7.46\r\n"
  const headers = { ...quotaHeaders(999), "content-type": "text/csv; charset=utf-8", etag: '"1"' }
  const table = { status: 200, headers, body: text }
  await using server = await startServer(table, { status: 304, headers }, table)
  const client = createClient({ baseUrl: server.url, apiKey: API_KEY })
  const first = await client.csv("sleep", { days: 30, fields: ["date", "asleep_hours"] })
  expect(first).toEqual({ data: text, quota: QUOTA, notModified: false })
  expect(await client.csv("sleep", { days: 30, fields: ["date", "asleep_hours"] })).toEqual({
    ...first,
    notModified: true,
  })
  await client.csv("trend", { metric: "hrv", days: 90 })
  await client.csv("journal", {})
  expect(server.requests.map(({ path }) => path)).toEqual([
    "/api/v1/health?type=sleep&days=30&fields=date%2Casleep_hours&format=csv",
    "/api/v1/health?type=sleep&days=30&fields=date%2Casleep_hours&format=csv",
    "/api/v1/trend?metric=hrv&days=90&format=csv",
    "/api/v1/journal?format=csv",
  ])
})

it("drops unknown fields of a newer service", async () => {
  await using server = await startServer(ok({ ...SLEEP, mood: "good" }))
  const { data } = await createClient({ baseUrl: server.url, apiKey: API_KEY }).sleep()
  expect(data).toEqual(SLEEP)
})

it("returns a separate copy of the cached body on each 304", async () => {
  const etag = '"v7-sleep"'
  await using server = await startServer(ok(SLEEP, { etag, "cache-control": "private, max-age=900" }), {
    status: 304,
    headers: { etag, ...quotaHeaders(999) },
  })
  const client = createClient({ baseUrl: server.url, apiKey: API_KEY })
  const first = await client.sleep({ days: 7 })
  first.data.records.length = 0
  expect(await client.sleep({ days: 7 })).toEqual({ data: SLEEP, quota: QUOTA, notModified: true })
  expect(await client.sleep({ days: 7 })).toEqual({ data: SLEEP, quota: QUOTA, notModified: true })
  expect(server.requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, etag, etag])
})

it("replaces the cached body and its ETag when the data changed", async () => {
  await using server = await startServer(
    ok(SLEEP, { etag: '"a"' }),
    ok({ ...SLEEP, records: [], count: 0 }, { etag: '"b"' }),
  )
  const client = createClient({ baseUrl: server.url, apiKey: API_KEY })
  await client.sleep()
  expect(await client.sleep()).toMatchObject({ data: { count: 0 }, notModified: false })
  await client.sleep()
  expect(server.requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, '"a"', '"b"'])
})

it("caches at most maxKeptAnswers responses, by URL", async () => {
  await using server = await startServer(ok(SLEEP, { etag: '"a"' }))
  const client = createClient({ baseUrl: server.url, apiKey: API_KEY, maxKeptAnswers: 1 })
  await client.sleep({ days: 1 })
  await client.sleep({ days: 2 })
  await client.sleep({ days: 1 })
  expect(server.requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, undefined, undefined])
  await client.sleep({ days: 1 })
  expect(server.requests.at(-1)?.headers["if-none-match"]).toBe('"a"')
})

it("exposes the latest quota as a property and through onQuota", async () => {
  await using server = await startServer(
    { status: 200, headers: quotaHeaders(12), body: SLEEP },
    { status: 404, headers: quotaHeaders(11), body: { error: "not_found", message: "connect a provider" } },
    { status: 200, body: SLEEP },
  )
  const reported: number[] = []
  const onQuota = (quota: Quota) => reported.push(quota.remaining)
  const client = createClient({ baseUrl: server.url, apiKey: API_KEY, onQuota })
  expect(client.quota).toBeNull()
  await client.sleep()
  expect(client.quota).toEqual({ limit: 1000, remaining: 12, reset: new Date(RESET) })
  await expect(client.sleep()).rejects.toThrow("connect a provider")
  expect(client.quota?.remaining).toBe(11)
  expect((await client.sleep()).quota).toBeNull()
  expect(client.quota?.remaining).toBe(11)
  expect(reported).toEqual([12, 11])
})

it("uses the fetch of the options", async () => {
  const addresses: string[] = []
  const fetch = async (url: string) => {
    addresses.push(url)
    return Response.json(SLEEP)
  }
  const { data } = await createClient({ baseUrl: "https://restwell.example", apiKey: API_KEY, fetch }).sleep()
  expect(data).toEqual(SLEEP)
  expect(addresses).toEqual(["https://restwell.example/api/v1/health?type=sleep"])
})

it("uses a global fetch that was replaced after the client was created", async () => {
  const client = createClient({ baseUrl: "https://restwell.example", apiKey: API_KEY })
  vi.stubGlobal("fetch", async () => Response.json(SLEEP))
  onTestFinished(() => void vi.unstubAllGlobals())
  expect((await client.sleep()).data).toEqual(SLEEP)
})

it("never reveals its key when printed, converted to text or serialised", () => {
  const client = createClient({ baseUrl: "https://restwell.example", apiKey: API_KEY })
  const texts = [
    String(client),
    JSON.stringify(client),
    inspect(client, { depth: null, showHidden: true, getters: true }),
  ]
  expect(texts.join(" ")).not.toContain(API_KEY.slice(3))
})

it.each([
  ["a relative address", { baseUrl: "/api" }, /baseUrl/],
  ["an unsupported protocol", { baseUrl: "ftp://restwell.example" }, /baseUrl/],
  ["credentials in the address", { baseUrl: "https://ada:secret@restwell.example" }, /baseUrl/],
  ["a query in the address", { baseUrl: "https://restwell.example/?key=1" }, /baseUrl/],
  ["no key", { apiKey: "" }, /apiKey is missing/],
  ["a line end in the key", { apiKey: `${API_KEY}\n` }, /apiKey/],
  ["a space in the key", { apiKey: ` ${API_KEY}` }, /apiKey/],
  ["a timeout of zero", { timeoutMs: 0 }, /timeoutMs/],
  ["an infinite timeout", { timeoutMs: Number.POSITIVE_INFINITY }, /timeoutMs/],
  ["a negative number of retries", { retries: -1 }, /retries/],
  ["a value that is not a number", { maxRetryAfterSeconds: Number.NaN }, /maxRetryAfterSeconds/],
])("rejects %s with an error that names the option, not the key", (_, wrong, message) => {
  const create = () => createClient({ baseUrl: "https://restwell.example", apiKey: API_KEY, ...wrong })
  expect(create).toThrow(TypeError)
  expect(create).toThrow(message)
  expect(create).not.toThrow(API_KEY)
})
