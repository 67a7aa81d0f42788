import { SourceSettingsResponseSchema, TrendsResponseSchema } from "@restwell/client"
import { expectAccessible, expectGoodInEveryAppearance, useBrowser, type Visit, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { storeSecondSource } from "./second-source.ts"

let service: TestService
const browser = useBrowser()
let member: Member
beforeAll(async () => {
  service = await startTestService({ days: 40 })
  member = await connected("lena@vendor.example")
  await storeSecondSource(service, member.email)
})
afterAll(() => service.close())

const connected = async (email: string): Promise<Member> =>
  (await Member.connected(service, service.simulator.people.add({ email }))).member

/** The page of sources, with neither order nor choices. */
async function openSources(options: Parameters<typeof visit>[2] = {}): Promise<Visit> {
  const none = { order: { sleep: [], recovery: [], workout: [], cycle: [] }, choices: [] }
  expect((await member.send("PUT", "/api/account/sources", none)).status).toBe(200)
  const window = await visit(browser, service, { member, ...options })
  await window.open("/sources")
  await window.page.getByRole("list", { name: "Order of your devices" }).waitFor()
  await window.page.getByText("Another order for one type").click()
  return window
}

const settings = async () =>
  SourceSettingsResponseSchema.parse(await (await member.send("GET", "/api/account/sources")).json())

const namesIn = (page: Page, type: string) =>
  page
    .getByRole("list", { name: `Order for ${type}` })
    .evaluate((list) => [...list.children].map((row) => row.textContent))

const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("aria-label"))

test("with one source, the page says what it is for", async () => {
  const window = await visit(browser, service, { member: await connected("bea@vendor.example") })
  await window.open("/sources")
  await window.page.getByText("WHOOP is your only source").waitFor()
  await window.page.getByText("With two or more devices, you choose here which one to use").waitFor()
  await window.page.getByRole("link", { name: "Go to Connections" }).click()
  await window.page.getByRole("heading", { name: "Connections" }).waitFor()
  await window.close()
})

const WITH_TYPES = ["1WHOOPall types", "2Ouraarchive: all types"]

/** The devices of the one list. */
const devicesIn = (page: Page) =>
  page
    .getByRole("list", { name: "Order of your devices" })
    .evaluate((list) => [...list.children].map((row) => row.textContent))

test("all devices are one list, whose order is that of every type until a type has its own", async () => {
  const window = await openSources()
  const { page } = window
  expect(await devicesIn(page)).toEqual(WITH_TYPES)
  await page.getByText("No order set: Restwell chooses for each day").waitFor()
  await page.getByRole("button", { name: "Move Oura up of your devices" }).click()
  await page.getByRole("status").getByText("Oura is now your main device. Saved.").waitFor()
  const order = ["oura", "whoop"]
  expect((await settings()).order).toEqual({ sleep: order, recovery: order, workout: order, cycle: order })
  await page.getByRole("button", { name: "Move WHOOP up for recovery" }).click()
  await page.getByText("Recovery has an order of its own. Moving a device here gives all types this order.").waitFor()
  await expect.poll(async () => (await settings()).order.recovery).toEqual(["whoop", "oura"])
  await page.getByRole("button", { name: "Reset the order of your devices" }).click()
  await page.getByRole("status").getByText("Restwell chooses for each day again. Saved.").waitFor()
  expect((await settings()).order).toEqual({ sleep: [], recovery: [], workout: [], cycle: [] })
  expect(window.faults).toEqual([])
  await window.close()
})

