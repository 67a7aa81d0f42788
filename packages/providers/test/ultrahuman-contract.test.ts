// The contract of vendors, as far as it holds for Ultrahuman: no workouts, no tokens to refresh, and a date a call.
import { startUltrahumanSimulator, type UltrahumanSimulator } from "@restwell/simulator"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import {
  AccessTokenRejected,
  createUltrahumanAdapter,
  type PageRequest,
  RequestRefused,
  VendorUnavailable,
} from "../src/index.ts"
import { rejection } from "./adapter-under-test.ts"
import { createRecordingGate } from "./recording-gate.ts"

const NOW = new Date("2026-11-19T12:00:00Z")
const PERSON = "lena@example.com"

let simulator: UltrahumanSimulator
beforeAll(async () => {
  simulator = await startUltrahumanSimulator({ now: NOW, days: 30 })
})
afterAll(() => simulator.close())
afterEach(() => {
  simulator.faults.clear()
  simulator.requestLog.clear()
})

const adapterFor = () =>
  createUltrahumanAdapter({
    baseUrl: simulator.url,
    gate: createRecordingGate(),
    now: () => NOW,
    random: () => 0,
    delay: async () => {},
  })
const key = () => simulator.keyOf(PERSON)
const fetchPage = (request: PageRequest) => adapterFor().fetchPage(key(), request)
const at = (day: number) => new Date(Date.UTC(2026, 10, day))

describe.each(["sleep", "recovery", "cycle"] as const)("%s", (kind) => {
  test("are newest first, the same in several windows and by their ids", async () => {
    const { records: whole, rejected } = await fetchPage({ kind, from: at(1), to: at(15) })
    expect(rejected).toEqual([])
    expect(whole.length).toBeGreaterThan(5)
    const starts = whole.map((record) => (record.kind === "recovery" ? record.createdMs : record.startMs))
    expect(starts).toEqual(starts.toSorted((one, other) => other - one))
    const parts = await Promise.all([1, 5, 9].map((day) => fetchPage({ kind, from: at(day), to: at(day + 6) })))
    const found = new Map(parts.flatMap(({ records }) => records).map((record) => [record.providerId, record]))
    for (const record of whole) expect(found.get(record.providerId)).toEqual(record)
    for (const record of whole.slice(0, 3))
      expect(await adapterFor().fetchRecord(key(), { kind, providerId: record.providerId })).toEqual({
        records: [record],
        rejected: [],
      })
  })

  test.each(["../../x", "2026-11-19/../..", "", "x".repeat(100)])("an id %j is never asked for", async (id) => {
    const error = await rejection(adapterFor().fetchRecord(key(), { kind, providerId: id }))
    expect(error).toBeInstanceOf(RequestRefused)
    expect(simulator.requestLog.count()).toBe(0)
  })
})

test("there are no workouts, and nothing is asked for them", async () => {
  expect(await fetchPage({ kind: "workout" })).toEqual({ records: [], rejected: [] })
  expect(simulator.requestLog.count()).toBe(0)
})

test("kinds that are read at once share the call of each date", async () => {
  const adapter = adapterFor()
  const window = { from: at(1), to: at(15) }
  await Promise.all(
    (["sleep", "recovery", "cycle"] as const).map((kind) => adapter.fetchPage(key(), { kind, ...window })),
  )
  const dates = simulator.requestLog.entries.map(({ query }) => query)
  expect(dates.length).toBe(new Set(dates).size)
  expect(dates.length).toBeLessThanOrEqual(17)
})

test("nothing is asked for that is older than three years, or a day of the future", async () => {
  const to = new Date("2023-11-24T12:00:00Z")
  await fetchPage({ kind: "cycle", to })
  const dates = simulator.requestLog.entries.map(({ query }) => new URLSearchParams(query).get("date"))
  expect(dates.toSorted()[0]).toBe("2023-11-19")
  simulator.requestLog.clear()
  await fetchPage({ kind: "cycle", to: new Date("2022-01-01T00:00:00Z") })
  expect(simulator.requestLog.count()).toBe(0)
  await fetchPage({ kind: "cycle", from: NOW })
  const newest = simulator.requestLog.entries.map(({ query }) => new URLSearchParams(query).get("date"))
  expect(newest.every((date) => date !== null && date <= "2026-11-19")).toBe(true)
})

test("the answer of one date without a zone and with names in capitals has the same figures", async () => {
  const range = { kind: "recovery", from: at(5), to: at(9) } as const
  const expected = (await fetchPage(range)).records.map(({ raw: _, ...record }) => record)
  const other = await startUltrahumanSimulator({ now: NOW, days: 30, envelope: "list" })
  try {
    const adapter = createUltrahumanAdapter({
      baseUrl: other.url,
      gate: createRecordingGate(),
      now: () => NOW,
    })
    const { records } = await adapter.fetchPage(other.keyOf(PERSON), range)
    expect(records.map(({ raw: _, ...record }) => record)).toEqual(expected)
  } finally {
    await other.close()
  }
})

