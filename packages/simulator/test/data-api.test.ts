import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Simulator, startSimulator, type WireRecords } from "../src/index.ts"
import { ask, signIn, type Tokens, walk } from "./sign-in.ts"

const NOW = new Date("2026-11-20T12:00:00Z")
const PERSON = "sam@example.com"
let simulator: Simulator
let tokens: Tokens
let records: WireRecords

beforeAll(async () => {
  simulator = await startSimulator({ now: NOW, days: 120, rateLimits: "off" })
  tokens = await signIn(simulator, PERSON)
  records = simulator.records(PERSON)
})
afterAll(() => simulator.close())

const status = async (path: string, as = tokens) => (await ask(simulator, as, path)).status
const json = async (path: string): Promise<unknown> => (await ask(simulator, tokens, path)).json()

const collections = [
  ["/v2/cycle", "cycles"],
  ["/v2/recovery", "recoveries"],
  ["/v2/activity/sleep", "sleeps"],
  ["/v2/activity/workout", "workouts"],
] as const

describe.each(collections)("GET %s", (path, kind) => {
  test.each(["1", "7", "25"])("returns every record once, newest first, at limit %s", async (limit) => {
    const query = { limit, start: "2026-10-20T00:00:00.000Z", end: "2026-11-10T00:00:00.000Z" }
    const pages = await walk(simulator, tokens, path, query)
    const whole = await walk(simulator, tokens, path, { ...query, limit: "25" })
    expect(pages.flatMap((page) => page.records)).toEqual(whole.flatMap((page) => page.records))
    for (const page of pages) expect(page.records.length).toBeLessThanOrEqual(Number(limit))
  })

  test("returns all records without a range", async () => {
    const pages = await walk(simulator, tokens, path, { limit: "25" })
    expect(pages.flatMap((page) => page.records)).toEqual(records[kind])
  })

  test("returns ten records by default", async () => {
    expect(await json(path)).toMatchObject({ records: records[kind].slice(0, 10), next_token: expect.any(String) })
  })

  test("refuses a page token of another filter and a limit over 25", async () => {
    const { next_token: nextToken } = (await walk(simulator, tokens, path, { limit: "25" }))[0] ?? {}
    expect(await status(`${path}?${new URLSearchParams({ limit: "24", nextToken: nextToken ?? "" })}`)).toBe(400)
    expect(await status(`${path}?limit=26`)).toBe(400)
  })
})

test("a range is half-open and includes records that overlap it", async () => {
  const start = "2026-10-20T03:00:00.000Z"
  const end = "2026-11-01T03:00:00.000Z"
  const expected = records.sleeps.filter(
    (sleep) => Date.parse(sleep.end) >= Date.parse(start) && Date.parse(sleep.start) < Date.parse(end),
  )
  const pages = await walk(simulator, tokens, "/v2/activity/sleep", { start, end, limit: "25" })
  expect(pages.flatMap((page) => page.records)).toEqual(expected)
})

test("the last page has a null next_token or none", async () => {
  const last = async (limit: string) => (await walk(simulator, tokens, "/v2/activity/workout", { limit })).at(-1)
  const lastPages = await Promise.all(["11", "12", "13", "14", "15", "16"].map(last))
  expect(lastPages.some((page) => page?.next_token === null)).toBe(true)
  expect(lastPages.some((page) => page && !("next_token" in page))).toBe(true)
})

test("returns recoveries in the order of their sleeps", () => {
  const starts = records.recoveries.map(({ sleep_id }) => records.sleeps.find(({ id }) => id === sleep_id)?.start ?? "")
  expect(starts).toEqual(starts.toSorted().toReversed())
})

test("single records equal those of the lists", async () => {
  const [, cycle] = records.cycles
  const sleep = records.sleeps.find(({ nap, cycle_id }) => !nap && cycle_id === cycle?.id)
  const recovery = records.recoveries.find(({ cycle_id }) => cycle_id === cycle?.id)
  const [workout] = records.workouts
  expect(await json(`/v2/cycle/${cycle?.id}`)).toEqual(cycle)
  expect(await json(`/v2/cycle/${cycle?.id}/recovery`)).toEqual(recovery)
  expect(await json(`/v2/activity/sleep/${sleep?.id}`)).toEqual(sleep)
  expect(await json(`/v2/activity/workout/${workout?.id}`)).toEqual(workout)
})

test("returns the person's profile and body measurements", async () => {
  expect(await json("/v2/user/profile/basic")).toEqual(records.profile)
  expect(await json("/v2/user/measurement/body")).toEqual(records.body)
})

test.each([
  "/v2/recovery/20777000001",
  "/v2/cycle/1",
  "/v2/cycle/1/recovery",
  "/v2/activity/sleep/00000000-0000-4000-8000-000000000000",
  "/v2/nothing",
])("%s is 404 with an empty body", async (path) => {
  const reply = await ask(simulator, tokens, path)
  expect(reply.status).toBe(404)
  expect(await reply.text()).toBe("")
})

test.each(["/v2/cycle/abc", "/v2/activity/sleep/12", "/v2/cycle?start=2026-11-01"])("%s is 400", async (path) => {
  expect(await status(path)).toBe(400)
})

test("one person's token gives no access to another person's records", async () => {
  const other = await signIn(simulator, "lena@example.com")
  const [cycle] = records.cycles
  const [sleep] = records.sleeps
  expect(await status(`/v2/cycle/${cycle?.id}`, other)).toBe(404)
  expect(await status(`/v2/activity/sleep/${sleep?.id}`, other)).toBe(404)
})

test.each([
  ["/v2/cycle", "read:cycles"],
  ["/v2/recovery", "read:recovery"],
  ["/v2/activity/sleep", "read:sleep"],
  ["/v2/activity/workout", "read:workout"],
  ["/v2/user/profile/basic", "read:profile"],
  ["/v2/user/measurement/body", "read:body_measurement"],
])("%s needs %s", async (path, scope) => {
  expect(await status(path, await signIn(simulator, PERSON, scope))).toBe(200)
  expect(await status(path, await signIn(simulator, PERSON, "offline"))).toBe(401)
})

test("no token, a wrong scheme and an unknown token are 401 with an empty body", async () => {
  const attempts: Record<string, string>[] = [{}, { authorization: "Basic abc" }, { authorization: "Bearer unknown" }]
  for (const headers of attempts) {
    const reply = await fetch(`${simulator.url}/developer/v2/cycle`, { headers })
    expect([reply.status, await reply.text()]).toEqual([401, ""])
  }
})

test("a member without records has empty collections", async () => {
  simulator.people.add({ email: "empty@example.com", history: "none" })
  const empty = await signIn(simulator, "empty@example.com")
  for (const [path] of collections) {
    expect(await (await ask(simulator, empty, path)).json()).toEqual({ records: [], next_token: null })
  }
})

test("adds a thousand members without generating their records", () => {
  const startedAt = performance.now()
  const added = simulator.people.addMany(1000)
  expect(performance.now() - startedAt).toBeLessThan(5_000)
  expect(new Set(added.map(({ userId }) => userId)).size).toBe(1000)
  expect(simulator.records(added[999]?.email ?? "").sleeps.length).toBeGreaterThan(50)
})
