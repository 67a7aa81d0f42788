/** The packed npm package: its files, its manifest, and its use by programs and the compiler. */
import { existsSync } from "node:fs"
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { INSIGHTS, PENDING_RECOVERY, quotaHeaders, RESET, SLEEP, WORKOUTS } from "@restwell/testing/answers"
import { afterAll, beforeAll, expect, it } from "vitest"
import * as source from "../src/index.ts"
import { buildPackage, REPOSITORY, run, temporaryFolder } from "./built-package.ts"
import { sendReply, startServer } from "./local-server.ts"

/** An application folder with the packed package and zod installed. */
const application = await temporaryFolder()
const installed = join(application.path, "node_modules", "@restwell", "client")

/** The pinned Node, and the machine's own Node if the package supports it. */
const nodes = [process.execPath]

beforeAll(async () => {
  await using built = await temporaryFolder()
  await buildPackage(join(built.path, "package"))
  await run("npm", ["pack", join(built.path, "package"), "--pack-destination", built.path])
  const tarball = (await readdir(built.path)).find((name) => name.endsWith(".tgz")) ?? "no tarball"
  await mkdir(installed, { recursive: true })
  await run("tar", ["-xzf", join(built.path, tarball), "--strip-components=1", "-C", installed])
  await symlink(join(REPOSITORY, "node_modules", "zod"), join(application.path, "node_modules", "zod"), "dir")
  await writeFile(join(application.path, "package.json"), JSON.stringify({ type: "module" }))
  if (existsSync("/usr/bin/node")) {
    const { stdout } = await run("/usr/bin/node", ["--version"])
    if (Number(/^v(\d+)/.exec(stdout)?.[1]) >= 20) nodes.push("/usr/bin/node")
  }
})

afterAll(() => application[Symbol.asyncDispose]())

it("contains only compiled modules, types, the licence and the readme", async () => {
  const files = await readdir(installed, { recursive: true, withFileTypes: true })
  const names = files.filter((entry) => entry.isFile()).map(({ name }) => name)
  const others = names.filter((name) => !/\.(js|d\.ts)$/.test(name))
  expect(others.sort()).toEqual(["LICENSE", "README.md", "package.json"])
  expect(names.filter((name) => name.includes(".test."))).toEqual([])
  for (const name of names.filter((name) => name.endsWith(".js"))) expect(names).toContain(name.replace(/js$/, "d.ts"))
})

it("has a publishable manifest with zod as its only dependency", async () => {
  const manifest: unknown = JSON.parse(await readFile(join(installed, "package.json"), "utf8"))
  expect(manifest).toEqual({
    name: "@restwell/client",
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    description: expect.any(String),
    keywords: expect.any(Array),
    license: "MIT",
    type: "module",
    sideEffects: false,
    engines: { node: ">=20" },
    exports: {
      ".": { types: "./index.d.ts", import: "./index.js" },
      "./figures": { types: "./figures/index.d.ts", import: "./figures/index.js" },
      "./package.json": "./package.json",
    },
    files: ["**/*.js", "**/*.d.ts"],
    dependencies: { zod: expect.stringMatching(/^\^4\./) },
  })
})

it("exports the names of the source in plain Node, and no internal module", async () => {
  const program = `
    const names = Object.keys(await import("@restwell/client"))
    const internal = await import("@restwell/client/client/exchange.js").catch((error) => error.code)
    console.log(JSON.stringify({ names, internal }))`
  for (const node of nodes) {
    const { stdout } = await run(node, ["--input-type=module", "--eval", program], { cwd: application.path })
    expect(JSON.parse(stdout)).toEqual({
      names: Object.keys(source).sort(),
      internal: "ERR_PACKAGE_PATH_NOT_EXPORTED",
    })
  }
})

it("compiles in a strict application with each module resolution", async () => {
  await writeFile(join(application.path, "app.ts"), APPLICATION)
  await writeFile(join(application.path, "readme.ts"), `${NODE_TYPES}${(await readmeExamples()).join("\n")}`)
  const tsc = fileURLToPath(new URL("bin/tsc", import.meta.resolve("typescript/package.json")))
  const common = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2022", "--lib", "es2022,dom"]
  for (const ways of [
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ] as const) {
    const [module, resolution] = ways
    const options = [
      ...common,
      "--types",
      "",
      "--module",
      module,
      "--moduleResolution",
      resolution,
      "app.ts",
      "readme.ts",
    ]
    const { stdout } = await run(process.execPath, [tsc, ...options], { cwd: application.path }).catch((error) => error)
    expect(stdout).toBe("")
  }
})

