import { CompareResponseSchema, PeriodPageSchema, TrendResponseSchema } from "@restwell/client"
import { expectAccessible, expectGoodInEveryAppearance, useBrowser, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"

let service: TestService
const browser = useBrowser()
let member: Member
beforeAll(async () => {
  service = await startTestService({ days: 200 })
  ;({ member } = await Member.connected(service, service.simulator.people.add({ email: "lena@vendor.example" })))
}, 120_000)
afterAll(() => service.close())

async function read(type: "trend" | "compare", search: string) {
  const answer = await member.send("GET", `/api/account/${type}?${search}`)
  expect(answer.status).toBe(200)
  return answer.json()
}

const trend = async (search: string) => TrendResponseSchema.parse(await read("trend", search))

const panel = (page: Page, name: string) => page.getByRole("region", { name, exact: true })

const signed = (value: number): string => `${value > 0 ? "+" : value < 0 ? "\u2212" : "\u00b1"}${Math.abs(value)}`

test("each card begins with the average and its difference from the dates before, and keeps statistics closed", async () => {
  const { page, faults, open, close } = await visit(browser, service, { member })
  await open("/trends?days=90")
  const { period, with: before } = CompareResponseSchema.parse(await read("compare", "metric=hrv&days=90"))
  const card = panel(page, "Heart rate variability")
  await card.getByText(`${Math.round(Number(period.mean))} ms average`).waitFor()
  await card.getByText(`the 90 days before: ${Math.round(Number(before.mean))} ms`).waitFor()
  await page.getByText(/than in the 90 days before\.$|^Nothing changed clearly in these 90 days\.$/).waitFor()
  expect(await page.getByText(/95 % interval|per 30 days|no clear difference|about the same/i).count()).toBe(0)
  const { interval, n } = await trend("metric=hrv&days=90")
  if (!interval) throw new Error("no interval")
  await card.getByText("Details").click()
  await card.getByText(`95 % interval ${signed(interval[0])} to ${signed(interval[1])} ms`).waitFor()
  await card.getByText(`${n} values`).waitFor()
  await expectAccessible(page)
  expect(faults).toEqual([])
  await close()
})

test("the page of a metric begins as its card does, and keeps statistics closed", async () => {
  const { page, faults, open, close } = await visit(browser, service, { member })
  await open("/trends?metric=hrv&days=90")
  const { period, with: before } = CompareResponseSchema.parse(await read("compare", "metric=hrv&days=90"))
  const { interval } = await trend("metric=hrv&days=90")
  if (!interval) throw new Error("no interval")
  const first = panel(page, "Heart rate variability")
  await first.getByText(`${Math.round(Number(period.mean))} ms average`).waitFor()
  await first.getByText(`the 90 days before: ${Math.round(Number(before.mean))} ms`).waitFor()
  const certainty = page.getByText(/95 % interval/).filter({ visible: true })
  expect(await certainty.count()).toBe(0)
  await first.getByText("Details").click()
  await first.getByText(`95 % interval ${signed(interval[0])} to ${signed(interval[1])} ms`).waitFor()
  await panel(page, "These 90 days and the 90 before").getByText("Details").click()
  await expect.poll(() => certainty.count()).toBe(2)
  await expectAccessible(page)
  await page.getByRole("button", { name: "All", exact: true }).click()
  await first.getByText(/^Of \d+ days with a value$/).waitFor()
  expect(faults).toEqual([])
  await close()
})

test.each([
  ["/trends", (page: Page) => page.getByRole("button", { name: "7 days" }).click()],
  ["/insights?outcome=hrv", (page: Page) => page.getByLabel("Range").selectOption({ label: "90 days" })],
])("the texts of %s can be read while new figures are on their way", async (path, choose) => {
  const { page, open, close } = await visit(browser, service, { member })
  await open(path)
  await page.locator('main div[aria-busy="false"]').first().waitFor()
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/api\/account\/pages\//, async (route) => {
    await isReleased
    await route.continue()
  })
  await choose(page)
  const busy = page.locator('main [aria-busy="true"]')
  await busy.first().waitFor()
  await expectGoodInEveryAppearance(page)
  release()
  await expect.poll(() => busy.count()).toBe(0)
  await close()
})

