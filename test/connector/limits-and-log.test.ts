import { AccessLogResponseSchema, AccountResponseSchema } from "@restwell/client"
import { callConnector, callTool, connectAssistant, fillAccessLog } from "@restwell/testing/assistant"
import { Member, readHealth } from "@restwell/testing/member"
import { quotaOf, startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

const LIMIT = 12

let service: TestService
beforeAll(async () => {
  service = await startTestService({ days: 40, environment: quotaOf(LIMIT) })
})
afterAll(() => service.close())

const connected = async () => {
  const person = service.simulator.people.addOne()
  const { member, key } = await Member.connected(service, person)
  return { member, key, tokens: await connectAssistant(service, member) }
}

const usedOf = async (member: Member) =>
  AccountResponseSchema.parse(await (await member.send("GET", "/api/account")).json()).usage.used

const logOf = async (member: Member, search = "") =>
  AccessLogResponseSchema.parse(await (await member.send("GET", `/api/account/access-log${search}`)).json())

test("each answered call counts as one request, however much it reads, and a refused call does not count", async () => {
  const { member, tokens } = await connected()
  const calls: [string, object, number][] = [
    ["get_summary", {}, 1],
    ["get_sleep", { days: 30 }, 1],
    ["search", { query: "running" }, 1],
    ["fetch", { id: "summary:7" }, 1],
    ["fetch", { id: "day:2026-11-01" }, 1],
    ["get_sleep", { days: 91 }, 0],
    ["get_sleep", { start_date: "2026-11-20", end_date: "2026-11-01" }, 0],
  ]
  for (const [name, args, cost] of calls) {
    const before = await usedOf(member)
    await callTool(service, tokens.access_token, name, args)
    expect((await usedOf(member)) - before, name).toBe(cost)
  }
  const before = await usedOf(member)
  await callConnector(service, tokens.access_token, "resources/read", { uri: "restwell://summary/week" })
  for (const method of ["tools/list", "prompts/list", "resources/list", "ping"])
    await callConnector(service, tokens.access_token, method)
  expect((await usedOf(member)) - before).toBe(1)
})

test("the connector and REST share the monthly quota, and an exceeded quota is reported with its reset", async () => {
  const { member, key, tokens } = await connected()
  for (let used = 0; used < LIMIT; used += 1) {
    if (used % 2 === 0) expect((await callTool(service, tokens.access_token, "get_sleep")).isError).toBeFalsy()
    else expect((await readHealth(service.url, key)).status).toBe(200)
  }
  const refused = await callTool(service, tokens.access_token, "get_sleep")
  expect(refused.isError).toBe(true)
  expect(refused.content[0]?.text).toMatch(
    new RegExp(`^rate_limited: monthly request limit of ${LIMIT} exceeded, it resets at \\d{4}-\\d{2}-01T00:00:00`),
  )
  expect((await readHealth(service.url, key)).status).toBe(429)
  expect(await usedOf(member)).toBe(LIMIT)
})

test("32 simultaneous calls do not exceed the quota, and are all logged", async () => {
  const { member, tokens } = await connected()
  const results = await Promise.all(
    Array.from({ length: 32 }, () => callTool(service, tokens.access_token, "get_summary")),
  )
  expect(results.filter(({ isError }) => !isError)).toHaveLength(LIMIT)
  expect(await usedOf(member)).toBe(LIMIT)
  // Equal calls of one moment share an entry.
  const { entries } = await logOf(member)
  expect(entries.reduce((sum, { reads }) => sum + reads, 0)).toBe(32)
})

test("a call is not counted if its log entry cannot be written", async () => {
  const { member, tokens } = await connected()
  const { pool } = service.store
  await pool.query(`create function refuse_entry() returns trigger language plpgsql as $$ begin raise 'no entry'; end $$;
    create trigger refuse_entry before insert on restwell.access_log for each row execute function refuse_entry()`)
  try {
    expect((await callTool(service, tokens.access_token, "get_sleep")).isError).toBe(true)
  } finally {
    await pool.query("drop function refuse_entry cascade")
  }
  expect(await usedOf(member)).toBe(0)
  expect((await callTool(service, tokens.access_token, "get_sleep")).isError).toBeFalsy()
  expect(await usedOf(member)).toBe(1)
  expect((await logOf(member)).entries).toHaveLength(1)
})

test("logs every call with its assistant, operation, dates and outcome", async () => {
  const { member, tokens } = await connected()
  const limited = await connectAssistant(service, member, { choice: { scopes: ["sleep:read"], days: "7" } })
  await callTool(service, tokens.access_token, "get_recovery", { start_date: "2026-11-01", end_date: "2026-11-05" })
  await callTool(service, tokens.access_token, "get_profile")
  await callTool(service, limited.access_token, "get_recovery")
  await callTool(service, limited.access_token, "get_sleep", { days: 90 })
  await callConnector(service, tokens.access_token, "resources/read", { uri: "restwell://summary/week" })
  const { entries } = await logOf(member)
  const logged = entries.map(({ operation, types, outcome, client_id }) => [
    operation,
    types.join(),
    outcome,
    client_id,
  ])
  expect(logged).toEqual([
    ["restwell://summary/week", "summary", "answered", tokens.clientId],
    ["get_sleep", "sleep", "forbidden", limited.clientId],
    ["get_recovery", "recovery", "forbidden", limited.clientId],
    ["get_profile", "profile", "answered", tokens.clientId],
    ["get_recovery", "recovery", "answered", tokens.clientId],
  ])
  expect(entries.at(-1)).toMatchObject({
    start_date: "2026-11-01",
    end_date: "2026-11-05",
    assistant: "Test assistant",
  })
  expect(entries.find(({ operation }) => operation === "get_profile")).toMatchObject({
    start_date: null,
    end_date: null,
  })
})

test("the log is read in pages, only by its owner", async () => {
  const { member, tokens } = await connected()
  await fillAccessLog(service, tokens.clientId, 230)
  const pages = [await logOf(member)]
  for (let next = pages[0]?.next; next; next = pages.at(-1)?.next) pages.push(await logOf(member, `?before=${next}`))
  expect(pages.map(({ entries }) => entries.length)).toEqual([100, 100, 30])
  expect(new Set(pages.flatMap(({ entries }) => entries.map(({ id }) => id))).size).toBe(230)
  const other = await connected()
  expect((await logOf(other.member)).entries).toEqual([])
  expect((await logOf(other.member, `?before=${pages[1]?.entries[0]?.id}`)).entries).toEqual([])
})

test.each(["x", "-1", "1e3", "99999999999999999999"])("before=%s gets 400", async (before) => {
  const member = new Member(service)
  await member.signUp()
  expect((await member.send("GET", `/api/account/access-log?before=${before}`)).status).toBe(400)
})

test("the log is append-only, and is deleted with the account", async () => {
  const { member, tokens } = await connected()
  await callTool(service, tokens.access_token, "get_sleep")
  const { pool } = service.store
  await expect(pool.query("update restwell.access_log set outcome = 'x'")).rejects.toThrow("append-only")
  await expect(pool.query("delete from restwell.access_log")).rejects.toThrow("append-only")
  expect((await member.send("DELETE", "/api/account", {})).status).toBe(204)
  for (const table of ["access_log", "assistant", "oauth_record"]) {
    const { rows } = await pool.query(`select count(*)::int as count from restwell.${table} where client_id = $1`, [
      tokens.clientId,
    ])
    expect(rows[0]?.count, table).toBe(0)
  }
})

test("a revoked assistant is removed from the account, and only its own person can revoke it", async () => {
  const { member, tokens } = await connected()
  const other = await connected()
  const { assistants } = AccountResponseSchema.parse(await (await member.send("GET", "/api/account")).json())
  expect(assistants).toMatchObject([
    { name: "Test assistant", verified_host: null, redirect_host: "assistant.example", days: null, last_read_at: null },
  ])
  const path = `/api/account/assistants/${assistants[0]?.id}`
  expect((await other.member.send("DELETE", path)).status).toBe(404)
  expect((await fetch(service.url + path, { method: "DELETE" })).status).toBe(401)
  expect((await member.send("DELETE", path, undefined, { origin: "https://evil.example" })).status).toBe(403)
  expect((await callConnector(service, tokens.access_token, "tools/list")).status).toBe(200)
  expect((await member.send("DELETE", path)).status).toBe(204)
  expect((await callConnector(service, tokens.access_token, "tools/list")).status).toBe(401)
  expect((await member.send("DELETE", path)).status).toBe(404)
})

test("the export contains the assistants and their reads", async () => {
  const { member, tokens } = await connected()
  await callTool(service, tokens.access_token, "get_sleep")
  const document = await (await member.send("GET", "/api/account/export")).json()
  expect(document.assistants).toMatchObject([{ client_id: tokens.clientId, name: "Test assistant" }])
  expect(document.access_log).toMatchObject([{ operation: "get_sleep", outcome: "answered" }])
})
