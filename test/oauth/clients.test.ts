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
  postToken,
  REDIRECT_URI,
  redeem,
  redemptionOf,
  refresh,
  register,
  resourceOf,
  TokensSchema,
} from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

const DAY_MS = 86_400_000
const SITE = "https://assistant.example"

/** What sites publish in this file: an answer by address. */
const published = new Map<string, () => Response | Promise<Response>>()
const fetched: string[] = []

let service: TestService
let member: Member
beforeAll(async () => {
  service = await startTestService({
    days: 1,
    role: "api",
    fetchDocument: async (url) => {
      fetched.push(String(url))
      return (await published.get(String(url))?.()) ?? new Response("", { status: 404 })
    },
  })
  member = new Member(service)
  await member.signUp()
})
afterAll(() => service.close())

const documentOf = (url: string, more: object = {}): Record<string, unknown> => ({
  client_id: url,
  client_name: "Documented",
  redirect_uris: [REDIRECT_URI],
  token_endpoint_auth_method: "none",
  ...more,
})

/** Publishes a document at an address of its own. */
function publish(more: object = {}): string {
  const url = `${SITE}/${crypto.randomUUID()}/client.json`
  published.set(url, () => Response.json(documentOf(url, more)))
  return url
}

const begin = (clientId: string, redirectUri = REDIRECT_URI): Promise<Response> =>
  new Browser(member).get(authorizationRequest(service, { client_id: clientId, redirect_uri: redirectUri }))

