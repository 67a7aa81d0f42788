/** Runs snippets in TypeScript in this process. What they import is imported, and what they take for granted is given. */
import { stripTypeScriptTypes } from "node:module"
import { createClient } from "@restwell/client"
import { syncConnection } from "@restwell/core"
import { startSimulator } from "@restwell/simulator"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService } from "@restwell/testing/service"
import { VENDOR_APP } from "@restwell/testing/vendor"
import { createWorld } from "@restwell/testing/world"
import { expect } from "vitest"
import { z } from "zod"
import type { RunningService } from "./running-service.ts"

const IMPORT = /^import \{ (.+) \} from "(.+)"$/gm
const ModuleSchema = z.record(z.string(), z.unknown())
type Run = (code: string, given: Readonly<Record<string, unknown>>) => Promise<string>

export async function checkTypeScript(code: string, service: RunningService): Promise<void> {
  const [, check = checkClient] = CHECKS.find(([word]) => code.includes(word)) ?? []
  await check(service.fill(code), service)
}

const CHECKS: readonly (readonly [string, (code: string, service: RunningService) => Promise<unknown>])[] = [
  ["syncConnection(", checkSync],
  ["createHealthProvider(", checkProvider],
  ["startTestService(", (code) => run(code, { startTestService, Member, readHealth, expect })],
  ["startSimulator(", (code) => run(code, { startSimulator })],
]

async function checkClient(code: string, { url, key }: RunningService): Promise<void> {
  const restwell = createClient({ baseUrl: url, apiKey: key })
  const environment = { KEY: key, RESTWELL_API_KEY: key }
  const printed = await run(code, { restwell, process: { env: environment } })
  expect(printed).not.toMatch(/undefined|NaN/)
  if (code.includes("console.log")) expect(printed).toMatch(/\d/)
}

async function checkSync(code: string): Promise<void> {
  const world = await createWorld({ days: 10 })
  try {
    const userId = await world.addUser()
    await world.authorize(userId, world.simulator.people.add({ email: "ada@example.com" }))
    await run(code, { syncConnection, context: world.context, userId, signal: AbortSignal.timeout(30_000) })
    const { rows } = await world.store.pool.query("select from restwell.record")
    expect(rows.length).toBeGreaterThan(0)
  } finally {
    await world.close()
  }
}

/** Without an address it reads the vendor itself, so this ends where it asks for a token. */
async function checkProvider(code: string): Promise<void> {
  const getAccessToken = () => Promise.reject(new Error("a token is wanted"))
  const tokens = { getAccessToken, getRefreshToken: getAccessToken, isExpired: async () => false }
  const to = new Date()
  const from = new Date(to.getTime() - 86_400_000)
  await expect(run(code, { ...VENDOR_APP, tokens, from, to })).rejects.toThrow("a token is wanted")
}

/** Runs the code with these names. Returns what it printed. */
const run: Run = async (code, given) => {
  const imported: Record<string, unknown> = {}
  for (const [, names = "", module = ""] of code.matchAll(IMPORT)) {
    const exported = ModuleSchema.parse({ ...(await import(module)) })
    for (const name of names.split(", ").filter((each) => !each.startsWith("type "))) {
      expect(Object.keys(exported), module).toContain(name)
      imported[name] = exported[name]
    }
  }
  const printed: string[] = []
  const console = { log: (...values: unknown[]) => void printed.push(values.map(String).join(" ")) }
  const scope: Record<string, unknown> = { ...given, ...imported, console }
  const body = stripTypeScriptTypes(code.replaceAll(IMPORT, ""))
  const execute: unknown = Reflect.construct(AsyncFunction, [...Object.keys(scope), `{\n${body}\n}`])
  if (typeof execute !== "function") throw new Error("the code is not a function")
  await execute(...Object.values(scope))
  return printed.join("\n")
}

const AsyncFunction = (async () => {}).constructor
