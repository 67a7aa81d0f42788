import { readFile } from "node:fs/promises"
import {
  DESKTOP,
  expectAccessible,
  expectNoSidewaysScroll,
  expectNotKept,
  useBrowser,
  visit,
} from "@restwell/testing/browser"
import { AuthenticatorApp, Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"

let service: TestService
const browser = useBrowser()
beforeAll(async () => {
  service = await startTestService({ days: 3 })
})
afterAll(() => service.close())

const NARROW = { width: 320, height: 640 }

const panelOf = (page: Page) => page.getByRole("region", { name: "Sign-in codes" })

/** Turns codes on at the account page, with the key that the page displays. */
async function turnOn(page: Page, password: string): Promise<{ app: AuthenticatorApp; recoveryCodes: string[] }> {
  const panel = panelOf(page)
  await panel.getByLabel("Your password").fill(password)
  await panel.getByRole("button", { name: "Set up sign-in codes" }).click()
  await panel.getByRole("img", { name: "QR code for your authenticator app" }).waitFor()
  const key = await panel.getByRole("region", { name: "key for your authenticator app" }).innerText()
  const uri = `otpauth://totp/Restwell?secret=${key.replaceAll(" ", "")}`
  const app = new AuthenticatorApp(uri, () => Date.now())
  await panel.getByLabel("Code that your app displays now").fill(app.code())
  await panel.getByRole("button", { name: "Turn on sign-in codes" }).click()
  const list = panel.getByRole("region", { name: "recovery codes" })
  await list.waitFor()
  await panel.getByText(/^On\./).waitFor()
  return { app, recoveryCodes: (await list.innerText()).trim().split("\n") }
}

/** A member who has turned codes on over HTTP. */
async function protectedMember() {
  const member = new Member(service)
  await member.signUp()
  const begun = await (await member.send("POST", "/api/auth/two-factor", { password: member.password })).json()
  const app = new AuthenticatorApp(z.object({ uri: z.string() }).parse(begun).uri, () => Date.now())
  const confirmed = await (await member.send("POST", "/api/auth/two-factor/confirm", { code: app.code() })).json()
  const { recovery_codes: recoveryCodes } = z.object({ recovery_codes: z.array(z.string()) }).parse(confirmed)
  return { member, app, recoveryCodes }
}

async function enterPassword(page: Page, { email, password }: Member): Promise<void> {
  await page.getByLabel("Email address").fill(email)
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel("Code").fill(code)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
}

describe("turning sign-in codes on", () => {
  test("takes the password and a code, and displays the recovery codes once", async () => {
    const member = new Member(service)
    await member.signUp()
    const { page, faults, open, close } = await visit(browser, service, { member })
    await open("/account")
    const panel = panelOf(page)
    await panel.getByLabel("Your password").fill("not the password")
    await panel.getByRole("button", { name: "Set up sign-in codes" }).click()
    await panel.getByText("Incorrect password.").waitFor()
    const { recoveryCodes } = await turnOn(page, member.password)
    expect(recoveryCodes).toHaveLength(10)
    expect(
      await panel
        .getByText("Store your recovery codes now")
        .locator("..")
        .evaluate((element) => element === document.activeElement),
    ).toBe(true)
    const download = page.waitForEvent("download")
    await panel.getByRole("link", { name: "Download" }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe("restwell-recovery-codes.txt")
    expect(await readFile(await file.path(), "utf8")).toContain(recoveryCodes.join("\n"))
    for (const code of recoveryCodes) await expectNotKept(page, code)
    await page.getByText("Sign-in codes turned on").waitFor()
    await page.reload()
    await panel.getByText(/^On\./).waitFor()
    expect(await page.getByText(recoveryCodes[0] ?? "").count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  })

  test.each([
    ["light", DESKTOP],
    ["dark", NARROW],
    ["light", NARROW],
  ] as const)("is accessible at each step, and does not scroll sideways: %s, %o", async (colorScheme, viewport) => {
    const member = new Member(service)
    await member.signUp()
    const { page, open, close } = await visit(browser, service, { member, colorScheme, viewport })
    const expectUsable = async () => {
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    }
    await open("/account")
    const panel = panelOf(page)
    await panel.getByLabel("Your password").fill(member.password)
    await page.keyboard.press("Enter")
    await panel.getByLabel("Code that your app displays now").fill("000000")
    await page.keyboard.press("Enter")
    await panel.getByText(/^Incorrect code\./).waitFor()
    await expectUsable()
    await panel.getByRole("button", { name: "Cancel" }).click()
    await turnOn(page, member.password)
    await expectUsable()
    await panel.getByRole("button", { name: "Turn off" }).click()
    await expectUsable()
    await close()
  })
})

describe("signing in with codes", () => {
  test("asks for the code after the password, and the keyboard is enough", async () => {
    const { member, app } = await protectedMember()
    const { page, faults, open, close } = await visit(browser, service, { viewport: NARROW })
    await open("/sign-in?next=%2Faccount")
    await enterPassword(page, member)
    await page.getByRole("heading", { name: "Enter your code" }).waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.keyboard.type("000000")
    await page.keyboard.press("Enter")
    await page.getByText(/^Incorrect code\./).waitFor()
    expect(await page.getByLabel("Code").getAttribute("aria-invalid")).toBe("true")
    await enterCode(page, app.code(1))
    await page.getByRole("heading", { name: "Account", exact: true }).waitFor()
    await page.getByText("Signed in with a password and code").waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test("takes a recovery code without the app", async () => {
    const { member, recoveryCodes } = await protectedMember()
    const { page, open, close } = await visit(browser, service)
    await open("/sign-in?next=%2Faccount")
    await enterPassword(page, member)
    await enterCode(page, recoveryCodes[0] ?? "")
    await page.getByRole("heading", { name: "Account", exact: true }).waitFor()
    await page.getByText("Recovery code used").waitFor()
    await close()
  })

  test("can be started again", async () => {
    const { member, app } = await protectedMember()
    const { page, context, open, close } = await visit(browser, service)
    await open("/sign-in")
    await enterPassword(page, member)
    await page.getByRole("heading", { name: "Enter your code" }).waitFor()
    await context.clearCookies()
    await enterCode(page, app.code(1))
    await page.getByText("Enter your password again, then a code within ten minutes.").waitFor()
    await enterPassword(page, member)
    await enterCode(page, app.code(1))
    await page.getByRole("heading", { name: "Get started" }).waitFor()
    await close()
  })
})

test("sign-in codes can be turned off, and recovery codes replaced", async () => {
  const { member, app, recoveryCodes } = await protectedMember()
  const { page, faults, open, close } = await visit(browser, service, { member })
  await open("/account")
  const panel = panelOf(page)
  const fill = async (password: string, code: string) => {
    await panel.getByLabel("Your password").fill(password)
    await panel.getByLabel("Code of your app, or a recovery code").fill(code)
    await page.keyboard.press("Enter")
  }
  await panel.getByRole("button", { name: "New recovery codes" }).click()
  await fill(member.password, app.code(1))
  const list = panel.getByRole("region", { name: "recovery codes" })
  await list.waitFor()
  const [first = ""] = (await list.innerText()).trim().split("\n")
  expect(recoveryCodes).not.toContain(first)
  await panel.getByRole("button", { name: "Turn off" }).click()
  await fill("not the password", first)
  await panel.getByText("Incorrect password.").waitFor()
  await fill(member.password, recoveryCodes[0] ?? "")
  await panel.getByText(/^Incorrect code\./).waitFor()
  await fill(member.password, first)
  await panel.getByText("Sign-in codes are off.").waitFor()
  await panel.getByText(/^Off\./).waitFor()
  expect(faults).toEqual([])
  await close()
})
