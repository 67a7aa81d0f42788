import {
  ALL_SCOPES,
  callConnector,
  callTool,
  connectAssistant,
  messageOf,
  type Tokens,
} from "@restwell/testing/assistant"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"

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
  service = await startTestService({ days: 120, environment: { FREE_MONTHLY_REQUESTS: "1000000" } })
  ;({ member, key } = await Member.connected(service, service.simulator.people.add({ email: "ada@example.com" })))
  tokens = await connectAssistant(service, member)
  const list = await messageOf(await callConnector(service, tokens.access_token, "tools/list"))
  tools = z.object({ tools: z.array(ToolSchema) }).parse(list.result).tools
})
afterAll(() => service.close())

/** What a record is called by the vendor is left out of the tools' answers. */
function withoutRecordIds(body: { records?: Record<string, unknown>[] }): unknown {
  return body.records ? { ...body, records: body.records.map(({ id: _, ...record }) => record) } : body
}

/** A range as a person may ask for it; dates that the 120 days of history reach and some that they do not. */
const dates = fc.integer({ min: 0, max: 140 }).map((back) => dateBefore(back))
const range = fc.oneof(
  fc.record({ days: fc.integer({ min: 1, max: 90 }) }),
  fc.record({ days: fc.integer({ min: 1, max: 90 }), end_date: dates }),
  fc.tuple(dates, fc.integer({ min: 0, max: 60 })).map(([start, length]) => ({
    start_date: start,
    end_date: Temporal.PlainDate.from(start).add({ days: length }).toString(),
  })),
  fc.constant({}),
)

function dateBefore(days: number): string {
  const today = Temporal.Instant.fromEpochMilliseconds(service.simulator.clock.now().getTime()).toZonedDateTimeISO(
    "UTC",
  )
  return today.toPlainDate().subtract({ days }).toString()
}

test("there are eight tools, named and described for those who choose between them", () => {
  expect(tools.map(({ name }) => name)).toEqual([...TOOLS, "get_profile", "search", "fetch"])
  for (const { name, description } of tools) {
    expect(name).toMatch(/^[a-z_]+$/)
    expect(description.length).toBeGreaterThan(40)
  }
})

test("the reference for people names every one of them", async () => {
  const page = await (await fetch(`${service.url}/docs`)).text()
  for (const { name } of tools) expect(page).toContain(`<code>${name}</code>`)
})

describe.each(TOOLS)("%s", (name) => {
  test("answers any range with the figures of REST, as its schema says", async () => {
    const validate = formats
      .default(new Ajv2020({ strict: false }))
      .compile(tools.find((tool) => tool.name === name)?.outputSchema ?? {})
    await fc.assert(
      fc.asyncProperty(range, async (asked) => {
        const result = await callTool(service, tokens.access_token, name, asked)
        const search = new URLSearchParams({ type: TYPES[name], ...mapValues(asked, String) })
        const rest = await readHealth(service.url, key, `?${search}`)
        expect(rest.status).toBe(200)
        expect(result.isError).toBeFalsy()
        expect(result.structuredContent).toEqual(withoutRecordIds(await rest.json()))
        expect(validate(result.structuredContent), JSON.stringify(validate.errors)).toBe(true)
        expect(result.content).toHaveLength(1)
      }),
      { numRuns: 40 },
    )
  })

  test("says of every figure in its text what the structured answer says", async () => {
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
    ["more than 90 dates", { days: 91 }, /90|too big/i],
    ["no date", { days: 0 }, /1|too small/i],
    ["half a date", { days: 1.5 }, /int/i],
    ["a word for a number", { days: "seven" }, /number|int/i],
    ["a day that is none", { start_date: "2026-02-30" }, /calendar/],
    ["a date written otherwise", { end_date: "20.11.2026" }, /YYYY-MM-DD/],
    ["an end before its start", { start_date: "2026-11-10", end_date: "2026-11-01" }, /start_date|end_date/],
    ["half a year", { start_date: "2026-01-01", end_date: "2026-06-30" }, /90/],
    ["an unknown parameter", { weeks: 1 }, /weeks|unrecognized/i],
  ])("refuses %s in words", async (_what, asked, words) => {
    const result = await callTool(service, tokens.access_token, name, asked)
    expect(result.isError).toBe(true)
    expect(result.content[0]?.text).toMatch(words)
    expect(result.structuredContent).toBeUndefined()
  })
})

