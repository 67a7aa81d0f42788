import { generateApiKey } from "@restwell/core"
import { callTool, connectAssistant, register } from "@restwell/testing/assistant"
import { Member, readHealth } from "@restwell/testing/member"
import { quotaOf, startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { connectNewMember, readAccessLog, readUsage, readUserId } from "./read-logs.ts"

const LIMIT = 40

let service: TestService
beforeAll(async () => {
  service = await startTestService({ days: 40, environment: quotaOf(LIMIT) })
})
afterAll(() => service.close())

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

test("logs each read by key with its type, dates and number of records, newest first", async () => {
  const { member, key } = await connectNewMember(service)
  const range = { start_date: daysAgo(20), end_date: daysAgo(11) }
  const search = `start_date=${range.start_date}&end_date=${range.end_date}`
  const expected: object[] = []
  let inSummary = 0
  for (const type of ["sleep", "recovery", "workout", "cycle"]) {
    const { count } = await (await readHealth(service.url, key, `?type=${type}&${search}`)).json()
    expect(count).toBeGreaterThan(0)
    inSummary += count
    expected.unshift({ types: [type], ...range, record_count: count })
  }
  await readHealth(service.url, key, `?${search}`)
  expected.unshift({ types: ["summary"], ...range, record_count: inSummary })
  await readHealth(service.url, key, "?type=profile")
  expected.unshift({ types: ["profile"], start_date: null, end_date: null, record_count: 1 })
  const summary = await (await readHealth(service.url, key, "?type=summary&days=3")).json()
  const { entries, next } = await readAccessLog(member)
  const [byDays, ...others] = entries
  // The log has dates. The summary's period has instants in the person's time zone.
  expect(summary.period.days).toBe(3)
  expect(Date.parse(byDays?.end_date ?? "") - Date.parse(byDays?.start_date ?? "")).toBe(2 * 86_400_000)
  expect(Math.abs(Date.parse(byDays?.start_date ?? "") - Date.parse(summary.period.start))).toBeLessThan(86_400_000)
  expect(others).toEqual(
    expected.map((entry) => ({
      id: expect.stringMatching(/^\d+$/),
      at: expect.any(String),
      reader: "api_key",
      assistant: null,
      client_id: null,
      operation: "/api/v1/health",
      outcome: "answered",
      reads: 1,
      ...entry,
    })),
  )
  expect(next).toBeNull()
  for (const { at } of entries) expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(60_000)
})

test("does not log 304, HEAD or refused requests, nor reads by the dashboard", async () => {
  const { member, key } = await connectNewMember(service)
  const etag = (await readHealth(service.url, key, "?type=sleep")).headers.get("etag") ?? ""
  expect((await readHealth(service.url, key, "?type=sleep", { "if-none-match": etag })).status).toBe(304)
  expect((await readHealth(service.url, key, "?type=nonsense")).status).toBe(400)
  expect((await readHealth(service.url, key, `?start_date=${daysAgo(1)}&end_date=${daysAgo(9)}`)).status).toBe(400)
  expect((await readHealth(service.url, generateApiKey().text)).status).toBe(401)
  const head = { method: "HEAD", headers: { authorization: `Bearer ${key}` } }
  expect((await fetch(`${service.url}/api/v1/health`, head)).status).toBe(200)
  expect((await member.send("GET", "/api/account/health?type=sleep")).status).toBe(200)
  expect((await member.send("GET", "/api/account/trends?days=7")).status).toBe(200)
  expect((await readAccessLog(member)).entries).toHaveLength(1)
  const unconnected = new Member(service)
  await unconnected.signUp()
  expect((await readHealth(service.url, await unconnected.newKey())).status).toBe(404)
  expect((await readAccessLog(unconnected)).entries).toEqual([])
})

test("logs as many reads as it counts when requests on two replicas race for the last of the quota", async () => {
  const { member, key } = await connectNewMember(service)
  const other = await service.startReplica("api")
  const replicas = [service.url, other.url]
  const searches = ["?type=sleep", "", "?type=profile", "?type=cycle&days=90", "?days=91"]
  const answers = await Promise.all(
    Array.from({ length: 3 * LIMIT }, (_, index) =>
      readHealth(replicas[index % 2] ?? "", key, searches[index % searches.length]),
    ),
  )
  const count = (status: number) => answers.filter((answer) => answer.status === status).length
  expect([count(200), count(400), count(429)]).toEqual([LIMIT, (3 * LIMIT) / 5, 3 * LIMIT - LIMIT - (3 * LIMIT) / 5])
  const { entries } = await readAccessLog(member)
  expect(entries.reduce((sum, { reads }) => sum + reads, 0)).toBe(LIMIT)
  expect(await readUsage(member)).toBe(LIMIT)
  await other.close()
})

test("logs an assistant's reads beside the reads by key, with their number of records", async () => {
  const { member, key } = await connectNewMember(service)
  const client = await register(service, { client_name: "Claude" })
  const tokens = await connectAssistant(service, member, { client, choice: { scopes: ["sleep:read"], days: "30" } })
  const range = { start_date: daysAgo(9), end_date: daysAgo(3) }
  await callTool(service, tokens.access_token, "get_sleep", range)
  await callTool(service, tokens.access_token, "get_recovery", range)
  const rest = await readHealth(service.url, key, `?type=sleep&${new URLSearchParams(range)}`)
  const { count } = await rest.json()
  expect((await readAccessLog(member)).entries).toMatchObject([
    { reader: "api_key", record_count: count, outcome: "answered", ...range },
    { reader: "assistant", assistant: "Claude", operation: "get_recovery", record_count: null, outcome: "forbidden" },
    { reader: "assistant", assistant: "Claude", operation: "get_sleep", record_count: count, outcome: "answered" },
  ])
})

test("a read requests a sync even if a wrong clock stored sync times in the future", async () => {
  const { member, key } = await connectNewMember(service)
  const { pool } = service.store
  const userId = await readUserId(member)
  await pool.query(
    `update restwell.connection set last_synced_at = now() + interval '1 day', sync_requested_at = now() + interval '1 day',
     next_sync_at = now() + interval '1 day' where user_id = $1`,
    [userId],
  )
  await readHealth(service.url, key)
  await vi.waitFor(async () => {
    const { rows } = await pool.query(
      "select last_synced_at <= now() as healed from restwell.connection where user_id = $1",
      [userId],
    )
    expect(rows).toEqual([{ healed: true }])
  }, 30_000)
})
