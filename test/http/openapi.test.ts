import { createConfig, lintFromString } from "@redocly/openapi-core"
import { sourceName } from "@restwell/client/figures"
import { DATA_SOURCES } from "@restwell/providers"
import { describeApi } from "@restwell/server/api-document"
import { MEMBER_PAGES, PUBLIC_PAGES } from "@restwell/server/built-pages"
import { DESCRIBED, routesOf } from "@restwell/server/routes"
import { Member } from "@restwell/testing/member"
import { startTestService } from "@restwell/testing/service"
import spectral from "@stoplight/spectral-core"
import rulesets from "@stoplight/spectral-rulesets"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { expect, test } from "vitest"
import { z } from "zod"

const document = describeApi({ baseUrl: "https://restwell.example", version: "1.2.3", endpoints: DESCRIBED })
const text = JSON.stringify(document)

/** The routes are only listed, so the handlers need no services. */
const routes = routesOf(() => ({ ...Object.create(null), config: {} }))

test("is OpenAPI 3.1", () => {
  expect(document.openapi).toMatch(/^3\.1\./)
})

test("Redocly's recommended rules find nothing", async () => {
  // Two operations only redirect, which this rule does not allow.
  const config = await createConfig({ extends: ["recommended"], rules: { "operation-2xx-response": "off" } })
  const problems = await lintFromString({ source: text, absoluteRef: "openapi.json", config })
  expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual([])
})

test("Spectral's OpenAPI rules find nothing", async () => {
  const linter = new spectral.Spectral()
  linter.setRuleset({ extends: [Object(rulesets.oas)] })
  const problems = await linter.run(text)
  expect(problems.map(({ code, message, path }) => `${code}: ${message} ${path.join(".")}`)).toEqual([])
})

test("every example is valid under its schema", () => {
  const ajv = formats.default(new Ajv2020({ strict: false }))
  ajv.addSchema(document, "openapi")
  let checked = 0
  const walk = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return
    if ("schema" in node && ("example" in node || "examples" in node)) {
      const schema = JSON.parse(JSON.stringify(node.schema).replaceAll('"#/', '"openapi#/'))
      const named =
        "examples" in node ? Object.values(Object(node.examples)).map((example) => Object(example).value) : []
      for (const example of "example" in node ? [node.example] : named) {
        expect(ajv.validate(schema, example), ajv.errorsText()).toBe(true)
        checked += 1
      }
    }
    for (const value of Object.values(node)) walk(value)
  }
  walk(document)
  expect(checked).toBeGreaterThan(20)
})

test("the upload names every source that gives an archive", () => {
  const sources = [...DATA_SOURCES].filter(([, { archiveSteps }]) => archiveSteps !== undefined)
  const description = document.paths?.["/api/imports"]?.post?.description ?? ""
  for (const [provider] of sources)
    expect(description).toContain(
      sourceName(provider)
        .replace(/ \(.*\)$/, "")
        .split(" ")[0],
    )
  expect(description).toContain("Apple Health")
})

