// The Oura adapter against the simulated Oura: the contract of every vendor, and what is Oura's own.
import {
  type DateSemantics,
  type OuraSimulator,
  type OuraSimulatorOptions,
  startOuraSimulator,
} from "@restwell/simulator"
import { beforeAll, describe, expect, test } from "vitest"
import {
  createOuraAdapter,
  type NormalizedRecord,
  type OauthAdapterOptions,
  RateLimited,
  RECORD_KINDS,
  type RecordKind,
  RequestRefused,
} from "../src/index.ts"
import { adapterUnderTest, rejection } from "./adapter-under-test.ts"
import { connect, simulatorCredentials } from "./connect.ts"
import { CONTRACT_DAYS, CONTRACT_NOW, describeVendorContract } from "./vendor-contract.ts"

const LENA = "lena@example.com"

const start = (options: OuraSimulatorOptions = {}) =>
  startOuraSimulator({
    seed: 7,
    now: CONTRACT_NOW,
    days: CONTRACT_DAYS,
    autoApprove: true,
    rateLimits: "off",
    ...options,
  })

const create = (options: OauthAdapterOptions) => createOuraAdapter({ ...options, now: () => CONTRACT_NOW })

function idsOf(simulator: OuraSimulator, kind: RecordKind): string[] {
  const { sleep, daily_readiness, workout, daily_activity } = simulator.records(LENA)
  const nights = sleep.filter(({ type }) => type === "long_sleep")
  const ready = new Set(daily_readiness.map(({ day }) => day))
  const unready = nights.filter((night) => !ready.has(night.day) && night.lowest_heart_rate !== null)
  const documents = {
    sleep: sleep.filter(({ type }) => type !== "deleted" && type !== "rest"),
    recovery: [...daily_readiness, ...unready],
    workout,
    cycle: daily_activity,
  }[kind]
  return documents.map(({ id }) => id)
}

describeVendorContract({
  name: "Oura",
  start,
  createAdapter: create,
  idsOf,
  unknownId: () => "00000000-0000-4000-8000-000000000000",
  tokenPath: "/oauth",
  accessTokenSeconds: 86_400,
  limitHeaders: (seconds) => ({ "Retry-After": String(seconds) }),
  endlessPage: '{"data":[],"next_token":"again"}',
  listName: "data",
})

/** Runs with a simulator of its own and a connected person. */
async function withPerson(
  options: OuraSimulatorOptions & Pick<OauthAdapterOptions, "portal">,
  run: (simulator: OuraSimulator, adapter: ReturnType<typeof create>, accessToken: string) => Promise<void>,
): Promise<void> {
  const simulator = await start(options)
  try {
    const withPortal = (adapter: OauthAdapterOptions) =>
      createOuraAdapter({
        ...adapter,
        ...(options.portal && { portal: options.portal }),
        now: () => simulator.clock.now(),
      })
    const { adapter } = adapterUnderTest(simulator.url, simulatorCredentials(simulator), withPortal)
    await run(simulator, adapter, (await connect(adapter, LENA)).accessToken)
  } finally {
    await simulator.close()
  }
}

const FROM = new Date("2026-11-01T00:00:00Z")
const WINDOW = { from: FROM, to: new Date("2026-11-12T00:00:00Z") }

describe("days of a range", () => {
  const readKinds = async (options: OuraSimulatorOptions) => {
    const read: NormalizedRecord[] = []
    await withPerson(options, async (_simulator, adapter, token) => {
      for (const kind of RECORD_KINDS)
        for (const range of [WINDOW, { from: FROM }])
          read.push(...(await adapter.fetchPage(token, { kind, ...range })).records)
    })
    return read
  }
  let expected: NormalizedRecord[]
  beforeAll(async () => {
    expected = await readKinds({})
    expect(expected.length).toBeGreaterThan(80)
  })

  test.each<DateSemantics>(["inclusive", "end_exclusive", "start_exclusive", "timestamp", "utc_date"])(
    "read as %s give the same records",
    async (dateSemantics) => expect(await readKinds({ dateSemantics })).toEqual(expected),
  )

  test("give the same records on small pages", async () => expect(await readKinds({ pageSize: 2 })).toEqual(expected))
})

