import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { getToolUiResourceUri, RESOURCE_MIME_TYPE } from "@modelcontextprotocol/ext-apps/app-bridge"
import { CHART_KEY, type Chart, ChartSchema, TrendResponseSchema } from "@restwell/client"
import { mergeSamples } from "@restwell/core"
import { connectAssistant, resourceOf } from "@restwell/testing/assistant"
import { useBrowser } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { type ChatServers, startChatServers } from "./chat.ts"

const PROGRAM = new URL("../../packages/server/bin/restwell.js", import.meta.url).pathname
const LEGACY = "2025-11-25"
const MODERN = "2026-07-28"
const CHARTED: Readonly<Record<string, Record<string, unknown>>> = {
  get_trend: { metric: "hrv", days: 90 },
  compare_periods: { metric: "bedtime", days: 14 },
  find_relations: { outcome: "recovery_score", factor: "strain", lag: 1 },
  get_today: {},
  get_series: { type: "heart_rate", days: 2 },
}

let service: TestService
const browser = useBrowser()
let servers: ChatServers
let token: string
let key: string
beforeAll(async () => {
  service = await startTestService({ days: 100 })
  const made = await Member.connected(service, service.simulator.people.add({ email: "ada@example.com" }))
  key = made.key
  await storeHeartRates(made.member)
  token = (await connectAssistant(service, made.member)).access_token
  servers = await startChatServers()
})
afterAll(async () => {
  await servers[Symbol.asyncDispose]()
  await service.close()
})

/** A value for each ten minutes of two days. The vendor has none. */
async function storeHeartRates({ email }: Member): Promise<void> {
  const { pool, database } = service.store
  const { rows } = await pool.query('select id from restwell."user" where email = $1', [email])
  const nowMs = Math.floor(service.simulator.clock.now().getTime() / 600_000) * 600_000
  const samples = Array.from({ length: 288 }, (_, ago) => ({ atMs: nowMs - ago * 600_000, value: 60 + (ago % 30) }))
  const of = { userId: String(rows[0]?.id), provider: "whoop" }
  await database
    .transaction()
    .execute((transaction) => mergeSamples(transaction, of, [{ type: "heart_rate", samples: samples.toReversed() }]))
}

/** What a program that shows views says of itself. */
const CAPABILITIES = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: [RESOURCE_MIME_TYPE] } } }

async function connect(transport: "http" | "stdio", mode: "legacy" | "auto"): Promise<Client> {
  const client = new Client(
    { name: "reference", version: "1" },
    { versionNegotiation: { mode }, capabilities: CAPABILITIES },
  )
  const env = { RESTWELL_URL: service.url, RESTWELL_API_KEY: key }
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(
    transport === "http"
      ? new StreamableHTTPClientTransport(new URL(resourceOf(service)), { requestInit })
      : new StdioClientTransport({ command: process.execPath, args: [PROGRAM, "mcp"], env }),
  )
  return client
}

