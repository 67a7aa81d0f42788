// What Withings answers: the status in the body, pages, ranges that are too long, and fields that nobody named.
import { startWithingsSimulator, type WithingsSimulator, type WithingsSimulatorOptions } from "@restwell/simulator"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createWithingsAdapter, type NormalizedRecord, RECORD_KINDS, type RecordKind } from "../src/index.ts"
import { adapterUnderTest, rejection } from "./adapter-under-test.ts"
import { connect, simulatorCredentials } from "./connect.ts"
import { createRecordingGate } from "./recording-gate.ts"

const NOW = new Date("2026-11-19T12:00:00Z")
const LENA = "lena@example.com"

const start = (options: WithingsSimulatorOptions = {}) =>
  startWithingsSimulator({ seed: 7, now: NOW, days: 40, autoApprove: true, rateLimits: "off", ...options })

const adapterOf = (simulator: WithingsSimulator) =>
  adapterUnderTest(simulator.url, simulatorCredentials(simulator), (options) =>
    createWithingsAdapter({ ...options, now: () => simulator.clock.now() }),
  )

async function readAll(simulator: WithingsSimulator, kind: RecordKind): Promise<readonly NormalizedRecord[]> {
  const { adapter } = adapterOf(simulator)
  const { accessToken } = await connect(adapter, LENA)
  return (await adapter.fetchPage(accessToken, { kind, from: new Date("2026-10-20T00:00:00Z") })).records
}

describe("the status in the body", () => {
  let simulator: WithingsSimulator
  let accessToken: string
  beforeAll(async () => {
    simulator = await start()
    ;({ accessToken } = await connect(adapterOf(simulator).adapter, LENA))
  })
  afterAll(() => simulator.close())

  test.each([
    [[100, 101, 102, 200, 401], { name: "AccessTokenRejected" }],
    [[214, 277, 2553, 2554, 2555], { name: "RequestRefused", isForbidden: true }],
    [[201, 213, 216, 240, 293, 294, 400, 501, 511, 503, 3017, 3019], { name: "RequestRefused", isForbidden: false }],
    [[601, 602], { name: "RateLimited", retryAfterSeconds: 60 }],
    [[522, 215, 219, 222, 524, 2556, 10_000], { name: "VendorUnavailable" }],
  ])("%j is %o, although the answer is a 200", async (statuses, expected) => {
    for (const status of statuses) {
      const body = JSON.stringify({ status, body: {}, error: "XRequestID: Not provided" })
      const repair = simulator.faults.add({ kind: "status", status: 200, body })
      const { adapter } = adapterOf(simulator)
      expect(await rejection(adapter.fetchPage(accessToken, { kind: "workout" })), String(status)).toMatchObject(
        expected,
      )
      repair()
    }
  })

  test("too many calls pause all of them for a minute", async () => {
    const repair = simulator.faults.add({ kind: "rate_limit" })
    const { adapter, gate } = adapterOf(simulator)
    await rejection(adapter.fetchPage(accessToken, { kind: "cycle" }))
    repair()
    expect(gate.reports).toEqual([{ remaining: 0, resetSeconds: 60 }])
  })

  test("a refused code or refresh token is the person's, wrong credentials of the app are the operator's", async () => {
    const refused = async (error: string, status = 503) => {
      const body = JSON.stringify({ status, body: {}, error })
      const repair = simulator.faults.add({ kind: "status", status: 200, body, match: { path: "/v2/oauth2" } })
      const name = (await rejection(adapterOf(simulator).adapter.refreshTokens("1.used"))) as Error
      repair()
      return name.constructor.name
    }
    expect(await refused("Invalid Params: invalid refresh_token")).toBe("AuthorizationRevoked")
    expect(await refused("invalid code", 401)).toBe("AuthorizationRevoked")
    expect(await refused("Invalid Params: invalid client_secret")).toBe("AppRefused")
    expect(await refused("Too Many Requests", 601)).toBe("RateLimited")
    expect(await refused("An error occurred", 2556)).toBe("VendorUnavailable")
  })
})

test.each(RECORD_KINDS)(
  "%s are the same on small pages, and of a vendor that refuses more than seven days",
  async (kind) => {
    const [usual, strict] = [await start(), await start({ pageSize: 3, mostDays: 7 })]
    try {
      const whole = await readAll(usual, kind)
      expect(whole.length).toBeGreaterThan(10)
      const sorted = (records: readonly NormalizedRecord[]) =>
        records.toSorted((one, other) => (one.providerId < other.providerId ? -1 : 1))
      expect(sorted(await readAll(strict, kind))).toEqual(sorted(whole))
    } finally {
      await usual.close()
      await strict.close()
    }
  },
)

