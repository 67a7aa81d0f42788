// The WHOOP adapter against the simulated WHOOP: the whole way, and every way it can go wrong.
import { type FaultKind, type Simulator, signWebhook, startSimulator } from "@restwell/simulator"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import {
  AccessTokenRejected,
  AuthorizationRevoked,
  ContractViolation,
  type NormalizedRecord,
  type PageRequest,
  pageThrough,
  RateLimited,
  RECORD_KINDS,
  type RecordKind,
  RequestRefused,
  VendorUnavailable,
  verifyWhoopSignature,
} from "../src/index.ts"
import { adapterUnderTest, rejection } from "./adapter-under-test.ts"
import { connect, simulatorCredentials } from "./connect.ts"

const LENA = "lena@example.com"
const NOW = new Date("2026-11-19T12:00:00Z")
const DAYS = 60

let simulator: Simulator
let accessToken: string
let refreshToken: string

const fetchPage = () => {
  const { adapter } = adapterFor()
  return (request: PageRequest) => adapter.fetchPage(accessToken, request)
}
const adapterFor = (options = {}) => adapterUnderTest(simulator.url, { ...simulatorCredentials(simulator), ...options })

beforeAll(async () => {
  simulator = await startSimulator({
    seed: 7,
    now: NOW,
    days: DAYS,
    autoApprove: true,
    rateLimits: "off",
    strictState: true,
  })
})
afterAll(() => simulator.close())
beforeEach(async () => {
  const tokens = await connect(adapterFor().adapter, LENA)
  accessToken = tokens.accessToken
  refreshToken = tokens.refreshToken ?? ""
  simulator.requestLog.clear()
})
afterEach(() => simulator.faults.clear())

const rawOf = (kind: RecordKind) => {
  const { sleeps, recoveries, workouts, cycles } = simulator.records(LENA)
  return { sleep: sleeps, recovery: recoveries, workout: workouts, cycle: cycles }[kind]
}

async function readAll(kind: RecordKind, bounds = {}): Promise<NormalizedRecord[]> {
  const pages = await Array.fromAsync(pageThrough(fetchPage(), { kind, ...bounds }))
  expect(pages.flatMap(({ rejected }) => rejected)).toEqual([])
  return pages.flatMap(({ records }) => records)
}

describe.each(RECORD_KINDS)("%s", (kind) => {
  test("pages to the end: exactly the vendor's records, in the vendor's order", async () => {
    const raws = rawOf(kind)
    expect(raws.length).toBeGreaterThan(25)
    const records = await readAll(kind)
    expect(records.map(({ raw }) => raw)).toEqual(raws)
    expect(simulator.requestLog.count({ status: 200 })).toBe(Math.ceil(raws.length / 25))
  })

  test("reads the same records whatever the size of a page", async () => {
    const bounds = { from: new Date("2026-11-01T00:00:00Z"), to: new Date("2026-11-15T00:00:00Z") }
    expect(await readAll(kind, { ...bounds, limit: 3 })).toEqual(await readAll(kind, bounds))
  })

  test("fetches each record by its id, the same as in the list", async () => {
    const [listed] = await readAll(kind, { from: new Date("2026-11-14T00:00:00Z"), limit: 1 })
    const providerId = listed?.providerId ?? ""
    const page = await adapterFor().adapter.fetchRecord(accessToken, { kind, providerId })
    expect(page).toEqual({ records: [listed], rejected: [] })
  })

  test("finds nothing under an id the vendor does not have", async () => {
    const providerId = kind === "cycle" || kind === "recovery" ? "1" : "00000000-0000-4000-8000-000000000000"
    const page = await adapterFor().adapter.fetchRecord(accessToken, { kind, providerId })
    expect(page).toEqual({ records: [], rejected: [] })
  })
})

test("reads the person", async () => {
  const { profile, body } = simulator.records(LENA)
  expect((await adapterFor().adapter.fetchProfile(accessToken)).data).toEqual({
    id: `whoop-${profile.user_id}`,
    providerId: `${profile.user_id}`,
    firstName: "Lena",
    lastName: "Vogel",
    email: LENA,
    body: {
      heightMeters: body.height_meter,
      weightKilograms: body.weight_kilogram,
      maxHeartRate: body.max_heart_rate,
    },
  })
})

