import { AccountResponseSchema } from "@restwell/client"
import { MEMBER_PAGES } from "@restwell/server/built-pages"
import { DESKTOP, expectGoodInEveryAppearance, useBrowser, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { storeSecondSource } from "./second-source.ts"

let service: TestService
const browser = useBrowser()
let owner: Member
beforeAll(async () => {
  service = await startTestService({ days: 60 })
  owner = new Member(service)
  await owner.setUp()
  await owner.connect(service.simulator.people.add({ email: "lena@vendor.example" }))
  await owner.untilHistoryIsComplete()
  // With an answer of the journal, Trends has a choice of marks.
  const date = new Date(service.simulator.clock.nowMs() - 3 * 86_400_000).toISOString().slice(0, 10)
  const answered = await owner.send("PUT", `/api/account/journal/${date}`, {
    answers: [{ factor: "alcohol", answer: true }],
  })
  expect(answered.status).toBe(200)
  await storeSecondSource(service, owner.email)
})
afterAll(() => service.close())

const SMALL_PHONE = { width: 360, height: 780 }

const links = (page: Page) =>
  page.getByRole("navigation", { name: "Pages" }).getByRole("listitem").filter({ visible: true })

test("the bar of a phone has five entries, and More leads to all others, by keyboard too", async () => {
  const { page, faults, open, close } = await visit(browser, service, { member: owner, viewport: SMALL_PHONE })
  await open("/")
  expect(await links(page).allInnerTexts()).toEqual(["Today", "Trends", "Week", "Insights", "More"])
  await page.getByRole("link", { name: "More" }).focus()
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { name: "More", level: 1 }).waitFor()
  const others = page.getByRole("main").getByRole("link")
  expect((await others.allInnerTexts()).map((text) => text.split("\n")[0])).toEqual(
    expect.arrayContaining(["Sources", "API", "Account", "Service", "Manual"]),
  )
  await others.filter({ hasText: "Sources" }).click()
  await page.getByRole("heading", { name: "Sources", level: 1 }).waitFor()
  expect(await page.getByRole("link", { name: "More" }).getAttribute("aria-current")).toBe("page")
  expect(faults).toEqual([])
  await close()
})

test.each(["/trends", "/week", "/connections"])(
  "the bar of a phone covers nothing of %s that the keyboard leads to",
  async (path) => {
    const { page, open, close } = await visit(browser, service, { member: owner, viewport: SMALL_PHONE })
    await open(path)
    await page.waitForLoadState("networkidle")
    const bar = (await page.getByRole("navigation", { name: "Pages" }).boundingBox())?.y ?? 0
    expect(bar).toBeGreaterThan(0)
    const covered: string[] = []
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press("Tab")
      const focused = page.locator("main :focus")
      if ((await focused.count()) === 0) continue
      const box = await focused.boundingBox()
      if (box && box.y + Math.min(box.height, 40) > bar) covered.push((await focused.textContent()) ?? "")
    }
    expect(covered).toEqual([])
    await close()
  },
)

test("Sources is offered where there are two or more", async () => {
  const { member } = await Member.connected(service, service.simulator.people.add({ email: "one@vendor.example" }))
  const { page, open, close } = await visit(browser, service, { member, viewport: DESKTOP })
  const offers = page.getByRole("link", { name: /^(Sources|Choose between sources)$/ })
  await open("/connections")
  await page.getByRole("heading", { name: "WHOOP", exact: true }).waitFor()
  expect(await offers.count()).toBe(0)
  await storeSecondSource(service, member.email)
  await page.reload()
  await page.getByRole("heading", { name: "Oura", exact: true }).waitFor()
  expect(await offers.allInnerTexts()).toEqual(["Sources", "Choose between sources"])
  await offers.last().click()
  await page.getByRole("heading", { name: "Sources", level: 1 }).waitFor()
  await close()
})

test("a wide screen lists every page in the same order, with the manual, and Service for the owner alone", async () => {
  const { page, open, close } = await visit(browser, service, { member: owner, viewport: DESKTOP })
  await open("/")
  await page.getByRole("link", { name: "Service" }).waitFor()
  const names = await links(page).allInnerTexts()
  expect(names.slice(0, 4)).toEqual(["Today", "Trends", "Week", "Insights"])
  expect(names.slice(-2)).toEqual(["Service", "Manual"])
  expect(await page.getByRole("link", { name: "Manual" }).getAttribute("href")).toBe("/docs/")
  await close()
  const guest = new Member(service)
  await guest.signUp()
  const second = await visit(browser, service, { member: guest, viewport: SMALL_PHONE })
  await second.open("/more")
  await second.page.getByRole("main").getByRole("link", { name: "Account" }).waitFor()
  await second.page.waitForLoadState("networkidle")
  expect(await second.page.getByRole("link", { name: "Service" }).count()).toBe(0)
  await second.close()
})

