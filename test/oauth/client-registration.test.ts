import {
  authorizationRequest,
  authorizationUrl,
  authorize,
  Browser,
  callConnector,
  connectAssistant,
  decide,
  openConsent,
  pkce,
  REDIRECT_URI,
  redeem,
  refresh,
  register,
  resourceOf,
  TokensSchema,
} from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"

import { afterAll, beforeAll, describe, expect, test } from "vitest"

const DAY_MS = 86_400_000

let service: TestService
let member: Member
beforeAll(async () => {
  service = await startTestService({ days: 1, role: "api" })
  member = new Member(service)
  await member.signUp()
})
afterAll(() => service.close())

const startAuthorization = (clientId: string, redirectUri = REDIRECT_URI): Promise<Response> =>
  new Browser(member).get(authorizationRequest(service, { client_id: clientId, redirect_uri: redirectUri }))

describe("registration", () => {
  test("accepts several redirect URIs of one program, private schemes included", async () => {
    const uris = [
      "http://localhost:8787/callback",
      "cursor://anysphere.cursor-mcp/oauth/callback",
      "https://www.cursor.com/agents/mcp/oauth/callback",
      "http://127.0.0.1/",
      "http://127.0.0.1:33418/",
      "https://vscode.dev/redirect",
      "com.example.app:/oauth",
    ]
    const client = await register(service, { redirect_uris: uris })
    for (const uri of uris)
      expect((await startAuthorization(client.client_id, uri)).headers.get("location"), uri).toMatch(
        /\/oauth\/consent\//,
      )
  })

  test("issues a secret on request, and accepts it in the header and in the form", async () => {
    for (const method of ["client_secret_basic", "client_secret_post"]) {
      const client = await register(service, { token_endpoint_auth_method: method })
      const secret = client.client_secret ?? ""
      expect(secret.length).toBeGreaterThanOrEqual(40)
      const { code, verifier } = await authorize(service, member, { client })
      const form = new URLSearchParams({
        grant_type: "authorization_code",
        code,
        code_verifier: verifier,
        redirect_uri: REDIRECT_URI,
      })
      const headers: Record<string, string> = {}
      if (method === "client_secret_post") {
        form.set("client_id", client.client_id)
        form.set("client_secret", secret)
      } else headers["authorization"] = `Basic ${Buffer.from(`${client.client_id}:${secret}`).toString("base64")}`
      const answer = await fetch(`${service.url}/oauth/token`, { method: "POST", body: form, headers })
      expect(answer.status, method).toBe(200)
    }
  })

  test("cannot be read or changed by the client", async () => {
    const client = await register(service)
    expect(client).not.toHaveProperty("registration_access_token")
    for (const method of ["GET", "PUT", "DELETE"])
      expect((await fetch(`${service.url}/oauth/register/${client.client_id}`, { method })).status).toBe(404)
  })

  test("is deleted after a day without use, and kept once it is used", async () => {
    const unused = await register(service)
    const used = await connectAssistant(service, member)
    service.simulator.clock.advance(DAY_MS + 1000)
    await register(service)
    expect((await startAuthorization(unused.client_id)).status).toBe(400)
    expect((await startAuthorization(used.clientId)).status).toBe(303)
    expect((await refresh(service, used.clientId, used.refresh_token)).status).toBe(200)
  })

  test("is limited per visitor, and the number of unused clients is limited too", async () => {
    const send = () =>
      fetch(`${service.url}/oauth/register`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: "none" }),
      })
    const statuses: number[] = []
    for (let round = 0; round < 20; round += 1)
      statuses.push(...(await Promise.all(Array.from({ length: 20 }, send))).map(({ status }) => status))
    expect(statuses).toContain(429)
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(300)
    const { rows } = await service.store.pool.query(`select count(*)::int as count from restwell.oauth_client`)
    expect(rows[0]?.count).toBeLessThanOrEqual(320)
  })
})

describe("clients that omit parameters of later versions can connect, with", () => {
  beforeAll(() => {
    service.simulator.clock.advance(DAY_MS / 12)
  })

  test.each<[string, Record<string, string>]>([
    ["no scope and no resource", {}],
    ["only unknown scopes", { scope: "openid offline_access" }],
    ["the resource with a trailing slash", { resource: "RESOURCE/" }],
    ["the site as resource", { resource: "SITE" }],
    ["the site with a trailing slash as resource", { resource: "SITE/" }],
    ["the resource twice", { resource: "RESOURCE" }],
    ["the host in capitals", { resource: "CAPITALS" }],
  ])("%s", async (_what, more) => {
    const client = await register(service)
    const { verifier, challenge } = pkce()
    const resource = more["resource"]
      ?.replace("RESOURCE", resourceOf(service))
      .replace("SITE", service.url)
      .replace("CAPITALS", resourceOf(service).replace(/^.*localhost/, "HTTP://LocalHost"))
    const url = authorizationUrl(service, {
      client_id: client.client_id,
      redirect_uri: REDIRECT_URI,
      response_type: "code",
      code_challenge: challenge,
      code_challenge_method: "S256",
      ...more,
      ...(resource !== undefined && { resource }),
    })
    const browser = new Browser(member)
    const consent = await openConsent(service, browser, url)
    const back = await decide(browser, consent)
    const form = {
      grant_type: "authorization_code",
      client_id: client.client_id,
      code: back.searchParams.get("code") ?? "",
      code_verifier: verifier,
      redirect_uri: REDIRECT_URI,
      ...(resource !== undefined && { resource }),
    }
    const answer = await fetch(`${service.url}/oauth/token`, { method: "POST", body: new URLSearchParams(form) })
    const tokens = TokensSchema.parse(await answer.json())
    expect((await callConnector(service, tokens.access_token, "tools/list")).status).toBe(200)
    expect(back.searchParams.get("iss")).toBe(service.url)
  })

  test("a token request without the resource", async () => {
    const { client, code, verifier, redirectUri } = await authorize(service, member)
    const answer = await redeem(service, { client, code, verifier, redirectUri })
    expect(answer.status).toBe(200)
  })
})
