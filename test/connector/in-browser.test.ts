import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client"
import { ALL_SCOPES, callTool, resourceOf } from "@restwell/testing/assistant"
import { useBrowser, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import * as oauth from "oauth4webapi"
import * as openid from "openid-client"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type CallbackServer, startCallbackServer } from "./callback-server.ts"
import { MemoryOauthProvider } from "./oauth-client.ts"

/** Terminal programs publish loopback URIs without a port, because they choose one at each start. */
const DOCUMENT_URL = "https://assistant.example/oauth/client-metadata"
const DOCUMENT = {
  client_id: DOCUMENT_URL,
  client_name: "Documented assistant",
  redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
}
const HOUR_MS = 3_600_000

let service: TestService
const browser = useBrowser()
let member: Member
let callback: CallbackServer
beforeAll(async () => {
  const fetchDocument = async (url: unknown) =>
    String(url) === DOCUMENT_URL ? Response.json(DOCUMENT) : new Response("", { status: 404 })
  service = await startTestService({ days: 30, fetchDocument })
  callback = await startCallbackServer()
  const person = service.simulator.people.add({ email: "ada@example.com" })
  ;({ member } = await Member.connected(service, person))
})
afterAll(async () => {
  await callback.close()
  await service.close()
})

/** Signs in and authorizes in a browser. Returns the callback URL that the assistant receives. */
async function signInAndAuthorize(url: URL): Promise<URL> {
  const { page, faults, close } = await visit(browser, service)
  await page.goto(url.href)
  await page.getByLabel("Email address").fill(member.email)
  await page.getByLabel("Password").fill(member.password)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
  await pressAuthorize(page)
  const answer = await callback.next()
  await page.getByRole("heading", { name: "Connected" }).waitFor()
  expect(faults).toEqual([])
  await close()
  return answer
}

async function pressAuthorize(page: Page): Promise<void> {
  await page.getByRole("heading", { name: /^Let .+ read your data\?$/ }).waitFor()
  await page.getByRole("button", { name: "Authorize" }).click()
}

describe.each([
  ["2025-11-25", "legacy" as const],
  ["2026-07-28", "auto" as const],
])("the official client in protocol version %s", (version, mode) => {
  test.each([
    ["by registering", undefined],
    ["with a metadata document", DOCUMENT_URL],
  ])("needs only the connector's address to authorize, call a tool and refresh, %s", async (_how, documentUrl) => {
    const provider = new MemoryOauthProvider(callback.redirectUri, documentUrl)
    const connect = async () => {
      const client = new Client({ name: "reference", version: "1" }, { versionNegotiation: { mode } })
      const transport = new StreamableHTTPClientTransport(new URL(resourceOf(service)), { authProvider: provider })
      return { client, transport }
    }
    const first = await connect()
    await expect(first.client.connect(first.transport)).rejects.toThrow(UnauthorizedError)
    if (!provider.authorizationUrl) throw new Error("the client did not send the person to sign in")
    const answer = await signInAndAuthorize(provider.authorizationUrl)
    await first.transport.finishAuth(answer.searchParams)
    const { client, transport } = await connect()
    await client.connect(transport)
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
    expect(provider.client?.client_id === DOCUMENT_URL).toBe(documentUrl !== undefined)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain("get_sleep")
    const before = await client.callTool({ name: "get_sleep", arguments: { days: 7 } })
    expect(before.isError).toBeFalsy()

    const old = provider.tokenSet
    service.simulator.clock.advance(HOUR_MS + 1000)
    const after = await client.callTool({ name: "get_sleep", arguments: { days: 7 } })
    expect(after.isError).toBeFalsy()
    expect(provider.tokenSet?.access_token).not.toBe(old?.access_token)
    expect(provider.tokenSet?.refresh_token).not.toBe(old?.refresh_token)
    await client.close()
  })
})

test("oauth4webapi authorizes, calls a tool, refreshes and revokes its tokens", async () => {
  const insecure = { [oauth.allowInsecureRequests]: true }
  const resource = new URL(resourceOf(service))
  const metadata = await oauth.processResourceDiscoveryResponse(
    resource,
    await oauth.resourceDiscoveryRequest(resource, insecure),
  )
  const issuer = new URL(metadata.authorization_servers?.[0] ?? "")
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure }),
  )
  const registration = { client_name: "oauth4webapi", redirect_uris: [callback.redirectUri] }
  const registered = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(server, registration, insecure),
  )
  const client: oauth.Client = { client_id: registered.client_id }
  const authentication = oauth.ClientSecretBasic(String(registered["client_secret"]))
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const page = new URL(server.authorization_endpoint ?? "")
  page.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: callback.redirectUri,
    response_type: "code",
    scope: ALL_SCOPES,
    state,
    resource: resource.href,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  }).toString()
  const parameters = oauth.validateAuthResponse(server, client, await signInAndAuthorize(page), state)
  const tokens = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      callback.redirectUri,
      verifier,
      insecure,
    ),
  )
  expect((await callTool(service, tokens.access_token, "get_summary")).isError).toBeFalsy()
  const refreshed = await oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, authentication, tokens.refresh_token ?? "", insecure),
  )
  expect((await callTool(service, refreshed.access_token, "get_summary")).isError).toBeFalsy()
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, client, authentication, refreshed.refresh_token ?? "", insecure),
  )
  const again = await oauth.refreshTokenGrantRequest(
    server,
    client,
    authentication,
    refreshed.refresh_token ?? "",
    insecure,
  )
  await expect(oauth.processRefreshTokenResponse(server, client, again)).rejects.toThrow()
})

test("openid-client authorizes, verifies the ID token, calls a tool and refreshes", async () => {
  const metadata = { client_name: "openid-client", redirect_uris: [callback.redirectUri] }
  const configuration = await openid.dynamicClientRegistration(new URL(service.url), metadata, undefined, {
    execute: [openid.allowInsecureRequests],
  })
  const verifier = openid.randomPKCECodeVerifier()
  const state = openid.randomState()
  const nonce = openid.randomNonce()
  const page = openid.buildAuthorizationUrl(configuration, {
    redirect_uri: callback.redirectUri,
    scope: `openid ${ALL_SCOPES}`,
    state,
    nonce,
    resource: resourceOf(service),
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  })
  const answer = await signInAndAuthorize(page)
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
  const tokens = await openid.authorizationCodeGrant(configuration, answer, checks)
  expect(tokens.claims()?.iss).toBe(service.url)
  expect((await callTool(service, tokens.access_token, "get_summary")).isError).toBeFalsy()
  const refreshed = await openid.refreshTokenGrant(configuration, tokens.refresh_token ?? "")
  expect((await callTool(service, refreshed.access_token, "get_summary")).isError).toBeFalsy()
})