describe("an app of the legacy portal", () => {
  test("connects, refreshes and revokes at its own endpoints", async () => {
    await withPerson({ portal: "legacy" }, async (simulator, adapter, token) => {
      await adapter.fetchProfile(token)
      const { refreshToken = "" } = await connect(adapter, LENA)
      const renewed = await adapter.refreshTokens(refreshToken)
      await adapter.revokeAccess(renewed.accessToken)
      expect(simulator.requestLog.count({ path: "/oauth/v2" })).toBe(0)
      await expect(adapter.fetchProfile(renewed.accessToken)).rejects.toMatchObject({ name: "AccessTokenRejected" })
    })
  })

  test("at the current portal's endpoint is the operator's to mend, and ends no grant", async () => {
    await withPerson({ portal: "legacy" }, async (simulator, adapter) => {
      const { refreshToken = "" } = await connect(adapter, LENA)
      const { adapter: wrong } = adapterUnderTest(simulator.url, simulatorCredentials(simulator), create)
      await expect(wrong.refreshTokens(refreshToken)).rejects.toBeInstanceOf(RequestRefused)
      expect(simulator.tokens.isRefreshable(refreshToken)).toBe(true)
    })
  })
})

describe("a refused collection", () => {
  test.each([401, 403] as const)("with %i is named, and the rest of the record stays", async (missingScope) => {
    await withPerson({ uncheckedScopes: ["spo2", "workout"], missingScope }, async (_simulator, adapter, token) => {
      const recoveries = await adapter.fetchPage(token, { kind: "recovery", from: FROM })
      expect(recoveries.failed).toEqual([
        { collection: "daily_spo2", error: expect.objectContaining({ name: "RequestRefused", isForbidden: true }) },
      ])
      expect(recoveries.records.length).toBeGreaterThan(10)
      for (const record of recoveries.records) expect(record).not.toHaveProperty("spo2Percent")
      // It has no other part.
      const workouts = adapter.fetchPage(token, { kind: "workout", from: FROM })
      expect(await rejection(workouts)).toMatchObject({ name: "RequestRefused", isForbidden: true })
      // An empty answer would mean that the record is gone.
      const one = adapter.fetchRecord(token, { kind: "workout", providerId: "w-1" })
      expect(await rejection(one)).toMatchObject({ name: "RequestRefused", isForbidden: true })
    })
  })

  test("that is everything, as with a lapsed membership, ends no connection", async () => {
    await withPerson({}, async (simulator, adapter, token) => {
      simulator.faults.add({ kind: "status", status: 403, match: { path: "/v2/usercollection" } })
      const page = adapter.fetchPage(token, { kind: "sleep", from: FROM })
      expect(await rejection(page)).toMatchObject({ name: "RequestRefused", isForbidden: true })
    })
  })
})

describe("an event's document", () => {
  test("daily_sleep leads to the main sleep of its day, daily_spo2 to its recovery", async () => {
    await withPerson({}, async (simulator, adapter, token) => {
      const { sleep, daily_sleep, daily_spo2, daily_readiness } = simulator.records(LENA)
      const { day = "", id = "" } = daily_sleep.at(-3) ?? {}
      const night = sleep.find((one) => one.day === day && one.type === "long_sleep")
      const found = await adapter.fetchRecord(token, { kind: "sleep", providerId: `daily_sleep.${id}` })
      expect(found.records.map(({ providerId }) => providerId)).toEqual([night?.id])
      const oxygen = daily_spo2.find((one) => one.day === day)
      const recovery = await adapter.fetchRecord(token, { kind: "recovery", providerId: `daily_spo2.${oxygen?.id}` })
      const readiness = daily_readiness.find((one) => one.day === day)
      expect(recovery.records.map(({ providerId }) => providerId)).toEqual([readiness?.id])
    })
  })

  test.each(["sleep", "recovery", "workout", "cycle"] as const)(
    "a %s without a date violates the contract",
    async (kind) => {
      await withPerson({}, async (simulator, adapter, token) => {
        const [providerId = ""] = idsOf(simulator, kind)
        simulator.faults.add({ kind: "transform", transform: () => ({}) })
        const error = await rejection(adapter.fetchRecord(token, { kind, providerId }))
        expect(error).toMatchObject({ name: "ContractViolation", path: "day" })
      })
    },
  )

  test.each(["daily_sleep.x/../../y", "../x", "daily_spo2.1", "heartrate.1", ""])(
    "%j is never asked for",
    async (providerId) => {
      await withPerson({}, async (simulator, adapter, token) => {
        simulator.requestLog.clear()
        const one = adapter.fetchRecord(token, { kind: "sleep", providerId })
        await expect(one).rejects.toBeInstanceOf(RequestRefused)
        expect(simulator.requestLog.count()).toBe(0)
      })
    },
  )
})

