import { access, readFile } from "node:fs/promises"
import { loadConfig } from "@restwell/server/config"
import { expect, test } from "vitest"
import { z } from "zod"
import { ComposeSchema, DEPLOY, readDocuments } from "./documents.ts"

/** The time after which the service cuts off a drain. */
const LONGEST_DRAIN_SECONDS = 30

/** A setting as compose would fill it in, from .env.example with values. */
async function filledIn(text: string): Promise<string> {
  const given = new Map<string, string>()
  for (const line of (await readFile(`${DEPLOY}.env.example`, "utf8")).split("\n")) {
    const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(line) ?? []
    if (name !== undefined) given.set(name, value || `a-value-of-more-than-thirty-two-characters-for-${name}`)
  }
  return text.replace(/\$\{([A-Z_]+)(?::([?-])([^}]*))?\}/g, (_, name: string, kind: string, other: string) => {
    const value = given.get(name)
    if (value === undefined && kind !== "-") throw new Error(`${name} is not in .env.example`)
    return value ?? other
  })
}

const compose = ComposeSchema.parse((await readDocuments("compose.yaml"))[0])
const service = (name: string) => compose.services[name] ?? expect.fail(`there is no service ${name}`)

test.each(["api", "worker"] as const)("the service accepts every setting and the command of %s", async (role) => {
  const { command, environment } = service(role)
  const settings: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment)) settings[name] = await filledIn(value)
  expect(command).toEqual(["start", "--role", role])
  const config = loadConfig(settings, role)
  expect(config.databaseUrl).toMatch(/^postgres:\/\/restwell:[^@]+@postgres:5432\/restwell$/)
  expect(config.trustProxy).toBe(role === "api" ? "uniquelocal" : false)
})

/** The files set these themselves: the database, what a container listens on and writes to, and the proxy in front. */
const SET_BY_FILES = new Set(["DATABASE_POOLER", "DATABASE_URL", "DATA_DIR", "HOST", "PORT", "TRUST_PROXY"])
const ProcessesSchema = z.object({
  services: z.record(
    z.string(),
    z.looseObject({ command: z.unknown().optional(), environment: z.record(z.string(), z.string()).optional() }),
  ),
})

test.each(["compose.yaml", "patroni/compose.yaml"])("%s hands each setting of .env to its processes", async (file) => {
  const manual = await readFile(`${DEPLOY}../docs/settings.md`, "utf8")
  const [tables = ""] = manual.split("\n## Mistakes\n")
  const settings = [...tables.matchAll(/^\| `([A-Z_]+)` \|/gm)].flatMap(([, name = ""]) => name)
  const handed = settings.filter((name) => !SET_BY_FILES.has(name))
  expect(handed.length).toBeGreaterThan(50)
  const { services } = ProcessesSchema.parse((await readDocuments(file))[0])
  const processes = Object.entries(services).filter(([, { command }]) => String(command).startsWith("start,"))
  expect(processes.length).toBeGreaterThan(1)
  for (const [name, { environment = {} }] of processes) {
    const missing = handed.filter((setting) => !environment[setting]?.startsWith(`\${${setting}:`))
    expect(missing, name).toEqual([])
  }
})

test("every container restarts after a crash, waits for its dependencies, and has enough time to stop", () => {
  for (const [name, { restart, stop_grace_period: grace, depends_on: needs }] of Object.entries(compose.services)) {
    expect(restart, name).toBe("unless-stopped")
    expect(Number.parseInt(grace, 10), name).toBeGreaterThan(LONGEST_DRAIN_SECONDS)
    for (const [other, how] of Object.entries(needs)) {
      expect(Object.keys(compose.services)).toContain(other)
      expect(how, `${name} needs ${other}`).toEqual({ condition: "service_healthy" })
    }
  }
})

test("PostgreSQL is on an internal network, and only nginx publishes a port", async () => {
  expect(compose.networks["inside"]).toEqual({ internal: true })
  for (const name of ["postgres", "standby"]) expect(service(name).networks).toEqual(["inside"])
  const text = await readFile(`${DEPLOY}compose.yaml`, "utf8")
  expect(text.match(/^ *ports:.*$/gm)).toEqual(['    ports: ["8080:8080"]'])
})

test("every mounted file exists, and every volume is declared", async () => {
  const mounts = Object.values(compose.services).flatMap(({ volumes }) => volumes)
  expect(mounts.length).toBeGreaterThan(3)
  for (const mount of mounts) {
    const [from = ""] = mount.split(":")
    if (from.startsWith(".")) await access(DEPLOY + from)
    else expect(Object.keys(compose.volumes)).toContain(from)
  }
})

test("the standby has the settings of the primary, which it needs to start", () => {
  expect(service("standby").command).toEqual(service("postgres").command)
})
