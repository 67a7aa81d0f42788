// The contract of vendors, as far as it holds for Polar: tokens without a refresh, and lists without pages.
import { type PolarSimulator, startPolarSimulator } from "@restwell/simulator"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import {
  AccessTokenRejected,
  AppRefused,
  AuthorizationRevoked,
  createPolarAdapter,
  type NormalizedRecord,
  type OauthAdapterOptions,
  type PageRequest,
  RECORD_KINDS,
  RequestRefused,
  VendorUnavailable,
} from "../src/index.ts"
import { adapterUnderTest, rejection } from "./adapter-under-test.ts"
import { connect, simulatorCredentials } from "./connect.ts"

const NOW = new Date("2026-11-19T12:00:00Z")
const PERSON = "lena@example.com"

let simulator: PolarSimulator
let accessToken: string
beforeAll(async () => {
  simulator = await startPolarSimulator({ now: NOW, days: 60, autoApprove: true, registeredSince: new Date(0) })
  accessToken = (await connect(adapterFor().adapter, PERSON)).accessToken
})
afterAll(() => simulator.close())
afterEach(() => simulator.faults.clear())

const adapterFor = (options: Partial<OauthAdapterOptions> = {}) =>
  adapterUnderTest(
    simulator.url,
    { ...simulatorCredentials(simulator), now: () => NOW, ...options },
    createPolarAdapter,
  )

const fetchPage = (request: PageRequest) => adapterFor().adapter.fetchPage(accessToken, request)

describe.each(RECORD_KINDS)("%s", (kind) => {
  const readAll = async (bounds: Omit<PageRequest, "kind"> = {}): Promise<readonly NormalizedRecord[]> => {
    const { records, rejected, failed } = await fetchPage({ kind, ...bounds })
    expect([rejected, failed]).toEqual([[], undefined])
    return records
  }

  test("are the vendor's, newest first, the same in several windows and by their ids", async () => {
    const whole = await readAll()
    expect(whole.length).toBeGreaterThan(5)
    const starts = whole.map((record) => (record.kind === "recovery" ? record.createdMs : record.startMs))
    expect(starts).toEqual(starts.toSorted((one, other) => other - one))
    const at = (day: number) => new Date(Date.UTC(2026, 10, day))
    const parts = await Promise.all([1, 5, 9].map((day) => readAll({ from: at(day), to: at(day + 6) })))
    const found = new Map(parts.flat().map((record) => [record.providerId, record]))
    for (const record of await readAll({ from: at(1), to: at(15) }))
      expect(found.get(record.providerId)).toEqual(record)
    for (const record of whole.slice(0, 3)) {
      const page = await adapterFor().adapter.fetchRecord(accessToken, { kind, providerId: record.providerId })
      expect(page).toEqual({ records: [record], rejected: [] })
    }
  })

  test("a limit gives the newest ones, and an id that nobody has gives nothing", async () => {
    expect(await readAll({ to: NOW, limit: 1 })).toEqual((await readAll({ to: NOW })).slice(0, 1))
    const providerId = kind === "workout" ? "nobody" : "2026-11-30"
    expect(await adapterFor().adapter.fetchRecord(accessToken, { kind, providerId })).toEqual({
      records: [],
      rejected: [],
    })
  })

  test.each(["../../users", "2026-11-19/../..", "", "x".repeat(200)])("an id %j is never asked for", async (id) => {
    simulator.requestLog.clear()
    const error = await rejection(adapterFor().adapter.fetchRecord(accessToken, { kind, providerId: id }))
    expect(error).toBeInstanceOf(RequestRefused)
    expect(simulator.requestLog.count()).toBe(0)
  })

  test("what is served no more is not asked for", async () => {
    simulator.requestLog.clear()
    const to = new Date("2025-10-01T00:00:00Z")
    expect((await fetchPage({ kind, from: new Date("2025-09-01T00:00:00Z"), to })).records).toEqual([])
    expect(simulator.requestLog.count()).toBe(0)
  })
})

