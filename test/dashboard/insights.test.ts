import { join } from "node:path"
import { CompareResponseSchema, type FoundRelation, RelateResponseSchema, TrendResponseSchema } from "@restwell/client"
import { whoopArchive } from "@restwell/testing/archive"
import {
  expectAccessible,
  expectNoSidewaysScroll,
  inEveryAppearance,
  useBrowser,
  visit,
} from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"

let service: TestService
const browser = useBrowser()
let member: Member
beforeAll(async () => {
  service = await startTestService({ days: 200 })
  const person = service.simulator.people.add({ email: "lena@vendor.example" })
  ;({ member } = await Member.connected(service, person))
  const form = new FormData()
  form.set("file", new Blob([new Uint8Array(whoopArchive(service.simulator.records(person)))]), "data.zip")
  await fetch(`${service.url}/api/imports`, { method: "POST", headers: { cookie: member.cookie }, body: form })
  await vi.waitFor(async () => {
    const { metrics } = await read("metrics", "")
    expect(metrics.some(({ id, n }: { id: string; n: number }) => id === "journal:caffeine" && n > 100)).toBe(true)
  }, 30_000)
}, 120_000)
afterAll(() => service.close())

/** Where screenshots for people go, if anywhere. */
const SCREENSHOTS = process.env["RESTWELL_TEST_SCREENSHOTS"]

async function read(type: string, search: string) {
  const answer = await member.send("GET", `/api/account/${type}?${search}`)
  expect(answer.status).toBe(200)
  return answer.json()
}

const trend = async (search: string) => TrendResponseSchema.parse(await read("trend", search))
const relation = async (search: string) => RelateResponseSchema.parse(await read("relate", search))

async function list(search: string): Promise<readonly FoundRelation[]> {
  const answer = await relation(search)
  if (!("relations" in answer)) throw new Error("not the list")
  return answer.relations
}

const panel = (page: Page, name: string | RegExp) => page.getByRole("region", { name, exact: true })

describe("trends", () => {
  test("the details of a metric compare with the period before, and have weekdays", async () => {
    const { page, faults, open, close } = await visit(browser, service, { member })
    await open("/trends?days=90")
    await panel(page, "Heart rate variability").getByText("Details").click()
    await page.getByRole("link", { name: "Weekdays and comparison of Heart rate variability" }).click()
    expect(new URL(page.url()).search).toBe("?metric=hrv&days=90")
    const compared = CompareResponseSchema.parse(await read("compare", "metric=hrv&days=90"))
    const comparison = panel(page, "These 90 days and the 90 before")
    await comparison.getByText("Details").click()
    await comparison.getByText(`${compared.period.n} and ${compared.with.n} values`).waitFor()
    const weekdays = panel(page, "Weekdays")
    await weekdays.getByRole("button", { name: "Table of Weekdays" }).click()
    const { groups } = await trend("metric=hrv&days=90&by=weekday")
    const cells = await weekdays
      .getByRole("row")
      .evaluateAll((rows) => rows.slice(1).map((row) => [...row.children].map((cell) => cell.textContent)))
    // Weeks of a browser in the United States begin on Sunday.
    const fromSunday = [...(groups?.slice(-1) ?? []), ...(groups?.slice(0, -1) ?? [])]
    expect(cells).toEqual(
      fromSunday.map(({ group, mean, sd, n }) => [
        `${group.charAt(0).toUpperCase()}${group.slice(1)}`,
        `${Number(mean).toFixed(1)} ms`,
        `${Number(sd).toFixed(1)} ms`,
        String(n),
      ]),
    )
    expect(faults).toEqual([])
    await close()
  })

  test("the URL keeps metric and range over choice, reload and link", async () => {
    const { page, open, close } = await visit(browser, service, { member })
    await open("/trends?metric=hrv&days=45")
    await page.getByRole("heading", { name: "These 45 days and the 45 before" }).waitFor()
    await page.getByLabel("Metric").selectOption("bedtime")
    await page.getByRole("heading", { name: "Bedtime" }).waitFor()
    await page.getByRole("button", { name: "90 days" }).click()
    expect(new URL(page.url()).search).toBe("?metric=bedtime&days=90")
    await page.reload()
    await page.getByRole("heading", { name: "Bedtime" }).waitFor()
    await page.getByRole("heading", { name: "These 90 days and the 90 before" }).waitFor()
    await page.getByRole("button", { name: "All", exact: true }).click()
    await page.getByRole("button", { name: "All", exact: true, pressed: true }).waitFor()
    await page
      .getByText(/\d+ values/)
      .filter({ visible: true })
      .first()
      .waitFor()
    await expect.poll(() => page.getByRole("heading", { name: /^These .+ before$/ }).count()).toBe(0)
    await page.getByRole("link", { name: "All charts" }).click()
    await page.getByRole("heading", { name: "Sleep stages" }).waitFor()
    await close()
  })

  test.each([
    ["/trends?metric=nonsense", "There is no such metric"],
    ["/trends?metric=steps", "No values of steps yet"],
    ["/trends?metric=hrv&days=1", "too few"],
    ["/trends?metric=hrv&days=2", "too few"],
  ])("%s says so", async (path, words) => {
    // Whether today has a value depends on the hour.
    const n = words === "too few" ? (await trend(path.replace(/^.*\?/, ""))).n : null
    const fewValues = `Too few values to judge a trend (${n}, 14 needed); mean and range are valid.`
    const text = n === null ? words : n === 0 ? "No values in this period." : fewValues
    const { page, faults, open, close } = await visit(browser, service, { member })
    await open(path)
    await page.getByText(text).first().waitFor()
    await expectAccessible(page)
    expect(faults).toEqual([])
    await close()
  })

  test("a metric that does not exist is none of the choices", async () => {
    const { page, open, close } = await visit(browser, service, { member })
    await open("/trends?metric=nonsense")
    await page.getByText("There is no such metric").waitFor()
    expect(await page.getByLabel("Metric").locator("option:checked").textContent()).toBe("Choose one")
    await close()
  })
})

