import { readFile } from "node:fs/promises"
import { loadConfig } from "@restwell/server/config"
import { expect, test } from "vitest"
import { z } from "zod"
import { DEPLOY, readDocuments } from "./documents.ts"

const FOLDER = `${DEPLOY}patroni/`
const SettingsSchema = z.object({
  bootstrap: z.object({
    dcs: z.object({
      ttl: z.number(),
      loop_wait: z.number(),
      retry_timeout: z.number(),
      synchronous_mode: z.literal(true),
      synchronous_mode_strict: z.literal(true),
    }),
  }),
})
const ComposeSchema = z.object({
  services: z.record(
    z.string(),
    z.looseObject({
      command: z.array(z.string()).optional(),
      environment: z.record(z.string(), z.string()).optional(),
      depends_on: z.array(z.string()).optional(),
    }),
  ),
})

const namesOf = async (file: string): Promise<string[]> =>
  (await readFile(`${FOLDER}${file}`, "utf8")).split("\n").flatMap((line) => /^([A-Z0-9_]+)=/.exec(line)?.[1] ?? [])

test("a lease lasts as long as Patroni may need to renew it, and commits wait for a second node", async () => {
  const [document] = await readDocuments("patroni/patroni.yml")
  const { ttl, loop_wait: loopWait, retry_timeout: retryTimeout } = SettingsSchema.parse(document).bootstrap.dcs
  expect(ttl).toBeGreaterThanOrEqual(loopWait + 2 * retryTimeout)
})

test("HAProxy's environment has every name of its configuration", async () => {
  const used = [...(await readFile(`${FOLDER}haproxy.cfg`, "utf8")).matchAll(/\$\{([A-Z0-9]+)\}/g)].map(
    ([, name]) => name,
  )
  expect((await namesOf("haproxy.env")).toSorted()).toEqual(used.toSorted())
})

test("the cluster of Compose has the settings of a node, and processes whose settings the service accepts", async () => {
  const { services } = ComposeSchema.parse((await readDocuments("patroni/compose.yaml"))[0])
  const ofNode = await namesOf("node.env")
  for (const name of ["db1", "db2", "db3"])
    expect(Object.keys(services[name]?.environment ?? {}).toSorted()).toEqual(ofNode.toSorted())
  for (const [name, { depends_on: needs = [] }] of Object.entries(services))
    for (const other of needs) expect(Object.keys(services), name).toContain(other)
  for (const [name, role] of [
    ["api1", "api"],
    ["api2", "api"],
    ["worker1", "worker"],
    ["worker2", "worker"],
  ] as const) {
    const { command, environment = {} } = services[name] ?? {}
    expect(command).toEqual(["start", "--role", role])
    const filled = Object.entries(environment).map(([setting, value]) => [
      setting,
      value
        .replace(/\$\{[A-Z_]+:-\}/g, "")
        .replace(/\$\{BASE_URL[^}]*\}/g, "https://a.example")
        .replace(/\$\{[^}]+\}/g, "x".repeat(40)),
    ])
    expect(loadConfig(Object.fromEntries(filled), role).databaseUrl).toContain("@primary:5000/restwell")
  }
})