describe.each([
  ["http", LEGACY, "legacy"],
  ["http", MODERN, "auto"],
  ["stdio", LEGACY, "legacy"],
  ["stdio", MODERN, "auto"],
] as const)("over %s in protocol version %s", (transport, version, mode) => {
  let client: Client
  beforeAll(async () => {
    client = await connect(transport, mode)
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
  })
  afterAll(() => client.close())

  const viewUri = async (): Promise<string> => {
    const { tools } = await client.listTools()
    const uris = tools.map((tool) => getToolUiResourceUri(tool))
    const [uri, ...others] = new Set(uris.filter((each) => each !== undefined))
    expect(others).toEqual([])
    expect(
      tools
        .filter((tool) => getToolUiResourceUri(tool) !== undefined)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(Object.keys(CHARTED).toSorted())
    return uri ?? ""
  }

  const readView = async () => {
    const uri = await viewUri()
    const { contents } = await client.readResource({ uri })
    const [content] = contents
    if (!content || !("text" in content)) throw new Error("the view has no text")
    return { uri, content }
  }

  test("the server announces views, and each tool names the same one under every key", async () => {
    expect(client.getServerCapabilities()?.extensions).toEqual({ "io.modelcontextprotocol/ui": {} })
    const uri = await viewUri()
    const { tools } = await client.listTools()
    for (const tool of tools)
      if (tool.name in CHARTED)
        expect(tool._meta).toEqual({ ui: { resourceUri: uri }, "ui/resourceUri": uri, "openai/outputTemplate": uri })
  })

  test("the view is one document of the right type that declares no address and names none", async () => {
    const { uri, content } = await readView()
    const { resources } = await client.listResources()
    const ui = { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: false }
    expect(resources).toContainEqual(expect.objectContaining({ uri, mimeType: RESOURCE_MIME_TYPE, _meta: { ui } }))
    expect(content).toMatchObject({ uri, mimeType: RESOURCE_MIME_TYPE, _meta: { ui } })
    expect(content.text).toMatch(/^<!doctype html>/)
    const markup = content.text.replace(/<script type="module">.*<\/script>/s, "").replace(/<style>.*<\/style>/s, "")
    expect(markup).not.toMatch(/src=|href=|<link|<script|url\(/)
    expect(content.text.match(/<script type="module">(.*)<\/script>/s)?.[1]).not.toMatch(
      /<\/script|\bimport\(|\bfetch\(/,
    )
    expect(content.text.match(/<style>(.*?)<\/style>/s)?.[1]).not.toMatch(/@import|url\((?!["']?data:)/)
  })

  test("every result has a chart of this service", async () => {
    for (const [name, question] of Object.entries(CHARTED)) {
      const { _meta } = await client.callTool({ name, arguments: question })
      expect(ChartSchema.parse(_meta?.[CHART_KEY]).url.startsWith(service.url), name).toBe(true)
    }
  })

  // Every way brings the same charts, so those of one are drawn.
  const drawn = transport === "http" && version === MODERN ? Object.entries(CHARTED) : []
  test.for(drawn)("the official host draws the result of %s", async ([name, question]) => {
    const { content } = await readView()
    const result = await client.callTool({ name, arguments: question })
    const chart = ChartSchema.parse(result._meta?.[CHART_KEY])
    const chat = await servers.open(browser, content.text)
    await chat.input(question)
    await chat.result(result)
    await chat.view.getByRole("heading", { level: 1, name: TITLES[chart.kind] }).waitFor()
    await chat.expectGood()
    expect(await chat.faults()).toEqual([])
    expect(chart.url.startsWith(service.url)).toBe(true)
    await chat.close()
  })
})

const TITLES: Readonly<Record<Chart["kind"], string>> = {
  trend: "Heart rate variability",
  comparison: "Bedtime",
  relation: "Recovery and strain",
  night: "Last night",
  series: "Heart rate",
}

const AnsweredSchema = z.looseObject({
  dates: z.array(z.object({ date: z.string(), rows: z.array(z.array(z.union([z.string(), z.number()]))) })),
})

async function viewOf(client: Client): Promise<string> {
  const { tools } = await client.listTools()
  const uri = tools.map((tool) => getToolUiResourceUri(tool)).find((each) => each !== undefined) ?? ""
  const [content] = (await client.readResource({ uri })).contents
  if (!content || !("text" in content)) throw new Error("the view has no text")
  return content.text
}

describe("the data of a chart", () => {
  let client: Client
  beforeAll(async () => {
    client = await connect("http", "auto")
  })
  afterAll(() => client.close())

  const chartOf = async (name: string, question: Record<string, unknown>): Promise<Chart> =>
    ChartSchema.parse((await client.callTool({ name, arguments: question }))._meta?.[CHART_KEY])

  test("has every value of a trend, which the assistant reads none of", async () => {
    const result = await client.callTool({ name: "get_trend", arguments: { metric: "hrv", days: 90 } })
    const chart = ChartSchema.parse(result._meta?.[CHART_KEY])
    const { points: listed } = TrendResponseSchema.parse(
      (await client.callTool({ name: "get_trend", arguments: { metric: "hrv", days: 90, points: true } }))
        .structuredContent,
    )
    if (chart.kind !== "trend") throw new Error("no trend")
    expect(chart.answer.points?.length).toBeGreaterThan(60)
    expect(chart.answer.points).toEqual(listed)
    expect(result.structuredContent).toMatchObject({ points: null })
    expect(JSON.stringify(result.content)).not.toContain(String(listed?.[40]?.[0]))
  })

  test("has the values of both periods of a comparison, in the right one", async () => {
    const chart = await chartOf("compare_periods", { metric: "hrv", days: 14 })
    if (chart.kind !== "comparison") throw new Error("no comparison")
    const { points, answer } = chart
    expect(points?.period.map(([date]) => date)).toSatisfy((dates: string[]) =>
      dates.every((date) => date >= answer.period.start_date && date <= answer.period.end_date),
    )
    expect(points?.period).toHaveLength(answer.period.n)
    expect(points?.with).toHaveLength(answer.with.n)
  })

  test("has the spread of each group of a relation, which the text has too", async () => {
    const question = { outcome: "hrv", factor: "strain", days: 90 }
    const result = await client.callTool({ name: "find_relations", arguments: question })
    const chart = ChartSchema.parse(result._meta?.[CHART_KEY])
    if (chart.kind !== "relation" || !("groups" in chart.answer)) throw new Error("no thirds")
    expect(chart.answer.groups).toHaveLength(3)
    for (const { mean, n, sd } of chart.answer.groups) {
      expect(sd).toBeGreaterThan(0)
      expect(JSON.stringify(result.content)).toContain(`${mean} (n ${n}, sd ${sd} ms)`)
    }
  })

  test("is drawn by weekday where the question was by weekday", async () => {
    const chat = await servers.open(browser, await viewOf(client))
    await chat.input({})
    await chat.result(
      await client.callTool({ name: "get_trend", arguments: { metric: "asleep", days: 90, by: "weekday" } }),
    )
    await chat.view.getByRole("heading", { level: 1, name: "Time asleep by weekday" }).waitFor()
    await chat.expectGood()
    expect(await chat.faults()).toEqual([])
    await chat.close()
  })

  test("has the values of a day in columns, as the assistant reads them", async () => {
    const question = { type: "heart_rate", days: 2 }
    const { structuredContent, _meta: meta } = await client.callTool({ name: "get_series", arguments: question })
    const { dates } = AnsweredSchema.parse(structuredContent)
    const chart = ChartSchema.parse(meta?.[CHART_KEY])
    if (chart.kind !== "series") throw new Error("no series")
    const rows = dates.flatMap(({ date, rows: ofDate }) =>
      ofDate.map(([time, ...figures]) => [`${date}T${time}`, ...figures]),
    )
    expect(rows.length).toBeGreaterThan(24)
    expect(chart.points.map(({ time, value, low, high }) => [time, value, low, high])).toEqual(rows)
    expect((await client.callTool({ name: "get_series", arguments: { type: "weight" } }))._meta?.[CHART_KEY]).toBe(
      undefined,
    )
  })

  test("is absent from an error", async () => {
    const result = await client.callTool({ name: "get_trend", arguments: { metric: "hrv", start_date: "2025-02-30" } })
    expect(result.isError).toBe(true)
    expect(result._meta?.[CHART_KEY]).toBeUndefined()
  })
})

test("a chart opens the dates and the source of the question", async () => {
  const client = await connect("http", "auto")
  const opened = async (name: string, question: Record<string, unknown>) => {
    const { _meta } = await client.callTool({ name, arguments: question })
    const { pathname, searchParams } = new URL(ChartSchema.parse(_meta?.[CHART_KEY]).url)
    return [pathname, Object.fromEntries(searchParams)]
  }
  const ofDates = { metric: "hrv", start_date: "2026-10-01", end_date: "2026-10-31" }
  const ofSource = { ...ofDates, source: "whoop" }
  expect(await opened("get_trend", ofDates)).toEqual(["/trends", ofDates])
  expect(await opened("get_trend", ofSource)).toEqual(["/trends", ofSource])
  expect(await opened("compare_periods", ofSource)).toEqual(["/trends", ofSource])
  const { metric: outcome, ...dates } = ofSource
  expect(await opened("find_relations", { outcome, factor: "strain", ...dates })).toEqual([
    "/insights",
    { outcome, factor: "strain", lag: expect.any(String), ...dates },
  ])
  await client.close()
})