test("the usual range of a day is named so, and that of a week's last day otherwise", async () => {
  const { page, open, close } = await visit(browser, service, { member })
  const hrv = panel(page, "Heart rate variability")
  await open("/trends?days=30")
  await hrv.getByText("your usual range", { exact: true }).waitFor()
  await open("/trends?days=150")
  await hrv.getByText("your usual range of the last day", { exact: true }).waitFor()
  const slider = hrv.getByRole("slider")
  await slider.focus()
  await page.keyboard.press("PageDown")
  const text = /^Week of .+, usual range of the last day \d+ to \d+ ms/
  expect(await slider.getAttribute("aria-valuetext")).toMatch(text)
  await close()
})

describe("insights about all factors", () => {
  test("all factors: each once, with what came before it, and counts that are right", async () => {
    const { page, faults, open, close } = await visit(browser, service, { member })
    await open("/insights?outcome=hrv")
    const [sameDay, dayBefore] = await Promise.all([list("outcome=hrv&lag=0"), list("outcome=hrv&lag=1")])
    const isByDay = ({ factor }: FoundRelation) =>
      /^workout|^zone_|^(first|last)_workout_|^(strain|calories|steps|distance|nap)$/.test(factor)
    const all = [...sameDay.filter((found) => !isByDay(found)), ...dayBefore.filter(isByDay)]
    const own = all.filter(({ part_of_outcome: isPart }) => !isPart)
    const tested = own.filter(({ verdict }) => verdict !== "not_enough_data")
    const clear = tested.filter(({ verdict }) => !verdict.startsWith("no_clear"))
    const share = clear.length === 0 ? "None" : String(clear.length)
    await page
      .getByText(new RegExp(`^${share} of ${tested.length} tested factors (is|are) clearly associated`))
      .waitFor()
    await page.getByText(`Table of ${all.length} factors`).click()
    const rows = await page.getByRole("row").evaluateAll((each) => each.slice(1).map((row) => row.textContent))
    expect(rows).toHaveLength(all.length)
    await page.getByText("About 1 in 10 of the clear ones may be coincidence.").waitFor()
    for (const found of clear) {
      const text = page.locator("li", { has: page.locator(`a[href*="factor=${encodeURIComponent(found.factor)}"]`) })
      const counts = found.yes_n === undefined ? `${found.n} mornings` : `${found.yes_n} of ${found.n} mornings`
      await text.getByText(counts).first().waitFor()
    }
    expect(await page.getByText(/\bcaus/).allTextContents()).toEqual([
      expect.stringMatching(/^Figures that go together do not show that one causes the other\./),
    ])
    expect(faults).toEqual([])
    await close()
  })

  test("outcome, range and comparison are in the address", async () => {
    const { page, open, close } = await visit(browser, service, { member })
    await open("/insights")
    await page.getByRole("heading", { name: "What affects my recovery?" }).waitFor()
    await page.getByRole("combobox", { name: "Outcome" }).selectOption("hrv")
    await page.getByRole("combobox", { name: "Range" }).selectOption("90")
    await page.getByRole("combobox", { name: "Compare with" }).selectOption("1")
    expect(new URL(page.url()).search).toBe("?outcome=hrv&days=90&lag=1")
    await page.reload()
    await page.getByRole("heading", { name: "What affects my HRV?" }).waitFor()
    expect(await page.getByRole("combobox", { name: "Range" }).inputValue()).toBe("90")
    await close()
  })

  test("a service that does not answer is reported, and a retry works", async () => {
    const { page, open, close } = await visit(browser, service, { member })
    await page.route("**/api/account/pages/insights*", (route) => route.abort())
    await open("/insights")
    await page.getByText("Restwell is unreachable. Check your connection and try again.").waitFor({ timeout: 30_000 })
    await page.unroute("**/api/account/pages/insights*")
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByText(/of \d+ tested factors/).waitFor()
    await close()
  })
})

