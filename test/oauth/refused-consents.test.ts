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

/** A request that waits for the member, in a browser of theirs. */
async function waiting(as = member): Promise<{ browser: Browser; consent: URL; token: string }> {
  const browser = new Browser(as)
  const consent = await openConsent(service, browser, requestOf())
  return { browser, consent, token: formToken(await (await browser.get(consent)).text()) }
}

const yes = { decision: "allow", scope: "sleep:read", days: "all" }

describe("a decision that the person did not make is refused, and decides nothing", () => {
  test.each<[string, Record<string, string>]>([
    ["another site's origin", { origin: "https://evil.example" }],
    ["an opaque origin", { origin: "null" }],
    ["another port's origin", { origin: "http://localhost:1" }],
    ["another scheme's origin", { origin: "https://localhost" }],
    ["a page of another site", { "sec-fetch-site": "cross-site" }],
    ["a page of a sister site", { "sec-fetch-site": "same-site" }],
  ])("%s", async (_what, headers) => {
    const { browser, consent, token } = await waiting()
    expect((await browser.post(consent, { token, ...yes }, headers)).status).toBe(403)
    await expectStillWaiting(browser, consent)
  })

  test.each<[string, (token: string) => string | Promise<string>]>([
    ["no token", () => ""],
    ["a token that was made up", () => "a".repeat(43)],
    ["a token with one letter changed", (token) => (token.startsWith("A") ? "B" : "A") + token.slice(1)],
    ["a longer token", (token) => `${token}A`],
    ["the token of another request", async () => (await waiting()).token],
    ["the token of another person", async () => (await waiting(other)).token],
  ])("%s", async (_what, forge) => {
    const { browser, consent, token } = await waiting()
    expect((await browser.post(consent, { token: await forge(token), ...yes })).status).toBe(403)
    await expectStillWaiting(browser, consent)
  })

  test("a link instead of a form", async () => {
    const { browser, consent, token } = await waiting()
    const link = new URL(consent)
    link.search = new URLSearchParams({ token, ...yes }).toString()
    expect(await (await browser.get(link)).text()).toContain("read your data?")
    await expectStillWaiting(browser, consent)
  })

  test("the browser of somebody else", async () => {
    const { consent, token } = await waiting()
    expect((await new Browser(other).post(consent, { token, ...yes })).status).toBe(400)
    expect((await new Browser().post(consent, { token, ...yes })).status).toBe(400)
  })

  test("somebody else who signed in meanwhile in the same browser", async () => {
    const { browser, consent, token } = await waiting()
    browser.keep(other.cookie)
    expect((await browser.post(consent, { token, ...yes })).status).toBe(403)
  })

  test("nobody who is signed in", async () => {
    const browser = new Browser()
    const consent = await openConsent(service, browser, requestOf())
    const answer = await browser.post(consent, { token: "x", ...yes })
    expect(await answer.text()).toContain("Sign in to connect")
    await expectStillWaiting(browser, consent)
  })
})

describe("an incomplete decision is refused, and decides nothing", () => {
  test("an address without a decision", async () => {
    const { browser, consent } = await waiting()
    const resume = new URL(consent.pathname.replace("/consent/", "/authorize/"), service.url)
    const answer = await browser.get(resume)
    expect(answer.headers.get("location") ?? "").not.toContain("code=")
  })

  test("a decision once more", async () => {
    const { browser, consent, token } = await waiting()
    expect((await browser.post(consent, { token, ...yes })).status).toBe(303)
    expect((await browser.post(consent, { token, ...yes })).status).toBe(400)
  })

  test("a request that is not there", async () => {
    const { browser, token } = await waiting()
    const answer = await browser.post(new URL("/oauth/consent/V1StGXR8Z5jdHi6BV1StG", service.url), { token, ...yes })
    expect(answer.status).toBe(400)
  })

  test.each<[string, Record<string, string>]>([
    ["nothing chosen", { decision: "allow", days: "all" }],
    ["what was not asked for", { decision: "allow", days: "all", scope: "admin" }],
    ["no window", { decision: "allow", scope: "sleep:read" }],
    ["a window that is not offered", { decision: "allow", scope: "sleep:read", days: "365" }],
    ["a window below zero", { decision: "allow", scope: "sleep:read", days: "-1" }],
    ["a decision of another kind", { decision: "maybe", scope: "sleep:read", days: "all" }],
    ["no decision", { scope: "sleep:read", days: "all" }],
  ])("a form with %s", async (_what, form) => {
    const { browser, consent, token } = await waiting()
    expect((await browser.post(consent, { token, ...form })).status).toBe(400)
    await expectStillWaiting(browser, consent)
  })

  test("more than the assistant asked for is not given", async () => {
    const browser = new Browser(member)
    const consent = await openConsent(service, browser, requestOf({ scope: "sleep:read" }))
    const page = await (await browser.get(consent)).text()
    expect(page).not.toContain("profile:read")
    const form = { token: formToken(page), decision: "allow", scope: "profile:read", days: "all" }
    expect((await browser.post(consent, form)).status).toBe(400)
    await expectStillWaiting(browser, consent)
  })
})

async function expectStillWaiting(browser: Browser, consent: URL): Promise<void> {
  const page = await browser.get(consent)
  expect(page.status).toBe(200)
  const resume = await browser.get(new URL(consent.pathname.replace("/consent/", "/authorize/"), service.url))
  expect(resume.headers.get("location") ?? "").not.toContain("code=")
}
