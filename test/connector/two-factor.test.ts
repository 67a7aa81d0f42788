import {
  authorizationRequest,
  Browser,
  decide,
  formToken,
  openConsent,
  pkce,
  REDIRECT_URI,
  register,
} from "@restwell/testing/assistant"
import { AuthenticatorApp, Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { z } from "zod"

let service: TestService
let member: Member
let app: AuthenticatorApp
let recoveryCodes: readonly string[]
beforeAll(async () => {
  service = await startTestService({ days: 3, role: "api" })
})
afterAll(() => service.close())
beforeEach(async () => {
  member = new Member(service)
  await member.signUp()
  const begun = await member.send("POST", "/api/auth/two-factor", { password: member.password })
  app = new AuthenticatorApp(z.object({ uri: z.string() }).parse(await begun.json()).uri, () => Date.now())
  const confirmed = await member.send("POST", "/api/auth/two-factor/confirm", { code: app.code() })
  recoveryCodes = z.object({ recovery_codes: z.array(z.string()) }).parse(await confirmed.json()).recovery_codes
})

/** A browser without scripts, at the consent page of an assistant's request. */
async function atConsentPage(): Promise<{ browser: Browser; consent: URL; token: string }> {
  const browser = new Browser()
  const { client_id } = await register(service)
  const url = authorizationRequest(service, {
    client_id,
    redirect_uri: REDIRECT_URI,
    code_challenge: pkce().challenge,
  })
  const consent = await openConsent(service, browser, url)
  return { browser, consent, token: formToken(await (await browser.get(consent)).text()) }
}

async function enterPassword() {
  const visit = await atConsentPage()
  const { browser, consent, token } = visit
  const { email, password } = member
  const page = await browser.post(`${consent}/sign-in`, { token, email, password })
  expect(page.status).toBe(200)
  const text = await page.text()
  expect(text).toContain("Enter your code")
  const enterCode = (code: string) => browser.post(`${consent}/code`, { token: formToken(text), code })
  return { ...visit, enterCode }
}

test.each(["a code", "a recovery code"])("an assistant's sign-in page takes %s after the password", async (kind) => {
  const { browser, consent, enterCode } = await enterPassword()
  expect(await (await browser.get(consent)).text()).toContain("Sign in to connect")
  const wrong = await enterCode("000000")
  expect([wrong.status, await wrong.text()]).toEqual([401, expect.stringContaining("Incorrect code.")])
  const empty = await enterCode("x".repeat(65))
  expect([empty.status, await empty.text()]).toEqual([400, expect.stringContaining("Enter the code of your app")])
  const entered = await enterCode(kind === "a code" ? app.code(1) : (recoveryCodes[0] ?? ""))
  expect([entered.status, entered.headers.get("location")]).toEqual([303, consent.pathname])
  const back = await decide(browser, consent)
  expect(back.searchParams.get("code")).toMatch(/^.{40,}$/)
})

test("an assistant gets nothing for the password alone", async () => {
  const { browser, consent, token } = await enterPassword()
  const form = new URLSearchParams({ token, decision: "allow", days: "all", scope: "sleep:read" })
  const refused = await browser.post(consent, form)
  expect(await refused.text()).toContain("Sign in to connect")
})

test("a code that was used at one sign-in page is refused at another", async () => {
  const [first, second] = [await enterPassword(), await enterPassword()]
  const code = app.code(1)
  expect((await first.enterCode(code)).status).toBe(303)
  const replayed = await second.enterCode(code)
  expect([replayed.status, await replayed.text()]).toEqual([401, expect.stringContaining("Each code works once")])
})

test("wrong codes make the next ones wait, and the page says how long", async () => {
  const { enterCode } = await enterPassword()
  for (let attempt = 0; attempt < 4; attempt += 1) expect((await enterCode("000000")).status).toBe(401)
  const second = await enterPassword()
  expect((await second.enterCode("000000")).status).toBe(401)
  const refused = await second.enterCode(app.code(1))
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"])
  expect(await refused.text()).toContain("Too many attempts. Try again in 1 second.")
  service.simulator.clock.advance(1_001)
  expect((await second.enterCode(app.code(1))).status).toBe(303)
})

test("a sign-in that has expired begins again with the password", async () => {
  const { browser, consent, token } = await atConsentPage()
  const refused = await browser.post(`${consent}/code`, { token, code: app.code(1) })
  expect(refused.status).toBe(403)
  const page = await refused.text()
  expect(page).toContain("This sign-in has expired. Enter your password again.")
  expect(page).toContain('name="password"')
})

test("a form of another visit is refused", async () => {
  const { browser, consent } = await enterPassword()
  const { token } = await atConsentPage()
  expect((await browser.post(`${consent}/code`, { token, code: app.code(1) })).status).toBe(403)
})