describe("Which device is your main one?", () => {
  test("is asked with the effect while no order is set, and the answer is the order", async () => {
    const window = await openSources()
    const { page, open } = window
    for (const path of ["/sources", "/connections"]) {
      await open(path)
      await page.getByRole("radio", { name: /^WHOOP/ }).waitFor()
    }
    const effect = await page
      .getByRole("radio", { name: /^Oura/ })
      .evaluate((radio) => radio.parentElement?.textContent)
    expect(effect).toMatch(
      /^OuraGives other figures for \d+ of \d+ days on which your devices differ\. [A-Z].*, \d{4}: .*instead of.*\.$/,
    )
    await page.getByText("It is used now, so no figure changes.").waitFor()
    await expectGoodInEveryAppearance(page)
    await page.getByRole("radio", { name: /^Oura/ }).check()
    await page.getByRole("button", { name: "Make it the main one" }).click()
    await page.getByText("Oura is your main device").waitFor()
    expect((await settings()).order.cycle).toEqual(["oura", "whoop"])
    await open("/sources")
    await page.getByRole("list", { name: "Order of your devices" }).waitFor()
    expect(await devicesIn(page)).toEqual(WITH_TYPES.toReversed().map((row, index) => `${index + 1}${row.slice(1)}`))
    expect(await page.getByText("Which device is your main one?").count()).toBe(0)
    expect(window.faults).toEqual([])
    await window.close()
  })

  test("is not asked again where Restwell is to choose, nor before a second device", async () => {
    const window = await openSources()
    const { page, open } = window
    const saved = page.waitForResponse(/account\/preferences$/)
    await page.getByRole("button", { name: "Let Restwell choose" }).click()
    await page.getByText("Which device is your main one?").waitFor({ state: "detached" })
    expect((await saved).status()).toBe(200)
    // In another browser, too.
    const other = await openSources()
    for (const { page: each, open: go } of [{ page, open }, other]) {
      await go("/connections")
      await each.getByRole("region", { name: "Your devices" }).waitFor()
      await each.waitForLoadState("networkidle")
      expect(await each.getByText("Which device is your main one?").count()).toBe(0)
    }
    expect((await settings()).order.sleep).toEqual([])
    await window.close()
    await other.close()
    const alone = await visit(browser, service, { member: await connected("carl@vendor.example") })
    await alone.open("/connections")
    await alone.page.waitForLoadState("networkidle")
    expect(await alone.page.getByText("Which device is your main one?").count()).toBe(0)
    await alone.close()
  })
})

describe("the order of a type", () => {
  test("changes by keyboard, keeps the focus, and decides which source answers", async () => {
    const window = await openSources()
    const { page } = window
    expect(await namesIn(page, "sleep")).toEqual(["1WHOOP", "2Ouraarchive"])
    await page.getByRole("button", { name: "Move WHOOP down for sleep" }).focus()
    await page.keyboard.press("Enter")
    await page.getByRole("status").getByText("WHOOP is now number 2 of 2 for sleep. Saved.").waitFor()
    expect(await namesIn(page, "sleep")).toEqual(["1Ouraarchive", "2WHOOP"])
    expect(await focused(page)).toBe("Move WHOOP down for sleep")
    // At the end of the list the button stays, and does nothing.
    await page.keyboard.press("Enter")
    expect((await settings()).order.sleep).toEqual(["oura", "whoop"])
    expect((await settings()).order.recovery).toEqual([])
    await page.reload()
    await page.getByText("Another order for one type").waitFor()
    await expect.poll(() => namesIn(page, "sleep")).toEqual(["1Ouraarchive", "2WHOOP"])
    const { days } = TrendsResponseSchema.parse(await (await member.send("GET", "/api/account/trends?days=7")).json())
    expect(new Set(days.flatMap(({ sleep }) => (sleep?.score_state === "scored" ? [sleep.source] : [])))).toEqual(
      new Set(["oura"]),
    )
    await page.getByRole("button", { name: "Reset the order for sleep" }).click()
    await page.getByRole("status").getByText("The default order is back for sleep. Saved.").waitFor()
    expect(await namesIn(page, "sleep")).toEqual(["1WHOOP", "2Ouraarchive"])
    expect((await settings()).order.sleep).toEqual([])
    expect(window.faults).toEqual([])
    await window.close()
  })

  test("changes by drag, and Escape takes a drag back", async () => {
    const window = await openSources()
    const { page } = window
    const row = page.getByRole("list", { name: "Order for recovery" }).getByRole("listitem").filter({ hasText: "Oura" })
    await row.scrollIntoViewIfNeeded()
    const box = await row.boundingBox()
    if (!box) throw new Error("no row to drag")
    const drag = async () => {
      await page.mouse.move(box.x + 18, box.y + box.height / 2)
      await page.mouse.down()
      await page.mouse.move(box.x + 18, box.y - box.height / 3, { steps: 5 })
    }
    await drag()
    await page.keyboard.press("Escape")
    await page.mouse.up()
    expect(await namesIn(page, "recovery")).toEqual(["1WHOOP", "2Ouraarchive"])
    expect((await settings()).order.recovery).toEqual([])
    await drag()
    await page.mouse.up()
    await page.getByRole("status").getByText("Oura is now number 1 of 2 for recovery. Saved.").waitFor()
    expect(await namesIn(page, "recovery")).toEqual(["1Ouraarchive", "2WHOOP"])
    expect((await settings()).order.recovery).toEqual(["oura", "whoop"])
    await window.close()
  })

  test("that was not saved is taken back with the reason", async () => {
    const window = await openSources()
    const { page } = window
    const down = { error: "unavailable", message: "the database does not answer, try again in a moment" }
    await page.route("**/api/account/sources", (route) =>
      route.request().method() === "PUT" ? route.fulfill({ status: 503, json: down }) : route.fallback(),
    )
    await page.getByRole("button", { name: "Move Oura up for sleep" }).click()
    const alert = page.getByRole("alert")
    await alert.getByText("The change was not saved, so it was taken back").waitFor()
    await alert.getByText("The database does not answer, try again in a moment.").waitFor()
    expect(await namesIn(page, "sleep")).toEqual(["1WHOOP", "2Ouraarchive"])
    await expectAccessible(page)
    await window.close()
  })
})