test("own dates, a range and Back are in the address", async () => {
  const { page, faults, open, close } = await visit(browser, service, { member })
  await open("/trends")
  await page.getByRole("button", { name: "90 days" }).click()
  await expect.poll(() => new URL(page.url()).search).toBe("?days=90")
  await page.getByRole("button", { name: "Dates" }).click()
  // The form begins with the dates of the page.
  await panel(page, "Heart rate variability").getByText("the 90 days before").waitFor()
  const { period } = await trend("metric=hrv&days=60")
  const { start_date: start } = period
  const end = new Date(Date.parse(start) + 20 * 86_400_000).toISOString().slice(0, 10)
  await page.getByLabel("To", { exact: true }).fill(end)
  await page.getByLabel("From").fill(start)
  await page.getByRole("button", { name: "Show" }).click()
  const own = `start_date=${start}&end_date=${end}`
  await expect.poll(() => new URL(page.url()).search).toBe(`?${own}`)
  const { mean } = await trend(`metric=hrv&${own}`)
  const card = panel(page, "Heart rate variability")
  await card.getByText(`${Math.round(Number(mean))} ms average`).waitFor()
  await card.getByText("the 21 days before").waitFor()
  await page.goBack()
  await card.getByText("the 90 days before").waitFor()
  await page.goBack()
  await card.getByText("the 30 days before").waitFor()
  expect(await page.getByRole("button", { name: "30 days" }).getAttribute("aria-pressed")).toBe("true")
  expect(faults).toEqual([])
  await close()
})

test.each([
  ["/trends", "90 days"],
  ["/report", "Print"],
])("the buttons in the heading of %s keep the focus while data arrives", async (path, name) => {
  const { page, open, close } = await visit(browser, service, { member })
  const { promise: isFocused, resolve } = Promise.withResolvers<void>()
  await page.route("**/api/account", async (route) => {
    await isFocused
    await route.continue()
  })
  await open(path)
  const button = page.getByRole("button", { name })
  await button.focus()
  resolve()
  await page.getByRole("slider").first().waitFor()
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.getByRole("button", { name: "Dates" }).press("Enter")
  await page.getByLabel("From").fill("2026-01-01")
  const show = page.getByRole("button", { name: "Show", exact: true })
  await show.press("Enter")
  await expect.poll(() => new URL(page.url()).search).toContain("start_date=2026-01-01")
  await page.waitForLoadState("networkidle")
  expect(await show.evaluate((element) => element === document.activeElement)).toBe(true)
  await close()
})

test("the chart says that today's strain still grows, as its average does not count it", async () => {
  const { page, open, close } = await visit(browser, service, { member })
  await page.route("**/api/account/pages/trends*", async (route) => {
    const answer = PeriodPageSchema.parse(await (await route.fetch()).json())
    const whole = answer.days.findLast(({ recovery, strain }) => recovery?.score != null && strain !== null)
    if (!whole?.strain) throw new Error("no day with a strain")
    const today = { ...whole, date: answer.today, strain: { ...whole.strain, strain: 3.4, is_open: true } }
    await route.fulfill({ json: { ...answer, days: answer.days.with(-1, today) } })
  })
  await open("/trends")
  for (const [name, text] of [
    ["Strain", /: 3\.4 so far$/],
    ["Strain against recovery", /strain 3\.4 so far$/],
  ] as const) {
    const chart = panel(page, name)
    await chart.getByText("today so far").waitFor()
    await chart.getByRole("slider").press("End")
    expect(await chart.getByRole("slider").getAttribute("aria-valuetext")).toMatch(text)
  }
  await page.unrouteAll({ behavior: "ignoreErrors" })
  await close()
})

test("the caption above a chart is about the highlighted point", async () => {
  const { page, open, close } = await visit(browser, service, { member })
  await open("/trends")
  const card = panel(page, "Strain against recovery")
  const valueText = await card.getByRole("slider").getAttribute("aria-valuetext")
  await card.getByText(valueText ?? "", { exact: true }).waitFor()
  const recovery = Number(/recovery (\d+) %/.exec(valueText ?? "")?.[1])
  const outlined = card.locator("circle.stroke-text")
  const width = Number(await card.locator("[role=slider] svg").getAttribute("width"))
  const x = Number(await outlined.getAttribute("cx"))
  expect(Math.abs(((x - 40) / (width - 56)) * 100 - recovery)).toBeLessThan(1)
  await close()
})

/** The titles of the cards, from the first to the last. */
const cardTitles = (page: Page) => page.locator("section:has([role=slider]) h2").allTextContents()

