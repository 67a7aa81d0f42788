import { callConnector, callTool, connectAssistant, messageOf, type Tokens } from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { daysAgo } from "./days-ago.ts"

const ToolsSchema = z.object({ tools: z.array(z.looseObject({ name: z.string() })) })

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

const callMethod = async (method: string, params: object = {}) =>
  (await messageOf(await callConnector(service, tokens.access_token, method, params))).result

test("today, the week and any day can be read as resources", async () => {
  expect(await callMethod("resources/list")).toMatchObject({
    resources: [
      { uri: "restwell://summary/today" },
      { uri: "restwell://summary/week" },
      { uri: expect.stringMatching(/^ui:\/\/restwell\/chart-/) },
    ],
  })
  expect(await callMethod("resources/templates/list")).toMatchObject({
    resourceTemplates: [{ uriTemplate: "restwell://day/{date}" }, { uriTemplate: "restwell://csv/{type}/{range}" }],
  })
  const week = await callTool(service, tokens.access_token, "get_summary")
  expect(await callMethod("resources/read", { uri: "restwell://summary/week" })).toMatchObject({
    contents: [{ mimeType: "text/plain", text: week.content[0]?.text }],
  })
  const date = daysAgo(service, 3)
  expect(await callMethod("resources/read", { uri: `restwell://day/${date}` })).toMatchObject({
    contents: [{ text: expect.stringContaining(date) }],
  })
})

test.each(["restwell://day/2026-02-30", "restwell://day/yesterday", "restwell://nothing"])(
  "the resource %s gets an error",
  async (uri) => {
    const { error } = await messageOf(await callConnector(service, tokens.access_token, "resources/read", { uri }))
    expect(error?.code).toBeLessThan(0)
  },
)

/** The cells of a row. One with a comma is in quotation marks. */
const cellsOf = (row: string): (string | undefined)[] =>
  [...row.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^",]*)/g)].map(([, cell]) => cell)

test.each([
  ["get_sleep", "sleep"],
  ["get_recovery", "recovery"],
  ["get_workouts", "workout"],
  ["get_cycles", "cycle"],
])("an answer of %s has a link to its records as CSV", async (name, type) => {
  const range = { start_date: daysAgo(service, 40), end_date: daysAgo(service, 11) }
  const { links, structuredContent } = await callTool(service, tokens.access_token, name, { ...range, limit: 1 })
  expect(links).toMatchObject([{ uri: expect.stringContaining(`restwell://csv/${type}/`), mimeType: "text/csv" }])
  expect(structuredContent).toMatchObject({ count: 1 })
  const result = await callMethod("resources/read", { uri: links[0]?.uri })
  const { contents } = z
    .object({ contents: z.array(z.object({ mimeType: z.string(), text: z.string() })) })
    .parse(result)
  const [head = "", ...rows] = contents[0]?.text.trimEnd().split("\r\n") ?? []
  const whole = await callTool(service, tokens.access_token, name, range)
  const records = z.array(z.looseObject({ date: z.string() })).parse(whole.structuredContent?.["records"])
  const columns = cellsOf(head)
  expect(rows.map((row) => cellsOf(row)[columns.indexOf("date")])).toEqual(records.map(({ date }) => date))
  for (const row of rows) expect(cellsOf(row)).toHaveLength(columns.length)
})

test("a range of any length is one file, and one request", async () => {
  const used = async () =>
    z.object({ usage: z.object({ used: z.int() }) }).parse(await (await member.send("GET", "/api/account")).json())
      .usage.used
  const nights = new Set<string>()
  for (const [from, to] of [
    [150, 90],
    [89, 0],
  ] as const) {
    const range = { start_date: daysAgo(service, from), end_date: daysAgo(service, to) }
    const { structuredContent } = await callTool(service, tokens.access_token, "get_sleep", range)
    for (const { date } of z.array(z.looseObject({ date: z.string() })).parse(structuredContent?.["records"]))
      nights.add(date)
  }
  expect(nights.size).toBeGreaterThan(110)
  const uri = `restwell://csv/sleep/start_date=${daysAgo(service, 400)}`
  const before = await used()
  const { contents } = z
    .object({ contents: z.array(z.object({ text: z.string() })) })
    .parse(await callMethod("resources/read", { uri }))
  const [head = "", ...rows] = contents[0]?.text.trimEnd().split("\r\n") ?? []
  const dates = rows.map((row) => row.split(",")[head.split(",").indexOf("date")] ?? "")
  expect(dates).toEqual(dates.toSorted().toReversed())
  expect(new Set(dates)).toEqual(nights)
  expect(await used()).toBe(before + 1)
})

test("an empty answer has no link", async () => {
  const range = { start_date: "2020-01-01", end_date: "2020-01-02" }
  expect((await callTool(service, tokens.access_token, "get_sleep", range)).links).toEqual([])
})

test.each([[{ days: 365 }], [{ start_date: "2026-01-01" }]])(
  "a list of %j is a link to one file with all records",
  async (range) => {
    const { links, structuredContent, content } = await callTool(service, tokens.access_token, "get_sleep", range)
    expect(structuredContent).toMatchObject({ records: [], count: 0, note: content[0]?.text })
    expect(content[0]?.text).toMatch(/^\d+ dates are too many for an answer/)
    const [link] = links
    const file = await callMethod("resources/read", { uri: link?.uri })
    const rows = z
      .object({ contents: z.array(z.object({ text: z.string() })) })
      .parse(file)
      .contents[0]?.text.split("\r\n")
    expect(rows?.length).toBeGreaterThan(100)
  },
)

test.each([
  "restwell://csv/profile/days=7",
  "restwell://csv/sleep/days=4001",
  "restwell://csv/sleep/start_date=1900-01-01",
  "restwell://csv/sleep/weeks=1",
  "restwell://csv/sleep/start_date=2026-02-30",
  "restwell://day/2026-02-30",
  "restwell://day/tomorrow",
])("the resource %s does not exist, and the error says why", async (uri) => {
  const { error } = await messageOf(await callConnector(service, tokens.access_token, "resources/read", { uri }))
  expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("invalid_request: ") })
})

