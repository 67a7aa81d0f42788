import { authorizationRequest, Browser, formToken, openConsent, register } from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

let service: TestService
let member: Member
let other: Member
let clientId: string
beforeAll(async () => {
  service = await startTestService({ days: 1, role: "api" })
  member = new Member(service)
  other = new Member(service)
  await member.signUp()
  await other.signUp()
  ;({ client_id: clientId } = await register(service))
})
afterAll(() => service.close())

const requestOf = (parameters: Readonly<Record<string, string | undefined>> = {}): URL =>
  authorizationRequest(service, { client_id: clientId, ...parameters })

/** Opens a consent page in the member's browser. */
async function openRequest(as = member): Promise<{ browser: Browser; consent: URL; token: string }> {
  const browser = new Browser(as)
  const consent = await openConsent(service, browser, requestOf())
  return { browser, consent, token: formToken(await (await browser.get(consent)).text()) }
}

const ALLOW = { decision: "allow", scope: "sleep:read", days: "all" }

describe("a forged decision is refused, and the request stays open:", () => {
  test.each<[string, Record<string, string>]>([
    ["another site's origin", { origin: "https://evil.example" }],
    ["an opaque origin", { origin: "null" }],
    ["another port's origin", { origin: "http://localhost:1" }],
    ["another scheme's origin", { origin: "https://localhost" }],
    ["a page of another site", { "sec-fetch-site": "cross-site" }],
    ["a page of another subdomain", { "sec-fetch-site": "same-site" }],
  ])("%s", async (_what, headers) => {
    const { browser, consent, token } = await openRequest()
    expect((await browser.post(consent, { token, ...ALLOW }, headers)).status).toBe(403)
    await expectStillOpen(browser, consent)
  })

  test.each<[string, (token: string) => string | Promise<string>]>([
    ["no token", () => ""],
    ["an invented token", () => "a".repeat(43)],
    ["a token with one letter changed", (token) => (token.startsWith("A") ? "B" : "A") + token.slice(1)],
    ["a longer token", (token) => `${token}A`],
    ["the token of another request", async () => (await openRequest()).token],
    ["the token of another person", async () => (await openRequest(other)).token],
  ])("%s", async (_what, forge) => {
    const { browser, consent, token } = await openRequest()
    expect((await browser.post(consent, { token: await forge(token), ...ALLOW })).status).toBe(403)
    await expectStillOpen(browser, consent)
  })

  test("a link instead of a form", async () => {
    const { browser, consent, token } = await openRequest()
    const link = new URL(consent)
    link.search = new URLSearchParams({ token, ...ALLOW }).toString()
    expect(await (await browser.get(link)).text()).toContain("read your data?")
    await expectStillOpen(browser, consent)
  })

  test("another person's browser", async () => {
    const { consent, token } = await openRequest()
    expect((await new Browser(other).post(consent, { token, ...ALLOW })).status).toBe(400)
    expect((await new Browser().post(consent, { token, ...ALLOW })).status).toBe(400)
  })

  test("another person who has since signed in to the same browser", async () => {
    const { browser, consent, token } = await openRequest()
    browser.keep(other.cookie.split("; ")[0] ?? "")
    expect((await browser.post(consent, { token, ...ALLOW })).status).toBe(403)
  })

  test("a browser without a session", async () => {
    const browser = new Browser()
    const consent = await openConsent(service, browser, requestOf())
    const answer = await browser.post(consent, { token: "x", ...ALLOW })
    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      `/sign-in?next=${encodeURIComponent(consent.pathname)}`,
    ])
    for (const cookie of member.cookie.split("; ")) browser.keep(cookie)
    await expectStillOpen(browser, consent)
  })
})

describe("an invalid decision is refused:", () => {
  test("the resume URL without a decision", async () => {
    const { browser, consent } = await openRequest()
    const resume = new URL(consent.pathname.replace("/consent/", "/authorize/"), service.url)
    const answer = await browser.get(resume)
    expect(answer.headers.get("location") ?? "").not.toContain("code=")
  })

  test("a repeated decision", async () => {
    const { browser, consent, token } = await openRequest()
    expect((await browser.post(consent, { token, ...ALLOW })).status).toBe(303)
    expect((await browser.post(consent, { token, ...ALLOW })).status).toBe(400)
  })

  test("an unknown request", async () => {
    const { browser, token } = await openRequest()
    const answer = await browser.post(new URL("/oauth/consent/V1StGXR8Z5jdHi6BV1StG", service.url), { token, ...ALLOW })
    expect(answer.status).toBe(400)
  })

  test.each<[string, Record<string, string>]>([
    ["no scope", { decision: "allow", days: "all" }],
    ["a scope that was not requested", { decision: "allow", days: "all", scope: "admin" }],
    ["no window", { decision: "allow", scope: "sleep:read" }],
    ["a window that is not offered", { decision: "allow", scope: "sleep:read", days: "365" }],
    ["a window below zero", { decision: "allow", scope: "sleep:read", days: "-1" }],
    ["an unknown decision", { decision: "maybe", scope: "sleep:read", days: "all" }],
    ["no decision", { scope: "sleep:read", days: "all" }],
  ])("a form with %s", async (_what, form) => {
    const { browser, consent, token } = await openRequest()
    expect((await browser.post(consent, { token, ...form })).status).toBe(400)
    await expectStillOpen(browser, consent)
  })

  test("a scope that the assistant did not request", async () => {
    const browser = new Browser(member)
    const consent = await openConsent(service, browser, requestOf({ scope: "sleep:read" }))
    const page = await (await browser.get(consent)).text()
    expect(page).not.toContain("profile:read")
    const form = { token: formToken(page), decision: "allow", scope: "profile:read", days: "all" }
    expect((await browser.post(consent, form)).status).toBe(400)
    await expectStillOpen(browser, consent)
  })
})

async function expectStillOpen(browser: Browser, consent: URL): Promise<void> {
  const page = await browser.get(consent)
  expect(page.status).toBe(200)
  const resume = await browser.get(new URL(consent.pathname.replace("/consent/", "/authorize/"), service.url))
  expect(resume.headers.get("location") ?? "").not.toContain("code=")
}