test("describes exactly the public routes", () => {
  const described = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const pages = [...PUBLIC_PAGES, ...MEMBER_PAGES].map((path) => `GET ${path}`)
  const undescribed = [...pages, "GET /setup", "GET /metrics", "GET /docs", "GET /llms.txt", "GET /api/doctor"]
  // The connector and its authorization server describe themselves: by MCP, RFC 8414 and RFC 9728.
  const describesItself = /^\w+ \/(?:api\/mcp\/|oauth\/|\.well-known\/)/
  const served = routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`)
  expect(described.toSorted()).toEqual(
    served.filter((route) => !undescribed.includes(route) && !describesItself.test(route)).toSorted(),
  )
})

/** Query parameters of an operation of the document, with an example of each. */
const ParametersSchema = z.object({
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.string(),
        schema: z.object({ example: z.unknown().optional(), default: z.unknown().optional() }).optional(),
      }),
    )
    .default([]),
})
const queryOf = (operation: unknown): Map<string, string> =>
  new Map(
    ParametersSchema.parse(operation)
      .parameters.filter((parameter) => parameter.in === "query")
      .map(({ name, schema }) => [name, String(schema?.example ?? "x")]),
  )

test("every route takes exactly the query parameters that are described", async () => {
  await using stack = new AsyncDisposableStack()
  const service = await startTestService({ days: 3 })
  stack.defer(() => service.close())
  const { member, key } = await Member.connected(service, service.simulator.people.add({ email: "ada@vendor.example" }))
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    item.get ? [{ path, described: queryOf(item.get) }] : [],
  )
  const all = new Map(operations.flatMap(({ described }) => [...described]))
  expect(all.size).toBeGreaterThan(15)
  const isUnknown = async (path: string, name: string, value: string): Promise<boolean> => {
    const address = `${service.url}${path.replaceAll(/\{\w+\}/g, "whoop")}?${new URLSearchParams({ [name]: value })}`
    const headers = { cookie: member.cookie, authorization: `Bearer ${key}` }
    const answer = await fetch(address, { headers, redirect: "manual" })
    const text = await answer.text()
    return answer.status === 400 && new RegExp(`unknown parameter \\W?${name}\\b`).test(text)
  }
  let strict = 0
  for (const { path, described } of operations) {
    const ignoresOthers = !(await isUnknown(path, "qqqqqq", "1"))
    if (ignoresOthers) continue
    strict += 1
    const taken: string[] = []
    for (const [name, value] of all) if (!(await isUnknown(path, name, value))) taken.push(name)
    expect([path, taken.toSorted()]).toEqual([path, [...described.keys()].toSorted()])
  }
  expect(strict).toBeGreaterThan(14)
})

/** Questions whose other parameters decide what a missing one means. */
const QUESTIONS = [
  "health",
  "health?type=sleep&start_date=2026-11-01",
  "health?type=profile",
  "health?type=workout&format=csv",
  "journal?end_date=2026-11-20",
  "sports?sport=running",
  "signs?end_date=2026-11-20",
  "day?date=2026-11-20",
  "series?type=heart_rate",
  "series?type=weight",
  "series?type=sleep_stages",
  "series?type=steps&start=2026-11-20T08:00:00Z&end=2026-11-20T09:00:00Z",
  "trend?metric=hrv",
  "trend?metric=hrv&format=csv",
  "trend?metric=bedtime&by=weekday",
  "compare?metric=hrv",
  "compare?metric=hrv&source=whoop&with_source=oura",
  "compare?metric=hrv&with_start_date=2026-10-01&with_end_date=2026-10-07",
  "relate?outcome=hrv",
  "relate?outcome=hrv&factor=strain",
]

test("a default that is described is what a request without the parameter gets, whatever else the request has", async () => {
  await using stack = new AsyncDisposableStack()
  const service = await startTestService({ days: 40, now: new Date("2026-11-27T12:00:00Z"), isStill: true })
  stack.defer(() => service.close())
  const { key } = await Member.connected(service, service.simulator.people.add({ email: "ada@vendor.example" }))
  await service.store.pool.query(`
    insert into restwell.connection (user_id, provider, status, status_changed_at, connected_at, next_sync_at, last_synced_at, history_complete)
    select user_id, 'oura', 'archive', now(), now(), 'infinity', now(), true from restwell.connection`)
  const answerTo = async (path: string, parameters: URLSearchParams) => {
    const answer = await fetch(`${service.url}${path}?${parameters}`, { headers: { authorization: `Bearer ${key}` } })
    // A sync may end between two requests.
    const text = (await answer.text()).replaceAll(/"last_synced_at":"[^"]*"/g, "")
    return [answer.status, text]
  }
  let compared = 0
  for (const question of QUESTIONS) {
    const [type = "", search = ""] = question.split("?")
    const path = `/api/v1/${type}`
    const { parameters } = ParametersSchema.parse(document.paths?.[path]?.get)
    const plain = await answerTo(path, new URLSearchParams(search))
    expect([question, plain[0]]).toEqual([question, 200])
    for (const { name, schema } of parameters) {
      if (schema?.default === undefined || new URLSearchParams(search).has(name)) continue
      const filled = new URLSearchParams(search)
      filled.set(name, String(schema.default))
      expect([question, name, ...(await answerTo(path, filled))]).toEqual([question, name, ...plain])
      compared += 1
    }
  }
  expect(compared).toBeGreaterThan(15)
})