test("the stand-in has no heart rates, breaths and scores where nobody names them, and refuses what Withings refuses", async () => {
  const simulator = await start()
  try {
    const { adapter } = adapterOf(simulator)
    const { accessToken } = await connect(adapter, LENA)
    const [, token = ""] = accessToken.split(".")
    const send = async (path: string, form: Record<string, string>, bearer = token) => {
      const headers = { authorization: `Bearer ${bearer}` }
      const answer = await fetch(simulator.url + path, { method: "POST", headers, body: new URLSearchParams(form) })
      return { http: answer.status, ...((await answer.json()) as { status: number; body: { series?: object[] } }) }
    }
    const dates = { startdateymd: "2026-11-10", enddateymd: "2026-11-18" }
    const { body } = await send("/v2/sleep", { action: "getsummary", ...dates })
    const names = body.series?.flatMap((row) => Object.keys(Reflect.get(row, "data")))
    expect(names).toContain("deepsleepduration")
    expect(names).not.toContain("hr_average")
    const statusOf = async (...sent: Parameters<typeof send>) => {
      const { http, status } = await send(...sent)
      return [http, status]
    }
    expect(await statusOf("/v2/sleep", { action: "getsummary", ...dates }, accessToken)).toEqual([200, 401])
    expect(await statusOf("/v2/sleep", { action: "getsummary", ...dates, lastupdate: "1" })).toEqual([200, 503])
    expect(await statusOf("/v2/sleep", { ...dates })).toEqual([200, 2554])
  } finally {
    await simulator.close()
  }
})

test("one call in progress answers sleeps and recoveries", async () => {
  const simulator = await start()
  try {
    const { adapter } = adapterOf(simulator)
    const { accessToken } = await connect(adapter, LENA)
    simulator.requestLog.clear()
    const window = { from: new Date("2026-11-10T00:00:00Z"), to: new Date("2026-11-18T00:00:00Z") }
    const [sleeps] = await Promise.all([
      adapter.fetchPage(accessToken, { kind: "sleep", ...window }),
      adapter.fetchPage(accessToken, { kind: "recovery", ...window }),
    ])
    expect(simulator.requestLog.count({ path: "/v2/sleep/getsummary" })).toBe(1)
    const details = simulator.requestLog.filter({ path: /\/v2\/sleep\/get$/ }).map(({ query }) => query)
    expect(sleeps.records.length).toBeGreaterThan(5)
    expect(new Set(details).size).toBe(details.length)
  } finally {
    await simulator.close()
  }
})

test("a call waits at the gate, and no form or message holds an id of the person", async () => {
  const simulator = await start()
  try {
    const gate = createRecordingGate()
    const { adapter } = adapterUnderTest(simulator.url, { ...simulatorCredentials(simulator), gate }, (options) =>
      createWithingsAdapter({ ...options, now: () => NOW }),
    )
    const { accessToken } = await connect(adapter, LENA)
    const profile = await adapter.fetchProfile(accessToken)
    expect(profile.data).toMatchObject({
      id: `withings-${simulator.people.get(LENA).userId}`,
      body: { heightMeters: simulator.people.get(LENA).traits.body.heightMeters },
    })
    simulator.requestLog.clear()
    await adapter.fetchPage(accessToken, { kind: "cycle", from: NOW })
    expect(gate.acquired()).toBeGreaterThan(0)
    expect(simulator.requestLog.entries.map(({ query }) => query).join()).not.toContain(profile.data.providerId)
  } finally {
    await simulator.close()
  }
})

test("a night without values has no samples, so that older ones do not stay, and keeps them where the values failed", async () => {
  const simulator = await start()
  try {
    const { adapter } = adapterOf(simulator)
    const { accessToken } = await connect(adapter, LENA)
    const request = { kind: "sleep", from: new Date("2026-11-10T00:00:00Z"), to: NOW } as const
    const read = async (without: readonly string[] = []) =>
      (await adapter.fetchPage(accessToken, { ...request, without })).records.filter(({ kind }) => kind === "sleep")
    const whole = await read()
    const later = await read(["sleep_details"])
    expect(later.length).toBeGreaterThan(5)
    const rejoins = later.map(({ raw }, index) => ({ raw, stored: whole[index]?.raw ?? null, kept: ["sleep_details"] }))
    expect(adapter.rejoin?.("sleep", rejoins).records).toEqual(whole)
    const body = JSON.stringify({ status: 0, body: { series: [] } })
    simulator.faults.add({ kind: "status", status: 200, body, match: { path: /\/v2\/sleep\/get$/ } })
    for (const record of await read()) expect(record).toMatchObject({ samples: [] })
  } finally {
    await simulator.close()
  }
})

test.each([
  ["sleep", /\/v2\/sleep\/getsummary$/, ["wakeupcount", "sleep_latency", "remsleepduration"]],
  ["workout", /getworkouts$/, ["calories", "distance", "hr_average"]],
  ["cycle", /getactivity$/, ["steps", "distance", "calories"]],
] as const)("minus one in a field of a %s is as if the field were not there", async (kind, path, fields) => {
  const simulator = await start()
  try {
    const readWith = async (value: -1 | undefined) => {
      const marks = Object.fromEntries(fields.map((field) => [field, value]))
      const repair = simulator.faults.add({
        kind: "transform",
        match: { path },
        transform: (answer) => {
          const { body } = Object(answer)
          const changed = (row: { readonly data?: object }) =>
            row.data ? { ...row, data: { ...row.data, ...marks } } : { ...row, ...marks }
          const lists = Object.entries(body).map(([name, list]) => [
            name,
            Array.isArray(list) ? list.map(changed) : list,
          ])
          return { ...Object(answer), body: Object.fromEntries(lists) }
        },
      })
      const records = await readAll(simulator, kind)
      repair()
      return records.map(({ raw: _, ...record }) => record)
    }
    const [absent, marked] = [await readWith(undefined), await readWith(-1)]
    expect(marked.length).toBeGreaterThan(5)
    expect(marked).toEqual(absent)
  } finally {
    await simulator.close()
  }
})
