import { garminArchive, garminRows } from "@restwell/simulator"
import { expectGoodInEveryAppearance, expectNotKept, openLine, useBrowser, visit } from "@restwell/testing/browser"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { startOuraBeside } from "@restwell/testing/vendor"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"

let service: TestService
const browser = useBrowser()
beforeAll(async () => {
  service = await startTestService({ days: 400 })
})
afterAll(() => service.close())

const NARROW = { width: 360, height: 740 }

/** Answers the question of the first step. */
const wear = async (page: Page, ...devices: readonly string[]): Promise<void> => {
  for (const name of devices) await page.getByRole("checkbox", { name, exact: true }).check()
}

test("the first run asks what the person wears, connects it with live progress, and has key and connector under Later", async () => {
  service.simulator.people.add({ email: "lena@vendor.example" })
  // Slows the sync down, so that its progress can be observed.
  service.simulator.faults.add({ match: { path: /\/v2\// }, kind: "latency", ms: 150 })
  const member = new Member(service)
  await member.signUp()
  const { page, context, faults, open, close } = await visit(browser, service, { member })
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: service.url })
  await open("/")
  await page.getByRole("heading", { name: "Get started" }).waitFor()
  expect(await page.getByRole("link", { name: /^Connect / }).count()).toBe(0)
  await wear(page, "WHOOP")
  await page.getByRole("link", { name: "Connect WHOOP" }).click()
  await page.getByText("WHOOP is connected. Your history is syncing, newest days first.").waitFor()
  expect(new URL(page.url()).search).toBe("")
  expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^WHOOP/)
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

  await page.getByText("Create an API key").click()
  await page.getByRole("button", { name: "Create key" }).click()
  const key = (await page.getByRole("region", { name: "API key" }).innerText()).trim()
  expect((await readHealth(service.url, key)).status).toBe(200)
  await page.getByRole("button", { name: "Copy curl command" }).click()
  const curl = await page.evaluate(() => navigator.clipboard.readText())
  expect(curl).toBe(`curl -H "Authorization: Bearer ${key}" "${service.url}/api/v1/health?type=sleep&days=7"`)
  await expectNotKept(page, key)

  await page.getByText("Add the connector to your assistant").click()
  expect(await page.getByRole("region", { name: "connector address" }).innerText()).toBe(`${service.url}/api/mcp/oauth`)
  await page.getByRole("tab", { name: "Cursor" }).click()
  await page.getByText("Open Settings, then MCP, and press Connect next to restwell.").waitFor()

  await page.reload()
  await page.getByText("Create an API key").click()
  await page.getByText(key.slice(0, 8)).waitFor()
  expect(await page.getByText(key).count()).toBe(0)
  await page.getByRole("link", { name: "Go to Today" }).click()
  await page.getByRole("heading", { name: "Today" }).waitFor()
  expect(faults).toEqual([])
  await close()
})

