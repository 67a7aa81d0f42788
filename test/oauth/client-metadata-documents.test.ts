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

/** Responses of client sites, by URL. */
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

/** Publishes a document at a new URL. */
function publish(more: object = {}): string {
  const url = `${SITE}/${crypto.randomUUID()}/client.json`
  published.set(url, () => Response.json(documentOf(url, more)))
  return url
}

const startAuthorization = (clientId: string, redirectUri = REDIRECT_URI): Promise<Response> =>
  new Browser(member).get(authorizationRequest(service, { client_id: clientId, redirect_uri: redirectUri }))

describe("a metadata document", () => {
  test("replaces the registration of a client, and verifies its host", async () => {
    const tokens = await connectAssistant(service, member, { client: { client_id: publish() } })
    expect((await callConnector(service, tokens.access_token, "tools/list")).status).toBe(200)
    expect((await refresh(service, tokens.clientId, tokens.refresh_token)).status).toBe(200)
    const { assistants } = await (await member.send("GET", "/api/account")).json()
    expect(assistants[0]).toMatchObject({ name: "Documented", verified_host: "assistant.example" })
  })

  test("may name a key for private_key_jwt, and each assertion works once", async () => {
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

  test("is cached between requests", async () => {
    const url = publish()
    await connectAssistant(service, member, { client: { client_id: url } })
    await connectAssistant(service, member, { client: { client_id: url } })
    expect(fetched.filter((each) => each === url)).toHaveLength(1)
  })

  test("allows any port for a loopback redirect URI without a port", async () => {
    const url = publish({ redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"] })
    for (const host of ["localhost", "127.0.0.1"])
      expect((await startAuthorization(url, `http://${host}:53129/callback`)).headers.get("location")).toMatch(
        /\/oauth\/consent\//,
      )
    expect((await startAuthorization(url, "http://127.0.0.1:53129/evil")).status).toBe(400)
  })
})

describe("an invalid metadata document", () => {
  test.each<[string, (url: string) => Response]>([
    ["is missing", () => new Response("", { status: 404 })],
    ["is an error", () => new Response("", { status: 500 })],
    ["redirects", () => new Response(null, { status: 302, headers: { location: "http://127.0.0.1/" } })],
    ["is not JSON", () => new Response("<html>")],
    ["is a list", () => Response.json([])],
    ["is null", () => Response.json(null)],
    ["names another client", () => Response.json(documentOf("https://assistant.example/another.json"))],
    ["names no client", (url) => Response.json({ ...documentOf(url), client_id: undefined })],
    ["has a secret", (url) => Response.json(documentOf(url, { client_secret: "secret" }))],
    ["has no redirect URI", (url) => Response.json(documentOf(url, { redirect_uris: [] }))],
    [
      "has a hostile redirect URI beside a valid one",
      (url) => Response.json(documentOf(url, { redirect_uris: [REDIRECT_URI, "javascript:1"] })),
    ],
    [
      "has an http redirect URI",
      (url) => Response.json(documentOf(url, { redirect_uris: ["http://assistant.example/callback"] })),
    ],
    [
      "is larger than 5 KB",
      (url) => Response.json(documentOf(url, { tos_uri: `https://x.example/${"a".repeat(6000)}` })),
    ],
  ])("that %s is refused, and fetched again at the next request", async (_what, answer) => {
    const url = `${SITE}/${crypto.randomUUID()}/client.json`
    published.set(url, () => answer(url))
    const page = await startAuthorization(url)
    expect(page.status).toBe(400)
    expect(page.headers.get("location")).toBeNull()
    // Failures are not cached.
    published.set(url, () => Response.json(documentOf(url)))
    expect((await startAuthorization(url)).status).toBe(303)
  })

  test("is fetched at most 60 times for one visitor", async () => {
    const before = fetched.length
    const answers = await Promise.all(
      Array.from({ length: 90 }, (_, index) => startAuthorization(`${SITE}/flood-${index}/client.json`)),
    )
    expect(answers.every(({ status }) => status === 400)).toBe(true)
    expect(fetched.length - before).toBeLessThanOrEqual(60)
    service.simulator.clock.advance(61_000)
  })
})