describe("insights about one factor", () => {
  test("one factor: thirds of a number, yes and no of the journal", async () => {
    const { page, faults, open, close } = await visit(browser, service, { member })
    await open("/insights?outcome=recovery_score")
    await page.getByRole("combobox", { name: "Factor", exact: true }).selectOption("strain")
    // Strain comes before the next morning.
    expect(await page.getByRole("combobox", { name: "Compare with" }).inputValue()).toBe("1")
    const thirds = await relation("outcome=recovery_score&factor=strain&lag=1")
    if (!("groups" in thirds)) throw new Error("not a number")
    const title = "Recovery and strain, the next day"
    await page.getByRole("button", { name: `Table of ${title}` }).click()
    const cells = () =>
      panel(page, title)
        .getByRole("row")
        .evaluateAll((all) => all.slice(1).map((row) => [...row.children].map((cell) => cell.textContent)))
    expect(await cells()).toEqual(
      thirds.groups.map(({ from, to, n, mean, sd }) => [
        `Strain ${Number(from).toFixed(1)} to ${Number(to).toFixed(1)}`,
        `${Number(mean).toFixed(1)} %`,
        `${Number(sd).toFixed(1)} percentage points`,
        String(n),
      ]),
    )
    await page.getByRole("combobox", { name: "Factor", exact: true }).selectOption("journal:caffeine")
    const answers = await relation("outcome=recovery_score&factor=journal:caffeine&lag=0")
    if (!("yes" in answers)) throw new Error("not of the journal")
    const yes = page.getByText(new RegExp(`${answers.yes.n} (dates with yes, ${answers.no.n} with no|of ${answers.n})`))
    await yes.waitFor()
    expect(new URL(page.url()).searchParams.get("factor")).toBe("journal:caffeine")
    await page.reload()
    await yes.waitFor()
    await page.getByRole("link", { name: "Test all factors" }).click()
    await page.getByText(/of \d+ tested factors/).waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test("by keyboard, a relation leads to its page and not back to the start of the document", async () => {
    const { page, open, close } = await visit(browser, service, { member })
    await open("/insights")
    const found = page.getByRole("link", { name: /^(?:After|With|The day after|On days with) / }).first()
    await found.focus()
    await page.keyboard.press("Enter")
    await page.waitForURL(/factor=/)
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1")
    await close()
  })

  test("no text of the chart is cut off on a small phone", async () => {
    const { page, open, close } = await visit(browser, service, { member, viewport: { width: 360, height: 740 } })
    await open("/insights?outcome=recovery_score&factor=bedtime")
    const labels = page.locator("svg text").filter({ hasText: /\d dates/ })
    await expect.poll(() => labels.count()).toBe(3)
    expect((await page.locator("svg text").allTextContents()).filter((text) => text.includes("\u2026"))).toEqual([])
    await close()
  })

  test("the chart is read by keyboard", async () => {
    const { page, open, close } = await visit(browser, service, { member })
    await open("/insights?outcome=hrv&factor=strain")
    const chart = page.getByRole("slider", {
      name: /^Heart rate variability and strain, the next day, use the arrow keys/,
    })
    await chart.focus()
    await page.keyboard.press("Home")
    const first = await chart.getAttribute("aria-valuetext")
    expect(first).toMatch(/^Strain [\d.]+ to [\d.]+, \d+ dates: mean [\d.]+ ms, standard deviation [\d.]+ ms$/)
    await page.keyboard.press("ArrowRight")
    expect(await chart.getAttribute("aria-valuetext")).not.toBe(first)
    await close()
  })
})

test("the answers are not counted", async () => {
  const usage = async () => (await (await member.send("GET", "/api/account")).json()).usage.used
  const before = await usage()
  await relation("outcome=hrv&days=100")
  await trend("metric=hrv&days=100")
  expect(await usage()).toBe(before)
})

const PAGES = [
  ["today", "/", "Heart rate variability"],
  ["metric", "/trends?metric=hrv&days=90", "Weekdays are those of waking"],
  ["all", "/insights?outcome=hrv", "tested factors"],
  ["journal", "/insights?outcome=recovery_score&factor=journal:alcohol", "Test all factors"],
] as const

test.each(PAGES)("%s is accessible and fits every screen", async (name, path, text) => {
  const { page, faults, open, close } = await visit(browser, service, { member })
  await open(path)
  await page.getByText(text).first().waitFor()
  await page.waitForLoadState("networkidle")
  await inEveryAppearance(page, async (appearance) => {
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    if (SCREENSHOTS !== undefined)
      await page.screenshot({ path: join(SCREENSHOTS, `${name}-${appearance}.png`), fullPage: true })
  })
  expect(faults).toEqual([])
  await close()
})
