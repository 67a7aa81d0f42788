import { DayResponseSchema, TrendResponseSchema, TrendsResponseSchema } from "@restwell/client"
import { expectAccessible, openLine, PHONE, useBrowser, visit } from "@restwell/testing/browser"
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
  const person = service.simulator.people.add({ email: "lena@vendor.example" })
  ;({ member } = await Member.connected(service, person))
  await storeSecondSource(service, member.email)
  await member.send("PUT", "/api/account/preferences", { clock: "24h" })
})
afterAll(() => service.close())

const order = (sleep: string[], recovery: string[]) =>
  member.send("PUT", "/api/account/sources", { order: { sleep, recovery }, choices: [] })

async function trends(days: number) {
  return TrendsResponseSchema.parse(await (await member.send("GET", `/api/account/trends?days=${days}`)).json())
}

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true })

/** Goes back to the newest day with a scored sleep, and returns it. */
async function openScoredNight(page: Page) {
  const { days } = await trends(30)
  const daysAgo = days.toReversed().findIndex(({ sleep }) => sleep?.score_state === "scored")
  for (let pressed = 0; pressed < daysAgo; pressed += 1)
    await page.getByRole("button", { name: "Previous day" }).click()
  return days.at(-1 - daysAgo)
}

describe("Today", () => {
  test("names the source of each figure", async () => {
    await order(["oura"], ["whoop"])
    const { page, open, close } = await visit(browser, service, { member })
    await open("/")
    await openScoredNight(page)
    expect(await region(page, "Recovery").innerText()).toContain("from WHOOP")
    expect(await region(page, "Sleep").innerText()).toContain("from Oura")
    expect(await region(page, "The night").innerText()).toContain("local time, from Oura")
    await close()
  })

  test.each([["desktop", {}] as const, ["phone", { viewport: PHONE, colorScheme: "dark" }] as const])(
    "the phases of a night are read by keyboard, pointer and table on a %s",
    async (_device, look) => {
      await order(["oura"], [])
      const { page, faults, open, close } = await visit(browser, service, { member, ...look })
      await open("/")
      const day = await openScoredNight(page)
      if (!day?.sleep?.course) throw new Error("no night with phases")
      const start = day.sleep.start_minutes
      const clock = (minutes: number) =>
        `${String(Math.floor((((start + minutes) % 1440) + 1440) / 60) % 24).padStart(2, "0")}:${String((((start + minutes) % 60) + 60) % 60).padStart(2, "0")}`
      const chart = page.getByRole("slider", { name: "Sleep phases, use the arrow keys to read each phase" })
      await chart.focus()
      await page.keyboard.press("Home")
      expect(await chart.getAttribute("aria-valuetext")).toBe(`${clock(0)} to ${clock(10)}: Light, 10 min`)
      await page.keyboard.press("ArrowRight")
      const second = `${clock(10)} to ${clock(25)}`
      expect(await chart.getAttribute("aria-valuetext")).toBe(`${second}: Deep, 15 min`)
      const box = await chart.boundingBox()
      if (!box) throw new Error("the chart is not drawn")
      // The axis labels are on the left, and the night fills the rest.
      const minuteWidth = (box.width - 46) / (day.sleep.end_minutes - start)
      const pointTo = (minutes: number) => chart.hover({ position: { x: 40 + minutes * minuteWidth, y: 20 } })
      await pointTo(17)
      await expect.poll(() => chart.getAttribute("aria-valuetext")).toBe(`${second}: Deep, 15 min`)
      await pointTo(57)
      await expect.poll(() => chart.getAttribute("aria-valuetext")).toMatch(/: Deep, 5 min$/)
      await expectAccessible(page)
      await page.getByRole("button", { name: "Table of Sleep phases" }).click()
      const row = region(page, "The night").getByRole("row").nth(2)
      expect(await row.getByRole("rowheader").innerText()).toBe(second)
      expect(await row.getByRole("cell").allInnerTexts()).toEqual(["Deep", "15 min"])
      await expectAccessible(page)
      expect(faults).toEqual([])
      await close()
    },
  )

  test("a night without phases shows its stages alone", async () => {
    await order(["whoop"], [])
    const { page, open, close } = await visit(browser, service, { member })
    await open("/")
    await openScoredNight(page)
    await region(page, "The night").getByText("Deep").waitFor()
    // Its place is kept until it is known that no other source has curves of the night.
    await expect.poll(() => page.getByRole("slider").count()).toBe(0)
    await close()
  })
})

