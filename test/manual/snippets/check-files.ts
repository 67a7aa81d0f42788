/** Files for programs of others, and examples of answers and messages. */
import { runInNewContext } from "node:vm"
import { EVENT_MODES, WEBHOOK_EVENTS } from "@restwell/client"
import { runCommand } from "@restwell/testing/service"
import { expect } from "vitest"
import { parse } from "yaml"
import { z } from "zod"
import { METRICS_TOKEN, type RunningService } from "./running-service.ts"

const HomeAssistantSchema = z.strictObject({
  rest: z.tuple([
    z.looseObject({
      resource: z.url(),
      headers: z.strictObject({ Authorization: z.literal("restwell_authorization") }),
      scan_interval: z.int().min(60),
      sensor: z.array(z.looseObject({ name: z.string(), availability: z.string(), value_template: z.string() })).min(1),
    }),
  ]),
})

/** Evaluates the part of Jinja that the recipe uses. */
const evaluateTemplate = (template: string, value: unknown): unknown =>
  runInNewContext(
    template
      .replace(/^\{\{(.*)\}\}$/s, "$1")
      .replaceAll(/ *\| *length/g, ".length")
      .replaceAll(" and ", " && ")
      .replaceAll(" is not none", " !== null"),
    { value_json: value },
  )

export async function checkHomeAssistant(text: string, service: RunningService): Promise<void> {
  const secret = { tag: "!secret", resolve: (name: string) => name }
  const { rest } = HomeAssistantSchema.parse(parse(service.fill(text), { customTags: [secret] }))
  const [{ resource, sensor }] = rest
  const answer = await service.readRecords(resource, { Authorization: `Bearer ${service.key}` })
  for (const { availability, value_template } of sensor) {
    expect(evaluateTemplate(availability, answer)).toBe(true)
    expect(evaluateTemplate(availability, { records: [] })).toBe(false)
    expect(evaluateTemplate(value_template, answer)).toBeTypeOf("number")
  }
}

const GrafanaSchema = z.strictObject({
  apiVersion: z.literal(1),
  datasources: z.tuple([
    z.strictObject({
      name: z.string(),
      type: z.literal("yesoreyeram-infinity-datasource"),
      url: z.url(),
      jsonData: z.strictObject({ auth_method: z.literal("bearerToken"), allowedHosts: z.tuple([z.url()]) }),
      secureJsonData: z.strictObject({ bearerToken: z.string() }),
    }),
  ]),
})

export async function checkGrafana(text: string, service: RunningService): Promise<void> {
  const { datasources } = GrafanaSchema.parse(parse(service.fill(text)))
  const [{ url, jsonData, secureJsonData }] = datasources
  expect(jsonData.allowedHosts).toEqual([new URL(url).origin])
  const { records } = await service.readRecords(url, { Authorization: `Bearer ${secureJsonData.bearerToken}` })
  expect(records[0]).toMatchObject({ date: expect.any(String), score: expect.any(Number) })
}

const N8nSchema = z.strictObject({
  nodes: z.tuple([
    z.looseObject({
      type: z.literal("n8n-nodes-base.httpRequest"),
      parameters: z.strictObject({
        url: z.url(),
        authentication: z.literal("genericCredentialType"),
        genericAuthType: z.literal("httpHeaderAuth"),
      }),
    }),
  ]),
  connections: z.object({}),
})

export async function checkN8n(text: string, service: RunningService): Promise<void> {
  const { nodes } = N8nSchema.parse(JSON.parse(service.fill(text)))
  await service.readRecords(nodes[0].parameters.url, { Authorization: `Bearer ${service.key}` })
}

const PrometheusSchema = z.strictObject({
  scrape_configs: z.tuple([
    z.strictObject({
      job_name: z.string(),
      metrics_path: z.string().default("/metrics"),
      authorization: z.strictObject({ credentials_file: z.string() }),
      static_configs: z.tuple([z.strictObject({ targets: z.array(z.stringFormat("target", /^[\w.-]+:\d+$/)).min(1) })]),
    }),
  ]),
})

