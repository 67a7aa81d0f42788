import { AccessLogResponseSchema, TrendResponseSchema } from "@restwell/client"
import { ALL_SCOPES, callConnector, callTool, connectAssistant, type Tokens } from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { daysAgo } from "./days-ago.ts"

let service: TestService
let member: Member
let tokens: Tokens & { clientId: string }
beforeAll(async () => {
  service = await startTestService({
    now: new Date("2026-11-20T12:00:00Z"),
    days: 120,
    environment: { FREE_MONTHLY_REQUESTS: "1000000" },
  })
  ;({ member } = await Member.connected(service, service.simulator.people.add({ email: "ada@example.com" })))
  tokens = await connectAssistant(service, member)
})
afterAll(() => service.close())

const scopes = ALL_SCOPES.split(" ")

test("each tool returns only the types and dates that the person shares", async () => {
  const NEEDS = {
    get_sleep: "sleep:read",
    get_recovery: "recovery:read",
    get_workouts: "workouts:read",
    get_cycles: "workouts:read",
    get_profile: "profile:read",
    get_journal: "journal:read",
  } as const
  await fc.assert(
    fc.asyncProperty(
      fc.subarray(scopes, { minLength: 1 }),
      fc.constantFrom("7" as const, "30" as const, "90" as const, "all" as const),
      async (allowed, days) => {
        const { access_token, scope } = await connectAssistant(service, member, { choice: { scopes: allowed, days } })
        expect(scope.split(" ").toSorted()).toEqual([...allowed].toSorted())
        for (const [name, needed] of Object.entries(NEEDS)) {
          const result = await callTool(service, access_token, name)
          expect(result.isError ?? false, name).toBe(!allowed.includes(needed))
          if (result.isError) expect(result.content[0]?.text).toMatch(/^forbidden: the person does not share/)
        }
        const summary = await callTool(service, access_token, "get_summary")
        const sections = { sleep: "sleep:read", recovery: "recovery:read", strain: "workouts:read" }
        if (allowed.every((scope) => ["profile:read", "journal:read", "series:read"].includes(scope)))
          expect(summary.isError).toBe(true)
        else
          for (const [section, needed] of Object.entries(sections))
            expect(summary.structuredContent?.[section] === null, section).toBe(!allowed.includes(needed))
        const [tool] =
          Object.entries(NEEDS).find(([name, needed]) => name !== "get_profile" && allowed.includes(needed)) ?? []
        if (tool === undefined) return
        const window = days === "all" ? 1000 : Number(days)
        for (const back of [window - 1, window, window + 30]) {
          const result = await callTool(service, access_token, tool, {
            start_date: daysAgo(service, back),
            end_date: daysAgo(service, back),
          })
          expect(result.isError ?? false, `${back} days back of ${days}`).toBe(back >= window && days !== "all")
          if (result.isError)
            expect(result.content[0]?.text).toContain(`ask for dates from ${daysAgo(service, window - 1)}`)
        }
      },
    ),
    { numRuns: 15 },
  )
})

