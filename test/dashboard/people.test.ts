import {
  DESKTOP,
  expectAccessible,
  expectNoSidewaysScroll,
  expectNotKept,
  PHONE,
  useBrowser,
  visit,
} from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type MailServer, startMailServer } from "../people/mail-server.ts"
import { linkIn } from "../people/parse-mail.ts"

const NEW_PASSWORD = "staple battery horse correct"

let mail: MailServer
let service: TestService
const browser = useBrowser()
let owner: Member
beforeAll(async () => {
  mail = await startMailServer()
  const environment = { SIGN_UP: "closed", SMTP_URL: mail.url, MAIL_FROM: "Restwell <home@restwell.example>" }
  service = await startTestService({ days: 3, environment })
  owner = new Member(service, {}, "owner@example.com")
  await owner.setUp()
})
afterAll(async () => {
  await service.close()
  await mail.close()
})

async function expectGood(page: Page, name: string): Promise<void> {
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  const folder = process.env["SCREENSHOTS"]
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

test("on a phone the owner invites a person, who gets a dashboard of their own", async () => {
  const look = { viewport: PHONE, colorScheme: "dark" as const }
  const window = await visit(browser, service, { member: owner, ...look })
  const { page } = window
  await window.open("/account")
  await page.getByRole("link", { name: "Manage this service" }).click()
  await page.getByRole("heading", { name: "Invitations" }).waitFor()
  await page.getByRole("button", { name: "Make invitation link" }).click()
  const link = await page.getByLabel("Invitation link", { exact: true }).innerText()
  await page.getByLabel("Open invitations").getByText("Anybody with the link").waitFor()
  await expectGood(page, `service-phone`)
  await expectNotKept(page, new URL(link).hash.slice(1))

  const guest = await visit(browser, service, look)
  await guest.open(link.slice(service.url.length))
  await guest.page.getByLabel("Name").fill("Lena")
  await expectGood(guest.page, `invite-phone`)
  await expectNotKept(guest.page, new URL(link).hash.slice(1))
  const email = "phone@example.com"
  await guest.page.getByLabel("Email address").fill(email)
  await guest.page.getByLabel("Password").fill("correct horse battery")
  await guest.page.getByRole("button", { name: "Create account" }).click()
  await guest.page.getByRole("heading", { name: "Get started" }).waitFor()
  await guest.open("/service")
  await guest.page.getByText("Only the owner of this server can open this page").waitFor()
  await guest.open(link.slice(service.url.length))
  await guest.page.getByText("This invitation is not valid").waitFor()
  expect([window.faults, guest.faults]).toEqual([[], []])

  await page.reload()
  await page.getByText(email, { exact: true }).waitFor()
  expect(await page.getByLabel("Open invitations").count()).toBe(0)
  await Promise.all([window.close(), guest.close()])
})

test("the owner changes a plan, makes a link to a new password, and removes a person", async () => {
  const lena = await accepted("lena@example.com")
  const window = await visit(browser, service, { member: owner })
  const { page } = window
  await window.open("/service")
  const item = page.getByLabel("People").getByRole("listitem").filter({ hasText: lena.email })
  await item.getByLabel("Plan").selectOption("pro")
  await expect.poll(async () => (await (await lena.send("GET", "/api/account")).json()).plan).toBe("pro")
  await item.getByRole("button", { name: "Create password reset link" }).click()
  await expectGood(page, "service-reset-link")
  const create = item.getByRole("button", { name: "Create link" })
  expect(await create.isDisabled()).toBe(true)
  await item.getByLabel("Your password").fill("a guess that is wrong")
  await create.click()
  await item.getByText("Incorrect password.").waitFor()
  await item.getByLabel("Your password").fill(owner.password)
  await create.click()
  const link = await item.getByLabel("Link to a new password for lena@example.com", { exact: true }).innerText()
  const reset = await lena.send("POST", "/api/auth/reset-link", { token: new URL(link).hash.slice(1) })
  expect(reset.status).toBe(200)
  await item.getByRole("button", { name: "Remove lena@example.com" }).click()
  const confirm = page.getByRole("button", { name: "Delete everything" })
  expect(await confirm.isDisabled()).toBe(true)
  await page.getByLabel("Type lena@example.com to confirm").fill("lena@example.com")
  expect(await confirm.isDisabled()).toBe(true)
  await page.getByRole("alertdialog").getByLabel("Your password").fill(owner.password)
  await expectGood(page, "service-remove")
  await confirm.click()
  await expect.poll(async () => (await lena.send("GET", "/api/account")).status).toBe(401)
  await page.getByRole("button", { name: "Remove lena@example.com" }).waitFor({ state: "detached" })
  for (const name of ["Remove owner@example.com", "Create password reset link for owner@example.com"])
    expect(await page.getByRole("button", { name }).count()).toBe(0)
  await expectNotKept(page, owner.password)
  expect(window.faults).toEqual([])
  await window.close()
})

/** A person who accepted an invitation. */
async function accepted(email: string): Promise<Member> {
  const member = new Member(service, {}, email)
  const response = await owner.send("POST", "/api/service/invitations", {})
  const invitation = new URL((await response.json()).link).hash.slice(1)
  const body = { name: "Lena", email, password: member.password, invitation }
  expect((await member.send("POST", "/api/auth/sign-up/email", body)).status).toBe(200)
  return member
}

test("on a desktop a forgotten password is replaced by email", async () => {
  const look = { viewport: DESKTOP, colorScheme: "dark" as const }
  const mia = await accepted(`mia-desktop@example.com`)
  await mia.newKey()
  const window = await visit(browser, service, look)
  const { page, open } = window
  await open("/sign-in")
  await expectGood(page, `sign-in-desktop`)
  await page.getByRole("link", { name: "Forgot password?" }).click()
  await page.getByLabel("Email address").fill(mia.email)
  await expectGood(page, `forgot-desktop`)
  await page.getByRole("button", { name: "Send me a link" }).click()
  await page.getByText("Look into your mailbox").waitFor()
  const link = linkIn(await mail.mailTo(mia.email))
  await open(link.pathname + link.hash)
  await page.getByLabel("New password").fill("password1")
  await page.getByRole("button", { name: "Set password and sign in" }).click()
  await page.getByText(/The new password (is|must)/).waitFor()
  await expectGood(page, `reset-desktop`)
  await page.getByLabel("New password").fill(NEW_PASSWORD)
  await page.getByRole("button", { name: "Set password and sign in" }).click()
  await page.getByRole("heading", { name: "Password set" }).waitFor()
  await page.getByRole("button", { name: "Replace the API key" }).waitFor()
  await expectGood(page, `reset-done-desktop`)
  await page.getByRole("link", { name: "Go to Today" }).click()
  await page.getByRole("heading", { level: 1 }).waitFor()
  expect((await mia.send("GET", "/api/account")).status).toBe(401)
  await open(link.pathname + link.hash)
  await page.getByText("This link is not valid").waitFor()
  expect(window.faults).toEqual([])
  await window.close()
})

test("emails that could not be sent are displayed to the owner, and a person turns notices off", async () => {
  mail.isFailing = true
  await owner.send("POST", "/api/service/invitations", { email: "noa@example.com", send: true })
  const window = await visit(browser, service, { member: owner })
  const { page, open } = window
  const hasFailed = async () => (await (await owner.send("GET", "/api/service/people")).json()).mail.failures.length
  await expect.poll(hasFailed).toBe(1)
  await open("/service")
  await page.getByText("Invitation to noa@example.com").waitFor()
  await page.getByText(/451 try again later/).waitFor()
  await expectGood(page, "service-mail")
  mail.isFailing = false
  await open("/account")
  await page.getByLabel("Tell me when a connection needs to be renewed").click()
  await expect.poll(() => page.getByLabel("Tell me when a connection needs to be renewed").isChecked()).toBe(false)
  await expect.poll(async () => (await (await owner.send("GET", "/api/account")).json()).notices.reconnect).toBe(false)
  expect(window.faults).toEqual([])
  await window.close()
})

test("without email the page says who makes a link", async () => {
  const other = await startTestService({ days: 3 })
  const window = await visit(browser, other)
  await window.open("/sign-in")
  await window.page.getByRole("link", { name: "Forgot password?" }).click()
  await window.page.getByText("Ask the operator of this server for a link").waitFor()
  await expectGood(window.page, "forgot-operator")
  expect(window.faults).toEqual([])
  await window.close()
  await other.close()
})
