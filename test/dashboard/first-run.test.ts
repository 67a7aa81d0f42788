import { expectNotKept, useBrowser, visit } from "@restwell/testing/browser"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

let service: TestService
const browser = useBrowser()
beforeAll(async () => {
  service = await startTestService({ days: 400 })
})
afterAll(() => service.close())

test("the first run connects a vendor with live progress, creates a key, and explains the connector", async () => {
  service.simulator.people.add({ email: "lena@vendor.example" })
  // Slows the sync down, so that its progress can be observed.
  service.simulator.faults.add({ match: { path: /\/v2\// }, kind: "latency", ms: 150 })
  const member = new Member(service)
  await member.signUp()
  const { page, context, faults, open, close } = await visit(browser, service, { member })
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: service.url })
  await open("/")
  await page.getByRole("heading", { name: "Get started" }).waitFor()

  await page.getByRole("link", { name: "Connect WHOOP" }).click()
  await page.getByText("WHOOP is connected. Your history is syncing, newest days first.").waitFor()
  expect(new URL(page.url()).search).toBe("")
  await page.goto("/start")
  const progress = page.getByRole("progressbar", { name: "History" })
  const seen = new Set<string>()
  await expect
    .poll(
      async () => {
        seen.add((await progress.textContent()) ?? "")
        return progress.getAttribute("aria-valuetext")
      },
      { timeout: 60_000 },
    )
    .toMatch(/^Complete: [\d,]+ records$/)
  expect([...seen].filter((text) => /[\d,]+ records, back to /.test(text)).length).toBeGreaterThan(1)
  service.simulator.faults.clear()

  await page.getByRole("button", { name: "Create key" }).click()
  const key = (await page.getByRole("region", { name: "API key" }).innerText()).trim()
  expect((await readHealth(service.url, key)).status).toBe(200)
  await page.getByRole("button", { name: "Copy curl command" }).click()
  const curl = await page.evaluate(() => navigator.clipboard.readText())
  expect(curl).toBe(`curl -H "Authorization: Bearer ${key}" "${service.url}/api/v1/health?type=sleep&days=7"`)
  await expectNotKept(page, key)

  expect(await page.getByRole("region", { name: "connector address" }).innerText()).toBe(`${service.url}/api/mcp/oauth`)
  await page.getByRole("tab", { name: "Cursor" }).click()
  await page.getByText("Open Settings, then MCP, and press Connect next to restwell.").waitFor()

  await page.reload()
  await page.getByText(key.slice(0, 8)).waitFor()
  expect(await page.getByText(key).count()).toBe(0)
  await page.getByRole("link", { name: "Go to Today" }).click()
  await page.getByRole("heading", { name: "Today" }).waitFor()
  expect(faults).toEqual([])
  await close()
})

test("a declined or expired authorization is explained", async () => {
  const member = new Member(service)
  await member.signUp()
  const { page, open, close } = await visit(browser, service, { member })
  await open("/connections")
  await page.goto("/api/connections/whoop/callback?error=access_denied&state=x")
  await page.getByText("You declined access at WHOOP, so nothing was connected.").waitFor()
  await page.goto("/api/connections/whoop/callback?code=x&state=x")
  await page.getByText("The connection took too long or was started in another browser. Connect again.").waitFor()
  expect(new URL(page.url()).search).toBe("")
  await close()
})

test("a server without a vendor tells the operator how to set one up", async () => {
  const bare = await startTestService({ days: 3, environment: { WHOOP_CLIENT_ID: "", WHOOP_CLIENT_SECRET: "" } })
  const member = new Member(bare)
  await member.setUp()
  const { page, open, close } = await visit(browser, bare, { member })
  await open("/start")
  await page.getByText("First set up a vendor in the step above.").waitFor()
  await open("/connections")
  await page.getByText("No vendor is set up on this server").waitFor()
  await page.goto("/api/connections/whoop/authorize")
  await page.getByText("WHOOP is not set up on this server. Its owner does that on the page Service.").waitFor()
  await close()
  await bare.close()
})
