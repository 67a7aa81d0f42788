import { TrendResponseSchema } from "@restwell/client"
import type { OuraSimulator } from "@restwell/simulator"
import { expectAccessible, openLine, PHONE, useBrowser, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { type Replica, startTestService, type TestService, vendorEnvironment } from "@restwell/testing/service"
import { approveAtVendor, startOuraBeside } from "@restwell/testing/vendor"
import type { Locator } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"

let service: TestService
let oura: OuraSimulator
let replica: Replica
const browser = useBrowser()
beforeAll(async () => {
  // The first replica does not know Oura, so it runs no jobs.
  service = await startTestService({ days: 60, role: "api" })
  oura = await startOuraBeside(service.simulator)
  replica = await service.startReplica("all", vendorEnvironment(oura, "oura"))
})
afterAll(async () => {
  await service.close()
  await oura.close()
})

/** Where screenshots for people go, if anywhere. */
const SCREENSHOTS = process.env["RESTWELL_TEST_SCREENSHOTS"]

test("a person with a band connects a ring, sees its phases of the night, and disconnects it, on a phone", async () => {
  const { member } = await Member.connected(replica, service.simulator.people.add({ email: "phone@vendor.example" }))
  await member.send("PUT", "/api/account/preferences", { clock: "24h" })
  const window = await visit(browser, replica, { member, viewport: PHONE, colorScheme: "dark" })
  const { page, context, open } = window
  const shoot = async (name: string) => {
    if (SCREENSHOTS !== undefined) await page.screenshot({ path: `${SCREENSHOTS}/${name}-phone.png`, fullPage: true })
  }
  await context.route(/\/oauth\/v2\/ext\/oauth-authorize/, async (route) => {
    const approved = await approveAtVendor(new URL(route.request().url()), { email: "phone@vendor.example" })
    await route.fulfill({ status: 302, headers: { location: approved.href } })
  })
  await open("/connections")
  await openLine(page, "Oura")
  await page.getByRole("link", { name: "Connect Oura" }).click()
  await page.getByText("Oura is connected. Your history is syncing, newest days first.").waitFor()
  const ring = page.getByRole("region", { name: "Oura" })
  await ring.getByText("Up to date", { exact: true }).waitFor({ timeout: 60_000 })
  await expectAccessible(page)
  await shoot("oura-connections")
  await member.send("PUT", "/api/account/sources", { order: { sleep: ["oura", "whoop"] } })
  await open("/")
  const phases = page.getByRole("slider", { name: /^Sleep phases/ })
  for (let pressed = 0; pressed < 5 && (await phases.count()) === 0; pressed += 1)
    await page.getByRole("button", { name: "Previous day" }).click()
  await phases.focus()
  await expect
    .poll(() => phases.getAttribute("aria-valuetext"))
    .toMatch(/^\d{1,2}:\d\d(?: [AP]M)?: (?:Awake|REM|Light|Deep), heart rate \d+ bpm, /)
  await shoot("oura-today")
  await open("/sources")
  await page.getByRole("list", { name: "Order of your devices" }).waitFor()
  await shoot("oura-sources")
  await open("/connections")
  await openLine(page, "Oura")
  await ring.getByRole("button", { name: "Disconnect" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Disconnect" }).click()
  await page.getByText("Oura is disconnected").waitFor()
  await open("/")
  await page.getByRole("region", { name: "Recovery" }).waitFor()
  // WHOOP answers again, so nobody is asked to reconnect, and figures need no source.
  expect(await page.getByText("Oura is disconnected").count()).toBe(0)
  expect(await page.getByText("from WHOOP", { exact: true }).count()).toBe(0)
  expect(window.faults).toEqual([])
  await window.close()
})

const textOfValue = async (slider: Locator): Promise<string> => (await slider.getAttribute("aria-valuetext")) ?? ""

test("a person with a ring alone reads about refused data, and sees a readiness in the bands of Oura", async () => {
  const repair = oura.faults.add({ kind: "status", status: 403, match: { path: /\/daily_spo2$/ } })
  const person = service.simulator.people.add({ email: "ring@vendor.example" })
  const { member } = await Member.connected(replica, person, undefined, "oura")
  const { page, faults, open, close } = await visit(browser, replica, { member })
  await open("/connections")
  await page.getByText("Oura gives a part of your data only").waitFor()
  await page.getByRole("link", { name: "Reconnect", exact: true }).waitFor()
  await expectAccessible(page)
  repair()
  await open("/trends")
  const columns = page.getByRole("slider", { name: /^Readiness, / })
  await columns.waitFor()
  await page.getByText(/^Daily readiness/).waitFor()
  expect(await columns.locator(".fill-good-mark, .fill-fair-mark, .fill-poor-mark").count()).toBeGreaterThan(20)
  expect(await columns.locator(".fill-accent:not(circle)").count()).toBe(0)
  const scored = /: \d+, (?:optimal|good|fair|poor)/
  for (let pressed = 0; pressed < 9 && !scored.test(await textOfValue(columns)); pressed += 1)
    await columns.press("ArrowLeft")
  expect(await textOfValue(columns)).toMatch(scored)
  expect(await textOfValue(columns)).not.toContain("%")
  await open("/trends?metric=recovery_score&days=30")
  await page.getByRole("slider", { name: /^Readiness, use/ }).waitFor()
  expect(await page.locator("main").innerText()).not.toMatch(/\d %/)
  await open("/insights?outcome=recovery_score&factor=bedtime")
  await page.getByText("Test all factors").waitFor()
  expect(await page.locator("svg").allTextContents()).not.toContainEqual(expect.stringContaining("%"))
  await open("/trends?days=30")
  // Steps have a card for people whose source counts them.
  const counted = TrendResponseSchema.parse(await (await member.send("GET", "/api/account/trend?metric=steps")).json())
  const average = Math.round(Number(counted.mean)).toLocaleString("en")
  await page.getByRole("region", { name: "Steps", exact: true }).getByText(`${average} average`).waitFor()
  expect(faults).toEqual([])
  await close()
})