test("the person's order and choice of cards are kept for the account, in every browser", async () => {
  const usual = [
    "Recovery",
    "Sleep stages",
    "Heart rate variability",
    "Resting heart rate",
    "Strain",
    "Sleep timing",
    "Strain against recovery",
  ]
  const first = await visit(browser, service, { member, viewport: { width: 360, height: 740 } })
  await first.open("/trends")
  await expect.poll(() => cardTitles(first.page)).toEqual(usual)
  await first.page.getByRole("button", { name: "Choose cards" }).click()
  await first.page.getByRole("button", { name: "Move Heart rate variability up of cards" }).focus()
  await first.page.keyboard.press("Enter")
  await first.page.keyboard.press("Enter")
  await first.page.getByText("Heart rate variability is now number 1 of 7.").waitFor()
  await first.page.getByRole("button", { name: "Hide Strain", exact: true }).click()
  const chosen = [
    "Heart rate variability",
    ...usual.filter((title) => !/^(Heart rate variability|Strain)$/.test(title)),
  ]
  await expect.poll(() => cardTitles(first.page)).toEqual(chosen)
  // The button that hid the card keeps the focus, and shows it again.
  await first.page.getByRole("button", { name: "Show Strain", exact: true }).waitFor()
  await expectAccessible(first.page)
  expect(first.faults).toEqual([])
  await first.page.waitForLoadState("networkidle")
  await first.close()
  const other = await visit(browser, service, {})
  await other.open("/sign-in")
  await other.page.getByLabel("Email").fill(member.email)
  await other.page.getByLabel("Password", { exact: true }).fill(member.password)
  await other.page.getByRole("button", { name: "Sign in", exact: true }).click()
  await other.page.waitForURL("/")
  await other.open("/trends")
  await expect.poll(() => cardTitles(other.page)).toEqual(chosen)
  await other.open("/report?days=30")
  await expect.poll(() => cardTitles(other.page)).toEqual(chosen.slice(0, 6))
  await other.open("/trends")
  await other.page.getByRole("button", { name: "Choose cards" }).click()
  await other.page.getByRole("button", { name: "Reset" }).click()
  await expect.poll(() => cardTitles(other.page)).toEqual(usual)
  await other.close()
})

test("axes, tables and details follow the units, the clock and the first weekday", async () => {
  const preferences = (change: object) => member.send("PUT", "/api/account/preferences", change)
  await preferences({ units: "imperial", clock: "12h", first_weekday: "sunday" })
  const { page, open, close } = await visit(browser, service, { member })
  await open("/trends?days=365")
  const timing = panel(page, "Sleep timing")
  await timing.getByText("9 PM", { exact: true }).waitFor()
  await timing.getByRole("button", { name: "Table" }).click()
  // A week that began today may have no night yet.
  const week = timing
    .getByRole("row")
    .filter({ hasText: /\d:\d\d AM/ })
    .first()
  await expect.poll(() => week.innerText()).toMatch(/^Week of Sun, .*\d:\d\d [AP]M\s+\d+:\d\d AM/s)
  await timing.getByText("Details").click()
  await timing
    .getByText(/^\d+:\d\d [AP]M to \d+:\d\d [AP]M$/)
    .first()
    .waitFor()
  await open("/trends?metric=distance&days=90")
  const { mean } = await trend("metric=distance&days=90&by=weekday")
  const weekdays = panel(page, "Weekdays")
  await weekdays.getByRole("button", { name: "Table" }).click()
  expect(await weekdays.getByRole("row").nth(1).innerText()).toMatch(/^Sunday\s+[\d.]+ mi\s/)
  const miles = (Number(mean) / 1609.344).toFixed(2)
  await panel(page, "These 90 days and the 90 before").getByText(miles).first().waitFor()
  await preferences({ units: "metric", clock: "24h", first_weekday: "monday" })
  await open("/trends?metric=bedtime&days=90")
  await panel(page, "Bedtime")
    .getByText(/^\d\d:00$/)
    .first()
    .waitFor()
  await panel(page, "Weekdays").getByRole("button", { name: "Table" }).click()
  expect(await panel(page, "Weekdays").getByRole("row").nth(1).innerText()).toMatch(/^Monday\s+\d\d:\d\d\s/)
  await open("/trends?metric=distance&days=90")
  const kilometers = (Number(mean) / 1000).toFixed(2)
  await panel(page, "These 90 days and the 90 before").getByText(kilometers).first().waitFor()
  await close()
})

test("on a small phone no text of a metric's charts is cut off, and none touches the next", async () => {
  const viewport = { width: 360, height: 740 }
  const { page, open, close } = await visit(browser, service, { member, viewport })
  await open("/trends?metric=sleep_debt&days=90")
  const weekdays = panel(page, "Weekdays").locator("svg text")
  const means = weekdays.filter({ hasText: /^\u2212?\d+:\d\d$/ })
  await expect.poll(() => means.count()).toBe(7)
  const boxes = await means.evaluateAll((texts) =>
    texts.map((text) => text.getBoundingClientRect()).map(({ left, right }) => ({ left, right })),
  )
  for (const [index, { left }] of boxes.entries()) expect(left).toBeGreaterThan(boxes[index - 1]?.right ?? 0)
  await panel(page, "These 90 days and the 90 before").locator("svg text").first().waitFor()
  expect((await page.locator("svg text").allTextContents()).filter((text) => text.includes("\u2026"))).toEqual([])
  await close()
})
