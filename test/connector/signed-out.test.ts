// A person who is signed out when an assistant asks for access signs in on the dashboard's page, and comes back to decide.
import {
  authorizationRequest,
  formToken,
  openConsent,
  Browser as PlainBrowser,
  register,
} from "@restwell/testing/assistant"
import { addAuthenticator, useBrowser, type Visit, visit } from "@restwell/testing/browser"
import { AuthenticatorApp, Member } from "@restwell/testing/member"
import { type OpenIdProvider, startOpenIdProvider } from "@restwell/testing/openid-provider"
import { startTestService, type TestService } from "@restwell/testing/service"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { z } from "zod"
import { requestOf } from "./assistant-requests.ts"
import { type CallbackServer, startCallbackServer } from "./callback-server.ts"

let google: OpenIdProvider
let service: TestService
const browser = useBrowser()
let callback: CallbackServer
let member: Member
beforeAll(async () => {
  google = await startOpenIdProvider()
  const environment = { GOOGLE_CLIENT_ID: "client", GOOGLE_CLIENT_SECRET: "secret", GOOGLE_ISSUER: google.issuer }
  service = await startTestService({ days: 3, role: "api", environment })
  callback = await startCallbackServer()
})
afterAll(async () => {
  await callback.close()
  await service.close()
  await google.close()
})
beforeEach(async () => {
  google.faults = {}
  google.person = { sub: crypto.randomUUID(), email: `${crypto.randomUUID()}@example.com`, name: "Ada Berg" }
  member = new Member(service)
  await member.signUp()
})

const consentTitle = (page: Page) => page.getByRole("heading", { name: /read your data\?$/ })

async function enterPassword(page: Page, password: string = member.password): Promise<void> {
  await page.getByLabel("Email address").fill(member.email)
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel("Code").fill(code)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
}

async function signUp(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Create an account" }).click()
  await page.getByLabel("Name").fill("Lena")
  await page.getByLabel("Email address").fill(`${crypto.randomUUID()}@example.com`)
  await page.getByLabel("Password").fill("correct horse battery")
  await page.getByRole("button", { name: "Create account" }).click()
}

/** Turns sign-in codes on for the member. */
async function turnOnCodes(): Promise<{ app: AuthenticatorApp; recoveryCode: string }> {
  const begun = await member.send("POST", "/api/auth/two-factor", { password: member.password })
  const app = new AuthenticatorApp(z.object({ uri: z.string() }).parse(await begun.json()).uri, () => Date.now())
  const confirmed = await member.send("POST", "/api/auth/two-factor/confirm", { code: app.code() })
  const [recoveryCode = ""] = RecoveryCodesSchema.parse(await confirmed.json()).recovery_codes
  return { app, recoveryCode }
}

const RecoveryCodesSchema = z.object({ recovery_codes: z.array(z.string()) })

/** Gives the browser a passkey of the member, and signs out. */
async function addPasskey({ page, context, open }: Visit): Promise<void> {
  await addAuthenticator(page)
  await open("/sign-in?next=/account")
  await enterPassword(page)
  const passkeys = page.getByRole("region", { name: "Passkeys" })
  await passkeys.getByLabel("Name of the new passkey").fill("Laptop")
  await passkeys.getByLabel("Your password").fill(member.password)
  await page.getByRole("button", { name: "Add a passkey" }).click()
  await page.getByRole("listitem").getByText("Laptop").first().waitFor()
  await context.clearCookies()
}

/** Opens an assistant's request, which leads to the sign-in page. */
async function openRequest({ page }: Visit): Promise<void> {
  await page.goto(await requestOf(service, { redirectUri: callback.redirectUri }))
  await page.getByText("To connect your assistant. Next, you choose what it may read.").waitFor()
  expect(decodeURIComponent(page.url())).toMatch(/\/sign-in\?next=\/oauth\/consent\/[\w-]+$/)
}

