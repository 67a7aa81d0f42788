import {
  type Authorized,
  authorize,
  callConnector,
  connectAssistant,
  pkce,
  postToken,
  REDIRECT_URI,
  redeem,
  redemptionOf,
  refresh,
  register,
  resourceOf,
  type Tokens,
  TokensSchema,
} from "@restwell/testing/assistant"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"

let service: TestService
let member: Member
let key: string
beforeAll(async () => {
  service = await startTestService({ days: 3 })
  ;({ member, key } = await Member.connected(service, service.simulator.people.add({ email: "ada@example.com" })))
})
afterAll(() => service.close())

async function expectRefusal(answer: Response, error: string | RegExp): Promise<void> {
  const body = await answer.text()
  expect(answer.status, body).toBeGreaterThanOrEqual(400)
  expect(answer.status, body).toBeLessThan(500)
  expect(JSON.parse(body)).toMatchObject({ error: expect.stringMatching(error) })
  expect(body).not.toContain("access_token")
}

describe("a code is worth nothing with", () => {
  let authorized: Authorized
  beforeEach(async () => {
    authorized = await authorize(service, member)
  })
  const withForm = (change: Readonly<Record<string, string | undefined>>): Promise<Response> => {
    const form = {
      ...redemptionOf(service, authorized),
      ...change,
    }
    return postToken(
      service,
      Object.fromEntries(Object.entries(form).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]]))),
    )
  }

  test.each<[string, Record<string, string | undefined>, string | RegExp]>([
    ["another verifier", { code_verifier: pkce().verifier }, "invalid_grant"],
    ["no verifier", { code_verifier: undefined }, "invalid_grant"],
    ["an empty verifier", { code_verifier: "" }, "invalid_grant"],
    ["a short verifier", { code_verifier: "short" }, /invalid_(?:grant|request)/],
    ["another address", { redirect_uri: "https://evil.example/callback" }, "invalid_grant"],
    ["a longer address", { redirect_uri: `${REDIRECT_URI}/` }, "invalid_grant"],
    ["no address", { redirect_uri: undefined }, "invalid_request"],
    ["another site as resource", { resource: "https://evil.example/" }, "invalid_target"],
    ["the REST endpoint as resource", { resource: "https://restwell.example/api/v1/health" }, "invalid_target"],
    ["a code that was made up", { code: "a".repeat(43) }, "invalid_grant"],
    ["an empty code", { code: "" }, /invalid_/],
    ["no code", { code: undefined }, "invalid_request"],
    ["no client", { client_id: undefined }, /invalid_(?:client|request)/],
    ["an unknown client", { client_id: "b2c855ef-1955-41ea-b84e-decc0746d380" }, "invalid_client"],
    ["no grant type", { grant_type: undefined }, "invalid_request"],
    ["the password grant", { grant_type: "password", username: "a", password: "b" }, "unsupported_grant_type"],
    ["the client's own grant", { grant_type: "client_credentials" }, "unsupported_grant_type"],
    ["the implicit grant", { grant_type: "implicit" }, "unsupported_grant_type"],
    ["a device's grant", { grant_type: "urn:ietf:params:oauth:grant-type:device_code" }, "unsupported_grant_type"],
    ["an assertion", { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer" }, "unsupported_grant_type"],
    [
      "an exchange of tokens",
      { grant_type: "urn:ietf:params:oauth:grant-type:token-exchange" },
      "unsupported_grant_type",
    ],
    ["the grant of refresh tokens", { grant_type: "refresh_token" }, "invalid_request"],
    ["the code as refresh token", { grant_type: "refresh_token", refresh_token: "CODE" }, "invalid_grant"],
    ["a secret that the client has not", { client_secret: "secret" }, /invalid_(?:client|request)/],
  ])("%s", async (_what, change, error) => {
    const token = change["refresh_token"]?.replace("CODE", authorized.code)
    await expectRefusal(await withForm({ ...change, ...(token !== undefined && { refresh_token: token }) }), error)
  })

  test("another client", async () => {
    const { client_id } = await register(service)
    await expectRefusal(await withForm({ client_id }), "invalid_grant")
  })

  test.each(["code", "client_id", "grant_type", "redirect_uri", "code_verifier"])("%s given twice", async (name) => {
    const form = new URLSearchParams(redemptionOf(service, authorized))
    form.append(name, form.get(name) ?? "")
    await expectRefusal(await fetch(`${service.url}/oauth/token`, { method: "POST", body: form }), /invalid_/)
  })

  test("a body of JSON", async () => {
    const answer = await fetch(`${service.url}/oauth/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ grant_type: "authorization_code", code: authorized.code }),
    })
    await expectRefusal(answer, /invalid_|unsupported/)
  })

  test("everything in the address", async () => {
    const search = new URLSearchParams(redemptionOf(service, authorized))
    expect((await fetch(`${service.url}/oauth/token?${search}`)).status).toBe(405)
    await expectRefusal(await fetch(`${service.url}/oauth/token?${search}`, { method: "POST" }), /invalid_/)
  })

  test("an end behind it", async () => {
    await service.store.pool.query(
      `update restwell.oauth_record set payload = payload || '{"exp": 1}' where kind = 'AuthorizationCode'`,
    )
    await expectRefusal(await redeem(service, authorized), "invalid_grant")
  })

  test("a use behind it, which ends what it was used for", async () => {
    const tokens = TokensSchema.parse(await (await redeem(service, authorized)).json())
    expect((await callConnector(service, tokens.access_token, "tools/list")).status).toBe(200)
    await expectRefusal(await redeem(service, authorized), "invalid_grant")
    expect((await callConnector(service, tokens.access_token, "tools/list")).status).toBe(401)
    await expectRefusal(await refresh(service, authorized.client.client_id, tokens.refresh_token), "invalid_grant")
  })
})

describe("a client with a secret has to show it", () => {
  test.each<[string, (id: string, secret: string) => RequestInit]>([
    ["none", (id) => form({ client_id: id })],
    ["a wrong one", (id) => form({ client_id: id, client_secret: "wrong" })],
    ["an empty one", (id) => form({ client_id: id, client_secret: "" })],
    ["a wrong one in the header", (id) => ({ ...form({}), headers: basic(id, "wrong") })],
    [
      "it in two places",
      (id, secret) => ({ ...form({ client_id: id, client_secret: secret }), headers: basic(id, secret) }),
    ],
    ["another client's", (id) => form({ client_id: id, client_secret: "another" })],
    ["a header that is no such thing", (id) => ({ ...form({ client_id: id }), headers: { authorization: "Basic !" } })],
  ])("%s", async (_what, request) => {
    const client = await register(service, { token_endpoint_auth_method: "client_secret_post" })
    const { code, verifier } = await authorize(service, member, { client })
    const init = request(client.client_id, client.client_secret ?? "")
    const body = new URLSearchParams(String(init.body))
    body.set("grant_type", "authorization_code")
    body.set("code", code)
    body.set("code_verifier", verifier)
    body.set("redirect_uri", REDIRECT_URI)
    await expectRefusal(await fetch(`${service.url}/oauth/token`, { ...init, body }), /invalid_(?:client|request)/)
  })
})

const form = (fields: Record<string, string>): RequestInit => ({ method: "POST", body: new URLSearchParams(fields) })
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
})

describe("a refresh token is worth nothing", () => {
  let tokens: Tokens & { clientId: string }
  beforeEach(async () => {
    tokens = await connectAssistant(service, member)
  })

  test("to another client", async () => {
    const { client_id } = await register(service)
    await expectRefusal(await refresh(service, client_id, tokens.refresh_token), "invalid_grant")
  })

  test("that is an access token", async () => {
    await expectRefusal(await refresh(service, tokens.clientId, tokens.access_token), "invalid_grant")
  })

  test.each(["", "made-up", "a".repeat(43)])("that is “%s”", async (token) => {
    await expectRefusal(await refresh(service, tokens.clientId, token), /invalid_/)
  })

  test("for more than was allowed", async () => {
    const less = await connectAssistant(service, member, { scope: "sleep:read" })
    const answer = await postToken(service, {
      grant_type: "refresh_token",
      client_id: less.clientId,
      refresh_token: less.refresh_token,
      scope: "sleep:read profile:read",
    })
    await expectRefusal(answer, "invalid_scope")
  })

  test("for another resource", async () => {
    const answer = await postToken(service, {
      grant_type: "refresh_token",
      client_id: tokens.clientId,
      refresh_token: tokens.refresh_token,
      resource: "https://evil.example/",
    })
    await expectRefusal(answer, "invalid_target")
  })

  test("that was given back", async () => {
    const revoked = await fetch(`${service.url}/oauth/revoke`, {
      method: "POST",
      body: new URLSearchParams({ client_id: tokens.clientId, token: tokens.refresh_token }),
    })
    expect(revoked.status).toBe(200)
    await expectRefusal(await refresh(service, tokens.clientId, tokens.refresh_token), "invalid_grant")
    expect((await callConnector(service, tokens.access_token, "tools/list")).status).toBe(401)
  })

  test("when the person ended it", async () => {
    await endAll()
    await expectRefusal(await refresh(service, tokens.clientId, tokens.refresh_token), "invalid_grant")
  })

  test("past its end", async () => {
    await service.store.pool.query(
      `update restwell.oauth_record set payload = payload || '{"exp": 1}' where kind = 'RefreshToken'`,
    )
    await expectRefusal(await refresh(service, tokens.clientId, tokens.refresh_token), "invalid_grant")
  })

  test("given back by another client stays as it is", async () => {
    const { client_id } = await register(service)
    await fetch(`${service.url}/oauth/revoke`, {
      method: "POST",
      body: new URLSearchParams({ client_id, token: tokens.refresh_token }),
    })
    expect((await refresh(service, tokens.clientId, tokens.refresh_token)).status).toBe(200)
  })
})

async function endAll(): Promise<void> {
  const { assistants } = await (await member.send("GET", "/api/account")).json()
  for (const { id } of assistants)
    expect((await member.send("DELETE", `/api/account/assistants/${id}`)).status).toBe(204)
}

describe("the connector lets nobody in with", () => {
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
    ["a token that was made up", () => ({ authorization: `Bearer ${"a".repeat(43)}` })],
    ["an empty token", () => ({ authorization: "Bearer " })],
    ["a token under Basic", ({ access_token }) => ({ authorization: `Basic ${access_token}` })],
    ["a token alone", ({ access_token }) => ({ authorization: access_token })],
    ["two tokens", ({ access_token }) => ({ authorization: `Bearer ${access_token} ${access_token}` })],
    ["a token in small letters", ({ access_token }) => ({ authorization: `Bearer ${access_token.toLowerCase()}` })],
    ["a session", () => ({ cookie: member.cookie })],
    ["a token in a cookie", ({ access_token }) => ({ cookie: `access_token=${access_token}` })],
  ])("%s", async (_what, headers) => {
    const tokens = await connectAssistant(service, member)
    expectChallenge(await callConnector(service, undefined, "tools/list", {}, headers(tokens)))
  })

  test("a token in the address", async () => {
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

  test("a token that the person ended", async () => {
    const { access_token } = await connectAssistant(service, member)
    await endAll()
    expectChallenge(await callConnector(service, access_token, "tools/list"))
  })

  test("a token whose grant is gone", async () => {
    const { access_token } = await connectAssistant(service, member)
    await service.store.pool.query(`delete from restwell.oauth_record where kind = 'Grant'`)
    expectChallenge(await callConnector(service, access_token, "tools/list"))
  })

  test("a token of an account that is gone", async () => {
    const gone = new Member(service)
    await gone.signUp()
    const { access_token } = await connectAssistant(service, gone)
    expect((await callConnector(service, access_token, "tools/list")).status).toBe(200)
    expect((await gone.send("DELETE", "/api/account", {})).status).toBe(204)
    expectChallenge(await callConnector(service, access_token, "tools/list"))
  })

  test("a token past its end, which is named only to who sent one", async () => {
    const { access_token } = await connectAssistant(service, member)
    const none = await callConnector(service, undefined, "tools/list")
    expect(none.headers.get("www-authenticate")).not.toContain("error=")
    service.simulator.clock.advance(3_601_000)
    const ended = await callConnector(service, access_token, "tools/list")
    expectChallenge(ended)
    expect(ended.headers.get("www-authenticate")).toContain('error="invalid_token"')
  })

  test.each(["https://evil.example", "null", "http://localhost", "http://127.0.0.1:1"])(
    "a page of %s, token or not",
    async (origin) => {
      const { access_token } = await connectAssistant(service, member)
      expect((await callConnector(service, access_token, "tools/list", {}, { origin })).status).toBe(403)
    },
  )

  test.each(["GET", "DELETE", "PUT", "PATCH"])("%s", async (method) => {
    const { access_token } = await connectAssistant(service, member)
    const headers = { authorization: `Bearer ${access_token}`, accept: "text/event-stream" }
    const answer = await fetch(resourceOf(service), { method, headers })
    expect(answer.status).toBe(405)
    expect(answer.headers.get("allow")).toBe("POST")
  })
})

test.each(["access_token", "refresh_token"] as const)("an %s is no API key", async (name) => {
  const tokens = await connectAssistant(service, member)
  expect((await readHealth(service.url, tokens[name])).status).toBe(401)
})