test("is granted every scope it asks for", async () => {
  const { adapter } = adapterFor()
  expect((await connect(adapter, LENA)).scopes).toEqual(adapter.scopes)
})

describe("tokens", () => {
  test("a refresh gives a pair that works and ends the old one", async () => {
    const { adapter } = adapterFor()
    const next = await adapter.refreshTokens(refreshToken)
    await expect(adapter.fetchProfile(accessToken)).rejects.toBeInstanceOf(AccessTokenRejected)
    await expect(adapter.fetchProfile(next.accessToken)).resolves.toBeDefined()
    await expect(adapter.refreshTokens(refreshToken)).rejects.toBeInstanceOf(AuthorizationRevoked)
    await expect(adapter.refreshTokens(next.refreshToken ?? "")).resolves.toMatchObject({ expiresInSeconds: 3600 })
  })

  test("of two refreshes at once one wins, and the other says that the grant is gone", async () => {
    const { adapter } = adapterFor()
    const [first, second] = await Promise.allSettled([
      adapter.refreshTokens(refreshToken),
      adapter.refreshTokens(refreshToken),
    ])
    const lost = [first, second].filter((outcome) => outcome.status === "rejected")
    expect(lost).toMatchObject([{ reason: { name: "AuthorizationRevoked" } }])
  })

  test("a code works once", async () => {
    const { adapter } = adapterFor()
    const input = { code: "sim-code-never-issued", redirectUri: "https://rest.example/callback" }
    await expect(adapter.exchangeCode(input)).rejects.toBeInstanceOf(AuthorizationRevoked)
  })

  test("wrong client credentials are the operator's to mend, not the person's", async () => {
    const { adapter } = adapterFor({ clientSecret: "mistyped" })
    await expect(adapter.refreshTokens(refreshToken)).rejects.toBeInstanceOf(RequestRefused)
  })

  test("revoking ends the grant, and may be repeated", async () => {
    const { adapter } = adapterFor()
    await adapter.revokeAccess(accessToken)
    await adapter.revokeAccess(accessToken)
    await expect(adapter.fetchProfile(accessToken)).rejects.toBeInstanceOf(AccessTokenRejected)
    await expect(adapter.refreshTokens(refreshToken)).rejects.toBeInstanceOf(AuthorizationRevoked)
  })

  test.each<FaultKind>(["status", "html", "hang", "reset_connection", "drop_reply_after_effect", "truncated_json"])(
    "a refresh struck by %s is made once and never taken for a revoked grant",
    async (kind) => {
      simulator.faults.add({ kind, match: { path: "/oauth" } })
      const { adapter } = adapterFor({ timeoutMs: 150 })
      await expect(adapter.refreshTokens(refreshToken)).rejects.toBeInstanceOf(VendorUnavailable)
      expect(simulator.requestLog.counters().refreshes).toBe(1)
    },
  )
})

