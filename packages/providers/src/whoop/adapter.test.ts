import { afterEach, beforeEach, expect, test } from "vitest"
import { adapterUnderTest, rejection } from "../../test/adapter-under-test.ts"
import { fixturesOf } from "../../test/fixtures.ts"
import { answer, cut, json, type ScriptedVendor, stall, startScriptedVendor } from "../../test/scripted-vendor.ts"
import {
  AccessTokenRejected,
  ContractViolation,
  ProviderError,
  RateLimited,
  RequestRefused,
  VendorUnavailable,
} from "../contract/errors.ts"

const { readFixture, readFixtureText } = fixturesOf("whoop")

let vendor: ScriptedVendor
beforeEach(async () => {
  vendor = await startScriptedVendor()
})
afterEach(() => vendor.close())

const TOKEN = "access-token-1"
const sleepPage = () => readFixtureText("sleep-page")
const fetchSleep = (options = {}) => adapterUnderTest(vendor.url, options).adapter.fetchPage(TOKEN, { kind: "sleep" })

test.each([
  ["sleep", "/developer/v2/activity/sleep", 4],
  ["recovery", "/developer/v2/recovery", 3],
  ["workout", "/developer/v2/activity/workout", 4],
  ["cycle", "/developer/v2/cycle", 3],
] as const)("requests %s at its address and normalises the page", async (kind, path, count) => {
  vendor.script(json(readFixture(`${kind}-page`)))
  const page = await adapterUnderTest(vendor.url).adapter.fetchPage(TOKEN, { kind })
  expect(vendor.seen.map(({ method, url }) => `${method} ${url.pathname}${url.search}`)).toEqual([
    `GET ${path}?limit=25`,
  ])
  expect(vendor.seen[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`)
  expect(page.records.map((record) => record.kind)).toEqual(Array.from({ length: count }, () => kind))
  expect(page.rejected).toEqual([])
})

test("sends bounds as full instants, the cursor as nextToken, and never a limit above 25", async () => {
  vendor.script(json({ records: [] }))
  const { adapter } = adapterUnderTest(`${vendor.url}/`)
  const [from, to] = [new Date("2026-11-01T00:00:00Z"), new Date("2026-11-08T12:30:00.5Z")]
  await adapter.fetchPage(TOKEN, { kind: "cycle", from, to, cursor: "MTIz==", limit: 100 })
  await adapter.fetchPage(TOKEN, { kind: "cycle", limit: 3 })
  expect(vendor.seen.map(({ url }) => Object.fromEntries(url.searchParams))).toEqual([
    { limit: "25", start: "2026-11-01T00:00:00.000Z", end: "2026-11-08T12:30:00.500Z", nextToken: "MTIz==" },
    { limit: "3" },
  ])
})

test.each([
  ["absent", {}],
  ["null", { next_token: null }],
  ["empty", { next_token: "" }],
])("takes a page for the last when its token is %s", async (_case, token) => {
  vendor.script(json({ records: [], ...token }))
  expect(await fetchSleep()).toStrictEqual({ records: [], rejected: [] })
})

test("hands the token of the next page on", async () => {
  vendor.script(answer(200, sleepPage()))
  expect(await fetchSleep()).toMatchObject({ nextCursor: "MTIzOjEyMzEyMw" })
})

test.each([
  [
    "sleep",
    "5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11",
    "/developer/v2/activity/sleep/5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11",
  ],
  [
    "workout",
    "ecfc6a15-4661-442f-a9a4-f160dd7afae8",
    "/developer/v2/activity/workout/ecfc6a15-4661-442f-a9a4-f160dd7afae8",
  ],
  ["cycle", "1001", "/developer/v2/cycle/1001"],
  ["recovery", "1001", "/developer/v2/cycle/1001/recovery"],
] as const)("fetches one %s by its id", async (kind, providerId, path) => {
  const { records } = Object(readFixture(`${kind}-page`))
  vendor.script(json(records[0]))
  const page = await adapterUnderTest(vendor.url).adapter.fetchRecord(TOKEN, { kind, providerId })
  expect(vendor.seen[0]?.url.pathname).toBe(path)
  expect(page.records).toMatchObject([{ kind, providerId }])
})

test("answers an empty page for a record that is gone", async () => {
  vendor.script(answer(404))
  const { adapter } = adapterUnderTest(vendor.url)
  const page = await adapter.fetchRecord(TOKEN, { kind: "recovery", providerId: "1001" })
  expect(page).toStrictEqual({ records: [], rejected: [] })
})

test.each(["..", "1001/../../user/access", "", "%2e%2e", "1001?x=1"])(
  "never requests the id %j",
  async (providerId) => {
    const { adapter } = adapterUnderTest(vendor.url)
    await expect(adapter.fetchRecord(TOKEN, { kind: "cycle", providerId })).rejects.toBeInstanceOf(RequestRefused)
    expect(vendor.seen).toEqual([])
  },
)

test("does not take a list that is not found for an empty one", async () => {
  vendor.script(answer(404))
  await expect(fetchSleep()).rejects.toBeInstanceOf(RequestRefused)
})

test("joins the profile and the body measurements", async () => {
  vendor.script(json(readFixture("profile")), json(readFixture("body")))
  expect(await adapterUnderTest(vendor.url).adapter.fetchProfile(TOKEN)).toStrictEqual({
    data: {
      id: "whoop-42",
      providerId: "42",
      firstName: "Mara",
      lastName: "Lindt",
      email: "mara@example.com",
      body: { heightMeters: 1.74, weightKilograms: 66.5, maxHeartRate: 188 },
    },
    raw: { profile: readFixture("profile"), body: readFixture("body") },
  })
})

test("answers a profile without a body when WHOOP has no measurements", async () => {
  vendor.script(json({ user_id: 42, email: null }), answer(404))
  const profile = await adapterUnderTest(vendor.url).adapter.fetchProfile(TOKEN)
  expect(profile).toStrictEqual({
    data: { id: "whoop-42", providerId: "42" },
    raw: { profile: { user_id: 42, email: null } },
  })
})

test("cleans names, and leaves out fields of the wrong type and measurements that nobody has", async () => {
  vendor.script(
    json({ user_id: 42, email: 7, first_name: "Ma\0ra", last_name: ["Lindt"] }),
    json({ height_meter: 174, weight_kilogram: "66.5", max_heart_rate: 188 }),
    json({ user_id: 42 }),
    json("no measurements"),
  )
  const { adapter } = adapterUnderTest(vendor.url)
  const { data } = await adapter.fetchProfile(TOKEN)
  expect(data).toStrictEqual({ id: "whoop-42", providerId: "42", firstName: "Ma\uFFFDra", body: { maxHeartRate: 188 } })
  expect((await adapter.fetchProfile(TOKEN)).data).toStrictEqual({ id: "whoop-42", providerId: "42" })
})

test.each(["\0", "x", -1, 1.5, 2 ** 60, null, {}])("does not read a profile of the member %j", async (user_id) => {
  vendor.script(json({ user_id }), json({}))
  await expect(adapterUnderTest(vendor.url).adapter.fetchProfile(TOKEN)).rejects.toBeInstanceOf(ContractViolation)
})

test.each(["\0", "\uD800", "a b"])("does not follow the page token %j", async (next_token) => {
  vendor.script(json({ records: [], next_token }))
  await expect(fetchSleep()).rejects.toMatchObject({ name: "ContractViolation", path: "next_token" })
})

test("does not hide a scope that is missing for the measurements", async () => {
  vendor.script(json(readFixture("profile")), answer(403))
  await expect(adapterUnderTest(vendor.url).adapter.fetchProfile(TOKEN)).rejects.toBeInstanceOf(RequestRefused)
})

test.each([
  ["401", answer(401, "<html>"), AccessTokenRejected, 1],
  ["403", answer(403), RequestRefused, 1],
  ["400", answer(400, '{"error":"?"}'), RequestRefused, 1],
  ["429 that names a long wait", answer(429, "", { "x-ratelimit-reset": "42" }), RateLimited, 1],
  ["429 that names a short wait", answer(429, "", { "x-ratelimit-reset": "2" }), RateLimited, 3],
  ["429 that names nothing", answer(429), RateLimited, 1],
  ["500", answer(500), VendorUnavailable, 3],
  ["503 with Retry-After", answer(503, "", { "retry-after": "120" }), VendorUnavailable, 1],
  ["a page of HTML with 200", answer(200, "<html>maintenance</html>"), VendorUnavailable, 3],
  ["an empty body with 200", answer(200), VendorUnavailable, 3],
  ["half a body", answer(200, '{"records":[{"id"'), VendorUnavailable, 3],
  ["a connection cut in the body", cut, VendorUnavailable, 3],
  ["a redirect", answer(302, "", { location: "https://elsewhere.example/" }), VendorUnavailable, 3],
  ["another shape", json({ data: [] }), ContractViolation, 1],
  ["a list that is no list", json({}), ContractViolation, 1],
  ["JSON that is no object", json([]), ContractViolation, 1],
] as const)("meets %s with the right error and number of tries", async (_case, script, errorClass, tries) => {
  vendor.script(script)
  const error = await rejection(fetchSleep())
  expect(error).toBeInstanceOf(errorClass)
  expect(error).toBeInstanceOf(ProviderError)
  expect(vendor.seen).toHaveLength(tries)
})

test("names a missing scope", async () => {
  vendor.script(answer(403))
  await expect(fetchSleep()).rejects.toThrow("the person did not grant the scope it needs")
})

test("reports how long a limit lasts: Retry-After, else the window's reset, else a minute", async () => {
  const waits: unknown[] = []
  for (const headers of [{ "retry-after": "90", "x-ratelimit-reset": "30" }, { "x-ratelimit-reset": "30" }, {}]) {
    vendor.script(answer(429, "", headers))
    waits.push(await rejection(fetchSleep()))
  }
  expect(waits).toMatchObject([{ retryAfterSeconds: 90 }, { retryAfterSeconds: 30 }, { retryAfterSeconds: 60 }])
})

test("waits a short limit out and answers", async () => {
  vendor.script(answer(429, "", { "x-ratelimit-reset": "2" }), answer(200, sleepPage()))
  const { adapter, pauses } = adapterUnderTest(vendor.url, { random: () => 0.25 })
  expect((await adapter.fetchPage(TOKEN, { kind: "sleep" })).records).toHaveLength(4)
  expect(pauses).toEqual([2250])
})

test("answers after failures that pass", async () => {
  vendor.script(answer(500), cut, answer(200, sleepPage()))
  expect((await fetchSleep()).records).toHaveLength(4)
})

test("gives up on a body that does not end", async () => {
  vendor.script(stall)
  await expect(fetchSleep({ timeoutMs: 400 })).rejects.toThrow(
    "No whole answer within 400 ms to GET /developer/v2/activity/sleep",
  )
  // A vendor that hangs is not asked at once again: its collection has a pause.
  expect(vendor.seen).toHaveLength(1)
})

test("gives up on a body without bounds", async () => {
  vendor.script((_request, response) => {
    const block = "x".repeat(1024 * 1024)
    const pour = () => {
      while (!response.destroyed && response.write(block)) {}
    }
    response.on("drain", pour)
    pour()
  })
  const error = await rejection(fetchSleep())
  expect(error).toMatchObject({
    name: "VendorUnavailable",
    cause: { message: "The body is larger than 8388608 bytes" },
  })
})

test("distinguishes an unreachable vendor from one that refuses", async () => {
  await vendor.close()
  await expect(fetchSleep()).rejects.toBeInstanceOf(VendorUnavailable)
  vendor = await startScriptedVendor()
})

test("passes the gate before every try and reports every limit to it", async () => {
  const left = (remaining: string) => ({ "x-ratelimit-remaining": remaining, "x-ratelimit-reset": "30" })
  vendor.script(
    answer(500, "", left("98")),
    answer(429, "", { "x-ratelimit-reset": "1" }),
    answer(200, sleepPage(), left("97")),
  )
  const { adapter, gate } = adapterUnderTest(vendor.url)
  await adapter.fetchPage(TOKEN, { kind: "sleep" })
  expect(gate.acquired()).toBe(3)
  expect(gate.reports).toEqual([
    { remaining: 98, resetSeconds: 30 },
    { remaining: 0, resetSeconds: 1 },
    { remaining: 97, resetSeconds: 30 },
  ])
})

test("makes no call when the gate is shut", async () => {
  const shut = new RateLimited("The budget of the app is used up", 33)
  const gate = { acquire: () => Promise.reject(shut), report: async () => {} }
  expect(await rejection(fetchSleep({ gate }))).toBe(shut)
  expect(vendor.seen).toEqual([])
})

test.each([
  ["no JSON", (body: string) => answer(200, body)],
  ["a failure", (body: string) => answer(500, body)],
  ["a refusal", (body: string) => answer(400, body)],
  ["another shape", (body: string) => json({ records: body })],
])("puts neither token, cursor, id nor body into the error for %s", async (_case, script) => {
  const [cursor, id] = ["cursor-1", "5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11"]
  vendor.script(script("Mara slept 92"))
  const { adapter } = adapterUnderTest(vendor.url)
  const said = everythingSaidBy(await rejection(adapter.fetchPage(TOKEN, { kind: "sleep", cursor })))
  vendor.script(answer(500, "Mara slept 92"))
  const saidOfOne = everythingSaidBy(await rejection(adapter.fetchRecord(TOKEN, { kind: "sleep", providerId: id })))
  expect(said + saidOfOne).not.toMatch(new RegExp(`Mara|${TOKEN}|${cursor}|${id}`))
})

function everythingSaidBy(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return `${error.stack} ${JSON.stringify(error)} ${error.cause === undefined ? "" : everythingSaidBy(error.cause)}`
}

test("ends the grant, also when it had ended before", async () => {
  const { adapter } = adapterUnderTest(vendor.url)
  vendor.script(answer(204), answer(401))
  await adapter.revokeAccess(TOKEN)
  await adapter.revokeAccess(TOKEN)
  expect(vendor.seen.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
    "DELETE /developer/v2/user/access",
    "DELETE /developer/v2/user/access",
  ])
  vendor.script(answer(500))
  await expect(adapter.revokeAccess(TOKEN)).rejects.toBeInstanceOf(VendorUnavailable)
})
