import { callConnector, connectAssistant, messageOf, resourceOf } from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

const MODERN = "2026-07-28"
const PATIENCE_MS = 3_000

let service: TestService
let token: string
beforeAll(async () => {
  service = await startTestService({ days: 3 })
  const { member } = await Member.connected(service, service.simulator.people.add({ email: "ada@example.com" }))
  ;({ access_token: token } = await connectAssistant(service, member))
})
afterAll(() => service.close())

const _meta = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
}

const EVERYTHING = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: ["restwell://summary"],
}

/** The body of a response that ends by itself. */
const endOf = (answer: Response): Promise<string> =>
  Promise.race([
    answer.text(),
    new Promise<never>((_, reject) =>
      AbortSignal.timeout(PATIENCE_MS).addEventListener("abort", () => reject(new Error("the response stays open"))),
    ),
  ])

test("a subscription to changes (MCP 2026-07-28) ends at once, because no list changes while the service runs", async () => {
  const headers = { "mcp-protocol-version": MODERN, "mcp-method": "subscriptions/listen" }
  const listening = await Promise.all(
    Array.from({ length: 50 }, () =>
      callConnector(service, token, "subscriptions/listen", { notifications: EVERYTHING, _meta }, headers),
    ),
  )
  for (const answer of listening) {
    expect(answer.status).toBe(200)
    expect(await endOf(answer)).toContain('"resultType":"complete"')
  }
})

test.each(["2025-11-25", "2025-06-18", "2025-03-26"])("there is no stream to open by GET (MCP %s)", async (version) => {
  const answer = await fetch(resourceOf(service), {
    headers: {
      accept: "text/event-stream",
      authorization: `Bearer ${token}`,
      "mcp-protocol-version": version,
      "last-event-id": "1",
    },
  })
  expect(answer.status).toBe(405)
  await endOf(answer)
})

test.each<[string, object]>([
  ["resources/subscribe", { uri: "restwell://summary" }],
  ["subscriptions/listen", { notifications: EVERYTHING }],
  ["logging/setLevel", { level: "debug" }],
  ["initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } }],
  ["tools/call", { name: "get_sleep", arguments: { days: 3 }, _meta: { progressToken: 1 } }],
])("the response to %s of an older client ends by itself", async (method, params) => {
  expect(await endOf(await callConnector(service, token, method, params))).toContain('"jsonrpc":"2.0"')
})

test("the connector announces no changes of its lists", async () => {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } }
  const { result } = await messageOf(await callConnector(service, token, "initialize", params))
  expect(JSON.stringify(result)).not.toContain('"listChanged":true')
})