test("a 403 names the scope that the client did not request", async () => {
  const { access_token } = await connectAssistant(service, member, { scope: "sleep:read" })
  expect((await callTool(service, access_token, "get_sleep")).isError).toBeFalsy()
  const answer = await callConnector(service, access_token, "tools/call", { name: "get_recovery", arguments: {} })
  expect(answer.status).toBe(403)
  const challenge = answer.headers.get("www-authenticate")
  expect(challenge).toContain('error="insufficient_scope"')
  expect(challenge).toMatch(/scope="(?=[^"]*sleep:read)(?=[^"]*recovery:read)/)
  expect(challenge).toContain(`resource_metadata="${service.url}/.well-known/oauth-protected-resource/api/mcp/oauth"`)
})

test("a new consent applies to all tokens of the assistant", async () => {
  const first = await connectAssistant(service, member)
  expect((await callTool(service, first.access_token, "get_recovery")).isError).toBeFalsy()
  await connectAssistant(service, member, {
    client: { client_id: first.clientId },
    choice: { scopes: ["sleep:read"], days: "7" },
  })
  expect((await callTool(service, first.access_token, "get_recovery")).isError).toBe(true)
  expect((await callTool(service, first.access_token, "get_sleep", { days: 8 })).isError).toBe(true)
})

test("a token never gains scopes that another token of the assistant has", async () => {
  const narrow = await connectAssistant(service, member, { scope: "sleep:read" })
  await connectAssistant(service, member, { client: { client_id: narrow.clientId } })
  const { structuredContent } = await callTool(service, narrow.access_token, "get_summary")
  expect(structuredContent).toMatchObject({
    sleep: { night_count: expect.any(Number) },
    recovery: null,
    strain: null,
  })
  const found = await callTool(service, narrow.access_token, "search", { query: daysAgo(service, 3) })
  const { results, note } = found.structuredContent ?? {}
  expect(note).toBe("Not shared with this assistant: recovery, workouts and strain")
  expect(JSON.stringify(results)).not.toMatch(/recovery|strain|workout/)
})

test("an assistant reads only the data of its own person", async () => {
  const other = await Member.connected(service, service.simulator.people.add({ email: "bo@example.com" }))
  const theirs = await connectAssistant(service, other.member)
  const [mine, others] = await Promise.all(
    [tokens, theirs].map(
      async ({ access_token }) => (await callTool(service, access_token, "get_profile")).structuredContent,
    ),
  )
  expect(others).toMatchObject({ profile: { email: "bo@example.com" } })
  expect(mine).toMatchObject({ profile: { email: "ada@example.com" } })
})

test("the shared dates are held against those of the answer, of both periods, and logged as these", async () => {
  const { access_token: token } = await connectAssistant(service, member, { choice: { scopes, days: "30" } })
  const read = (name: string, input: object) => callTool(service, token, name, input)
  const { period } = (await read("get_trend", { metric: "hrv" })).structuredContent ?? {}
  const { start_date: first, end_date: today } = TrendResponseSchema.shape.period.parse(period)
  const ago = (days: number) => Temporal.PlainDate.from(today).subtract({ days }).toString()
  expect(first).toBe(ago(29))
  for (const dates of [
    { start_date: "2025-01-01", end_date: "2025-01-31", with_start_date: first, with_end_date: today },
    { start_date: first, end_date: today, with_start_date: "2025-01-01", with_end_date: "2025-01-31" },
  ]) {
    const refused = await read("compare_periods", { metric: "hrv", ...dates })
    expect(refused.content[0]?.text).toContain("forbidden: the person shares the last 30 days")
    expect(refused.content[0]?.text).toContain(`ask for dates from ${first}`)
  }
  const logged = async () =>
    AccessLogResponseSchema.parse(await (await member.send("GET", "/api/account/access-log")).json()).entries[0]
  for (const [name, input, dates] of [
    ["get_trend", { metric: "hrv" }, [first, today]],
    ["get_trend", { metric: "hrv", end_date: ago(9) }, [first, ago(9)]],
    ["compare_periods", { metric: "hrv" }, [ago(13), today]],
    ["find_relations", { outcome: "hrv", end_date: ago(9) }, [first, ago(9)]],
  ] as const) {
    const { content, isError } = await read(name, input)
    expect(isError, content[0]?.text).toBeFalsy()
    const entry = await logged()
    expect([entry?.operation, entry?.start_date, entry?.end_date]).toEqual([name, ...dates])
    if ("end_date" in input)
      expect(content[0]?.text).toContain("Not shared with this assistant: dates before the newest 30")
  }
  const sports = await read("get_sports", {})
  expect(sports.content[0]?.text).toContain("Not shared with this assistant: dates before the newest 30")
})

test("an answer that is narrower for what is not shared says so: today, search, all factors and a trend", async () => {
  const choice = { scopes: ["sleep:read", "workouts:read"], days: "30" as const }
  const { access_token: token } = await connectAssistant(service, member, { choice })
  const textOf = async (name: string, input: object = {}) =>
    (await callTool(service, token, name, input)).content[0]?.text
  expect(await textOf("get_today")).toContain("Not shared with this assistant: recovery")
  expect(await textOf("search", { query: "last 20 nights" })).toContain(
    "Not shared with this assistant: recovery, dates before the newest 30",
  )
  expect(await textOf("search", { query: "longest run" })).toContain("dates before the newest 30")
  expect(await textOf("find_relations", { outcome: "asleep" })).toContain(
    "Not shared with this assistant: recovery, the journal, dates before the newest 30",
  )
  const week = await connectAssistant(service, member, { choice: { ...choice, days: "7" } })
  const trend = await callTool(service, week.access_token, "get_trend", { metric: "asleep" })
  expect(trend.content[0]?.text).toContain("Not shared with this assistant: dates before the newest 7")
  const whole = (await connectAssistant(service, member)).access_token
  for (const name of ["get_today", "get_summary"])
    expect((await callTool(service, whole, name)).content[0]?.text).not.toContain("Not shared")
})
