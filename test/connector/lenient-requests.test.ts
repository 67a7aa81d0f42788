// Spellings of clients that mean what the protocol's own spelling means.
import { connectAssistant, messageOf } from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"

let service: TestService
let token: string
beforeAll(async () => {
  service = await startTestService({ days: 40 })
  const { member } = await Member.connected(service, service.simulator.people.add({ email: "ada@example.com" }))
  token = (await connectAssistant(service, member)).access_token
})
afterAll(() => service.close())

const post = (params: object, headers: Record<string, string>) =>
  fetch(`${service.url}/api/mcp/oauth`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  })

const BOTH = "application/json, text/event-stream"
const SLEEP = { name: "get_sleep", arguments: { days: 3 } }

describe("a request is answered with Accept:", () => {
  test.each([
    BOTH,
    "*/*",
    " */* ",
    "application/*",
    "Application/*;q=0.8",
    "text/html, */*;q=0.1",
    "*/*; q=1.0, application/json",
    "",
  ])("%j", async (accept) => {
    const answer = await post(SLEEP, { accept })
    expect(answer.status).toBe(200)
    expect(JSON.stringify(await messageOf(answer))).toContain("structuredContent")
  })

  test.each(["text/html", "image/*", "*/*;q=0", "application/xml"])("%j is refused as before", async (accept) => {
    expect((await post(SLEEP, { accept })).status).toBe(406)
  })
})

test("a batch is refused, whose messages would take the thread one after the other", async () => {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }
  const answer = await fetch(`${service.url}/api/mcp/oauth`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", accept: BOTH },
    body: JSON.stringify(Array.from({ length: 100 }, () => message)),
  })
  expect([answer.status, await answer.json()]).toEqual([
    400,
    {
      jsonrpc: "2.0",
      id: null,
      error: { code: -32_600, message: "invalid request: send one message a request, batches are not taken" },
    },
  ])
})

const ResultSchema = z.object({ result: z.looseObject({ isError: z.boolean().optional() }) })

async function call(name: string, given: object) {
  const message = await messageOf(await post({ name, arguments: given }, { accept: BOTH }))
  const { result } = ResultSchema.parse(message)
  const { _meta, ...answer } = result
  return answer
}

describe("numbers and yes or no may be text:", () => {
  test.each<[string, object, object]>([
    ["get_sleep", { days: "7" }, { days: 7 }],
    ["get_sleep", { days: 7, source: null, start_date: null }, { days: 7 }],
    ["get_trend", { metric: "hrv", above: null, by: null }, { metric: "hrv" }],
    ["get_sleep", { days: " 30 ", limit: "2" }, { days: 30, limit: 2 }],
    ["get_trend", { metric: "hrv", days: "30", top: "1" }, { metric: "hrv", days: 30, top: 1 }],
    ["get_trend", { metric: "hrv", days: 30, points: "true" }, { metric: "hrv", days: 30, points: true }],
    ["get_trend", { metric: "hrv", days: 30, points: "False" }, { metric: "hrv", days: 30, points: false }],
    ["find_relations", { outcome: "hrv", lag: "1" }, { outcome: "hrv", lag: 1 }],
  ])("%s with %j", async (name, texts, values) => {
    const answer = await call(name, texts)
    expect(answer.isError).toBeUndefined()
    expect(answer).toEqual(await call(name, values))
  })

  test.each(["seven", "7 days", "", "0x7", "1e1", "7.5", "NaN", "-1", "١"])(
    "days %j is refused in words",
    async (days) => {
      const message = await messageOf(await post({ name: "get_sleep", arguments: { days } }, { accept: BOTH }))
      expect(JSON.stringify(message)).toMatch(/days/)
      expect(JSON.stringify(message)).not.toContain("structuredContent")
    },
  )
})

describe("text that no header can hold is an answer in words, of", () => {
  const VERSION = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" }
  test.each<[string, object]>([
    ["a name", { method: "tools/call", params: { name: "сон", _meta: VERSION } }],
    ["an address", { method: "resources/read", params: { uri: "restwell://day/昨日", _meta: VERSION } }],
    ["a method", { method: "инструменты", params: { _meta: VERSION } }],
    ["a version", { method: "tools/list", params: { _meta: { "io.modelcontextprotocol/protocolVersion": "２" } } }],
  ])("%s", async (_name, message) => {
    const send = (bearer: string) =>
      fetch(`${service.url}/api/mcp/oauth`, {
        method: "POST",
        headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json", accept: BOTH },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
      })
    expect((await send("a".repeat(43))).status).toBe(401)
    const answer = await send(token)
    expect([200, 400, 404]).toContain(answer.status)
    expect(JSON.stringify(await messageOf(answer))).toMatch(/error|isError/)
  })
})
