import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { connectAssistant, resourceOf } from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

/** Assistants keep the list in every conversation. */
const MOST_TOKENS = 3_700

let service: TestService
let token: string
beforeAll(async () => {
  service = await startTestService({ days: 20 })
  const member = new Member(service)
  await member.signUp()
  token = (await connectAssistant(service, member)).access_token
})
afterAll(() => service.close())

describe.each([
  ["2025-11-25", "legacy" as const],
  ["2026-07-28", "auto" as const],
])("in protocol version %s", (version, mode) => {
  let client: Client
  beforeAll(async () => {
    client = new Client({ name: "reference", version: "1" }, { versionNegotiation: { mode } })
    const requestInit = { headers: { authorization: `Bearer ${token}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(resourceOf(service)), { requestInit }))
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
  })
  afterAll(() => client.close())

  test(`the whole list of tools has at most ${MOST_TOKENS} tokens`, async () => {
    const list = await client.listTools()
    expect(list.tools.length).toBeGreaterThan(8)
    expect(countTokens(JSON.stringify(list))).toBeLessThanOrEqual(MOST_TOKENS)
  })

  test("no schema of an output has alternatives or references, and nullable values have a list of types", async () => {
    const { tools } = await client.listTools()
    const outputs = tools.map(({ outputSchema }) => JSON.stringify(outputSchema))
    for (const output of outputs) expect(output).not.toMatch(/"(anyOf|oneOf|allOf|\$ref|\$defs)"/)
    expect(outputs.join()).toContain('{"type":["object","null"]}')
  })

  test("the instructions name data that does not exist and where samples are, in at most 600 characters", () => {
    const instructions = client.getInstructions() ?? ""
    for (const missing of ["get_series", "GPS", "food", "blood", "mood"]) expect(instructions).toContain(missing)
    expect(instructions.length).toBeLessThanOrEqual(600)
  })
})
