import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { launchChromium } from "../browser/launch-chromium.ts"
import { addAuthenticator, visit } from "../support/browser.ts"
import { Member } from "../support/member.ts"
import { type OpenIdProvider, startOpenIdProvider } from "../support/openid-provider.ts"
import { startTestService, type TestService } from "../support/service.ts"

let google: OpenIdProvider
let service: TestService
let browser: Browser
beforeAll(async () => {
  google = await startOpenIdProvider()
  const environment = { GOOGLE_CLIENT_ID: "client", GOOGLE_CLIENT_SECRET: "secret", GOOGLE_ISSUER: google.issuer }
  service = await startTestService({ days: 3, environment })
  browser = await launchChromium()
})
afterAll(async () => {
  await browser.close()
  await service.close()
  await google.close()
})

async function signedUp(): Promise<Member> {
  const member = new Member(service)
  await member.signUp()
  return member
}

test("a stranger makes an account and is led to the first steps", async () => {
  const { page, faults, open, close } = await visit(browser, service)
  await open("/")
  expect(new URL(page.url()).pathname).toBe("/sign-in")
  await page.getByRole("link", { name: "Make an account" }).click()
  await page.getByLabel("Name").fill("Lena")
  await page.getByLabel("E-mail address").fill(`${crypto.randomUUID()}@example.com`)
  await page.getByLabel("Password").fill("correct horse battery")
  await page.getByRole("button", { name: "Make the account" }).click()
  await page.getByRole("heading", { name: "Get started" }).waitFor()
  expect(faults).toEqual([])
  await close()
})

test("what is wrong with a field is said at the field", async () => {
  const { page, open, close } = await visit(browser, service)
  await open("/sign-up")
  await page.getByLabel("Name").fill("   ")
  await page.getByLabel("E-mail address").fill("lena@example.com")
  await page.getByLabel("Password").fill("correct horse battery")
  await page.getByRole("button", { name: "Make the account" }).click()
  await page.getByText("name must not be empty.").waitFor()
  expect(await page.getByLabel("Name").getAttribute("aria-invalid")).toBe("true")
  await close()
})

test("an address that is taken is said in words", async () => {
  const member = await signedUp()
  const { page, open, close } = await visit(browser, service)
  await open("/sign-up")
  await page.getByLabel("Name").fill("Lena")
  await page.getByLabel("E-mail address").fill(member.email)
  await page.getByLabel("Password").fill("correct horse battery")
  await page.getByRole("button", { name: "Make the account" }).click()
  await page.getByRole("alert").getByText("This email address has an account").waitFor()
  await close()
})

describe("signing in", () => {
  test("goes on to the page that was asked for", async () => {
    const member = await signedUp()
    const { page, open, close } = await visit(browser, service)
    await open("/developer")
    expect(page.url()).toBe(`${service.url}/sign-in?next=%2Fdeveloper`)
    await page.getByLabel("E-mail address").fill(member.email)
    await page.getByLabel("Password").fill(member.password)
    await page.getByRole("button", { name: "Sign in", exact: true }).click()
    await page.getByRole("heading", { name: "API", exact: true }).waitFor()
    await close()
  })

  test.each(["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"])(
    "never goes on to another site: %s",
    async (next) => {
      const member = await signedUp()
      const { page, open, close } = await visit(browser, service)
      await open(`/sign-in?next=${encodeURIComponent(next)}`)
      await page.getByLabel("E-mail address").fill(member.email)
      await page.getByLabel("Password").fill(member.password)
      await page.getByRole("button", { name: "Sign in", exact: true }).click()
      await page.getByRole("heading", { name: "Get started" }).waitFor()
      expect(new URL(page.url()).origin).toBe(service.url)
      await close()
    },
  )

  test("a wrong password is said, and after ten of them how long to wait", async () => {
    const member = await signedUp()
    const { page, open, close } = await visit(browser, service)
    await open("/sign-in")
    await page.getByLabel("E-mail address").fill(member.email)
    await page.getByLabel("Password").fill("not it")
    const answer = () => page.waitForResponse((response) => response.url().endsWith("/sign-in/email"))
    for (let tries = 0; tries < 11; tries += 1) {
      const answered = answer()
      await page.getByRole("button", { name: "Sign in", exact: true }).click()
      await answered
      if (tries === 0) await page.getByRole("alert").getByText("Incorrect email or password.").waitFor()
    }
    await page
      .getByRole("alert")
      .getByText(/Too many attempts for this account/)
      .waitFor()
    await page.getByText(/It makes sense to try again in \d+ minutes\./).waitFor()
    await close()
  })

  test("with a passkey needs no name", async () => {
    const member = await signedUp()
    const { page, context, open, close } = await visit(browser, service, { member })
    await addAuthenticator(page)
    await open("/account")
    await page.getByLabel("Name of the new passkey").fill("Lena's laptop")
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

  test("with Google works, and says when it does not", async () => {
    google.person = { sub: "lena", email: "lena@google.example", name: "Lena Winter" }
    const { page, open, close } = await visit(browser, service)
    google.faults = { refuses: true }
    await open("/sign-in")
    await page.getByRole("link", { name: "Continue with Google" }).click()
    await page.getByText("You said no there, so nothing was shared and nobody was signed in.").waitFor()
    google.faults = {}
    await page.getByRole("link", { name: "Continue with Google" }).click()
    await page.getByRole("heading", { name: "Get started" }).waitFor()
    await page.getByRole("link", { name: "Account" }).click()
    await page.getByRole("heading", { name: "Lena Winter" }).waitFor()
    await page.getByText("You sign in with Google.").waitFor()
    await close()
  })

  test("a session that ended leads to the way in, and says so", async () => {
    const member = await signedUp()
    const { page, open, close } = await visit(browser, service, { member })
    await open("/start")
    await member.send("POST", "/api/auth/sign-out")
    await page.getByRole("link", { name: "Connections" }).click()
    await page.reload()
    await page.getByText("You were signed out, because the session ended.").waitFor()
    expect(page.url()).toContain("/sign-in?next=%2Fconnections")
    await close()
  })
})

test("where nobody new is let in the pages say whom to ask", async () => {
  const closed = await startTestService({ days: 3, environment: { SIGN_UP: "closed" } })
  const first = new Member(closed)
  await first.signUp()
  const { page, open, close } = await visit(browser, closed)
  await open("/sign-in")
  await page.getByText("This Restwell lets nobody new in. Ask its operator.").waitFor()
  await open("/sign-up")
  const make = page.getByRole("button", { name: "Make the account" })
  // The page first asks whether anybody is let in.
  await expect.poll(() => make.isDisabled()).toBe(true)
  await close()
  await closed.close()
})
