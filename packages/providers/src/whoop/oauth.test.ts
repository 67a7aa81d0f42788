import { afterEach, beforeEach, expect, test } from "vitest"
import { adapterUnderTest, rejection } from "../../test/adapter-under-test.ts"
import { fixturesOf } from "../../test/fixtures.ts"
import { answer, cut, json, type ScriptedVendor, stall, startScriptedVendor } from "../../test/scripted-vendor.ts"
import {
  AuthorizationRevoked,
  ContractViolation,
  RateLimited,
  RequestRefused,
  VendorUnavailable,
} from "../contract/errors.ts"

const { readFixture, readFixtureText } = fixturesOf("whoop")

let vendor: ScriptedVendor
beforeEach(async () => {
  vendor = await startScriptedVendor()
})
afterEach(() => vendor.close())

const adapterAt = (options = {}) => adapterUnderTest(vendor.url, options)
const refresh = (options = {}) => adapterAt(options).adapter.refreshTokens("refresh-token-1")
const oauthError = (status: number, error: string, error_description = "") =>
  answer(status, JSON.stringify({ error, error_description }))

test("makes states of exactly eight letters and digits, all of them in use", () => {
  const { adapter } = adapterAt()
  const states = Array.from({ length: 2000 }, () => adapter.createState())
  for (const state of states) expect(state).toMatch(/^[A-Za-z0-9]{8}$/)
  expect(new Set(states).size).toBe(states.length)
  expect(new Set(states.join("")).size).toBe(62)
})

test("sends the person to consent with every scope", () => {
  const url = adapterAt().adapter.authorizeUrl({ state: "AbCd1234", redirectUri: "https://rest.example/callback?x=1" })
  expect(`${url.origin}${url.pathname}`).toBe(`${vendor.url}/oauth/oauth2/auth`)
  expect(Object.fromEntries(url.searchParams)).toEqual({
    response_type: "code",
    client_id: "client-1",
    redirect_uri: "https://rest.example/callback?x=1",
    scope: "offline read:cycles read:sleep read:recovery read:workout read:profile read:body_measurement",
    state: "AbCd1234",
  })
})

test("trades a code with the client's credentials in the form", async () => {
  vendor.script(json(readFixture("token")))
  const input = { code: "code-1", redirectUri: "https://rest.example/callback" }
  expect(await adapterAt().adapter.exchangeCode(input)).toStrictEqual({
    accessToken: "at_made_up_1",
    refreshToken: "rt_made_up_1",
    expiresInSeconds: 3600,
    scopes: ["offline", "read:cycles", "read:sleep"],
  })
  const [request] = vendor.seen
  expect(`${request?.method} ${request?.url.pathname}`).toBe("POST /oauth/oauth2/token")
  expect(request?.headers["content-type"]).toMatch(/^application\/x-www-form-urlencoded/)
  expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
    grant_type: "authorization_code",
    code: "code-1",
    redirect_uri: "https://rest.example/callback",
    client_id: "client-1",
    client_secret: "client-secret-1",
  })
})

test("refreshes with the scope WHOOP requires, without passing the gate", async () => {
  vendor.script(json(readFixture("token")))
  const { adapter, gate } = adapterAt()
  await adapter.refreshTokens("refresh-token-1")
  expect(Object.fromEntries(new URLSearchParams(vendor.seen[0]?.body))).toEqual({
    grant_type: "refresh_token",
    refresh_token: "refresh-token-1",
    scope: "offline",
    client_id: "client-1",
    client_secret: "client-secret-1",
  })
  expect(gate.acquired()).toBe(0)
})

test("keeps a new access token whatever else is strange about the answer", async () => {
  const strange = { access_token: "at_2", refresh_token: 7, expires_in: "soon", scope: null }
  vendor.script(json(strange))
  const tokens = await refresh()
  expect(tokens).toMatchObject({ accessToken: "at_2", expiresInSeconds: 3600 })
  expect(tokens).not.toHaveProperty("refreshToken")
  expect(tokens).not.toHaveProperty("scopes")
})