test("get_profile is REST's profile", async () => {
  const { structuredContent } = await callTool(service, tokens.access_token, "get_profile")
  expect(structuredContent).toEqual(await (await readHealth(service.url, key, "?type=profile")).json())
})

describe("search and fetch", () => {
  const SearchSchema = z.object({
    results: z.array(z.strictObject({ id: z.string(), title: z.string(), url: z.url() })),
  })
  const search = async (query: string) =>
    SearchSchema.parse((await callTool(service, tokens.access_token, "search", { query })).structuredContent).results

  test("find the days of a sport, each of which can be read", async () => {
    const workouts = await (await readHealth(service.url, key, "?type=workout&days=30")).json()
    const sport = workouts.records[0].sport_type
    const results = await search(`how were my ${sport} days?`)
    expect(results[0]?.title).toContain(sport)
    for (const { id } of results) {
      const result = await callTool(service, tokens.access_token, "fetch", { id })
      expect(result.structuredContent).toMatchObject({
        id,
        text: expect.stringMatching(/From whoop/),
        url: expect.any(String),
      })
      // In the shape that research modes take: the same as JSON in the text.
      expect(JSON.parse(result.content[0]?.text ?? "")).toEqual(result.structuredContent)
    }
  })

  test("find a date that is named, however long ago", async () => {
    const date = dateBefore(100)
    expect((await search(`what was on ${date}?`)).map(({ id }) => id)).toEqual([`day:${date}`])
  })

  test.each(["", "???", "x".repeat(500), "🦥", "' or 1=1 --", "how did I sleep last week"])(
    "give something for “%s”",
    async (query) => {
      expect((await search(query)).length).toBeGreaterThan(0)
    },
  )

  test.each(["", "day:2026-02-30", "day:yesterday", "summary:8", "../../etc/passwd", "sleep:1"])(
    "fetch refuses the id “%s” in words",
    async (id) => {
      const result = await callTool(service, tokens.access_token, "fetch", { id })
      expect(result.isError).toBe(true)
      expect(result.content[0]?.text).toMatch(/^invalid_request: .+/)
    },
  )
})