test("an address without a page keeps the frame and leads back", async () => {
  const { page, open, close } = await visit(browser, service, { member: owner })
  await open("/")
  await page.evaluate(() => window.history.pushState(null, "", "/nowhere"))
  await page.getByRole("heading", { name: "Page not found" }).waitFor()
  await page.getByRole("navigation", { name: "Pages" }).waitFor()
  await expectGoodInEveryAppearance(page)
  await page.getByRole("link", { name: "Go to Today" }).click()
  await page.getByRole("heading", { name: "Page not found" }).waitFor({ state: "hidden" })
  await close()
})

/** Adds up the shifts of the layout that no input caused. @see https://web.dev/articles/cls */
const watchShifts = () => {
  const seen = { shift: 0 }
  const watch = new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if ("value" in entry && "hadRecentInput" in entry && entry.hadRecentInput === false)
        seen.shift += Number(entry.value)
  })
  watch.observe({ type: "layout-shift", buffered: true })
  Object.assign(window, { seenShifts: seen })
}

/** Controls that are smaller than a finger: names and heights. Links within a sentence may be. WCAG 2.2, 2.5.8 */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const controls =
      "nav a, main li > a, button, select, summary, input:not([type=checkbox]):not([type=radio]):not([type=file])"
    return [...document.querySelectorAll<HTMLElement>(controls)]
      .filter((element) => element.checkVisibility() && element.getBoundingClientRect().width > 1)
      .filter(
        (element) => getComputedStyle(element).display !== "inline" && element.getBoundingClientRect().height < 44,
      )
      .map(
        (element) => `${element.tagName} ${element.textContent.slice(0, 30)} ${element.getBoundingClientRect().height}`,
      )
  })

test.each(["/", "/connections"])("nothing of %s moves when a sync ends while it is open", async (path) => {
  const { page, open, close } = await visit(browser, service, { member: owner, viewport: SMALL_PHONE })
  await page.addInitScript(watchShifts)
  let isSyncing = true
  await page.route("**/api/account", async (route) => {
    const account = AccountResponseSchema.parse(await (await route.fetch()).json())
    const syncing = account.connections.map((each) => ({ ...each, status: "syncing" as const }))
    await route.fulfill({ json: isSyncing ? { ...account, connections: syncing } : account })
  })
  await open(path)
  await page.getByText("Syncing your WHOOP history", { exact: true }).waitFor()
  await page.waitForLoadState("networkidle")
  isSyncing = false
  await page.getByText("WHOOP is up to date").waitFor()
  expect(await page.evaluate("window.seenShifts.shift")).toBeLessThanOrEqual(0.1)
  await close()
})

/** True for a control that has not the width of its text. */
function isCutOff(control: HTMLElement | SVGElement): boolean {
  const whole = document.createElement("div")
  whole.append(control.cloneNode(true))
  whole.style.cssText = "position: absolute; width: max-content"
  document.body.append(whole)
  const isWider = whole.offsetWidth > control.getBoundingClientRect().width + 1
  whole.remove()
  return isWider
}

test("the choice of marks fits on a phone", async () => {
  const { page, open, close } = await visit(browser, service, { member: owner, viewport: SMALL_PHONE })
  await open("/trends")
  await page.getByRole("combobox", { name: "Marks", exact: true }).waitFor()
  expect(await page.getByRole("combobox", { name: "Marks", exact: true }).evaluate(isCutOff)).toBe(false)
  await close()
})

describe.each([SMALL_PHONE, DESKTOP])("at %o", (viewport) => {
  test.each(MEMBER_PAGES)("%s hardly shifts while it loads, and fingers can hit its controls", async (path) => {
    const { page, open, close } = await visit(browser, service, { member: owner, viewport })
    await page.addInitScript(watchShifts)
    await open(path)
    await page.waitForLoadState("networkidle")
    expect(await page.evaluate("window.seenShifts.shift")).toBeLessThanOrEqual(0.1)
    expect(await page.locator("summary:not(:has(svg.lucide-chevron-right))").allTextContents()).toEqual([])
    if (viewport === SMALL_PHONE) expect(await smallTargets(page)).toEqual([])
    await close()
  })
})
