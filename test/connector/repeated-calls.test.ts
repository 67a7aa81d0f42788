import { AccessLogResponseSchema, AccountResponseSchema } from "@restwell/client"
import {
  callConnector,
  callTool,
  connectAssistant,
  messageOf,
  register,
  type Tokens,
} from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { revokeAssistants } from "../oauth/expect-refused-tokens.ts"

const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS
const CALLS: readonly (readonly [tool: string, args: object])[] = [
  ["get_today", {}],
  ["get_summary", { days: 7 }],
  ["get_sleep", { days: 30, limit: 2 }],
  ["get_recovery", {}],
  ["get_profile", {}],
  ["get_trend", { metric: "hrv", days: 30 }],
  ["compare_periods", { metric: "hrv", days: 10 }],
  ["find_relations", { outcome: "hrv", factor: "asleep" }],
  ["search", { query: "worst nights" }],
]
/** A call of the newer protocol names its client in each request. */
const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
}

let service: TestService
let member: Member
let tokens: Tokens & { clientId: string }
beforeAll(async () => {
  service = await startTestService({ days: 40, now: new Date(), isStill: true })
  ;({ member } = await Member.connected(service, service.simulator.people.add({ email: "ada@example.com" })))
  tokens = await connectAssistant(service, member)
})
afterAll(() => service.close())

const usedOf = async (person = member) =>
  AccountResponseSchema.parse(await (await person.send("GET", "/api/account")).json()).usage.used

const newestEntry = async () =>
  AccessLogResponseSchema.parse(await (await member.send("GET", "/api/account/access-log")).json()).entries[0]

const ResultSchema = z.looseObject({ content: z.array(z.unknown()), structuredContent: z.unknown() })

async function callModern(name: string, args: object): Promise<z.infer<typeof ResultSchema>> {
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name }
  const params = { name, arguments: args, _meta: MODERN }
  const answer = await callConnector(service, tokens.access_token, "tools/call", params, headers)
  return ResultSchema.parse((await messageOf(answer)).result)
}

/** The answer to an assistant that never made the call. */
async function firstAnswer(name: string, args: object) {
  const { access_token } = await connectAssistant(service, member)
  return callTool(service, access_token, name, args)
}

test.each(CALLS)("%s %j has the same result again in both eras, counted and logged each time", async (name, args) => {
  const first = await callTool(service, tokens.access_token, name, args)
  const { id: _first, at: _firstAt, ...entry } = (await newestEntry()) ?? {}
  for (const again of [
    callModern,
    callModern,
    (...call: [string, object]) => callTool(service, tokens.access_token, ...call),
  ]) {
    const before = await usedOf()
    const { structuredContent, _meta } = await again(name, args)
    expect(structuredContent).toEqual(first.structuredContent)
    expect(_meta).toEqual(expect.objectContaining(first._meta ?? {}))
    expect(await usedOf()).toBe(before + 1)
    const { id: _id, at: _at, ...repeated } = (await newestEntry()) ?? {}
    expect(repeated).toEqual(entry)
  }
})

describe("a repeated call is refused and not counted", () => {
  type Connected = typeof tokens
  const change = (text: string) => async () => void (await service.store.pool.query(text))
  test.each<[string, (connected: Connected) => Promise<unknown>]>([
    ["when the person revoked the assistant", () => revokeAssistants(member)],
    [
      "when the assistant revoked its token",
      ({ access_token: token, clientId: client_id }) =>
        fetch(`${service.url}/oauth/revoke`, { method: "POST", body: new URLSearchParams({ token, client_id }) }),
    ],
    ["without its grant", change("delete from restwell.oauth_record where kind = 'Grant'")],
    ["without its assistant", change("delete from restwell.assistant")],
    ["with an expired token", change("update restwell.oauth_record set expires_at = '2000-01-01'")],
  ])("%s", async (_when, revoke) => {
    const connected = await connectAssistant(service, member)
    for (let call = 0; call < 2; call += 1) await callTool(service, connected.access_token, "get_sleep")
    const before = await usedOf()
    await revoke(connected)
    const params = { name: "get_sleep", arguments: {} }
    const refused = await callConnector(service, connected.access_token, "tools/call", params)
    expect(refused.status).toBe(401)
    expect(refused.headers.get("www-authenticate")).toContain('error="invalid_token"')
    expect(await usedOf()).toBe(before)
  })

  test("when the account was deleted", async () => {
    const person = service.simulator.people.add({ email: "eve@example.com" })
    const { member: deleted } = await Member.connected(service, person)
    const { access_token } = await connectAssistant(service, deleted)
    for (let call = 0; call < 2; call += 1) await callTool(service, access_token, "get_sleep")
    expect((await deleted.send("DELETE", "/api/account", {})).status).toBe(204)
    const params = { name: "get_sleep", arguments: {} }
    expect((await callConnector(service, access_token, "tools/call", params)).status).toBe(401)
  })

  test("when the protocol refuses it", async () => {
    const connected = await connectAssistant(service, member)
    for (let call = 0; call < 2; call += 1) await callTool(service, connected.access_token, "get_sleep")
    const before = await usedOf()
    const params = { name: "get_sleep", arguments: {}, _meta: MODERN }
    const headers = { "mcp-name": "get_recovery" }
    expect((await callConnector(service, connected.access_token, "tools/call", params, headers)).status).toBe(400)
    expect(await usedOf()).toBe(before)
  })
})