test.each([
  ["one hour", 3600, 3600],
  ["30 days", 2_592_000, 2_592_000],
  ["31 days", 2_678_400, 2_592_000],
  ["a century", 3_155_760_000, 2_592_000],
  ["nothing", null, 3600],
  ["zero", 0, 3600],
  ["a negative number", -1, 3600],
  ["a text", "forever", 3600],
  ["a boolean", true, 3600],
  ["an endless number", 1e300, 3600],
])("an expires_in of %s never costs the grant", async (_case, expires_in, expiresInSeconds) => {
  vendor.script(json({ access_token: "at_2", refresh_token: "rt_2", expires_in }))
  expect(await refresh()).toMatchObject({ accessToken: "at_2", refreshToken: "rt_2", expiresInSeconds })
})

test("a number beyond all numbers and scopes that are none do not cost the grant", async () => {
  const scope = JSON.stringify('offline rea\0d \uD800 read:sleep "')
  vendor.script(answer(200, `{"access_token":"at_2","expires_in":1e400,"scope":${scope}}`))
  expect(await refresh()).toMatchObject({ expiresInSeconds: 3600, scopes: ["offline", "read:sleep"] })
})

test.each([
  ["invalid_grant", answer(400, readFixtureText("invalid-grant")), AuthorizationRevoked],
  ["invalid_grant with 401", oauthError(401, "invalid_grant"), AuthorizationRevoked],
  [
    "invalid_request that names the token",
    oauthError(400, "invalid_request", "The refresh_token is malformed"),
    AuthorizationRevoked,
  ],
  ["invalid_request that does not", oauthError(400, "invalid_request", "A parameter is missing"), RequestRefused],
  ["invalid_client", oauthError(400, "invalid_client"), RequestRefused],
  ["401", answer(401, "<html>no</html>"), RequestRefused],
  ["403", answer(403), RequestRefused],
  ["429", answer(429, "", { "retry-after": "3" }), RateLimited],
  ["500", answer(500, "<html>"), VendorUnavailable],
  ["503 that says invalid_grant", oauthError(503, "invalid_grant"), VendorUnavailable],
  ["a page of HTML with 200", answer(200, "<html>"), VendorUnavailable],
  ["a redirect", answer(302, "", { location: "/login" }), VendorUnavailable],
  ["a cut connection", cut, VendorUnavailable],
  ["no access token", json({ token: "x" }), ContractViolation],
  ["a token no header can carry", json({ access_token: "a\nb" }), ContractViolation],
] as const)("meets a refresh answered by %s once, with the right error", async (_case, script, errorClass) => {
  vendor.script(script)
  const error = await rejection(refresh())
  expect(error).toBeInstanceOf(errorClass)
  expect(vendor.seen).toHaveLength(1)
})

test("says that the app's credentials are wrong, and shows neither them nor the token", async () => {
  vendor.script(oauthError(401, "invalid_client", "refresh-token-1 client-secret-1"))
  const error = await rejection(refresh())
  expect(error).toMatchObject({
    message: expect.stringContaining("the client id or the client secret of the WHOOP app is wrong"),
  })
  expect(String(Object(error).stack)).not.toMatch(/refresh-token-1|client-secret-1/)
})

test("does not take a code's invalid_request for the end of a grant", async () => {
  vendor.script(oauthError(400, "invalid_request", "token"))
  const input = { code: "code-1", redirectUri: "https://rest.example/callback" }
  await expect(adapterAt().adapter.exchangeCode(input)).rejects.toBeInstanceOf(RequestRefused)
})

test("does not repeat a refresh that may have rotated the token", async () => {
  vendor.script(stall)
  await expect(refresh({ timeoutMs: 400 })).rejects.toBeInstanceOf(VendorUnavailable)
  expect(vendor.seen).toHaveLength(1)
})

test("repeats a refresh that was never sent", async () => {
  const { url } = vendor
  await vendor.close()
  const { adapter, pauses } = adapterUnderTest(url)
  await expect(adapter.refreshTokens("refresh-token-1")).rejects.toBeInstanceOf(VendorUnavailable)
  expect(pauses).toHaveLength(2)
  vendor = await startScriptedVendor()
})
