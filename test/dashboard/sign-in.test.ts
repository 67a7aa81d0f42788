import { addAuthenticator, useBrowser, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { type OpenIdProvider, startOpenIdProvider } from "@restwell/testing/openid-provider"
import { startTestService, type TestService } from "@restwell/testing/service"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

let google: OpenIdProvider
let service: TestService
const browser = useBrowser()
beforeAll(async () => {
  google = await startOpenIdProvider()
  const environment = { GOOGLE_CLIENT_ID: "client", GOOGLE_CLIENT_SECRET: "secret", GOOGLE_ISSUER: google.issuer }
  service = await startTestService({ days: 3, environment })
})
afterAll(async () => {
  await service.close()
  await google.close()
})

async function signedUp(): Promise<Member> {
  const member = new Member(service)
  await member.signUp()
  return member
}

async function fillSignUp(page: Page, { name, email }: { name: string; email: string }): Promise<void> {
  await page.getByLabel("Name").fill(name)
  await page.getByLabel("Email address").fill(email)
  await page.getByLabel("Password").fill("correct horse battery")
  await page.getByRole("button", { name: "Create account" }).click()
}

async function fillSignIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel("Email address").fill(email)
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
}

describe("signing up", () => {
  test("creates an account and opens the first steps", async () => {
    // Without an owner, the dashboard is a set-up.
    await new Member(service).signUp()
    const { page, faults, open, close } = await visit(browser, service)
    await open("/")
    expect(new URL(page.url()).pathname).toBe("/sign-in")
    await page.getByRole("link", { name: "Create an account" }).click()
    await fillSignUp(page, { name: "Lena", email: `${crypto.randomUUID()}@example.com` })
    await page.getByRole("heading", { name: "Get started" }).waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test("displays the error of a field at the field", async () => {
    const { page, open, close } = await visit(browser, service)
    await open("/sign-up")
    await fillSignUp(page, { name: "   ", email: "lena@example.com" })
    await page.getByText("name must not be empty.").waitFor()
    expect(await page.getByLabel("Name").getAttribute("aria-invalid")).toBe("true")
    await close()
  })

  test("rejects an email address that has an account", async () => {
    const { email } = await signedUp()
    const { page, open, close } = await visit(browser, service)
    await open("/sign-up")
    await fillSignUp(page, { name: "Lena", email })
    await page
      .getByRole("alert")
      .getByText(/This email address has an account/i)
      .waitFor()
    await close()
  })

  test("is disabled with an explanation when sign-ups are closed", async () => {
    const closed = await startTestService({ days: 3, environment: { SIGN_UP: "closed" } })
    await new Member(closed).setUp()
    const { page, open, close } = await visit(browser, closed)
    for (const path of ["/sign-in", "/sign-up"]) {
      await open(path)
      await page.getByText("Sign-ups are closed. Ask the operator for an account.").waitFor()
    }
    const create = page.getByRole("button", { name: "Create account" })
    await expect.poll(() => create.isDisabled()).toBe(true)
    await close()
    await closed.close()
  })
})

describe("signing in", () => {
  test("returns to the requested page", async () => {
    const member = await signedUp()
    const { page, open, close } = await visit(browser, service)
    await open("/developer")
    expect(page.url()).toBe(`${service.url}/sign-in?next=%2Fdeveloper`)
    await fillSignIn(page, member)
    await page.getByRole("heading", { name: "API", exact: true }).waitFor()
    await close()
  })

  test("is not asked of somebody who is signed in, and Back does not lead to it", async () => {
    const member = await signedUp()
    const { page, open, close } = await visit(browser, service)
    await page.goto("/docs/")
    await open("/developer")
    await fillSignIn(page, member)
    await page.getByRole("heading", { name: "API", exact: true }).waitFor()
    await page.goBack()
    await page.waitForURL(/\/docs\/$/)
    await page.goto("/sign-in?next=%2Faccount")
    await page.getByRole("heading", { name: "Account", level: 1 }).waitFor()
    await page.goBack()
    await page.waitForURL(/\/docs\/$/)
    await close()
  })

  test("is not needed to read that the manual has no such page", async () => {
    const { page, faults, open, close } = await visit(browser, service)
    await open("/docs/no-such-page")
    await page.getByText("The manual has no page at this address.").waitFor()
    await page.waitForLoadState("networkidle")
    expect(new URL(page.url()).pathname).toBe("/docs/no-such-page")
    expect(faults).toEqual([])
    await page.getByRole("link", { name: "Go to the manual" }).click()
    await page.waitForURL(/\/docs\/$/)
    await close()
  })

  test.each([
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "/.//evil.example",
    "/oauth/..//evil.example",
    "javascript:alert(1)",
  ])("never redirects to another site: %s", async (next) => {
    const member = await signedUp()
    const { page, open, close } = await visit(browser, service)
    await open(`/sign-in?next=${encodeURIComponent(next)}`)
    await fillSignIn(page, member)
    await page.getByRole("heading", { name: "Get started" }).waitFor()
    expect(new URL(page.url()).origin).toBe(service.url)
    await close()
  })

  test("reports a wrong password, and the wait after five of them", async () => {
    const { email } = await signedUp()
    const { page, open, close } = await visit(browser, service)
    await open("/sign-in")
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const response = page.waitForResponse((candidate) => candidate.url().endsWith("/sign-in/email"))
      await fillSignIn(page, { email, password: "not it" })
      await response
      if (attempt > 0) continue
      await page.getByRole("alert").getByText("Incorrect email or password. Passwords are case-sensitive.").waitFor()
    }
    await page
      .getByRole("alert")
      .getByText(/Too many wrong passwords/)
      .waitFor()
    await page.getByText(/^Try again in 1 second\.$/).waitFor()
    await close()
  })
})

describe("other sign-in methods", () => {
  test("a passkey works without an email address", async () => {
    const member = await signedUp()
    const { page, context, open, close } = await visit(browser, service, { member })
    await addAuthenticator(page)
    await open("/account")
    const passkeys = page.getByRole("region", { name: "Passkeys" })
    await passkeys.getByLabel("Name of the new passkey").fill("Lena's laptop")
    await passkeys.getByLabel("Your password").fill(member.password)
    await page.getByRole("button", { name: "Add a passkey" }).click()
    // In the list of passkeys, and a moment later in the security log.
    await page.getByRole("listitem").getByText("Lena's laptop").first().waitFor()
    await context.clearCookies()
    await open("/sign-in")
    await page.getByRole("button", { name: "Sign in with a passkey" }).click()
    await page.getByRole("heading", { name: "Get started" }).waitFor()
    await page.goto("/account")
    await page.getByText(member.email).waitFor()
    await close()
  })

  test("Google works, and a cancelled sign-in is reported", async () => {
    google.person = { sub: "lena", email: "lena@google.example", name: "Lena Winter" }
    const { page, open, close } = await visit(browser, service)
    google.faults = { refuses: true }
    await open("/sign-in")
    await page.getByRole("link", { name: "Continue with Google" }).click()
    await page.getByText("You cancelled the sign-in. No data was shared.").waitFor()
    google.faults = {}
    await page.getByRole("link", { name: "Continue with Google" }).click()
    await page.getByRole("heading", { name: "Get started" }).waitFor()
    await page.getByRole("link", { name: "Account" }).click()
    await page.getByRole("heading", { name: "Lena Winter" }).waitFor()
    await page.getByText("You sign in with Google.").waitFor()
    await close()
  })
})

describe("an ended session", () => {
  test.each(["/connections", "/trends?metric=hrv&days=365", "/?date=2026-11-10", "/insights?outcome=hrv&lag=1"])(
    "leads from %s to the sign-in page with an explanation, and back to the same",
    async (path) => {
      const member = await signedUp()
      const { page, open, close } = await visit(browser, service, { member })
      await open("/start")
      await member.send("POST", "/api/auth/sign-out")
      await open(path)
      await page.getByText("Your session has ended. Sign in again to continue.").waitFor()
      expect(new URL(page.url()).searchParams.get("next")).toBe(path)
      await close()
    },
  )
})
