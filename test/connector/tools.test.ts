import { callConnector, callTool, connectAssistant, messageOf, type Tokens } from "@restwell/testing/assistant"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { daysAgo } from "./days-ago.ts"
import { leanRecord } from "./lean-record.ts"

const TYPES = {
  get_summary: "summary",
  get_sleep: "sleep",
  get_recovery: "recovery",
  get_workouts: "workout",
  get_cycles: "cycle",
} as const
const TOOLS = Object.keys(TYPES) as (keyof typeof TYPES)[]

const ToolSchema = z.object({
  name: z.string().max(64),
  title: z.string(),
  description: z.string(),
  inputSchema: z.looseObject({ type: z.literal("object") }),
  outputSchema: z.looseObject({ type: z.literal("object") }),
  annotations: z.object({
    readOnlyHint: z.literal(true),
    destructiveHint: z.literal(false),
    idempotentHint: z.literal(true),
    openWorldHint: z.literal(false),
  }),
})

let service: TestService
let member: Member
let key: string
let tokens: Tokens & { clientId: string }
let tools: z.infer<typeof ToolSchema>[]
beforeAll(async () => {
  service = await startTestService({
    now: new Date("2026-11-20T12:00:00Z"),
    days: 120,
    environment: { FREE_MONTHLY_REQUESTS: "1000000" },
  })
  ;({ member, key } = await Member.connected(service, service.simulator.people.add({ email: "ada@example.com" })))
  tokens = await connectAssistant(service, member)
  const list = await messageOf(await callConnector(service, tokens.access_token, "tools/list"))
  tools = z.object({ tools: z.array(ToolSchema) }).parse(list.result).tools
})
afterAll(() => service.close())

/** Lists have no sources beside the one, and lean records. What is missing is absent where nothing is. */
function leanBody(
  { sources, missing, ...rest }: { sources?: unknown; missing: unknown[]; records?: Record<string, unknown>[] },
  type: string,
): unknown {
  const body = { ...rest, ...(missing.length > 0 && { missing }) }
  return body.records
    ? { ...body, records: body.records.map((record) => leanRecord(record, type)) }
    : { ...body, sources }
}

/** Dates in the 120 days of history, and some before. */
const dates = fc.integer({ min: 0, max: 140 }).map((back) => daysAgo(service, back))
const range = fc.oneof(
  fc.record({ days: fc.integer({ min: 1, max: 90 }) }),
  fc.record({ days: fc.integer({ min: 1, max: 90 }), end_date: dates }),
  fc.tuple(dates, fc.integer({ min: 0, max: 60 })).map(([start, length]) => ({
    start_date: start,
    end_date: Temporal.PlainDate.from(start).add({ days: length }).toString(),
  })),
  fc.constant({}),
)

test("lists sixteen tools, each with a name and a description", () => {
  const statistics = ["get_today", "get_trend", "compare_periods", "find_relations"]
  expect(tools.map(({ name }) => name)).toEqual([
    ...statistics,
    ...TOOLS,
    "get_journal",
    "get_sports",
    "get_signs",
    "get_series",
    "get_profile",
    "search",
    "fetch",
  ])
  for (const { name, description } of tools) {
    expect(name).toMatch(/^[a-z_]+$/)
    expect(description.length).toBeGreaterThan(40)
  }
})

test("the manual names every tool", async () => {
  const page = await (await fetch(`${service.url}/docs/assistants`)).text()
  for (const { name } of tools) expect(page).toContain(`<code>${name}</code>`)
})