test("of two points of a date the one with a figure counts, wherever it stands", async () => {
  const range = { kind: "recovery", from: at(5), to: at(9) } as const
  const expected = (await fetchPage(range)).records
  expect(expected.length).toBeGreaterThan(2)
  for (const place of ["before", "after"]) {
    const doubled = (entry: { readonly type: string; readonly object: object }) => {
      const empty = { ...entry, object: { ...entry.object, value: 0, avg: 0 } }
      if (!["sleep_rhr", "avg_sleep_hrv", "night_rhr"].includes(entry.type)) return [entry]
      return place === "before" ? [empty, entry] : [entry, empty]
    }
    simulator.faults.add({
      kind: "transform",
      transform: (answer) => {
        const { data } = Object(answer)
        const metrics = Object.entries<Parameters<typeof doubled>[0][]>(data.metrics)
        const changed = metrics.map(([date, entries]) => [date, entries.flatMap(doubled)])
        return { ...Object(answer), data: { ...data, metrics: Object.fromEntries(changed) } }
      },
    })
    expect((await fetchPage(range)).records, place).toEqual(expected)
    simulator.faults.clear()
  }
})

test.each([401, 403])("a token that is refused with %i is rejected", async (status) => {
  simulator.faults.add({ kind: "status", status })
  expect(await rejection(fetchPage({ kind: "sleep", from: at(18) }))).toBeInstanceOf(AccessTokenRejected)
  expect(await rejection(adapterFor().fetchProfile(key()))).toBeInstanceOf(AccessTokenRejected)
})

test.each([
  [{ data: null, error: "User has not shared access!" }, "AccessTokenRejected"],
  [{ error: "Invalid token", status: 401 }, "AccessTokenRejected"],
  [{ data: {}, error: "Too many", status: 429 }, "RateLimited"],
  [{ data: null, error: "Invalid date", status: 400 }, "RequestRefused"],
  [{ data: null, error: "Something went wrong" }, "VendorUnavailable"],
  [{ error: "Unexpected token in upstream response", status: 500 }, "VendorUnavailable"],
  [{ message: "Invalid token" }, "AccessTokenRejected"],
  [{ data: null, message: "date is missing", status: 400 }, "RequestRefused"],
  [{ data: [], error: null, status: 200 }, "ContractViolation"],
  [{ items: [] }, "ContractViolation"],
])("%j with status 200 is %s", async (body, name) => {
  simulator.faults.add({ kind: "transform", transform: () => body })
  expect(await rejection(fetchPage({ kind: "sleep", from: at(18) }))).toMatchObject({ name })
})

test.each([
  { data: { latest_time_zone: "Asia/Kolkata" }, error: null, status: 200 },
  { data: { metrics: [], latest_time_zone: "Asia/Kolkata" }, error: null, status: 200 },
  { data: { metrics: null }, error: null, status: 200 },
  { data: { metric_data: null } },
  { data: null, error: null, status: 200 },
])("%j is an empty day", async (body) => {
  simulator.faults.add({ kind: "transform", transform: () => body })
  expect(await fetchPage({ kind: "sleep", from: at(18) })).toEqual({ records: [], rejected: [] })
})

test("a date whose answer is above 8 MB is told, and the others are read", async () => {
  const filling = " ".repeat(8 * 1024 * 1024)
  simulator.faults.add({
    kind: "rewrite",
    rewrite: (reply) => (reply.includes('"2026-11-16":') ? reply + filling : reply),
  })
  const { records, rejected } = await fetchPage({ kind: "cycle", from: at(14), to: at(19) })
  expect(rejected).toMatchObject([{ kind: "cycle", providerId: "2026-11-16", occurred: { date: "2026-11-16" } }])
  const dates = records.map(({ providerId }) => providerId)
  expect(dates).toEqual(expect.arrayContaining(["2026-11-18", "2026-11-17", "2026-11-15", "2026-11-14"]))
  expect(dates).not.toContain("2026-11-16")
})

test.each([502, 503, 408])("status %i is an unavailable vendor", async (status) => {
  simulator.faults.add({ kind: "status", status })
  expect(await rejection(fetchPage({ kind: "cycle", from: at(18) }))).toBeInstanceOf(VendorUnavailable)
})

test("the word Bearer, an email, a range over seven days and one beside a date are refused", async () => {
  const send = async (query: string, authorization = key()) =>
    (await fetch(`${simulator.url}/api/v1/partner/daily_metrics${query}`, { headers: { authorization } })).status
  expect([
    await send("?date=2026-11-18"),
    await send("?date=2026-11-18", `Bearer ${key()}`),
    await send("?date=2026-11-18&email=lena@example.com"),
    await send("?start_epoch=1790000000&end_epoch=1790900000"),
    await send("?date=2026-11-18&start_epoch=1790000000&end_epoch=1790100000"),
  ]).toEqual([200, 401, 401, 400, 400])
})
