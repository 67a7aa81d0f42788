// The contract of vendors, as far as it holds for intervals.icu: no sleeps, no tokens, and lists without pages.
import { type IntervalsSimulator, startIntervalsSimulator } from "@restwell/simulator"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import {
  AccessTokenRejected,
  createIntervalsAdapter,
  type NormalizedRecord,
  type PageRequest,
  RequestRefused,
  VendorUnavailable,
} from "../src/index.ts"
import { rejection } from "./adapter-under-test.ts"
import { createRecordingGate } from "./recording-gate.ts"

const NOW = new Date("2026-11-19T12:00:00Z")
const PERSON = "lena@example.com"

let simulator: IntervalsSimulator
beforeAll(async () => {
  simulator = await startIntervalsSimulator({ now: NOW, days: 60, rateLimits: "off" })
})
afterAll(() => simulator.close())
afterEach(() => simulator.faults.clear())

function adapterFor() {
  const gate = createRecordingGate()
  const pauses: number[] = []
  const adapter = createIntervalsAdapter({
    baseUrl: simulator.url,
    gate,
    now: () => NOW,
    random: () => 0,
    delay: async (delayMs) => void pauses.push(delayMs),
  })
  return { adapter, pauses, gate }
}

const key = () => simulator.keyOf(PERSON)
const fetchPage = (request: PageRequest) => adapterFor().adapter.fetchPage(key(), request)

describe.each(["recovery", "cycle", "workout"] as const)("%s", (kind) => {
  const readAll = async (bounds: Omit<PageRequest, "kind"> = {}): Promise<readonly NormalizedRecord[]> => {
    const { records, rejected } = await fetchPage({ kind, ...bounds })
    expect(rejected).toEqual([])
    return records
  }

  test("are the vendor's, newest first, the same in several windows and by their ids", async () => {
    const whole = await readAll()
    expect(whole.length).toBeGreaterThan(20)
    const starts = whole.map((record) => (record.kind === "recovery" ? record.createdMs : record.startMs))
    expect(starts).toEqual(starts.toSorted((one, other) => other - one))
    const at = (day: number) => new Date(Date.UTC(2026, 10, day))
    const parts = await Promise.all([1, 5, 9].map((day) => readAll({ from: at(day), to: at(day + 6) })))
    const found = new Map(parts.flat().map((record) => [record.providerId, record]))
    for (const record of await readAll({ from: at(1), to: at(15) }))
      expect(found.get(record.providerId)).toEqual(record)
    for (const record of whole.slice(0, 5)) {
      const page = await adapterFor().adapter.fetchRecord(key(), { kind, providerId: record.providerId })
      expect(page).toEqual({ records: [record], rejected: [] })
    }
  })

  test("a limit gives the newest ones, and an id that nobody has gives nothing", async () => {
    expect(await readAll({ to: NOW, limit: 1 })).toEqual((await readAll({ to: NOW })).slice(0, 1))
    const providerId = kind === "workout" ? "i1" : "2001-01-01"
    expect(await adapterFor().adapter.fetchRecord(key(), { kind, providerId })).toEqual({ records: [], rejected: [] })
  })

  test.each(["../../athlete/0", "2026-11-19/../..", "", "x".repeat(200)])("an id %j is never asked for", async (id) => {
    simulator.requestLog.clear()
    const error = await rejection(adapterFor().adapter.fetchRecord(key(), { kind, providerId: id }))
    expect(error).toBeInstanceOf(RequestRefused)
    expect(simulator.requestLog.count()).toBe(0)
  })
})

test("a date whose row is empty has nothing", async () => {
  simulator.faults.add({ kind: "transform", transform: () => ({}), match: { path: /\/wellness\/\d/ } })
  const request = { kind: "recovery", providerId: "2026-11-18" } as const
  expect(await adapterFor().adapter.fetchRecord(key(), request)).toEqual({ records: [], rejected: [] })
})

test("there are no sleeps, and nothing is asked for them", async () => {
  simulator.requestLog.clear()
  expect(await fetchPage({ kind: "sleep" })).toEqual({ records: [], rejected: [] })
  expect(simulator.requestLog.count()).toBe(0)
})

