import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type RunningServer, startFixtureServer } from "./fixture-server.ts"
import { NOT_APPLICABLE, reasonAgainst } from "./not-applicable.ts"
import { listServerScenarios, runServerScenarios, SPEC_VERSIONS } from "./run-scenarios.ts"

const everyVersion = await Promise.all(
  SPEC_VERSIONS.map(async (specVersion) => ({ specVersion, names: await listServerScenarios(specVersion) })),
)

let server: RunningServer
beforeAll(async () => {
  server = await startFixtureServer()
})
afterAll(() => server.close())

describe.each(everyVersion)("$specVersion", ({ specVersion, names }) => {
  const passes = names.filter((name) => !reasonAgainst(name, specVersion))
  const declared = names.filter((name) => reasonAgainst(name, specVersion))

  test.each(passes)("passes %s", async (scenario) => {
    const results = await runServerScenarios({ url: server.url, specVersion, scenarios: [scenario] })
    expect(results).toMatchObject([{ scenario, failed: 0, failures: [], warnings: [] }])
  })

  if (declared.length === 0) return
  // Remove a declaration as soon as its scenario passes.
  test("passes none of the scenarios declared not applicable", async () => {
    const results = await runServerScenarios({ url: server.url, specVersion, scenarios: declared })
    expect(results.map(({ scenario }) => scenario)).toEqual(declared)
    expect(results.filter(({ failures, warnings }) => failures.length + warnings.length === 0)).toEqual([])
  })
})

test.each(["GET", "DELETE"])("keeps no session for %s to read or to end", async (method) => {
  expect((await fetch(server.url, { method, headers: { accept: "text/event-stream" } })).status).toBe(405)
})

test.each(NOT_APPLICABLE)("$scenario, declared not applicable, is a scenario of the suite", (entry) => {
  const versions = everyVersion.filter(({ specVersion }) => (entry.specVersion ?? specVersion) === specVersion)
  expect(versions.flatMap(({ names }) => names)).toContain(entry.scenario)
})
