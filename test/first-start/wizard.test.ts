import { mkdir } from "node:fs/promises"
import { WHOOP_SCOPES } from "@restwell/providers"
import { setupCodeOf } from "@restwell/server/links"
import { DESKTOP, expectAccessible, expectNoSidewaysScroll, useBrowser, visit } from "@restwell/testing/browser"
import { readHealth } from "@restwell/testing/member"
import { startTestService, TEST_SECRET } from "@restwell/testing/service"
import { VENDOR_APP } from "@restwell/testing/vendor"
import type { Page } from "playwright-core"
import { expect, test } from "vitest"

const browser = useBrowser()

const readText = async (url: string): Promise<string> => (await fetch(url)).text()

/** Steps, addresses and scopes of WHOOP's form, and its page of the manual. */
async function expectEveryStep(page: Page, url: string): Promise<void> {
  const scopes = page.getByRole("list", { name: "WHOOP scopes" }).getByRole("listitem")
  expect(await scopes.allInnerTexts()).toEqual([...WHOOP_SCOPES])
  expect(await page.getByRole("link", { name: "developer-dashboard.whoop.com" }).getAttribute("href")).toBe(
    "https://developer-dashboard.whoop.com",
  )
  const manual = page.getByRole("link", { name: "setting up WHOOP" })
  expect(await readText(`${url}${await manual.getAttribute("href")}`)).toContain('id="whoop"')
}

/** Set to a folder to look at every step. */
const pictures = process.env["WIZARD_PICTURES"]

test.each([
  ["phone", "light", { width: 360, height: 740 }],
  ["desktop", "dark", DESKTOP],
] as const)("from nothing to a first answer, on a %s", async (name, colorScheme, viewport) => {
  const service = await startTestService({ days: 20, environment: { WHOOP_CLIENT_ID: "", WHOOP_CLIENT_SECRET: "" } })
  service.simulator.people.add({ email: "lena@vendor.example" })
  const { page, faults, open, close } = await visit(browser, service, { colorScheme, viewport })
  let step = 0
  const look = async () => {
    await page.waitForLoadState("networkidle")
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    step += 1
    if (pictures === undefined) return
    await mkdir(pictures, { recursive: true })
    await page.screenshot({ path: `${pictures}/${name}-${step}.png`, fullPage: true, animations: "disabled" })
  }
  await open("/")
  await page.getByLabel("Set-up code").waitFor()
  await page.goto("about:blank")
  await open(`/setup#${setupCodeOf(TEST_SECRET)}`)
  await page.getByRole("heading", { name: "Set up Restwell" }).waitFor()
  expect(await page.getByLabel("Set-up code").count()).toBe(0)
  expect(page.url()).toBe(`${service.url}/setup`)
  await look()
  await page.getByLabel("Name").fill("Lena")
  await page.getByLabel("Email address").fill("lena@example.com")
  await page.getByLabel("Password").fill("correct horse battery staple")
  await page.getByRole("button", { name: "Create the owner's account" }).click()

  await page.getByText("Choose the public address").click()
  await page.getByLabel("Public address").fill(service.url)
  await page.getByRole("button", { name: "Check the address" }).click()
  await page.getByText("This address leads to this Restwell.").waitFor()
  await look()
  const change = page.getByRole("button", { name: "Use this address" })
  if (await change.isVisible()) {
    await change.click()
    await page.waitForURL(`${service.url}/start`)
  }
  await page.reload()

  await page.getByRole("checkbox", { name: "WHOOP" }).check()
  await page.getByRole("region", { name: "WHOOP redirect URL" }).waitFor()
  expect(await page.getByRole("region", { name: "WHOOP redirect URL" }).innerText()).toBe(
    `${service.url}/api/connections/whoop/callback`,
  )
  await expectEveryStep(page, service.url)
  await page.getByLabel("WHOOP client id").fill(VENDOR_APP.clientId)
  await page.getByLabel("WHOOP client secret").fill("a mistake")
  await page.getByRole("button", { name: "Test and save" }).click()
  await page.getByText("WHOOP does not accept these credentials").waitFor()
  await look()
  await page.getByLabel("WHOOP client secret").fill(VENDOR_APP.clientSecret)
  await page.getByRole("button", { name: "Test and save" }).click()
  await page.getByText("WHOOP is set up on this server").waitFor()
  expect(await page.content()).not.toContain(VENDOR_APP.clientSecret)

  await page.getByRole("link", { name: "Connect WHOOP" }).click()
  await page.getByText("WHOOP is connected. Your history is syncing, newest days first.").waitFor()
  expect(page.url()).toBe(`${service.url}/start`)
  await look()
  await page.getByText("Create an API key").click()
  await page.getByRole("button", { name: "Create key" }).click()
  const key = (await page.getByRole("region", { name: "API key" }).innerText()).trim()
  await look()
  await expect
    .poll(async () => (await readHealth(service.url, key, "?type=sleep&days=7")).json())
    .toMatchObject({
      records: expect.arrayContaining([expect.objectContaining({ source: "whoop" })]),
    })
  await page.getByText("Add the connector to your assistant").click()
  expect(await page.getByRole("region", { name: "connector address" }).innerText()).toBe(`${service.url}/api/mcp/oauth`)
  expect(await page.getByRole("tab", { name: "ChatGPT" }).count()).toBe(0)
  await page.getByText("assistants on the web cannot reach this address").waitFor()

  await open("/service")
  await page.getByRole("heading", { name: "Vendor apps" }).waitFor()
  await look()
  const late = await visit(browser, service)
  await late.open("/setup")
  expect(new URL(late.page.url()).pathname).toBe("/sign-in")
  await late.close()
  expect(faults).toEqual([])
  await close()
  await service.close()
})