describe("a date on which the sources differ", () => {
  test("shows both side by side, takes one by hand, and goes back to the order", async () => {
    const window = await openSources()
    const { page } = window
    const first = (await settings()).differences.find(({ type }) => type === "sleep")
    if (!first) throw new Error("no date with a difference")
    const item = page.getByRole("list", { name: "Differences" }).locator("> li", { hasText: "of sleep apart" }).first()
    expect(await item.innerText()).toMatch(/1 h 30 min of sleep apart\s+WHOOP$/)
    await item.getByRole("heading").click()
    const oura = item.getByRole("listitem").filter({ hasText: "Oura" })
    expect(await oura.innerText()).not.toContain("used")
    await oura.getByRole("button", { name: /^Use this one/ }).press("Enter")
    await page
      .getByRole("status")
      .getByText(/^Oura is used: .*, sleep\. Saved\.$/)
      .waitFor()
    expect((await settings()).choices).toEqual([{ type: "sleep", date: first.date, source: "oura" }])
    await oura.getByText("your choice").waitFor()
    expect(await item.locator("summary").innerText()).toMatch(/Oura, your choice$/)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Back to your order/)
    await page.keyboard.press("Enter")
    await page
      .getByRole("status")
      .getByText(/^Back to your order: .*, sleep\. Saved\.$/)
      .waitFor()
    await item
      .getByRole("listitem")
      .filter({ hasText: "WHOOP" })
      .getByText(/^used: /)
      .waitFor()
    expect((await settings()).choices).toEqual([])
    await window.close()
  })

  test("more dates are shown on request, and all choices can be forgotten", async () => {
    const window = await openSources()
    const { page } = window
    const items = page.getByRole("list", { name: "Differences" }).locator("> li")
    expect(await items.count()).toBe(5)
    await page.getByRole("button", { name: /^Show more \(\d+ in all\)$/ }).click()
    expect(await items.count()).toBe(10)
    await items.first().getByRole("heading").click()
    await page
      .getByRole("button", { name: /^Use this one/ })
      .first()
      .click()
    await page.getByRole("button", { name: "Forget choices" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Forget" }).click()
    await page.getByRole("status").getByText("Your order applies to all days. Saved.").waitFor()
    await page.getByRole("alertdialog").waitFor({ state: "hidden" })
    expect((await settings()).choices).toEqual([])
    await window.close()
  })
})

test("every page is accessible and fits every screen with two sources", { timeout: 240_000 }, async () => {
  const window = await openSources()
  await window.page.getByRole("list", { name: "Differences" }).getByRole("heading").first().click()
  await window.page
    .getByRole("button", { name: /^Use this one/ })
    .first()
    .click()
  await window.page.getByText("your choice").first().waitFor()
  for (const path of ["/sources", "/", "/trends", "/connections", "/developer"]) {
    if (path !== "/sources") await window.open(path)
    await window.page.waitForLoadState("networkidle")
    await expectGoodInEveryAppearance(window.page)
  }
  expect(window.faults).toEqual([])
  await window.close()
})