test("Today shows a figure that the first source lacks from the other one, with its usual range, as the API answers it", async () => {
  const person = service.simulator.people.add({ email: "omar@vendor.example" })
  const { member: other } = await Member.connected(service, person)
  await storeSecondSource(service, other.email)
  await other.send("PUT", "/api/account/sources", { order: { recovery: ["whoop"] }, choices: [] })
  const { days } = TrendsResponseSchema.parse(await (await other.send("GET", "/api/account/trends?days=30")).json())
  const date = days.findLast(({ recovery }) => recovery?.score_state === "scored" && recovery.spo2 !== null)?.date
  await service.store.pool.query(
    "update restwell.record set detail = detail::jsonb - 'spo2Percent' where provider = 'whoop' and kind = 'recovery' and date = $1",
    [date],
  )
  await service.store.pool.query("update restwell.person set data_version = data_version + 1")
  const answer = await other.send("GET", `/api/account/day?date=${date}`)
  const { figures } = DayResponseSchema.parse(await answer.json())
  const figure = figures.find(({ metric }) => metric === "spo2")
  expect(figure).toMatchObject({ source: "oura", value: expect.any(Number), usual: expect.any(Object) })
  const { page, open, close } = await visit(browser, service, { member: other })
  await open(`/?date=${date}`)
  const tile = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Blood oxygen" }) })
  const text = await tile.innerText()
  expect(text).toContain(`${figure?.value}`)
  expect(text).toContain("from Oura")
  expect(text).toMatch(/(?:below|within|above) your usual/)
  await close()
})

test("the phases are part of periods of up to 31 dates", async () => {
  await order(["oura"], [])
  const coursesIn = async (days: number) => (await trends(days)).days.filter(({ sleep }) => sleep?.course).length
  expect(await coursesIn(31)).toBeGreaterThan(20)
  expect(await coursesIn(32)).toBe(0)
})

/** The metric of each chart of the report. */
const CHARTS = {
  Recovery: "recovery_score",
  "Sleep stages": "asleep",
  "Heart rate variability": "hrv",
  "Resting heart rate": "resting_heart_rate",
  "Sleep timing": "bedtime",
} as const

/** The dates of a chart's table that have a value. */
async function datesWithValue(page: Page, title: string): Promise<string[]> {
  await page.getByRole("button", { name: `Table of ${title}` }).click()
  const rows = region(page, title).getByRole("row")
  return rows.evaluateAll((each) =>
    each
      .slice(1)
      .filter((row) => /\d/.test(row.querySelector("td")?.textContent ?? ""))
      .map((row) => row.querySelector("th")?.textContent ?? ""),
  )
}

test.each(["/report?days=30", "/trends?days=30"])(
  "the charts of %s are of the same source as its figures, also on dates on which another source answers",
  async (path) => {
    const { days } = await trends(30)
    const scored = days.filter(({ recovery }) => recovery?.hrv != null).map(({ date }) => date)
    const others = [scored.at(-2), scored.at(-3), scored.at(-9)]
    const choices = others.flatMap((date) => [
      { type: "recovery", date, source: "oura" },
      { type: "sleep", date, source: "oura" },
    ])
    await member.send("PUT", "/api/account/sources", { order: { sleep: [], recovery: [] }, choices })
    const { page, open, close } = await visit(browser, service, { member })
    await open(path)
    await region(page, "Sleep timing").waitFor()
    await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0)
    for (const [title, metric] of Object.entries(CHARTS)) {
      const response = await member.send("GET", `/api/account/trend?metric=${metric}&days=30`)
      const { n, source } = TrendResponseSchema.parse(await response.json())
      expect([source.provider, (await datesWithValue(page, title)).length], title).toEqual(["whoop", n])
      expect(await region(page, title).innerText(), title).not.toContain("another source")
    }
    await order([], [])
    await close()
  },
)