describe("faults", () => {
  const read = (options = {}) =>
    adapterFor({ timeoutMs: 150, ...options }).adapter.fetchPage(accessToken, { kind: "sleep" })

  test.each<FaultKind>([
    "status",
    "hang",
    "latency",
    "malformed_json",
    "truncated_json",
    "cut_body",
    "html",
    "reset_connection",
    "drop_reply_after_effect",
  ])("%s that lasts is an unavailable vendor after three tries", async (kind) => {
    simulator.faults.add({ kind, ms: 400 })
    await expect(read()).rejects.toBeInstanceOf(VendorUnavailable)
    expect(simulator.requestLog.count()).toBe(3)
  })

  test.each<FaultKind>(["status", "hang", "malformed_json", "truncated_json", "cut_body", "html", "reset_connection"])(
    "%s that passes is not noticed",
    async (kind) => {
      const { adapter } = adapterFor({ timeoutMs: 150 })
      const expected = await adapter.fetchPage(accessToken, { kind: "sleep" })
      simulator.faults.add({ kind, times: 2 })
      expect(await adapter.fetchPage(accessToken, { kind: "sleep" })).toEqual(expected)
    },
  )

  test.each([
    [401, AccessTokenRejected],
    [403, RequestRefused],
    [400, RequestRefused],
    [404, RequestRefused],
    [502, VendorUnavailable],
  ])("status %i has its error", async (status, errorClass) => {
    simulator.faults.add({ kind: "status", status })
    await expect(read()).rejects.toBeInstanceOf(errorClass)
  })

  test("a used up limit tells how long it lasts", async () => {
    simulator.faults.add({ kind: "rate_limit", headers: { "X-RateLimit-Reset": "37" } })
    expect(await rejection(read())).toMatchObject({ name: "RateLimited", retryAfterSeconds: 37 })
    expect(simulator.requestLog.count()).toBe(1)
  })

  test("a limit that ends in seconds is waited out", async () => {
    simulator.faults.add({ kind: "rate_limit", headers: { "X-RateLimit-Reset": "3" }, times: 1 })
    const { adapter, pauses } = adapterFor()
    await adapter.fetchPage(accessToken, { kind: "sleep" })
    expect(pauses).toEqual([3000])
  })

  test("a reply of another shape names the path", async () => {
    simulator.faults.add({ kind: "transform", transform: () => ({ data: [] }) })
    expect(await rejection(read())).toMatchObject({ name: "ContractViolation", path: "records" })
  })

  test("a record that drifted is set aside, and the others are kept", async () => {
    const expected = await read()
    simulator.faults.add({
      kind: "transform",
      transform: (reply) => withFirstRecord(reply, { score_state: "RESCORING" }),
    })
    const page = await read()
    expect(page.records).toEqual(expected.records.slice(1))
    expect(page.rejected).toMatchObject([
      { kind: "sleep", providerId: expected.records[0]?.providerId, reason: expect.stringMatching(/^score_state: /) },
    ])
  })

  test("pages that go in a circle end", async () => {
    simulator.faults.add({ kind: "status", status: 200, body: '{"records":[],"next_token":"again"}' })
    const pages = Array.fromAsync(pageThrough(fetchPage(), { kind: "sleep" }))
    await expect(pages).rejects.toBeInstanceOf(ContractViolation)
  })
})

function withFirstRecord(reply: unknown, patch: object): object {
  const { records, ...rest } = Object(reply)
  return { ...rest, records: [{ ...records[0], ...patch }, ...records.slice(1)] }
}

test("the limits of the app reach the gate, and a full window the caller", async () => {
  const limited = await startSimulator({
    now: NOW,
    days: 3,
    autoApprove: true,
    rateLimits: { perMinute: 3, perDay: 50 },
  })
  try {
    const { adapter, gate } = adapterUnderTest(limited.url, simulatorCredentials(limited))
    const tokens = await connect(adapter, LENA)
    for (let call = 0; call < 3; call += 1) await adapter.fetchPage(tokens.accessToken, { kind: "cycle" })
    expect(gate.reports.map(({ remaining }) => remaining)).toEqual([2, 1, 0])
    const error = await rejection(adapter.fetchPage(tokens.accessToken, { kind: "cycle" }))
    expect(error).toBeInstanceOf(RateLimited)
    expect(error).toMatchObject({ retryAfterSeconds: 60 })
    expect(gate.reports.at(-1)).toEqual({ remaining: 0, resetSeconds: 60 })
  } finally {
    await limited.close()
  }
})

test("knows the vendor's signature", () => {
  const timestamp = `${NOW.getTime()}`
  const body = '{"user_id":10129,"id":"1","type":"sleep.updated","trace_id":"t"}'
  const signature = signWebhook("simulator-secret", timestamp, body)
  const webhook = { timestamp, rawBody: Buffer.from(body), signature }
  expect(verifyWhoopSignature({ ...webhook, secret: "simulator-secret" })).toBe(true)
  expect(verifyWhoopSignature({ ...webhook, secret: "another-secret" })).toBe(false)
})

test("reaches the recovery an event names by its sleep", async () => {
  const { adapter } = adapterFor()
  const [recovery] = simulator.records(LENA).recoveries
  const sleep = await adapter.fetchRecord(accessToken, { kind: "sleep", providerId: recovery?.sleep_id ?? "" })
  const [night] = sleep.records
  const cycleId = night?.kind === "sleep" ? night.cycleProviderId : undefined
  const found = await adapter.fetchRecord(accessToken, { kind: "recovery", providerId: cycleId ?? "" })
  expect(found.records).toMatchObject([{ raw: recovery }])
})
