import {
  CycleResponseSchema,
  HEALTH_TYPES,
  ProfileResponseSchema,
  RecoveryResponseSchema,
  SleepResponseSchema,
  SummaryResponseSchema,
  WorkoutResponseSchema,
} from "@restwell/client"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

let service: TestService
let key: string
beforeAll(async () => {
  service = await startTestService()
  ;({ key } = await Member.connected(service, service.simulator.people.add({ email: "ada@vendor.example" })))
})
afterAll(() => service.close())

const SCHEMAS = {
  summary: SummaryResponseSchema,
  sleep: SleepResponseSchema,
  recovery: RecoveryResponseSchema,
  workout: WorkoutResponseSchema,
  cycle: CycleResponseSchema,
  profile: ProfileResponseSchema,
}

const bodyOf = async (search: string) => (await readHealth(service.url, key, search)).json()

describe.each(HEALTH_TYPES)("type=%s", (type) => {
  test("matches its schema", async () => {
    const answer = await readHealth(service.url, key, `?type=${type}&days=30`)
    expect(answer.status).toBe(200)
    const body = SCHEMAS[type].strict().parse(await answer.json())
    expect(body.source).toEqual({ provider: "whoop", status: "ok", last_synced_at: expect.any(String) })
  })

  test("has quota and cache headers", async () => {
    const { headers } = await readHealth(service.url, key, `?type=${type}`)
    expect(headers.get("x-ratelimit-limit")).toBe("1000")
    expect(Number(headers.get("x-ratelimit-remaining"))).toBeGreaterThan(0)
    expect(headers.get("x-ratelimit-reset")).toMatch(/^\d{4}-\d{2}-01T00:00:00\.000Z$/)
    expect(headers.get("cache-control")).toBe("private, max-age=900")
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8")
  })

  test("gets 304 for a matching If-None-Match, which is not counted", async () => {
    const first = await readHealth(service.url, key, `?type=${type}`)
    const etag = first.headers.get("etag") ?? ""
    expect(etag).toMatch(/^"[^"]+"$/)
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await readHealth(service.url, key, `?type=${type}`, { "if-none-match": tag })
      expect([again.status, await again.text()]).toEqual([304, ""])
      expect(again.headers.get("etag")).toBe(etag)
      expect(again.headers.get("x-ratelimit-remaining")).toBe(first.headers.get("x-ratelimit-remaining"))
    }
  })
})

test("defaults to the summary of 7 days", async () => {
  expect(await bodyOf("")).toEqual(await bodyOf("?type=summary&days=7"))
  expect((await bodyOf("")).period.days).toBe(7)
})

test("records are newest first, and count is their number", async () => {
  for (const type of ["sleep", "workout", "cycle"]) {
    const { records, count } = await bodyOf(`?type=${type}&days=60`)
    const starts = records.map(({ start }: { start: string }) => start)
    expect(starts).toEqual(starts.toSorted().reverse())
    expect(count).toBe(records.length)
    expect(count).toBeGreaterThan(0)
  }
})

test("start_date and end_date are inclusive, and override days", async () => {
  const { records } = await bodyOf("?type=cycle&days=30")
  const dates: string[] = records.map(({ date }: { date: string }) => date)
  const [last = "", first = ""] = [dates.at(2), dates.at(9)]
  const inRange = dates.filter((date) => date >= first && date <= last)
  const ranged = await bodyOf(`?type=cycle&start_date=${first}&end_date=${last}&days=1`)
  expect(ranged.records.map(({ date }: { date: string }) => date)).toEqual(inRange)
  const ending = await bodyOf(`?type=summary&end_date=${last}&days=5`)
  expect(ending.period.days).toBe(5)
})

test("a range without data gets an empty list with a reason", async () => {
  const body = await bodyOf("?type=sleep&start_date=2001-01-01&end_date=2001-01-31")
  expect(body).toMatchObject({ records: [], count: 0, empty_reason: "no_data_in_range" })
})

test("averages of a range without data are null, not zero", async () => {
  const body = await bodyOf("?start_date=2001-01-01&end_date=2001-01-31")
  expect(body).toMatchObject({
    sleep: { average_duration_hours: null, average_performance: null, average_efficiency: null },
    recovery: { average_score: null, average_hrv: null, average_rhr: null },
    strain: { total: null, average_daily: null, workout_count: 0 },
  })
})

test("HEAD gets the headers of GET without a body, and is not counted", async () => {
  const get = await readHealth(service.url, key, "?type=sleep")
  const head = await fetch(`${service.url}/api/v1/health?type=sleep`, {
    method: "HEAD",
    headers: { authorization: `Bearer ${key}` },
  })
  expect([head.status, await head.text()]).toEqual([200, ""])
  for (const name of ["etag", "x-ratelimit-remaining", "content-type"])
    expect(head.headers.get(name), name).toBe(get.headers.get(name))
  // Only the whole answer has a length. RFC 9110 9.3.2
  expect(head.headers.get("content-length")).toBeNull()
})

test("CORS allows any origin with a key, and never with cookies", async () => {
  const answer = await readHealth(service.url, key, "", { origin: "https://elsewhere.example" })
  expect(answer.headers.get("access-control-allow-origin")).toBe("*")
  expect(answer.headers.get("access-control-allow-credentials")).toBeNull()
  const preflight = await fetch(`${service.url}/api/v1/health`, {
    method: "OPTIONS",
    headers: { origin: "https://elsewhere.example", "access-control-request-method": "GET" },
  })
  expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([
    204,
    "Authorization, Content-Type, If-None-Match, Prefer, Restwell-Reader, X-Requested-With",
  ])
})