describe("each figure says whose it is", () => {
  test.each([
    ["/trends", "Heart rate variability", "from WHOOP"],
    ["/trends", "Sleep stages", "from Oura"],
    ["/trends", "Strain against recovery", "A dot for each day, from WHOOP."],
    ["/report", "Sleep stages", "from Oura"],
    ["/week", "Recovery", "from WHOOP"],
    ["/week", "Asleep", "from Oura"],
    ["/trends?metric=hrv&days=30", "Heart rate variability", "from WHOOP"],
    ["/trends?metric=hrv&days=7", "Heart rate variability", "From WHOOP."],
    ["/trends?metric=hrv&days=30", "These 30 days and the 30 before", "The average of each from WHOOP"],
  ])("on %s, in %s: %s", async (path, name, words) => {
    await order(["oura"], ["whoop"])
    const { page, faults, open, close } = await visit(browser, service, { member })
    await open(path)
    await region(page, name).waitFor()
    expect(await region(page, name).innerText()).toContain(words)
    expect(faults).toEqual([])
    await close()
  })

  test.each(["/trends?metric=workout_count&days=30", "/insights?outcome=workout_count&days=90"])(
    "counts of activities are of any source, so none is named: %s",
    async (path) => {
      await order(["oura"], ["whoop"])
      const { page, faults, open, close } = await visit(browser, service, { member })
      await open(path)
      await page.getByRole("region").first().waitFor()
      await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0)
      expect(await page.getByRole("main").innerText()).not.toMatch(/from (?:WHOOP|Oura)/i)
      expect(faults).toEqual([])
      await close()
    },
  )

  test("the averages of the week name theirs below each figure", async () => {
    await order(["oura"], ["whoop"])
    const { page, open, close } = await visit(browser, service, { member })
    await open("/week")
    const rows = region(page, "Averages of the week").getByRole("rowheader")
    await rows.first().waitFor()
    for (const text of await rows.allInnerTexts()) expect(text).toMatch(/\nfrom (?:WHOOP|Oura)$/)
    await close()
  })

  test.each(["/trends?metric=hrv&days=30", "/insights?outcome=hrv&days=90"])(
    "an address that asks for one source says so, and leads back: %s",
    async (path) => {
      await order(["oura"], ["whoop"])
      const { page, open, close } = await visit(browser, service, { member })
      await open(`${path}&source=oura`)
      await page.getByText("Only values of Oura").waitFor()
      await page
        .getByText(/from Oura/)
        .first()
        .waitFor()
      await page.getByRole("link", { name: "Show the usual source" }).click()
      await page.waitForURL(`**${path}`)
      await page
        .getByText(/from WHOOP/)
        .first()
        .waitFor()
      expect(await page.getByText("Only values of Oura").count()).toBe(0)
      // Of a source that the person does not have there is a way back, too.
      await open(`${path}&source=polar`)
      await page.getByRole("link", { name: "Show the usual source" }).click()
      await page.waitForURL(`**${path}`)
      await close()
    },
  )
})

test("the console reads one source", async () => {
  const { page, open, close } = await visit(browser, service, { member })
  await open("/developer")
  await page.getByLabel("Type").selectOption("sleep")
  await page.getByLabel("Source").selectOption("oura")
  await page.getByRole("button", { name: "Run", exact: true }).click()
  await page.getByText("GET /api/account/health?type=sleep&days=7&source=oura").waitFor()
  const { records } = JSON.parse(await page.getByRole("region", { name: "response" }).innerText())
  expect(new Set(records.map(({ source }: { source: string }) => source))).toEqual(new Set(["oura"]))
  await close()
})

describe("Connections", () => {
  test("says what a vendor delivers", async () => {
    const { page, faults, open, close } = await visit(browser, service, { member })
    await open("/connections")
    await openLine(page, "WHOOP")
    const deliveries = page.getByRole("list", { name: "WHOOP delivers" })
    await deliveries.waitFor()
    const delivered = await deliveries.getByRole("listitem").allInnerTexts()
    expect(delivered).toEqual([
      "Sleep",
      "Recovery",
      "Blood oxygen",
      "Skin temperature",
      "Workouts",
      "Cycles",
      "Strain",
      "Profile",
    ])
    // Only the owner can do something with it.
    expect(await page.getByText(/For the operator/).count()).toBe(0)
    await expectAccessible(page)
    expect(faults).toEqual([])
    await close()
  })

  test("warns before disconnecting only if no other source answers", async () => {
    const { page, open, close } = await visit(browser, service, { member })
    await open("/connections")
    await openLine(page, "WHOOP")
    await page.getByRole("button", { name: "Disconnect" }).click()
    await page.getByRole("alertdialog").getByText("Your other devices are used from now on.").waitFor()
    await close()
  })
})

test("an archive of another vendor does not hide the state of the connection", async () => {
  const { page, open, close } = await visit(browser, service, { member })
  for (const path of ["/", "/trends"]) {
    await open(path)
    await page.waitForLoadState("networkidle")
    expect(await page.getByText("Your Oura data comes from archives").count()).toBe(0)
  }
  await open("/connections")
  await openLine(page, "Oura")
  await page.getByText("Your Oura data comes from archives").waitFor()
  await close()
})