describe("what the person allows", () => {
  const scopes = ALL_SCOPES.split(" ")

  test("is what each tool gives, whatever is asked, type by type and date by date", async () => {
    const NEEDS = {
      get_sleep: "sleep:read",
      get_recovery: "recovery:read",
      get_workouts: "workouts:read",
      get_cycles: "workouts:read",
      get_profile: "profile:read",
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
          if (allowed.every((one) => one === "profile:read")) expect(summary.isError).toBe(true)
          else
            for (const [section, needed] of Object.entries(sections))
              expect(summary.structuredContent?.[section] === null, section).toBe(!allowed.includes(needed))
          const [tool] =
            Object.entries(NEEDS).find(([name, needed]) => name !== "get_profile" && allowed.includes(needed)) ?? []
          if (tool === undefined) return
          const window = days === "all" ? 1000 : Number(days)
          for (const back of [window - 1, window, window + 30]) {
            const result = await callTool(service, access_token, tool, {
              start_date: dateBefore(back),
              end_date: dateBefore(back),
            })
            expect(result.isError ?? false, `${back} days back of ${days}`).toBe(back >= window && days !== "all")
            if (result.isError)
              expect(result.content[0]?.text).toContain(`ask for dates from ${dateBefore(window - 1)}`)
          }
        },
      ),
      { numRuns: 15 },
    )
  })

  test("is asked for step by step: a scope that the client did not ask for is named in the challenge", async () => {
    const { access_token } = await connectAssistant(service, member, { scope: "sleep:read" })
    expect((await callTool(service, access_token, "get_sleep")).isError).toBeFalsy()
    const answer = await callConnector(service, access_token, "tools/call", { name: "get_recovery", arguments: {} })
    expect(answer.status).toBe(403)
    const challenge = answer.headers.get("www-authenticate")
    expect(challenge).toContain('error="insufficient_scope"')
    expect(challenge).toMatch(/scope="(?=[^"]*sleep:read)(?=[^"]*recovery:read)/)
    expect(challenge).toContain(`resource_metadata="${service.url}/.well-known/oauth-protected-resource/api/mcp/oauth"`)
  })

  test("is the newest word for all tokens of the same assistant", async () => {
    const first = await connectAssistant(service, member)
    expect((await callTool(service, first.access_token, "get_recovery")).isError).toBeFalsy()
    await connectAssistant(service, member, {
      client: { client_id: first.clientId },
      choice: { scopes: ["sleep:read"], days: "7" },
    })
    expect((await callTool(service, first.access_token, "get_recovery")).isError).toBe(true)
    expect((await callTool(service, first.access_token, "get_sleep", { days: 8 })).isError).toBe(true)
  })

  test("is never more than the token was given for, whatever another of the same assistant may", async () => {
    const less = await connectAssistant(service, member, { scope: "sleep:read" })
    await connectAssistant(service, member, { client: { client_id: less.clientId } })
    const { structuredContent } = await callTool(service, less.access_token, "get_summary")
    expect(structuredContent).toMatchObject({
      sleep: { night_count: expect.any(Number) },
      recovery: null,
      strain: null,
    })
    const found = await callTool(service, less.access_token, "search", { query: dateBefore(3) })
    expect(JSON.stringify(found)).not.toMatch(/recovery|strain|workout/)
  })

  test("is one person's own: another's assistant sees another's data", async () => {
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
})

test("an account without a vendor is told where to connect one", async () => {
  const alone = new Member(service)
  await alone.signUp()
  const { access_token } = await connectAssistant(service, alone)
  const result = await callTool(service, access_token, "get_summary")
  expect(result.isError).toBe(true)
  expect(result.content[0]?.text).toBe(
    `not_found: no health provider connected, connect one in the dashboard. Connect a vendor at ${service.url}/connections`,
  )
})

describe("resources and prompts", () => {
  const ask = async (method: string, params: object = {}) =>
    (await messageOf(await callConnector(service, tokens.access_token, method, params))).result

  test("today, the week and any day can be handed over by address", async () => {
    expect(await ask("resources/list")).toMatchObject({
      resources: [{ uri: "restwell://summary/today" }, { uri: "restwell://summary/week" }],
    })
    expect(await ask("resources/templates/list")).toMatchObject({
      resourceTemplates: [{ uriTemplate: "restwell://day/{date}" }],
    })
    const week = await callTool(service, tokens.access_token, "get_summary")
    expect(await ask("resources/read", { uri: "restwell://summary/week" })).toMatchObject({
      contents: [{ mimeType: "text/plain", text: week.content[0]?.text }],
    })
    const date = dateBefore(3)
    expect(await ask("resources/read", { uri: `restwell://day/${date}` })).toMatchObject({
      contents: [{ text: expect.stringContaining(date) }],
    })
  })

  test.each(["restwell://day/2026-02-30", "restwell://day/yesterday", "restwell://nothing"])(
    "%s is refused",
    async (uri) => {
      const { error } = await messageOf(await callConnector(service, tokens.access_token, "resources/read", { uri }))
      expect(error?.code).toBeLessThan(0)
    },
  )

  test("three prompts are ready to be chosen", async () => {
    expect(await ask("prompts/list")).toMatchObject({
      prompts: [{ name: "weekly_review" }, { name: "readiness_today" }, { name: "sleep_debt" }],
    })
    for (const name of ["weekly_review", "readiness_today", "sleep_debt"]) {
      const text = JSON.stringify(await ask("prompts/get", { name }))
      for (const [tool = ""] of text.matchAll(/get_\w+/g)) expect(tools.map((one) => one.name)).toContain(tool)
    }
  })
})

const mapValues = (object: object, change: (value: unknown) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))