test.each([401, 403])(
  "a key that is refused with %i everywhere is rejected, and data alone is forbidden",
  async (status) => {
    const { adapter } = adapterFor()
    const forData = simulator.faults.add({ kind: "status", status, match: { path: /\/(?:wellness|activities)$/ } })
    for (const kind of ["recovery", "workout"] as const)
      expect(await rejection(adapter.fetchPage(key(), { kind }))).toMatchObject({
        name: "RequestRefused",
        isForbidden: true,
      })
    forData()
    simulator.faults.add({ kind: "status", status })
    for (const kind of ["recovery", "workout"] as const)
      expect(await rejection(adapter.fetchPage(key(), { kind }))).toBeInstanceOf(AccessTokenRejected)
    expect(await rejection(adapter.fetchProfile(key()))).toBeInstanceOf(AccessTokenRejected)
  },
)

test.each([502, 503, 408])("status %i is an unavailable vendor", async (status) => {
  simulator.faults.add({ kind: "status", status })
  expect(await rejection(fetchPage({ kind: "workout" }))).toBeInstanceOf(VendorUnavailable)
})

test("a used up limit says how long it lasts, and concerns this key alone", async () => {
  simulator.faults.add({ kind: "rate_limit", headers: { "Retry-After": "37" } })
  expect(await rejection(fetchPage({ kind: "workout" }))).toMatchObject({ name: "RateLimited", retryAfterSeconds: 37 })
})

test("an answer that is no list names the shape", async () => {
  simulator.faults.add({
    kind: "transform",
    transform: () => ({ items: [] }),
    match: { path: /\/(?:wellness|activities)$/ },
  })
  for (const kind of ["recovery", "workout"] as const)
    expect(await rejection(fetchPage({ kind }))).toMatchObject({ name: "ContractViolation" })
})

test("both spellings of oxygen, rows with nulls and rows without them are the same", async () => {
  const expected = (await fetchPage({ kind: "recovery" })).records.map(({ raw: _, ...record }) => record)
  simulator.faults.add({
    kind: "transform",
    match: { path: /\/wellness$/ },
    transform: (rows) =>
      Array.isArray(rows)
        ? rows.map(({ spO2, ...row }) => ({ hrvSDNN: null, ...row, ...(spO2 && { spo2: spO2 }) }))
        : rows,
  })
  expect((await fetchPage({ kind: "recovery" })).records.map(({ raw: _, ...record }) => record)).toEqual(expected)
})

test("comments and menstrual phases are never in a payload", async () => {
  simulator.faults.add({
    kind: "transform",
    match: { path: /\/wellness$/ },
    transform: (rows) =>
      Array.isArray(rows) ? rows.map((row) => ({ ...row, comments: "private", menstrualPhase: "PERIOD" })) : rows,
  })
  const pages = [await fetchPage({ kind: "recovery" }), await fetchPage({ kind: "cycle" })]
  expect(JSON.stringify(pages)).not.toMatch(/private|PERIOD/)
})

test("a bearer token is refused, and so is a list of activities without its oldest date", async () => {
  const send = (path: string, authorization: string) =>
    fetch(`${simulator.url}/api/v1/athlete/0${path}`, { headers: { authorization } })
  expect((await send("", `Bearer ${key()}`)).status).toBe(403)
  const basic = `Basic ${Buffer.from(`API_KEY:${key()}`).toString("base64")}`
  expect((await send("/activities", basic)).status).toBe(422)
})

test("no list is longer than half a year, and the newest of long ago is found", async () => {
  const requests = () =>
    simulator.requestLog.entries.flatMap(({ path, query }) => (/(wellness|activities)$/.test(path) ? [query] : []))
  simulator.requestLog.clear()
  const longAgo = new Date("2024-01-01T00:00:00Z")
  for (const kind of ["cycle", "workout"] as const) {
    const { records } = await fetchPage({ kind, limit: 1 })
    expect(records).toHaveLength(1)
    expect(await fetchPage({ kind, to: longAgo, limit: 1 })).toMatchObject({ records: [] })
  }
  await adapterFor().adapter.fetchSamples?.(key(), { from: new Date("2016-11-19T00:00:00Z"), to: NOW })
  const days = requests().map((query) => {
    const asked = new URLSearchParams(query)
    return (Date.parse(asked.get("newest") ?? "") - Date.parse(asked.get("oldest") ?? "")) / 86_400_000
  })
  expect(days.length).toBeGreaterThan(100)
  expect(days.every((each) => each < 180)).toBe(true)
  expect(requests().some((query) => query.includes("oldest=2000-01-01"))).toBe(true)
})
