import { type TrendDay, TrendsResponseSchema } from "@restwell/client"
import { useBrowser, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { missesNights } from "@restwell/testing/vendor"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

/** Which of this person's days have no score depends on the date. */
const NOW = new Date("2026-11-20T13:18:00Z")

let service: TestService
const browser = useBrowser()
let member: Member
beforeAll(async () => {
  service = await startTestService({ days: 800, now: NOW })
  const person = service.simulator.people.add({ email: "lena@vendor.example", traits: missesNights })
  ;({ member } = await Member.connected(service, person))
}, 300_000)
afterAll(() => service.close())

async function trends(days: number | "all") {
  return TrendsResponseSchema.parse(await (await member.send("GET", `/api/account/trends?days=${days}`)).json())
}

const dayText = (date: string): string =>
  new Date(`${date}T00:00:00Z`).toLocaleDateString("en", { month: "short", day: "numeric", timeZone: "UTC" })

const longDateText = (date: string): string =>
  new Date(`${date}T00:00:00Z`).toLocaleDateString("en", {
    weekday: "long",
    day: "numeric",
    month: "long",
    timeZone: "UTC",
  })

const tile = (page: Page, name: string) => page.getByRole("region", { name, exact: true })

describe("today", () => {
  test("displays the figures of the API for every day, and why one is missing", async () => {
    const { days } = await trends(30)
    const { page, faults, open, close } = await visit(browser, service, { member })
    await open("/")
    await page.getByRole("heading", { name: "Today" }).waitFor()
    for (const day of days.toReversed()) {
      await expectDay(page, day)
      if (day !== days[0]) await page.getByRole("button", { name: "Previous day" }).click()
    }
    const scored = days.filter(({ recovery }) => recovery?.score != null).length
    expect(scored).toBeGreaterThan(15)
    expect(days.length - scored).toBeGreaterThan(0)
    expect(faults).toEqual([])
    await close()
  })
})

/** Expects the tiles of a day to display its figures. */
async function expectDay(page: Page, day: TrendDay): Promise<void> {
  if (day.recovery?.score != null)
    await page.getByText(`Recovery ${Math.round(day.recovery.score)} %`, { exact: false }).waitFor()
  else
    await page
      .getByRole("heading", { level: 1 })
      .getByText(longDateText(day.date))
      .or(page.getByText("Today"))
      .first()
      .waitFor()
  const recovery = await tile(page, "Recovery").innerText()
  const score = day.recovery?.score ?? null
  if (score === null) {
    expect(recovery).toMatch(
      /No recovery was recorded|has not scored this yet|too little data|Not available yet|usually by/,
    )
  } else {
    expect(recovery).toContain(`${Math.round(score)}%`)
    expect(recovery).toContain(score >= 67 ? "Good" : score >= 34 ? "Fair" : "Poor")
  }
  const strain = day.strain?.strain ?? null
  if (strain !== null) expect(await tile(page, "Strain").innerText()).toContain(strain.toFixed(1))
  for (const { sport_type } of day.workouts)
    expect((await tile(page, "Workouts").innerText()).toLowerCase()).toContain(sport_type.replaceAll(/[-_]+/g, " "))
}

const CHARTS = [
  "Recovery",
  "Strain against recovery",
  "Heart rate variability",
  "Resting heart rate",
  "Sleep stages",
  "Sleep timing",
  "Strain",
  "Skin temperature",
]

describe("trends", () => {
  test.each(["7 days", "All"])("%s: every chart matches its table", async (range) => {
    const { page, faults, open, close } = await visit(browser, service, { member })
    await open("/trends")
    await page.getByRole("button", { name: range, exact: true }).click()
    const { period } = await trends(range === "All" ? "all" : range === "Year" ? 365 : Number.parseInt(range, 10))
    await page
      .getByText(new RegExp(`^${dayText(period.start_date)}(, \\d+)? to ${dayText(period.end_date)}, `))
      .waitFor()
    await page
      .getByText({ Year: "Weekly average recovery", All: "Monthly average recovery" }[range] ?? "Daily recovery")
      .waitFor()
    for (const name of CHARTS) await expectChartMatchesTable(page, name)
    expect(faults).toEqual([])
    await close()
  })

  test("the figures are the API's", async () => {
    const { days } = await trends(90)
    const { page, open, close } = await visit(browser, service, { member })
    await open("/trends")
    await page.getByRole("button", { name: "90 days" }).click()
    await page.getByRole("button", { name: "Table of Heart rate variability" }).click()
    const panel = tile(page, "Heart rate variability")
    await expect.poll(() => panel.getByRole("row").count()).toBe(91)
    const cells = await panel
      .getByRole("row")
      .evaluateAll((rows) => rows.slice(1).map((row) => row.children[1]?.textContent))
    const expected = days.toReversed().map(({ recovery }) => {
      if (recovery?.hrv != null) return `${Math.round(recovery.hrv)} ms`
      if (recovery?.score_state === "pending") return "not scored yet"
      return recovery?.score_state === "unscorable" ? "not scored: too little data" : "no data"
    })
    expect(cells).toEqual(expected)
    expect(new Set(expected).size).toBeGreaterThan(3)
    await close()
  })

  test("the pointer selects the value below it", async () => {
    const { days } = await trends(30)
    const { page, open, close } = await visit(browser, service, { member })
    await open("/trends")
    const chart = page.getByRole("slider", { name: /^Recovery, use the arrow keys/ })
    const box = await chart.boundingBox()
    if (!box) throw new Error("the chart is not drawn")
    await page.mouse.move(box.x + 48, box.y + 100)
    const [first] = days
    await expect.poll(() => chart.getAttribute("aria-valuetext")).toContain(dayText(first?.date ?? ""))
    await close()
  })
})

/** Expects the two newest values of a chart, read by keyboard, to be in the first two rows of its table. */
async function expectChartMatchesTable(page: Page, name: string): Promise<void> {
  const chart = page.getByRole("slider", { name: new RegExp(`^${name}, use the arrow keys`) })
  await chart.focus()
  await page.keyboard.press("End")
  const newest = (await chart.getAttribute("aria-valuetext")) ?? ""
  await page.keyboard.press("ArrowLeft")
  const before = (await chart.getAttribute("aria-valuetext")) ?? ""
  expect(before).not.toBe(newest)
  const panel = tile(page, name)
  await panel.getByRole("button", { name: `Table of ${name}` }).click()
  for (const [index, text] of [newest, before].entries()) {
    const [label, figures = ""] = text.split(/: (.*)/s)
    const row = panel.getByRole("row").nth(index + 1)
    expect(await row.getByRole("rowheader").innerText()).toBe(label)
    expect(figures).toContain(await row.getByRole("cell").first().innerText())
  }
  await panel.getByRole("button", { name: `Chart of ${name}` }).click()
}