export async function checkPrometheus(text: string, service: RunningService): Promise<void> {
  const { scrape_configs } = PrometheusSchema.parse(parse(text))
  const address = `${service.url}${scrape_configs[0].metrics_path}`
  const answer = await fetch(address, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  expect(await answer.text()).toContain("http_request_duration_seconds")
}

/** Caddy itself checks its file where it is installed. test/deploy runs the same directives. */
export async function checkCaddyfile(text: string, service: RunningService): Promise<void> {
  expect(text).toMatch(
    /^ *restwell\.example\.com \{\n\s+respond \/metrics 404\n\s+reverse_proxy localhost:3000\n *\}\n?$/,
  )
  const config = `cat > Caddyfile << 'END'\n${text}\nEND\n`
  await service.run("bash", [
    "-ec",
    `${config}command -v caddy > /dev/null || exit 0\ncaddy validate --adapter caddyfile --config Caddyfile`,
  ])
}

/** Settings of PgBouncer's manual that the page uses. @see https://www.pgbouncer.org/config.html */
const PgBouncerSchema = z.strictObject({
  pool_mode: z.literal("transaction"),
  max_client_conn: z.string().regex(/^\d+$/),
  default_pool_size: z.string().regex(/^\d+$/),
  server_login_retry: z.string().regex(/^\d+$/),
})

export async function checkPgBouncer(text: string): Promise<void> {
  const [, databases = "", settings = ""] = /^\[databases\]\n(.*)\[pgbouncer\]\n(.*)$/s.exec(text) ?? []
  expect(databases.trim()).toMatch(/^\w+ = host=\S+ port=\d+ dbname=\w+$/)
  const lines = settings.trim().split("\n")
  PgBouncerSchema.parse(Object.fromEntries(lines.map((line) => line.replace(/\s*;.*$/, "").split(" = "))))
}

/** Every field of an example is one of the real answer, and has its type. */
export function expectFieldsOf(example: unknown, real: unknown, path = ""): void {
  if (example === null || typeof example !== "object") {
    if (real !== null) expect(typeof real, path).toBe(typeof example)
    return
  }
  if (real === null || typeof real !== "object") throw new Error(`the answer has no fields at ${path || "its root"}`)
  for (const [name, value] of Object.entries(example)) {
    expect(Object.keys(real), path).toContain(name)
    expectFieldsOf(value, Object.entries(real).find(([key]) => key === name)?.[1], `${path}.${name}`)
  }
}

export async function checkTrendExample(text: string, { url, key }: RunningService): Promise<void> {
  const search = "metric=hrv&days=90&top=1&source=whoop"
  const answer = await fetch(`${url}/api/v1/trend?${search}`, { headers: { authorization: `Bearer ${key}` } })
  expectFieldsOf(JSON.parse(text), await answer.json())
}

export async function checkRecordExample(text: string, { url, key, readRecords }: RunningService): Promise<void> {
  const address = `${url}/api/v1/health?type=sleep&days=90`
  const { records } = await readRecords(address, { authorization: `Bearer ${key}` })
  const example = z.looseObject({ chosen_because: z.string() }).parse(JSON.parse(text))
  expectFieldsOf(example, records[0])
  expect(records.map(({ chosen_because }) => chosen_because)).toContain(example.chosen_because)
}

/** An event has the fields of one, and its record those that the API answers. */
export async function checkEventExample(text: string, { url, key, readRecords }: RunningService): Promise<void> {
  const { records } = await readRecords(`${url}/api/v1/health?type=recovery&days=90`, {
    authorization: `Bearer ${key}`,
  })
  const { data } = z
    .strictObject({
      type: z.enum(WEBHOOK_EVENTS),
      timestamp: z.iso.datetime(),
      data: z.strictObject({
        mode: z.enum(EVENT_MODES),
        source: z.string(),
        kind: z.literal("recovery"),
        id: z.string(),
        date: z.iso.date(),
        record: z.looseObject({}),
      }),
    })
    .parse(JSON.parse(text))
  expectFieldsOf(data.record, records[0])
}

/** The account takes the entries of a date as they are written. */
export async function checkOwnEntries(text: string, { send }: RunningService): Promise<void> {
  const entries = z
    .object({ answers: z.array(z.looseObject({ factor: z.string() })), note: z.string() })
    .parse(JSON.parse(text))
  const answer = await send("PUT", "/api/account/journal/2026-11-19", entries)
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ note: entries.note })
}

/** The service stores all rows of it. */
export async function checkPush(path: string, text: string, { push }: RunningService): Promise<void> {
  const answer = await push(path, text)
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ ignored: [] })])
}

/** The start prints exactly this, with the settings that the lines complain about. */
export async function checkMistakes(text: string): Promise<void> {
  const environment = { PORT: "80a", DATABASE_URL: "postgres://restwell@localhost/restwell", FREE_MONTHLY: "1" }
  const { code, errors } = await runCommand(["start"], environment)
  expect(code).toBe(1)
  expect(errors.trim()).toBe(text.trim())
}