describe("a person who is signed out comes back to the request and authorizes it, after", () => {
  test.each<[string, (at: Visit) => Promise<() => Promise<void>>]>([
    [
      "a password",
      async ({ page }) =>
        () =>
          enterPassword(page),
    ],
    [
      "a wrong password and the right one",
      async ({ page }) =>
        async () => {
          await enterPassword(page, "not my password")
          await page.getByRole("alert").getByText("Incorrect email or password.").waitFor()
          await enterPassword(page)
        },
    ],
    [
      "a code",
      async ({ page }) => {
        const { app } = await turnOnCodes()
        return async () => {
          await enterPassword(page)
          await enterCode(page, "000000")
          await page.getByText(/^Incorrect code\./).waitFor()
          await enterCode(page, app.code(1))
        }
      },
    ],
    [
      "a recovery code",
      async ({ page }) => {
        const { recoveryCode } = await turnOnCodes()
        return async () => {
          await enterPassword(page)
          await enterCode(page, recoveryCode)
        }
      },
    ],
    [
      "a passkey",
      async (at) => {
        await addPasskey(at)
        return () => at.page.getByRole("button", { name: "Sign in with a passkey" }).click()
      },
    ],
    [
      "Google, at the second try",
      async ({ page }) => {
        google.faults = { refuses: true }
        return async () => {
          await page.getByRole("link", { name: "Continue with Google" }).click()
          await page.getByText("You cancelled the sign-in.").waitFor()
          google.faults = {}
          await page.getByRole("link", { name: "Continue with Google" }).click()
        }
      },
    ],
    [
      "signing up",
      async ({ page }) =>
        () =>
          signUp(page),
    ],
    [
      "a look at the page for a forgotten password",
      async ({ page }) =>
        async () => {
          await page.getByRole("link", { name: "Forgot password?" }).click()
          await page.getByRole("link", { name: "Back to sign-in" }).click()
          await enterPassword(page)
        },
    ],
  ])("%s", async (_how, prepare) => {
    const at = await visit(browser, service)
    const signIn = await prepare(at)
    await openRequest(at)
    await signIn()
    await consentTitle(at.page).waitFor()
    await at.page.getByRole("button", { name: "Authorize" }).click()
    expect((await callback.next()).searchParams.get("code")).toMatch(/^.{40,}$/)
    expect(at.faults).toEqual([])
    await at.close()
  })
})

test("a person can switch to another account and continue the same request", async () => {
  const other = new Member(service)
  await other.signUp()
  const { page, close } = await visit(browser, service, { member: other })
  await page.goto(await requestOf(service))
  await page.getByText(`Signed in as ${other.email}`).waitFor()
  await page.getByRole("button", { name: "Use another account" }).click()
  await enterPassword(page)
  await page.getByText(`Signed in as ${member.email}`).waitFor()
  await close()
})

test.each([
  ["prompt", { prompt: "login" }],
  ["max_age", { scope: "openid sleep:read", max_age: "0" }],
])("an assistant can require a new sign-in with %s", async (_how, parameters) => {
  // A sign-in of the same second counts as new.
  await service.store.pool.query(`update restwell.session set "createdAt" = "createdAt" - interval '1 minute'`)
  const { client_id: clientId } = await register(service)
  const { page, close } = await visit(browser, service, { member })
  await page.goto(authorizationRequest(service, { client_id: clientId, ...parameters }).href)
  await enterPassword(page)
  await consentTitle(page).waitFor()
  await close()
})

test("an assistant gets nothing for the password alone", async () => {
  await turnOnCodes()
  const plain = new PlainBrowser()
  const { client_id: clientId } = await register(service)
  const consent = await openConsent(service, plain, authorizationRequest(service, { client_id: clientId }))
  const signIn = await fetch(`${service.url}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie: plain.cookie },
    body: JSON.stringify({ email: member.email, password: member.password }),
  })
  expect(await signIn.json()).toEqual({ code_required: true })
  for (const cookie of signIn.headers.getSetCookie()) plain.keep(cookie)
  const page = await plain.get(consent)
  const form = { token: formToken(await page.text()), decision: "allow", days: "all", scope: "sleep:read" }
  const decided = await plain.post(consent, form)
  for (const answer of [page, decided])
    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      `/sign-in?next=${encodeURIComponent(consent.pathname)}`,
    ])
})