test("a resource that the person does not share is an error in the words of a tool", async () => {
  const { access_token } = await connectAssistant(service, member, { choice: { scopes: ["sleep:read"], days: "7" } })
  const uri = "restwell://csv/sleep/start_date=2026-01-01&end_date=2026-01-31"
  const { error } = await messageOf(await callConnector(service, access_token, "resources/read", { uri }))
  expect(error).toMatchObject({ code: -32603, message: expect.stringMatching(/^forbidden: .*ask for dates from/) })
})

const PROMPTS: readonly (readonly [name: string, args: Record<string, string>, part: string])[] = [
  ["weekly_review", { end_date: "2026-11-01" }, "up to 2026-11-01"],
  ["readiness_today", {}, "get_today"],
  ["sleep_debt", { days: "60" }, "60 days"],
  ["metric_trend", { metric: "bedtime", days: "365" }, "my bedtime develop over the last 365 days"],
  ["what_goes_with", { outcome: "deep" }, "my deep?"],
]

test("lists the prompts, which work without arguments and name only existing tools", async () => {
  const { tools } = ToolsSchema.parse(await callMethod("tools/list"))
  expect(await callMethod("prompts/list")).toMatchObject({ prompts: PROMPTS.map(([name]) => ({ name })) })
  for (const [name] of PROMPTS) {
    const text = JSON.stringify(await callMethod("prompts/get", { name }))
    for (const [tool = ""] of text.matchAll(/(?:get|compare|find)_[a-z]+(?=[^a-z_])/g))
      expect(tools.map(({ name }) => name)).toContain(tool)
  }
})

test.each(PROMPTS)("the prompt %s uses its arguments %j", async (name, args, part) => {
  expect(JSON.stringify(await callMethod("prompts/get", { name, arguments: args }))).toContain(part)
})

test.each([
  ["weekly_review", { end_date: "yesterday" }],
  ["metric_trend", { metric: "happiness" }],
  ["sleep_debt", { days: "-1" }],
])("the prompt %s refuses %j", async (name, args) => {
  const { error } = await messageOf(
    await callConnector(service, tokens.access_token, "prompts/get", { name, arguments: args }),
  )
  expect(error?.code).toBe(-32602)
})