test("a token is of one person, lives for ten years, and cannot be refreshed", async () => {
  const { adapter } = adapterFor()
  const tokens = await connect(adapter, PERSON)
  expect(tokens).toMatchObject({ expiresInSeconds: 315_359_999 })
  expect(tokens).not.toHaveProperty("refreshToken")
  const { data } = await adapter.fetchProfile(tokens.accessToken)
  expect(data.providerId).toBe(String(simulator.people.get(PERSON).userId))
  expect(data.body?.heightMeters).toBeLessThan(2.5)
  expect(await rejection(adapter.refreshTokens("any"))).toBeInstanceOf(AuthorizationRevoked)
})

test("a code works once, and a wrong secret is the operator's to mend", async () => {
  const input = { code: "sim-code-never-issued", redirectUri: "https://rest.example/callback" }
  expect(await rejection(adapterFor().adapter.exchangeCode(input))).toBeInstanceOf(AuthorizationRevoked)
  const wrong = adapterFor({ clientSecret: "mistyped" }).adapter
  expect(await rejection(wrong.exchangeCode(input))).toBeInstanceOf(AppRefused)
})

test("a registration that Polar does not answer is tried again, and the code is spent once", async () => {
  simulator.faults.add({ kind: "status", status: 503, match: { path: "/v3/users", method: "POST" }, times: 2 })
  simulator.requestLog.clear()
  expect((await connect(adapterFor().adapter, PERSON)).accessToken).toMatch(/./)
  expect(simulator.requestLog.count({ path: "/v2/oauth2/token" })).toBe(1)
})

test.each([
  [401, AccessTokenRejected],
  [400, RequestRefused],
  [404, RequestRefused],
  [502, VendorUnavailable],
])("status %i has its error", async (status, errorClass) => {
  simulator.faults.add({ kind: "status", status })
  expect(await rejection(fetchPage({ kind: "sleep" }))).toBeInstanceOf(errorClass)
})

test.each([
  ["sleep", "sleep"],
  ["cycle", "activities"],
  ["workout", "exercises"],
] as const)("%s are not asked for while the pause of %s lasts", async (kind, collection) => {
  simulator.requestLog.clear()
  expect(await fetchPage({ kind, without: [collection] })).toMatchObject({ records: [], rejected: [] })
  expect(simulator.requestLog.count()).toBe(0)
})

test("an answer without a body is an empty list, and another shape names its path", async () => {
  const repair = simulator.faults.add({ kind: "status", status: 204 })
  for (const kind of RECORD_KINDS) expect((await fetchPage({ kind })).records).toEqual([])
  repair()
  simulator.faults.add({ kind: "transform", transform: () => ({ items: [] }) })
  expect(await rejection(fetchPage({ kind: "sleep" }))).toMatchObject({ name: "ContractViolation", path: "nights" })
  expect(await rejection(fetchPage({ kind: "workout" }))).toMatchObject({ name: "ContractViolation" })
})

test("of two limits the one with fewer calls left counts, and a used up one says how long it lasts", async () => {
  const { adapter, gate } = adapterFor()
  const limits = { "RateLimit-Limit": "520, 5100", "RateLimit-Usage": "500, 5095", "RateLimit-Reset": "60, 7000" }
  const repair = simulator.faults.add({ kind: "status", status: 200, body: '{"nights":[]}', headers: limits })
  await adapter.fetchPage(accessToken, { kind: "sleep" })
  expect(gate.reports.at(-1)).toEqual({ remaining: 5, resetSeconds: 7000 })
  repair()
  const used = { "RateLimit-Limit": "520, 5100", "RateLimit-Usage": "520, 900", "RateLimit-Reset": "37, 7000" }
  simulator.faults.add({ kind: "rate_limit", headers: used })
  expect(await rejection(fetchPage({ kind: "sleep" }))).toMatchObject({ name: "RateLimited", retryAfterSeconds: 37 })
})

test("revoking ends the registration and the token, and may be repeated", async () => {
  const { adapter } = adapterFor()
  const { accessToken: own } = await connect(adapter, PERSON)
  await adapter.revokeAccess(own)
  await adapter.revokeAccess(own)
  expect(await rejection(adapter.fetchPage(own, { kind: "sleep" }))).toBeInstanceOf(AccessTokenRejected)
})