describe.each(TOOLS)("%s", (name) => {
  test("returns the values of REST for any range, valid under its output schema", async () => {
    const validate = formats
      .default(new Ajv2020({ strict: false }))
      .compile(tools.find((tool) => tool.name === name)?.outputSchema ?? {})
    await fc.assert(
      fc.asyncProperty(range, async (input) => {
        const result = await callTool(service, tokens.access_token, name, input)
        const search = new URLSearchParams({ type: TYPES[name], ...mapValues(input, String) })
        const rest = await readHealth(service.url, key, `?${search}`)
        expect(rest.status).toBe(200)
        expect(result.isError).toBeFalsy()
        // Only the tools say that a morning is pending.
        const { pending: _, ...figures } = result.structuredContent ?? {}
        expect(figures).toEqual(leanBody(await rest.json(), TYPES[name]))
        expect(validate(result.structuredContent), JSON.stringify(validate.errors)).toBe(true)
        expect(result.content).toHaveLength(1)
      }),
      { numRuns: 40 },
    )
  })

  test("has no number in its text that is not in its structured content", async () => {
    const { content, structuredContent } = await callTool(service, tokens.access_token, name, { days: 30 })
    const known = new Set(
      JSON.stringify(structuredContent)
        .match(/-?\d+(?:\.\d+)?/g)
        ?.map(Number),
    )
    const text = content[0]?.text ?? ""
    const lines = text.split("\n").slice(1, -1)
    expect(lines.length).toBeGreaterThan(0)
    for (const figure of lines.join(" ").match(/(?<![\d:.-])\d+\.\d+/g) ?? []) expect(known).toContain(Number(figure))
  })

  test.each<[string, object, RegExp]>([
    ["more dates than there can be", { days: 4_001 }, /90|4000|too big/i],
    ["no date", { days: 0 }, /1|too small/i],
    ["a fraction of a date", { days: 1.5 }, /int/i],
    ["text instead of a number", { days: "seven" }, /number|int/i],
    ["a date that does not exist", { start_date: "2026-02-30" }, /calendar/],
    ["a date in another format", { end_date: "20.11.2026" }, /YYYY-MM-DD/],
    ["an end before its start", { start_date: "2026-11-10", end_date: "2026-11-01" }, /start_date|end_date/],
    ["an unknown parameter", { weeks: 1 }, /weeks|unrecognized/i],
  ])("refuses %s with a message", async (_what, input, message) => {
    const result = await callTool(service, tokens.access_token, name, input)
    expect(result.isError).toBe(true)
    expect(result.content[0]?.text).toMatch(message)
    expect(result.structuredContent).toBeUndefined()
  })
})

test.each([[{ days: 91 }], [{ start_date: "2026-01-01", end_date: "2026-06-30" }]])(
  "get_summary refuses more than 90 dates, as in %j",
  async (input) => {
    const result = await callTool(service, tokens.access_token, "get_summary", input)
    expect(result.isError).toBe(true)
    expect(result.content[0]?.text).toMatch(/90|too big/i)
  },
)

test("get_profile returns the profile of REST", async () => {
  const { structuredContent } = await callTool(service, tokens.access_token, "get_profile")
  expect(structuredContent).toEqual(await (await readHealth(service.url, key, "?type=profile")).json())
})

/** The six days before today, which has nothing yet soon after midnight. */
const pastDays = (): string[] => Array.from({ length: 6 }, (_, index) => `day:${daysAgo(service, index + 1)}`)

