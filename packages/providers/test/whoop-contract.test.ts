// The WHOOP adapter against the simulated WHOOP: the contract of every vendor, and what is WHOOP's own.
import { type Simulator, signWebhook, startSimulator } from "@restwell/simulator"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import {
  createWhoopAdapter,
  type PageRequest,
  pageThrough,
  RateLimited,
  RECORD_KINDS,
  type RecordKind,
  RequestRefused,
  verifyWhoopSignature,
} from "../src/index.ts"
import { adapterUnderTest, rejection } from "./adapter-under-test.ts"
import { connect, simulatorCredentials } from "./connect.ts"
import { CONTRACT_DAYS, CONTRACT_NOW, describeVendorContract } from "./vendor-contract.ts"

const LENA = "lena@example.com"

const start = () =>
  startSimulator({
    seed: 7,
    now: CONTRACT_NOW,
    days: CONTRACT_DAYS,
    autoApprove: true,
    rateLimits: "off",
    strictState: true,
  })

const rawOf = (simulator: Simulator, kind: RecordKind) => {
  const { sleeps, recoveries, workouts, cycles } = simulator.records(LENA)
  return { sleep: sleeps, recovery: recoveries, workout: workouts, cycle: cycles }[kind]
}

describeVendorContract({
  name: "WHOOP",
  start,
  createAdapter: createWhoopAdapter,
  idsOf: (simulator, kind) => rawOf(simulator, kind).map((raw) => String("id" in raw ? raw.id : raw.cycle_id)),
  unknownId: (kind) => (kind === "cycle" || kind === "recovery" ? "1" : "00000000-0000-4000-8000-000000000000"),
  tokenPath: "/oauth",
  accessTokenSeconds: 3600,
  limitHeaders: (seconds) => ({ "X-RateLimit-Reset": String(seconds) }),
  endlessPage: '{"records":[],"next_token":"again"}',
  listName: "records",
})

let simulator: Simulator
let accessToken: string

const adapterFor = (options = {}) => adapterUnderTest(simulator.url, { ...simulatorCredentials(simulator), ...options })

beforeAll(async () => {
  simulator = await start()
})
afterAll(() => simulator.close())
beforeEach(async () => {
  accessToken = (await connect(adapterFor().adapter, LENA)).accessToken
  simulator.requestLog.clear()
})
afterEach(() => simulator.faults.clear())

test.each(RECORD_KINDS)("reads %s in the vendor's order, 25 on a page", async (kind) => {
  const { adapter } = adapterFor()
  const fetchPage = (request: PageRequest) => adapter.fetchPage(accessToken, request)
  const pages = await Array.fromAsync(pageThrough(fetchPage, { kind }))
  const raws = rawOf(simulator, kind)
  expect(pages.flatMap(({ records }) => records).map(({ raw }) => raw)).toEqual(raws)
  expect(simulator.requestLog.count({ status: 200 })).toBe(Math.ceil(raws.length / 25))
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

describe("faults", () => {
  const read = () => adapterFor({ timeoutMs: 150 }).adapter.fetchPage(accessToken, { kind: "sleep" })

  test("a missing scope is a refusal", async () => {
    simulator.faults.add({ kind: "status", status: 403 })
    await expect(read()).rejects.toBeInstanceOf(RequestRefused)
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
})

function withFirstRecord(reply: unknown, patch: object): object {
  const { records, ...rest } = Object(reply)
  return { ...rest, records: [{ ...records[0], ...patch }, ...records.slice(1)] }
}

test("the limits of the app reach the gate, and a full window the caller", async () => {
  const limited = await startSimulator({
    now: CONTRACT_NOW,
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
  const timestamp = `${CONTRACT_NOW.getTime()}`
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