describe("a metadata document", () => {
  test("is a client without registration, and its site vouches for it", async () => {
    const tokens = await connectAssistant(service, member, { client: { client_id: publish() } })
    expect((await callConnector(service, tokens.access_token, "tools/list")).status).toBe(200)
    expect((await refresh(service, tokens.clientId, tokens.refresh_token)).status).toBe(200)
    const { assistants } = await (await member.send("GET", "/api/account")).json()
    expect(assistants[0]).toMatchObject({ name: "Documented", verified_host: "assistant.example" })
  })

  test("may name a key, which then stands in for a secret, each proof once", async () => {
    const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true })
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "1", alg: "ES256", use: "sig" }] }
    const url = publish({
      token_endpoint_auth_method: "private_key_jwt",
      token_endpoint_auth_signing_alg: "ES256",
      jwks,
    })
    const authorized = await authorize(service, member, { client: { client_id: url } })
    const form = redemptionOf(service, authorized)
    expect((await postToken(service, form)).status).toBe(401)
    const proof = await new SignJWT({ jti: crypto.randomUUID() })
      .setProtectedHeader({ alg: "ES256", kid: "1" })
      .setIssuer(url)
      .setSubject(url)
      .setAudience(service.url)
      .setIssuedAt()
      .setExpirationTime("1m")
      .sign(privateKey)
    const proven = {
      ...form,
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: proof,
    }
    const answer = await postToken(service, proven)
    expect(answer.status, await answer.clone().text()).toBe(200)
    const again = await authorize(service, member, { client: { client_id: url } })
    expect((await postToken(service, { ...proven, ...redemptionOf(service, again) })).status).toBe(401)
  })

  test("is fetched once for a while, not with every request", async () => {
    const url = publish()
    await connectAssistant(service, member, { client: { client_id: url } })
    await connectAssistant(service, member, { client: { client_id: url } })
    expect(fetched.filter((one) => one === url)).toHaveLength(1)
  })

  test("with loopback addresses without a port takes any port", async () => {
    const url = publish({ redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"] })
    for (const host of ["localhost", "127.0.0.1"])
      expect((await begin(url, `http://${host}:53129/callback`)).headers.get("location")).toMatch(/\/oauth\/consent\//)
    expect((await begin(url, "http://127.0.0.1:53129/evil")).status).toBe(400)
  })

  test.each<[string, (url: string) => Response]>([
    ["is not there", () => new Response("", { status: 404 })],
    ["is an error", () => new Response("", { status: 500 })],
    ["is elsewhere", () => new Response(null, { status: 302, headers: { location: "http://127.0.0.1/" } })],
    ["is no JSON", () => new Response("<html>")],
    ["is a list", () => Response.json([])],
    ["is null", () => Response.json(null)],
    ["names another client", () => Response.json(documentOf("https://assistant.example/another.json"))],
    ["names no client", (url) => Response.json({ ...documentOf(url), client_id: undefined })],
    ["has a secret", (url) => Response.json(documentOf(url, { client_secret: "secret" }))],
    [
      "wants to use a secret",
      (url) => Response.json(documentOf(url, { token_endpoint_auth_method: "client_secret_post" })),
    ],
    ["has no address", (url) => Response.json(documentOf(url, { redirect_uris: [] }))],
    [
      "has a hostile address beside",
      (url) => Response.json(documentOf(url, { redirect_uris: [REDIRECT_URI, "javascript:1"] })),
    ],
    [
      "has http addresses",
      (url) => Response.json(documentOf(url, { redirect_uris: ["http://assistant.example/callback"] })),
    ],
    ["has a name of 300 letters", (url) => Response.json(documentOf(url, { client_name: "n".repeat(300) }))],
    [
      "asks for tokens in the address",
      (url) => Response.json(documentOf(url, { response_types: ["token"], grant_types: ["implicit"] })),
    ],
    [
      "is larger than 5 KB",
      (url) => Response.json(documentOf(url, { tos_uri: `https://x.example/${"a".repeat(6000)}` })),
    ],
  ])("that %s is no client", async (_what, answer) => {
    const url = `${SITE}/${crypto.randomUUID()}/client.json`
    published.set(url, () => answer(url))
    const page = await begin(url)
    expect(page.status).toBe(400)
    expect(page.headers.get("location")).toBeNull()
    // No failure is kept: once it is there, it is a client.
    published.set(url, () => Response.json(documentOf(url)))
    expect((await begin(url)).status).toBe(303)
  })

  test("is not fetched without end for one visitor", async () => {
    const before = fetched.length
    const answers = await Promise.all(
      Array.from({ length: 90 }, (_, index) => begin(`${SITE}/flood-${index}/client.json`)),
    )
    expect(answers.every(({ status }) => status === 400)).toBe(true)
    expect(fetched.length - before).toBeLessThanOrEqual(60)
    service.simulator.clock.advance(61_000)
  })
})

describe("registration", () => {
  test("takes all the addresses of a program at once, private schemes among them", async () => {
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
      expect((await begin(client.client_id, uri)).headers.get("location"), uri).toMatch(/\/oauth\/consent\//)
  })

  test("gives a secret to a client that asks for one, and takes it in the header and in the form", async () => {
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

  test("gives nothing to manage it by", async () => {
    const client = await register(service)
    expect(client).not.toHaveProperty("registration_access_token")
    for (const method of ["GET", "PUT", "DELETE"])
      expect((await fetch(`${service.url}/oauth/register/${client.client_id}`, { method })).status).toBe(404)
  })

  test("is forgotten after a day when nobody used it, and kept when somebody did", async () => {
    const unused = await register(service)
    const used = await connectAssistant(service, member)
    service.simulator.clock.advance(DAY_MS + 1000)
    await register(service)
    expect((await begin(unused.client_id)).status).toBe(400)
    expect((await begin(used.clientId)).status).toBe(303)
    expect((await refresh(service, used.clientId, used.refresh_token)).status).toBe(200)
  })

  test("is bounded: by visitor, and what is never used by number", async () => {
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

describe("clients that leave out what later versions ask for", () => {
  beforeAll(() => {
    service.simulator.clock.advance(DAY_MS / 12)
  })

  test.each<[string, Record<string, string>]>([
    ["no scope and no resource", {}],
    ["a scope of nothing that is here", { scope: "openid offline_access" }],
    ["the resource with a slash behind", { resource: "RESOURCE/" }],
    ["the site as resource", { resource: "SITE" }],
    ["the site with a slash as resource", { resource: "SITE/" }],
    ["the resource twice", { resource: "RESOURCE" }],
  ])("%s", async (_what, more) => {
    const client = await register(service)
    const { verifier, challenge } = pkce()
    const resource = more["resource"]?.replace("RESOURCE", resourceOf(service)).replace("SITE", service.url)
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

  test("a token may be asked for without naming the resource again", async () => {
    const { client, code, verifier, redirectUri } = await authorize(service, member)
    const answer = await redeem(service, { client, code, verifier, redirectUri })
    expect(answer.status).toBe(200)
  })
})
