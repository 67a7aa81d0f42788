import { Browser, connectAssistant, decide, register, resourceOf } from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { reservePort } from "@restwell/testing/port"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type AuthorizingProxy, startAuthorizingProxy } from "./authorizing-proxy.ts"
import { runAuthorizationScenarios, runServerScenarios, SPEC_VERSIONS } from "./run-scenarios.ts"

let service: TestService
let member: Member
let proxy: AuthorizingProxy
beforeAll(async () => {
  // The specification requires that mixed versions are refused.
  service = await startTestService({ days: 10, environment: { CONNECTOR_MIXED_ERA: "off" } })
  ;({ member } = await Member.connected(service, service.simulator.people.add({ email: "ada@example.com" })))
  const { access_token: token } = await connectAssistant(service, member)
  proxy = await startAuthorizingProxy({ target: resourceOf(service), token })
})
afterAll(async () => {
  await proxy.close()
  await service.close()
})

/** Scenarios that need no fixture of the suite. The fixture server runs the others, with the same HTTP stack. */
const OF_ANY_SERVER = ["tools-list", "resources-list", "prompts-list"]
const LEGACY = [...OF_ANY_SERVER, "server-initialize", "ping"]
const SCENARIOS = {
  "2025-06-18": LEGACY,
  "2025-11-25": [...LEGACY, "dns-rebinding-protection"],
  "2026-07-28": [
    ...OF_ANY_SERVER,
    "dns-rebinding-protection",
    "server-stateless",
    "caching",
    "http-header-validation",
    "sep-2164-resource-not-found",
    "server-sse-multiple-streams",
    "input-required-result-unsupported-methods",
  ],
} as const

/** Checks that report that they need a tool of the suite. */
const NEEDS_A_FIXTURE = /: Not testable: server does not list the diagnostic tool/

describe.each(Object.entries(SCENARIOS))("the connector itself, %s", (version, scenarios) => {
  test.each(scenarios)("passes %s", async (scenario) => {
    const specVersion = SPEC_VERSIONS.find((known) => known === version)
    if (!specVersion) throw new Error(`the suite does not know ${version}`)
    const results = await runServerScenarios({ url: proxy.url, specVersion, scenarios: [scenario] })
    expect(results.flatMap(({ failures }) => failures).filter((failure) => !NEEDS_A_FIXTURE.test(failure))).toEqual([])
    expect(results[0]?.passed).toBeGreaterThan(0)
  })
})

test("the authorization server passes every scenario of the suite", async () => {
  using callback = reservePort()
  const { port } = callback
  const redirectUri = `http://127.0.0.1:${port}/callback`
  const client = await register(service, { redirect_uris: [redirectUri] })
  const results = await runAuthorizationScenarios({
    issuer: service.url,
    resource: resourceOf(service),
    clientId: client.client_id,
    port,
    async approve(url) {
      const browser = new Browser(member)
      const begun = await browser.get(url)
      const back = await decide(browser, new URL(begun.headers.get("location") ?? "", service.url))
      await fetch(back)
    },
  })
  expect(results.map(({ scenario }) => scenario)).toEqual([
    "authorization-code-grant",
    "authorization-server-metadata-endpoint",
  ])
  for (const result of results) expect(result).toMatchObject({ failed: 0, failures: [], warnings: [] })
})