it("runs the examples of its readme", async () => {
  const examples = await readmeExamples()
  expect(examples.length).toBeGreaterThan(3)
  await using server = await startServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost")
    const type = searchParams.get("type") ?? pathname
    if (type === "summary") sendReply(response, { status: 429, body: USED_UP })
    else
      sendReply(response, {
        status: 200,
        headers: quotaHeaders(999),
        body: { sleep: SLEEP, recovery: PENDING_RECOVERY, workout: WORKOUTS, ...INSIGHTS, ...SERIES }[type],
      })
  })
  const program = examples.join("\n").replace("https://restwell.example", server.url)
  await writeFile(join(application.path, "readme.ts"), program)
  const env = { ...process.env, RESTWELL_API_KEY: "rw_key" }
  const { stdout } = await run(process.execPath, ["readme.ts"], { cwd: application.path, env })
  expect(stdout.trim().split("\n")).toEqual([
    "2026-11-19 2026-11-18T23:31:05+01:00 7.46 92",
    `999 requests left until ${RESET}`,
    `used up until ${RESET}`,
  ])
  expect(server.requests.map(({ path }) => path.replace("/api/v1/health?type=", ""))).toEqual([
    "sleep&days=7",
    "recovery",
    "recovery&days=30",
    "recovery&start_date=2026-11-01",
    "recovery&start_date=2026-11-01&end_date=2026-11-07",
    "recovery&days=3&end_date=2026-11-07",
    "recovery&days=30&source=oura",
    "workout&days=30&sport=running",
    "/api/v1/trend?metric=hrv&days=90&by=weekday",
    "/api/v1/compare?metric=asleep&days=28",
    "/api/v1/relate?outcome=hrv&factor=journal%3Aalcohol",
    "/api/v1/relate?outcome=recovery_score&factor=workout%3Awalking&lag=1",
    "/api/v1/sports?sport=running",
    "/api/v1/signs?",
    "/api/v1/day?date=2026-11-19",
    "/api/v1/series?type=heart_rate&start=2026-11-19T22%3A00%3A00Z&end=2026-11-20T07%3A00%3A00Z&resolution=5m",
    "/api/v1/series?type=sleep_stages&start=2026-11-19T22%3A00%3A00Z&end=2026-11-20T07%3A00%3A00Z",
    "/api/v1/series?type=steps&days=30&resolution=1d",
    "sleep&days=30&fields=date%2Casleep_hours&format=csv",
    "/api/v1/trend?metric=hrv&days=365&format=csv",
    "summary&days=30",
    "sleep&days=90",
    "recovery&days=1",
  ])
})

const EMPTY_SERIES = {
  resolution: "5m",
  method: null,
  start: "2026-11-19T22:00:00.000Z",
  end: "2026-11-20T07:00:00.000Z",
  count: 0,
  empty_reason: "no_data_in_range",
  missing: [],
  notes: [],
  source: SLEEP.source,
  sources: SLEEP.sources,
}
const SERIES = {
  heart_rate: { type: "heart_rate", unit: "bpm", ...EMPTY_SERIES, points: [] },
  sleep_stages: { type: "sleep_stages", unit: "stage", ...EMPTY_SERIES, segments: [] },
  steps: { type: "steps", unit: "steps", ...EMPTY_SERIES, points: [] },
}

const USED_UP = { error: "rate_limited", message: "monthly request limit exceeded", limit: 1000, reset: RESET }

/** The part of Node's types that the examples use. */
const NODE_TYPES = "declare const process: { env: Record<string, string | undefined> }\n"

async function readmeExamples(): Promise<string[]> {
  const readme = await readFile(join(installed, "README.md"), "utf8")
  return [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code)
}

const APPLICATION = `
import { createClient, RateLimitedError, SleepDataSchema, type HealthClient, type SleepData } from "@restwell/client"
const client: HealthClient = createClient({ baseUrl: "https://restwell.example", apiKey: "rw_key" })
const { data, quota } = await client.sleep({ days: 7 })
const hours: number | undefined = data.records[0]?.duration_hours
const remaining: number | undefined = quota?.remaining
const sleep: SleepData = SleepDataSchema.parse({})
export const reset = (error: unknown): Date | null => (error instanceof RateLimitedError ? error.reset : null)
// @ts-expect-error a measurement may be missing
const rate: number = data.records[0].respiratory_rate
// @ts-expect-error days cannot be combined with a first date
await client.sleep({ startDate: "2026-11-01", days: 3 })
// @ts-expect-error there is no such type
await client.mood()
export { hours, remaining, sleep, rate }
`
