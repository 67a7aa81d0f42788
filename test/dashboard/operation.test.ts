import { readdir, rm } from "node:fs/promises"
import { type ServiceResponse, ServiceResponseSchema } from "@restwell/client"
import { expectAccessible, expectNoSidewaysScroll, useBrowser, visit } from "@restwell/testing/browser"
import { makeFolder } from "@restwell/testing/database"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type MailServer, startMailServer } from "../people/mail-server.ts"

const NARROW = { width: 360, height: 740 }

let mail: MailServer
let service: TestService
const browser = useBrowser()
let owner: Member
let folder: string
beforeAll(async () => {
  mail = await startMailServer()
  folder = await makeFolder("backups")
  // As an operator has it who has set no environment variable.
  service = await startTestService({ days: 3, environment: { SIGN_UP: "" } })
  owner = new Member(service, {}, "owner@example.com")
  await owner.setUp()
})
afterAll(async () => {
  await service.close()
  await mail.close()
  await rm(folder, { recursive: true })
})

const state = async (): Promise<ServiceResponse> =>
  ServiceResponseSchema.parse(await (await owner.send("GET", "/api/service")).json())

async function expectGood(page: Page): Promise<void> {
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
}

test("an owner who is alone reads no word about plans, and learns who can open an invitation", async () => {
  const { page, open, close } = await visit(browser, service, { member: owner, viewport: NARROW, colorScheme: "dark" })
  await open("/service")
  await page.getByRole("heading", { name: "Invitations" }).waitFor()
  await page.getByText("Only this computer can open this address").waitFor()
  await page.getByRole("button", { name: "Make invitation link" }).click()
  await page.getByText(/It works once, until .* Only this computer can open this address\./).waitFor()
  await expectGood(page)
  expect(await page.getByText(/\bplan\b/i).count()).toBe(0)
  await open("/developer")
  await page.getByText("0 of 50,000 requests").waitFor()
  expect(await page.getByText(/\bplan\b/i).count()).toBe(0)
  await page.route("**/api/account", async (route) => {
    const response = await route.fetch()
    const account = await response.json()
    await route.fulfill({ response, json: { ...account, usage: { ...account.usage, used: 45_000, remaining: 5000 } } })
  })
  await open("/developer")
  await page.getByText("Pro plan.").waitFor()
  await close()
})

test("the owner opens and closes sign-ups by keyboard", async () => {
  const { page, open, close } = await visit(browser, service, { member: owner })
  await open("/service")
  const everybody = page.getByRole("button", { name: "Everybody", exact: true })
  await everybody.focus()
  await page.keyboard.press("Enter")
  await page.getByText("Everybody who reaches this address can now create an account.").waitFor()
  expect((await state()).sign_up).toEqual({ value: "open", source: "page" })
  await page.getByRole("button", { name: "Invited people only" }).click()
  await expect.poll(async () => (await state()).sign_up.value).toBe("closed")
  await close()
})

test("the owner sets up backups and makes one at once, on a phone", async () => {
  const { page, faults, open, close } = await visit(browser, service, {
    member: owner,
    viewport: NARROW,
    colorScheme: "dark",
  })
  await open("/service")
  const directory = `${folder}/phone`
  await page.getByText("There is no backup yet").first().waitFor()
  await page.getByLabel("Folder").fill("/proc/nothing")
  await page.getByRole("button", { name: "Start backups" }).click()
  await page.getByText("the folder /proc/nothing cannot be used").waitFor()
  await expectGood(page)
  await page.getByLabel("Folder").fill(directory)
  await page.getByLabel("How often").selectOption("Every week")
  await page.getByRole("button", { name: "Start backups" }).click()
  await page.getByText("Last backup:").waitFor({ timeout: 30_000 })
  const files = async () => (await readdir(directory)).filter((file) => file.endsWith(".backup")).length
  expect(await files()).toBe(1)
  await page.getByRole("button", { name: "Back up now" }).click()
  await expect.poll(files, { timeout: 30_000 }).toBe(2)
  expect((await state()).backup.schedule).toEqual({ folder: directory, keep: 7, every_hours: 168, has_secret: true })
  await expectGood(page)
  await page.getByRole("button", { name: "Stop backups" }).click()
  await page.getByRole("button", { name: "Start backups" }).waitFor()
  await service.store.pool.query("delete from restwell.backup")
  expect(faults).toEqual([])
  await close()
})

test("the owner sets up email with a test message, and Health says when the mail server refuses emails", async () => {
  const { page, open, close } = await visit(browser, service, { member: owner, viewport: NARROW })
  await open("/service")
  await page.getByText("Set up a mail server").click()
  const { port } = new URL(mail.url)
  await page.getByLabel("Mail server", { exact: true }).fill("mail.invalid")
  await page.getByLabel("Port").fill(port)
  await page.getByLabel("Sender").fill("home@restwell.example")
  await page.getByRole("button", { name: "Send a test message and save" }).click()
  await page.getByText("this name is not known").waitFor()
  await expectGood(page)
  await page.getByLabel("Mail server", { exact: true }).fill("127.0.0.1")
  await page.getByRole("button", { name: "Send a test message and save" }).click()
  await mail.mailTo(owner.email)
  await page.getByText(`Sent by 127.0.0.1:${port}, from Restwell <home@restwell.example>.`).waitFor()
  await page.getByRole("button", { name: "Send a test message", exact: true }).click()
  await page.getByText("The mail server took the test message to owner@example.com.").waitFor()
  mail.isFailing = true
  await page.getByLabel("Email address (optional)").fill("lena@example.com")
  await page.getByRole("button", { name: "Send by email" }).click()
  await expect.poll(async () => (await state()).mail.failures, { timeout: 30_000 }).toBe(1)
  await open("/service")
  const health = page.getByRole("region", { name: "Health" })
  await health.getByText("The mail server has not taken 1 email").waitFor()
  expect(await health.getByText("Everything works.").count()).toBe(0)
  await expectGood(page)
  await close()
})

test("the check of a local address says who can open it, and how to get one that the internet reaches", async () => {
  const { page, open, close } = await visit(browser, service, { member: owner, viewport: NARROW, colorScheme: "dark" })
  await open("/service")
  await page.getByRole("button", { name: "Check the address" }).click()
  await page
    .getByRole("region", { name: "Public address" })
    .getByText("Only this computer can open this address")
    .waitFor()
  await page.getByText("How to get such an address").click()
  const { port } = new URL(service.url)
  expect(await page.getByRole("region", { name: "Tailscale command" }).innerText()).toBe(
    `tailscale funnel --bg ${port}`,
  )
  await page.getByRole("tab", { name: "Caddy" }).click()
  expect(await page.getByRole("region", { name: "Caddy command" }).innerText()).toBe(
    `caddy reverse-proxy --from restwell.your-domain.com --to localhost:${port}`,
  )
  await expectGood(page)
  await close()
})

test("the first steps are accessible also while the settings of the service cannot be read", async () => {
  const { page, open, close } = await visit(browser, service, { member: owner })
  const failed = { error: "internal", message: "something went wrong, try again" }
  await page.route("**/api/service", (route) => route.fulfill({ status: 500, json: failed }))
  await open("/start")
  await page.getByText("Choose the public address").click()
  await page.getByRole("alert").getByText("Something went wrong, try again.").waitFor({ timeout: 30_000 })
  await expectAccessible(page)
  await close()
})