test("without a device every page leads to Get started in one tap, and none shows a fault", async () => {
  const member = new Member(service)
  await member.signUp()
  const { page, faults, open, close } = await visit(browser, service, { member, viewport: NARROW })
  const ofData = ["/", "/?date=2026-01-02", "/trends", "/trends?metric=hrv", "/week", "/insights", "/report"]
  for (const path of [...ofData, "/workout?date=2026-01-02&id=whoop-1"]) {
    await page.goto(path)
    await page.getByRole("heading", { name: "What do you wear?" }).waitFor()
  }
  const others = ["/sources", "/connections", "/notifications", "/account", "/access", "/developer", "/more"]
  for (const path of others) {
    await open(path)
    await page.getByRole("navigation").getByRole("link", { name: "Get started" }).click()
    await page.getByRole("heading", { name: "What do you wear?" }).waitFor()
    expect(await page.getByRole("navigation").getByRole("link", { name: "Today" }).count()).toBe(0)
  }
  await page.getByText("You find it again under API and Access.").waitFor()
  await open("/sources")
  await page.getByRole("main").getByRole("link", { name: "Get started" }).click()
  await page.getByRole("heading", { name: "What do you wear?" }).waitFor()
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

test("somebody who wears several devices has the steps of each, and the answer stays after a declined consent", async () => {
  const member = new Member(service)
  await member.signUp()
  const { page, faults, open, close } = await visit(browser, service, { member, viewport: NARROW })
  await open("/start")
  await wear(page, "WHOOP", "Garmin", "Apple Watch")
  await page.getByRole("heading", { name: "Your data from WHOOP" }).waitFor()
  await page.getByText(/Sign in at garmin\.com\/account\/datamanagement and choose Export Your Data/).waitFor()
  await page.getByText(/open the Health app, tap your picture/).waitFor()
  await page.getByText("New days by themselves: a program on the iPhone sends them").click()
  await page.getByLabel("Name of the phone").fill("My iPhone")
  await page.getByRole("button", { name: "Make a token" }).click()
  await page.getByText(/On the iPhone, open Health Auto Export/).waitFor()
  expect(await page.getByRole("tab", { name: "Shortcuts, Tasker" }).count()).toBe(0)
  expect(
    await page
      .getByText(/Oura|Fitbit|Polar/)
      .filter({ visible: true })
      .allInnerTexts(),
  ).toEqual(["Oura", "Fitbit or Pixel Watch"])
  await expectGoodInEveryAppearance(page)
  // As the link does, but not to the vendor, which approves at once here.
  expect(await page.getByRole("link", { name: "Connect WHOOP" }).getAttribute("href")).toBe(
    "/api/connections/whoop/authorize?from=start",
  )
  await page.request.get("/api/connections/whoop/authorize?from=start", { maxRedirects: 0 })
  await page.goto("/api/connections/whoop/callback?error=access_denied&state=x")
  await page.getByText("You declined access at WHOOP, so nothing was connected.").waitFor()
  expect(new URL(page.url()).pathname).toBe("/start")
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Your data from WHOOP")
  await page.getByText("WHOOP, Garmin, Apple Watch. Change").click()
  await page.getByRole("checkbox", { name: "Apple Watch" }).uncheck()
  expect(await page.getByText(/open the Health app/).count()).toBe(0)
  await wear(page, "Another", "Amazfit or Xiaomi, with Gadgetbridge")
  await page.getByText(/In Gadgetbridge, open the menu/).waitFor()
  expect(faults).toEqual([])
  await close()
})

test("an archive is uploaded in its own step, which then says how much is there", async () => {
  const member = new Member(service)
  await member.signUp()
  const { page, open, close } = await visit(browser, service, { member, viewport: NARROW })
  await open("/start")
  await wear(page, "Garmin")
  const oura = await startOuraBeside(service.simulator)
  const person = service.simulator.people.addOne()
  const rows = garminRows(oura.records(person))
  await oura.close()
  await page.getByLabel("Archive of Garmin").setInputFiles({
    name: "garmin.zip",
    mimeType: "application/zip",
    buffer: garminArchive(rows),
  })
  await page.getByText(/^[\d,]+ records of Garmin are here\.$/).waitFor({ timeout: 60_000 })
  await page.getByRole("link", { name: "Go to Today" }).click()
  await page.getByRole("heading", { name: "Today" }).waitFor()
  await close()
})

test("a relative who was invited sees only what is theirs", async () => {
  const bare = await startTestService({ days: 3, environment: { WHOOP_CLIENT_ID: "", WHOOP_CLIENT_SECRET: "" } })
  const owner = new Member(bare)
  await owner.setUp()
  const member = new Member(bare)
  await member.signUp()
  const { page, faults, open, close } = await visit(browser, bare, { member, viewport: NARROW })
  const asked: string[] = []
  page.on("request", (request) => asked.push(new URL(request.url()).pathname))
  await open("/start")
  await wear(page, "WHOOP")
  await page.getByText("WHOOP is not set up on this server yet").waitFor()
  await page.getByText("Upload the archive of WHOOP, which has your journal too").click()
  await page.getByText(/In the WHOOP app, open More, App Settings, Data Export/).waitFor()
  const ownersWords = page.getByText(/client id|redirect URL|public address|developer-dashboard/i)
  expect(await ownersWords.filter({ visible: true }).count()).toBe(0)
  expect(asked).not.toContain("/api/service")
  await expectGoodInEveryAppearance(page)
  expect(faults).toEqual([])
  await close()
  await bare.close()
})

test("a server without a vendor tells the operator how to set one up", async () => {
  const bare = await startTestService({ days: 3, environment: { WHOOP_CLIENT_ID: "", WHOOP_CLIENT_SECRET: "" } })
  const member = new Member(bare)
  await member.setUp()
  const { page, context, open, close } = await visit(browser, bare, { member })
  await open("/start")
  await wear(page, "WHOOP")
  await page.getByText(/^WHOOP gives data only to an app that you register there/).waitFor()
  await page.getByLabel("WHOOP client id").waitFor()
  await open("/connections")
  await page.getByText("No vendor is set up on this server").waitFor()
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: bare.url })
  await openLine(page, "WHOOP")
  await page.getByText("For the operator: how to set up WHOOP").click()
  await page.getByRole("button", { name: "Copy WHOOP redirect URL" }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${bare.url}/api/connections/whoop/callback`)
  expect(await page.getByRole("region", { name: "WHOOP settings" }).innerText()).toBe(
    "WHOOP_CLIENT_ID=\nWHOOP_CLIENT_SECRET=",
  )
  await page.goto("/api/connections/whoop/authorize")
  await page.getByText("WHOOP is not set up on this server. Its owner does that on the page Service.").waitFor()
  await close()
  await bare.close()
})