describe("search and fetch", () => {
  const SearchSchema = z.object({
    results: z.array(z.strictObject({ id: z.string(), title: z.string(), url: z.url() })),
  })
  const search = async (query: string) =>
    SearchSchema.parse((await callTool(service, tokens.access_token, "search", { query })).structuredContent).results

  test("find the days of a sport, and read each of them", async () => {
    const workouts = await (await readHealth(service.url, key, "?type=workout&days=30")).json()
    const sports = new Set<string>(workouts.records.map(({ sport_type }: { sport_type: string }) => sport_type))
    const found = new Set<string>()
    for (const sport of sports) {
      const results = await search(`how were my ${sport} days?`)
      expect(results[0]?.title).toContain(sport)
      for (const { id } of results) found.add(id)
    }
    for (const id of found) {
      const result = await callTool(service, tokens.access_token, "fetch", { id })
      expect(result.structuredContent).toMatchObject({
        id,
        text: expect.stringMatching(/From whoop/),
        url: expect.any(String),
      })
      // Research modes read the same JSON from the text.
      expect(JSON.parse(result.content[0]?.text ?? "")).toEqual(result.structuredContent)
    }
  })

  test("find any date of the history in the query", async () => {
    const date = daysAgo(service, 100)
    expect((await search(`what was on ${date}?`)).map(({ id }) => id)).toEqual([`day:${date}`])
  })

  test.each(["", "???", "x".repeat(500), "🦥", "' or 1=1 --", "curling", "curling in October", "the and for"])(
    "find nothing for “%s”",
    async (query) => {
      expect(await search(query)).toEqual([])
    },
  )

  test("find the dates, their days and their summary for “how did I sleep in the last 7 days”", async () => {
    const results = await search("how did I sleep in the last 7 days")
    const [summary] = results.filter(({ id }) => id.startsWith("summary:"))
    expect(results.map(({ id }) => id)).toEqual(expect.arrayContaining(pastDays()))
    const [, from = "", to = ""] = summary?.id.split(":") ?? []
    expect([from, to]).toEqual([daysAgo(service, 6), daysAgo(service, 0)])
    const document = await callTool(service, tokens.access_token, "fetch", { id: summary?.id })
    const rest = await readHealth(service.url, key, `?type=summary&start_date=${from}&end_date=${to}`)
    expect(document.structuredContent?.["text"]).toContain(
      `efficiency % ${(await rest.json()).sleep.average_efficiency}`,
    )
  })

  test("find only days of a weekday", async () => {
    const mondays = await search("my Mondays")
    expect(mondays.length).toBeGreaterThan(3)
    for (const { title } of mondays) expect(title).toMatch(/^Monday /)
  })

  test.each([
    ["worst nights", "sleep_performance", "lowest"],
    ["best recovery", "recovery_score", "highest"],
    ["lowest HRV in 2026", "hrv", "lowest"],
  ])("find the extremes that “%s” asks about", async (query, metric, side) => {
    const start = query.includes("2026") ? "2026-01-01" : daysAgo(service, 200)
    const trend = await fetch(`${service.url}/api/v1/trend?metric=${metric}&start_date=${start}&top=10`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const ranked: { date: string; value: number }[] = (await trend.json())[side]
    const results = await search(query)
    expect(results.map(({ id }) => id)).toEqual(ranked.map(({ date }) => `day:${date}`))
    for (const [index, { title }] of results.entries()) expect(title).toContain(` ${ranked[index]?.value} `)
  })

  test.each(["2026-13", "what was on 2026-02-30"])("say that no calendar has “%s”", async (query) => {
    const result = await callTool(service, tokens.access_token, "search", { query })
    expect(result.isError).toBe(true)
    expect(result.content[0]?.text).toMatch(/^invalid_request: .+ is not a calendar date/)
  })

  test.each([
    "",
    "day:2026-02-30",
    "day:yesterday",
    "summary:8",
    "summary:2026-02-30:2026-03-01",
    "../../etc/passwd",
    "sleep:1",
  ])("refuse the id “%s” with a message", async (id) => {
    const result = await callTool(service, tokens.access_token, "fetch", { id })
    expect(result.isError).toBe(true)
    expect(result.content[0]?.text).toMatch(/^invalid_request: .+/)
  })
})

test("an account without a vendor gets the address where one is connected", async () => {
  const alone = new Member(service)
  await alone.signUp()
  const { access_token } = await connectAssistant(service, alone)
  const result = await callTool(service, access_token, "get_summary")
  expect(result.isError).toBe(true)
  expect(result.content[0]?.text).toBe(
    `not_found: no health provider connected, connect one in the dashboard. Connect a vendor at ${service.url}/connections`,
  )
})

const mapValues = (object: object, change: (value: unknown) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))
