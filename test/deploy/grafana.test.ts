/* The dashboard of Grafana: Restwell answers each of its queries, and has each of its columns. */
import { readFile } from "node:fs/promises"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { parse } from "csv-parse/sync"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { DEPLOY, readDocuments } from "./documents.ts"

/** A query of Infinity: https://grafana.com/docs/plugins/yesoreyeram-infinity-datasource/latest/query/ */
const common = {
  refId: z.string(),
  datasource: z.object({
    type: z.literal("yesoreyeram-infinity-datasource"),
    uid: z.string().regex(/^\$\{datasource\}$/),
  }),
  source: z.literal("url"),
  format: z.enum(["table", "timeseries"]),
  // The one of which Grafana's alerts can use the result.
  parser: z.literal("backend"),
  url: z.string().startsWith("/api/v1/"),
  url_options: z.strictObject({
    method: z.literal("GET"),
    params: z.array(z.strictObject({ key: z.string(), value: z.string() })),
  }),
  columns: z
    .array(z.strictObject({ selector: z.string(), text: z.string(), type: z.enum(["string", "number", "timestamp"]) }))
    .min(1),
  filters: z.tuple([]),
}
const TargetSchema = z.discriminatedUnion("type", [
  z.strictObject({ ...common, type: z.literal("json"), root_selector: z.string() }),
  z.strictObject({ ...common, type: z.literal("csv") }),
])
type Target = z.infer<typeof TargetSchema>

const DashboardSchema = z.looseObject({
  title: z.string(),
  templating: z.object({
    list: z.tuple([z.looseObject({ name: z.literal("datasource"), type: z.literal("datasource") })]),
  }),
  panels: z.array(
    z.looseObject({
      id: z.int(),
      type: z.enum(["stat", "timeseries", "barchart", "table"]),
      title: z.string(),
      gridPos: z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
      targets: z.tuple([TargetSchema]),
    }),
  ),
})

const NOW = "2026-11-20T12:00:00Z"
const { panels } = DashboardSchema.parse(JSON.parse(await readFile(`${DEPLOY}grafana/restwell.json`, "utf8")))

let service: TestService
let key: string
beforeAll(async () => {
  service = await startTestService({ vendor: "oura", days: 60, now: new Date(NOW) })
  const person = service.simulator.people.add({ email: "ada@vendor.example" })
  const { member, key: own } = await Member.connected(service, person)
  await member.connect(person, "oura")
  await member.untilHistoryIsComplete()
  key = own
})
afterAll(() => service.close())

/** Grafana's variables of the span of time, of 30 days that end tomorrow, as where it is later. */
const filled = (text: string): string =>
  text.replace(/^\$\{__from:date:YYYY-MM-DD\}$/, "2026-10-22").replace(/^\$\{__to:date:YYYY-MM-DD\}$/, "2026-11-21")

async function answerOf({ url, url_options: { params } }: Target): Promise<Response> {
  const query = new URLSearchParams(params.map(({ key: name, value }) => [name, filled(value)]))
  expect(query.toString()).not.toContain("%24%7B")
  return fetch(`${service.url}${url}?${query}`, { headers: { authorization: `Bearer ${key}` } })
}

const RowsSchema = z.array(z.record(z.string(), z.unknown()))

async function rowsOf(target: Target): Promise<readonly Record<string, unknown>[]> {
  const response = await answerOf(target)
  const text = await response.text()
  expect([response.status, text]).toEqual([200, expect.any(String)])
  if (target.type === "csv") return RowsSchema.parse(parse(text, { columns: true }))
  return RowsSchema.parse(z.record(z.string(), z.unknown()).parse(JSON.parse(text))[target.root_selector])
}

/** The value of a selector, as `stages.deep_hours`. Undefined where the path is not there. */
const valueAt = (row: unknown, selector: string): unknown =>
  selector.split(".").reduce<unknown>((part, name) => {
    const found = z.record(z.string(), z.unknown()).safeParse(part)
    return found.success ? found.data[name] : undefined
  }, row)

const MATCHES = {
  number: (value: unknown) => value !== "" && Number.isFinite(Number(value)),
  timestamp: (value: unknown) => typeof value === "string" && !Number.isNaN(Date.parse(value)),
  string: (value: unknown) => typeof value === "string",
} as const

test.each(panels.map((panel) => [panel.title, panel] as const))(
  "%s has rows with each of its columns",
  async (_title, panel) => {
    const [target] = panel.targets
    const rows = await rowsOf(target)
    expect(rows.length).toBeGreaterThan(0)
    for (const { selector, type } of target.columns) {
      const values = rows.map((row) => valueAt(row, selector)).filter((value) => value !== null && value !== "")
      expect([selector, values.length > 0, values.every(MATCHES[type])]).toEqual([selector, true, true])
    }
  },
)

test("panels lie beside each other without an overlap, and have names and numbers of their own", () => {
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true)
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length)
})

test("its data source sends the key to the address of Restwell alone", async () => {
  const [file] = await readDocuments("grafana/datasource.yaml")
  expect(file).toMatchObject({
    datasources: [
      {
        type: "yesoreyeram-infinity-datasource",
        url: "http://localhost:3000",
        jsonData: { auth_method: "bearerToken", allowedHosts: ["http://localhost:3000"] },
      },
    ],
  })
})
