import { afterEach, beforeEach, expect, test } from "vitest"
import { adapterUnderTest, rejection } from "../../test/adapter-under-test.ts"
import { answer, json, type ScriptedVendor, startScriptedVendor } from "../../test/scripted-vendor.ts"
import type { AppPortal, OauthAdapterOptions } from "../contract/adapter.ts"
import { AuthorizationRevoked, RequestRefused, VendorUnavailable } from "../contract/errors.ts"
import { createOuraAdapter } from "./adapter.ts"
import { OURA_BASE_URL } from "./oauth.ts"

let vendor: ScriptedVendor
beforeEach(async () => {
  vendor = await startScriptedVendor()
})
afterEach(() => vendor.close())

const adapterAt = (baseUrl = vendor.url, portal?: AppPortal) =>
  adapterUnderTest(baseUrl, {}, (options: OauthAdapterOptions) =>
    createOuraAdapter({ ...options, now: () => new Date(0), ...(portal && { portal }) }),
  ).adapter
const refresh = () => adapterAt().refreshTokens("refresh-token-1")
const input = { state: "state-1", redirectUri: "https://rest.example/callback" }

test("asks for the scopes that are read", () => {
  const url = adapterAt().authorizeUrl(input)
  expect(`${url.origin}${url.pathname}`).toBe(`${vendor.url}/oauth/v2/ext/oauth-authorize`)
  expect(Object.fromEntries(url.searchParams)).toEqual({
    response_type: "code",
    client_id: "client-1",
    redirect_uri: "https://rest.example/callback",
    scope: "personal daily workout heartrate spo2 tag email",
    state: "state-1",
  })
})

test.each<readonly [AppPortal, string]>([
  ["current", "https://moi.ouraring.com/oauth/v2/ext/oauth-authorize"],
  ["legacy", "https://cloud.ouraring.com/oauth/authorize"],
])("an app of the %s portal is authorized at its own server", (portal, expected) => {
  const url = adapterAt(OURA_BASE_URL, portal).authorizeUrl(input)
  expect(`${url.origin}${url.pathname}`).toBe(expected)
})

test("makes states that differ", () => {
  const { createState } = adapterAt()
  expect(new Set(Array.from({ length: 100 }, createState)).size).toBe(100)
})

test("reads scopes with and without the portal's prefix", async () => {
  vendor.script(json({ access_token: "at_1", refresh_token: "rt_1", scope: "extapi:daily personal" }))
  expect(await refresh()).toStrictEqual({
    accessToken: "at_1",
    refreshToken: "rt_1",
    expiresInSeconds: 86_400,
    scopes: ["daily", "personal"],
  })
})

test.each([
  ["invalid_grant", { error: "invalid_grant" }, AuthorizationRevoked],
  ["a used token", { error: "invalid_request", error_description: "Refresh token already used" }, AuthorizationRevoked],
  ["a token of the other portal", { error: "invalid_request", error_description: "token" }, RequestRefused],
] as const)("meets a refresh answered by %s once, with the right error", async (_what, body, errorClass) => {
  vendor.script(answer(400, JSON.stringify(body)))
  expect(await rejection(refresh())).toBeInstanceOf(errorClass)
  expect(vendor.seen).toHaveLength(1)
})

test("revokes with the token in the form, and tries again when Oura fails", async () => {
  vendor.script(answer(503), answer(200))
  await adapterAt().revokeAccess("access-1")
  expect(vendor.seen.map(({ method, url }) => `${method} ${url.pathname}${url.search}`)).toEqual([
    "POST /oauth/v2/ext/oauth-revoke",
    "POST /oauth/v2/ext/oauth-revoke",
  ])
  expect(Object.fromEntries(new URLSearchParams(vendor.seen[0]?.body))).toMatchObject({ token: "access-1" })
})

test("does not take a failing revocation for an ended grant", async () => {
  vendor.script(answer(500))
  await expect(adapterAt().revokeAccess("access-1")).rejects.toBeInstanceOf(VendorUnavailable)
  vendor.script(answer(401))
  await expect(adapterAt().revokeAccess("access-1")).rejects.toBeInstanceOf(RequestRefused)
})
