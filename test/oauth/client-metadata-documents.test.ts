import {
  authorizationRequest,
  authorize,
  Browser,
  callConnector,
  connectAssistant,
  postToken,
  REDIRECT_URI,
  redemptionOf,
  refresh,
} from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

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
})

describe("an invalid metadata document", () => {
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
