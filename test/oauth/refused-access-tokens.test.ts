import { callConnector, connectAssistant, resourceOf, type Tokens } from "@restwell/testing/assistant"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"

import { afterAll, beforeAll, describe, expect, test } from "vitest"

import { revokeAssistants } from "./expect-refused-tokens.ts"

let service: TestService
let member: Member
let key: string
beforeAll(async () => {
  service = await startTestService({ days: 3 })
  ;({ member, key } = await Member.connected(service, service.simulator.people.add({ email: "ada@example.com" })))
})
afterAll(() => service.close())

describe("the connector refuses", () => {
  const challenge = /^Bearer .*resource_metadata="[^"]+\/\.well-known\/oauth-protected-resource\/api\/mcp\/oauth"/
  const expectChallenge = (answer: Response): void => {
    expect(answer.status).toBe(401)
    expect(answer.headers.get("www-authenticate")).toMatch(challenge)
    expect(answer.headers.get("www-authenticate")).toContain("sleep:read")
  }

  test.each<[string, (tokens: Tokens) => Record<string, string>]>([
    ["no token", () => ({})],
    ["an API key", () => ({ authorization: `Bearer ${key}` })],
    ["a refresh token", ({ refresh_token }) => ({ authorization: `Bearer ${refresh_token}` })],
    ["an invented token", () => ({ authorization: `Bearer ${"a".repeat(43)}` })],
    ["an empty token", () => ({ authorization: "Bearer " })],
    ["a token with the Basic scheme", ({ access_token }) => ({ authorization: `Basic ${access_token}` })],
    ["a token without a scheme", ({ access_token }) => ({ authorization: access_token })],
    ["two tokens", ({ access_token }) => ({ authorization: `Bearer ${access_token} ${access_token}` })],
    ["a token in lower case", ({ access_token }) => ({ authorization: `Bearer ${access_token.toLowerCase()}` })],
    ["a session cookie", () => ({ cookie: member.cookie })],
    ["a token in a cookie", ({ access_token }) => ({ cookie: `access_token=${access_token}` })],
  ])("%s", async (_what, headers) => {
    const tokens = await connectAssistant(service, member)
    expectChallenge(await callConnector(service, undefined, "tools/list", {}, headers(tokens)))
  })

  test("a token in the URL", async () => {
    const { access_token } = await connectAssistant(service, member)
    expectChallenge(
      await fetch(`${resourceOf(service)}?access_token=${access_token}`, {
        method: "POST",
        body: "{}",
        headers: { "content-type": "application/json" },
      }),
    )
  })

  test("a token for another audience", async () => {
    const { access_token } = await connectAssistant(service, member)
    await service.store.pool.query(
      `update restwell.oauth_record set payload = payload || '{"aud": "https://evil.example/api/mcp/oauth"}' where kind = 'AccessToken'`,
    )
    expectChallenge(await callConnector(service, access_token, "tools/list"))
  })

  test("a token that the person revoked", async () => {
    const { access_token } = await connectAssistant(service, member)
    await revokeAssistants(member)
    expectChallenge(await callConnector(service, access_token, "tools/list"))
  })

  test("a token without its grant", async () => {
    const { access_token } = await connectAssistant(service, member)
    await service.store.pool.query(`delete from restwell.oauth_record where kind = 'Grant'`)
    expectChallenge(await callConnector(service, access_token, "tools/list"))
  })

  test("a token of a deleted account", async () => {
    const deleted = new Member(service)
    await deleted.signUp()
    const { access_token } = await connectAssistant(service, deleted)
    expect((await callConnector(service, access_token, "tools/list")).status).toBe(200)
    expect((await deleted.send("DELETE", "/api/account", {})).status).toBe(204)
    expectChallenge(await callConnector(service, access_token, "tools/list"))
  })

  test("an expired token, with an error code that a request without a token does not get", async () => {
    const { access_token } = await connectAssistant(service, member)
    const none = await callConnector(service, undefined, "tools/list")
    expect(none.headers.get("www-authenticate")).not.toContain("error=")
    service.simulator.clock.advance(3_601_000)
    const ended = await callConnector(service, access_token, "tools/list")
    expectChallenge(ended)
    expect(ended.headers.get("www-authenticate")).toContain('error="invalid_token"')
  })

  test.each(["https://evil.example", "null", "http://localhost", "http://127.0.0.1:1"])(
    "a page of the origin %s, even with a token",
    async (origin) => {
      const { access_token } = await connectAssistant(service, member)
      expect((await callConnector(service, access_token, "tools/list", {}, { origin })).status).toBe(403)
    },
  )

  test.each(["GET", "DELETE", "PUT", "PATCH"])("the method %s", async (method) => {
    const { access_token } = await connectAssistant(service, member)
    const headers = { authorization: `Bearer ${access_token}`, accept: "text/event-stream" }
    const answer = await fetch(resourceOf(service), { method, headers })
    expect(answer.status).toBe(405)
    expect(answer.headers.get("allow")).toBe("POST")
  })
})

test.each(["access_token", "refresh_token"] as const)("an %s does not work as an API key", async (name) => {
  const tokens = await connectAssistant(service, member)
  expect((await readHealth(service.url, tokens[name])).status).toBe(401)
})