describe("a repeated call gets a new answer", () => {
  test.each([
    ["of fewer types", { scopes: ["recovery:read"] }, "get_sleep", "the person does not share sleep"],
    ["of fewer dates", { days: "7" as const }, "get_sleep", "the person shares the last 7 days"],
  ])("when the person decides to share data %s", async (_what, choice, tool, message) => {
    const client = await register(service)
    const { access_token } = await connectAssistant(service, member, { client })
    const args = { days: 20 }
    for (let call = 0; call < 2; call += 1)
      expect((await callTool(service, access_token, tool, args)).isError).toBeFalsy()
    await connectAssistant(service, member, { client, choice })
    const { isError, content } = await callTool(service, access_token, tool, args)
    expect(isError).toBe(true)
    expect(content[0]?.text).toContain(message)
  })

  test("of a summary without what the person no longer shares", async () => {
    const client = await register(service)
    const { access_token } = await connectAssistant(service, member, { client })
    const averages = async () => (await callTool(service, access_token, "get_summary")).structuredContent?.["sleep"]
    for (let call = 0; call < 2; call += 1) expect(await averages()).toBeTypeOf("object")
    await connectAssistant(service, member, { client, choice: { scopes: ["recovery:read"] } })
    expect(await averages()).toBeNull()
  })

  describe("with data that no sync changes,", () => {
    beforeAll(async () => {
      await service.store.pool.query("update restwell.connection set status = 'reauthorization_required'")
      await service.store.pool.query("update restwell.person set data_version = data_version + 1")
    })

    test("when the data have changed", async () => {
      const call = ["get_trend", { metric: "hrv", days: 20 }] as const
      const { access_token } = await connectAssistant(service, member)
      const before = await callTool(service, access_token, ...call)
      expect(await callTool(service, access_token, ...call)).toEqual(before)
      await service.store.pool.query(
        "delete from restwell.record where kind = 'recovery' and date = (select max(date) from restwell.record)",
      )
      await service.store.pool.query("update restwell.person set data_version = data_version + 1")
      const after = await callTool(service, access_token, ...call)
      expect(after).not.toEqual(before)
      expect(after).toEqual(await firstAnswer(...call))
    })

    test("on the next day", async () => {
      const { rows } = await service.store.pool.query("select utc_offset_minutes as minutes from restwell.person")
      const localMs = service.simulator.clock.now().getTime() + Number(rows[0]?.minutes) * MINUTE_MS
      service.simulator.clock.advance((2 * DAY_MS - (localMs % DAY_MS) - 5 * MINUTE_MS) % DAY_MS)
      const { access_token } = await connectAssistant(service, member)
      const call = ["get_summary", { days: 3 }] as const
      const before = await callTool(service, access_token, ...call)
      expect(await callTool(service, access_token, ...call)).toEqual(before)
      service.simulator.clock.advance(10 * MINUTE_MS)
      const after = await callTool(service, access_token, ...call)
      expect(after).not.toEqual(before)
      expect(after).toEqual(await firstAnswer(...call))
    })
  })
})
