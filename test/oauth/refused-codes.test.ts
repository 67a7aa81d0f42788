import {
  type Authorized,
  authorize,
  callConnector,
  pkce,
  postToken,
  REDIRECT_URI,
  redeem,
  redemptionOf,
  refresh,
  register,
  TokensSchema,
} from "@restwell/testing/assistant"

import { Member } from "@restwell/testing/member"

import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"

import { expectRefusal } from "./expect-refused-tokens.ts"

let service: TestService
let member: Member
beforeAll(async () => {
  service = await startTestService({ days: 3 })
  ;({ member } = await Member.connected(service, service.simulator.people.add({ email: "ada@example.com" })))
})
afterAll(() => service.close())

describe("an authorization code is refused with", () => {
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
    ["another redirect URI", { redirect_uri: "https://evil.example/callback" }, "invalid_grant"],
    ["a longer redirect URI", { redirect_uri: `${REDIRECT_URI}/` }, "invalid_grant"],
    ["no redirect URI", { redirect_uri: undefined }, "invalid_request"],
    ["another site as resource", { resource: "https://evil.example/" }, "invalid_target"],
    ["the REST endpoint as resource", { resource: "https://restwell.example/api/v1/health" }, "invalid_target"],
    ["an invented code", { code: "a".repeat(43) }, "invalid_grant"],
    ["an empty code", { code: "" }, /invalid_/],
    ["no code", { code: undefined }, "invalid_request"],
    ["no client", { client_id: undefined }, /invalid_(?:client|request)/],
    ["an unknown client", { client_id: "b2c855ef-1955-41ea-b84e-decc0746d380" }, "invalid_client"],
    ["no grant type", { grant_type: undefined }, "invalid_request"],
    ["the password grant", { grant_type: "password", username: "a", password: "b" }, "unsupported_grant_type"],
    ["the client credentials grant", { grant_type: "client_credentials" }, "unsupported_grant_type"],
    ["the implicit grant", { grant_type: "implicit" }, "unsupported_grant_type"],
    ["the device code grant", { grant_type: "urn:ietf:params:oauth:grant-type:device_code" }, "unsupported_grant_type"],
    ["the JWT bearer grant", { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer" }, "unsupported_grant_type"],
    [
      "the token exchange grant",
      { grant_type: "urn:ietf:params:oauth:grant-type:token-exchange" },
      "unsupported_grant_type",
    ],
    ["the refresh token grant without a token", { grant_type: "refresh_token" }, "invalid_request"],
    ["the code as refresh token", { grant_type: "refresh_token", refresh_token: "CODE" }, "invalid_grant"],
    ["a secret of a client that has none", { client_secret: "secret" }, /invalid_(?:client|request)/],
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

  test("a JSON body", async () => {
    const answer = await fetch(`${service.url}/oauth/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ grant_type: "authorization_code", code: authorized.code }),
    })
    await expectRefusal(answer, /invalid_|unsupported/)
  })

  test("all parameters in the URL", async () => {
    const search = new URLSearchParams(redemptionOf(service, authorized))
    expect((await fetch(`${service.url}/oauth/token?${search}`)).status).toBe(405)
    await expectRefusal(await fetch(`${service.url}/oauth/token?${search}`, { method: "POST" }), /invalid_/)
  })

  test("an expiry in the past", async () => {
    await service.store.pool.query(
      `update restwell.oauth_record set payload = payload || '{"exp": 1}' where kind = 'AuthorizationCode'`,
    )
    await expectRefusal(await redeem(service, authorized), "invalid_grant")
  })

  test("an earlier use, which also revokes the tokens issued for it", async () => {
    const tokens = TokensSchema.parse(await (await redeem(service, authorized)).json())
    expect((await callConnector(service, tokens.access_token, "tools/list")).status).toBe(200)
    await expectRefusal(await redeem(service, authorized), "invalid_grant")
    expect((await callConnector(service, tokens.access_token, "tools/list")).status).toBe(401)
    await expectRefusal(await refresh(service, authorized.client.client_id, tokens.refresh_token), "invalid_grant")
  })
})

describe("a client with a secret is refused with", () => {
  test.each<[string, (id: string, secret: string) => RequestInit]>([
    ["no secret", (id) => form({ client_id: id })],
    ["a wrong secret", (id) => form({ client_id: id, client_secret: "wrong" })],
    ["an empty secret", (id) => form({ client_id: id, client_secret: "" })],
    ["a wrong secret in the header", (id) => ({ ...form({}), headers: basic(id, "wrong") })],
    [
      "the secret in the form and in the header",
      (id, secret) => ({ ...form({ client_id: id, client_secret: secret }), headers: basic(id, secret) }),
    ],
    ["another client's secret", (id) => form({ client_id: id, client_secret: "another" })],
    ["a malformed header", (id) => ({ ...form({ client_id: id }), headers: { authorization: "Basic !" } })],
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