test("an id is read and asked for whatever its length", async () => {
  await withPerson({}, async (simulator, adapter, token) => {
    const night = simulator.records(LENA).sleep.at(-2)
    if (!night) throw new Error("the person has no night")
    const id = "4f".repeat(50)
    simulator.edit.sleep.put(LENA, { ...night, id })
    const listed = await adapter.fetchPage(token, { kind: "sleep", from: FROM })
    const record = listed.records.find(({ providerId }) => providerId === id)
    expect(record).toMatchObject({ startMs: Date.parse(night.bedtime_start) })
    expect((await adapter.fetchRecord(token, { kind: "sleep", providerId: id })).records).toEqual([record])
  })
})

test.each([null, "very_long_sleep"])(
  "a night whose type is %j has its score, HRV and resting heart rate",
  async (type) => {
    await withPerson({}, async (simulator, adapter, token) => {
      const { daily_readiness, sleep } = simulator.records(LENA)
      const night = sleep.findLast((one) => one.type === "long_sleep" && one.day < "2026-11-18")
      if (!night) throw new Error("the person has no night")
      const readiness = daily_readiness.find(({ day }) => day === night.day)
      const read = async () => {
        const page = await adapter.fetchPage(token, { kind: "sleep", from: FROM })
        expect(page.rejected).toEqual([])
        const recovery = { kind: "recovery" as const, providerId: readiness?.id ?? "" }
        const own = page.records.find(({ providerId }) => providerId === night.id)
        return [own, ...(await adapter.fetchRecord(token, recovery)).records].map((record) => ({
          ...record,
          raw: null,
        }))
      }
      const expected = await read()
      expect(expected).toMatchObject([
        { isNap: false, scorePercent: expect.any(Number) },
        { hrvMs: night.average_hrv, restingHeartRateBpm: night.lowest_heart_rate },
      ])
      simulator.faults.add({
        kind: "transform",
        match: { path: "/v2/usercollection/sleep" },
        transform: (reply) =>
          JSON.parse(JSON.stringify(reply).replaceAll('"type":"long_sleep"', `"type":${JSON.stringify(type)}`)),
      })
      expect(await read()).toEqual(expected)
    })
  },
)

test("a sleep that its owner deletes or rejects is gone", async () => {
  await withPerson({}, async (simulator, adapter, token) => {
    const nights = simulator.records(LENA).sleep.filter(({ type }) => type === "long_sleep")
    for (const [type, night] of [
      ["deleted", nights.at(-2)],
      ["rest", nights.at(-3)],
    ] as const) {
      const providerId = night?.id ?? ""
      expect((await adapter.fetchRecord(token, { kind: "sleep", providerId })).records).toHaveLength(1)
      simulator.edit.sleep.patch(LENA, providerId, { type })
      expect(await adapter.fetchRecord(token, { kind: "sleep", providerId })).toEqual({ records: [], rejected: [] })
      const listed = await adapter.fetchPage(token, { kind: "sleep", from: FROM })
      expect(listed.records.some((record) => record.providerId === providerId)).toBe(false)
    }
  })
})

describe("a night without a readiness", () => {
  test("has a recovery without a score, which its readiness replaces", async () => {
    await withPerson({}, async (simulator, adapter, token) => {
      const readiness = simulator.records(LENA).daily_readiness.at(-1)
      const night = simulator
        .records(LENA)
        .sleep.findLast(({ day, type }) => day === readiness?.day && type === "long_sleep")
      if (!readiness || !night) throw new Error("the person has no night")
      simulator.edit.daily_readiness.delete(LENA, readiness.id)
      const own = { kind: "recovery" as const, providerId: night.id }
      const [recovery] = (await adapter.fetchRecord(token, own)).records
      expect(recovery).toMatchObject({ providerId: night.id, hrvMs: night.average_hrv })
      expect(recovery).not.toHaveProperty("scorePercent")
      const isToday = readiness.day === "2026-11-19"
      expect(recovery?.scoreState).toBe(isToday ? "pending" : "unscorable")
      simulator.edit.daily_readiness.put(LENA, readiness)
      expect(await adapter.fetchRecord(token, own)).toEqual({ records: [], rejected: [] })
    })
  })
})

test("a document that a list has twice is one record, with its score", async () => {
  await withPerson({}, async (simulator, adapter, token) => {
    const once = await adapter.fetchPage(token, { kind: "sleep", from: FROM })
    const twice = (reply: unknown) => {
      const data = Reflect.get(Object(reply), "data")
      return Array.isArray(data) ? { ...Object(reply), data: [...data, ...structuredClone(data)] } : reply
    }
    simulator.faults.add({ kind: "transform", transform: twice, match: { path: "/v2/usercollection" } })
    expect(await adapter.fetchPage(token, { kind: "sleep", from: FROM })).toEqual(once)
  })
})

test("reads no minutes of an activity day, and keeps the values of a night with its sleep alone", async () => {
  await withPerson({}, async (simulator, adapter, token) => {
    simulator.requestLog.clear()
    const pages = await Promise.all(RECORD_KINDS.map((kind) => adapter.fetchPage(token, { kind, from: FROM })))
    const sleep = await adapter.fetchRecord(token, {
      kind: "sleep",
      providerId: idsOf(simulator, "sleep").at(-1) ?? "",
    })
    const lists = simulator.requestLog.entries.filter(({ query }) => query !== "")
    expect(lists.length).toBeGreaterThan(8)
    for (const { query } of lists) {
      const fields = (new URLSearchParams(query).get("fields") ?? "").split(",")
      expect(fields).toContain("id")
      for (const series of ["met", "class_5_min", "movement_30_sec"]) expect(fields).not.toContain(series)
    }
    const records = [...pages, sleep].flatMap((page) => page.records)
    const raws = JSON.stringify(records.map(({ raw }) => raw))
    expect(raws).not.toMatch(/"met"|class_5_min|movement_30_sec/)
    const scored = records.filter(({ kind, scoreState }) => kind === "recovery" && scoreState === "scored")
    expect(scored.length).toBeGreaterThan(5)
    expect(JSON.stringify(scored.map(({ raw }) => raw))).not.toMatch(/"heart_rate"/)
  })
})

test("an activity day is open until it is over, and ends with the start of the next", async () => {
  await withPerson({}, async (_simulator, adapter, token) => {
    const { records } = await adapter.fetchPage(token, { kind: "cycle", from: new Date("2026-10-20T00:00:00Z") })
    const [open, ...closed] = records
    expect(open).toMatchObject({ endMs: null })
    // The clocks went back on 25 October in Berlin: that day has 25 hours.
    const lengths = closed.flatMap((day) =>
      day.kind === "cycle" && day.endMs !== null ? [(day.endMs - day.startMs) / 3_600_000] : [],
    )
    expect(lengths.length).toBeGreaterThan(20)
    expect(lengths).toContain(24)
    expect(lengths).toContain(25)
  })
})

test("a full window is reported to the caller, with Oura's Retry-After", async () => {
  await withPerson({ rateLimits: { perToken: 2, perApp: 50 } }, async (_simulator, adapter, token) => {
    const error = await rejection(adapter.fetchPage(token, { kind: "recovery" }))
    expect(error).toBeInstanceOf(RateLimited)
    expect(error).toMatchObject({ retryAfterSeconds: 300 })
  })
})
