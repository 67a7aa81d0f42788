import { TrendsResponseSchema } from "@restwell/client"
import { expectAccessible, PHONE, useBrowser, visit } from "@restwell/testing/browser"
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
      await page.mouse.move(box.x + 40 + 17 * minuteWidth, box.y + 20)
      await expect.poll(() => chart.getAttribute("aria-valuetext")).toBe(`${second}: Deep, 15 min`)
      await page.mouse.move(box.x + 40 + 57 * minuteWidth, box.y + 20)
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
    expect(await page.getByRole("slider").count()).toBe(0)
    await close()
  })
})

test("the phases are part of periods of up to 31 dates", async () => {
  await order(["oura"], [])
  const coursesIn = async (days: number) => (await trends(days)).days.filter(({ sleep }) => sleep?.course).length
  expect(await coursesIn(31)).toBeGreaterThan(20)
  expect(await coursesIn(32)).toBe(0)
})

test("Trends ends a line where the source changes, and names the source of each value", async () => {
  await order([], [])
  const { days } = await trends(7)
  const scored = days.filter(({ recovery }) => recovery?.hrv != null)
  const other = scored.at(-2)
  if (!other || scored.length < 4) throw new Error("too few scored nights")
  const { page, open, close } = await visit(browser, service, { member })
  const linesOf = async () => {
    await open("/trends")
    await page.getByRole("button", { name: "7 days" }).click()
    await page.getByRole("slider", { name: /^Heart rate variability/ }).waitFor()
    await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0)
    return page
      .getByRole("slider", { name: /^Heart rate variability/ })
      .locator("path.stroke-hrv")
      .count()
  }
  const before = await linesOf()
  expect(await region(page, "Heart rate variability").innerText()).not.toContain("another source")
  await member.send("PUT", "/api/account/sources", {
    choices: [{ type: "recovery", date: other.date, source: "oura" }],
  })
  // The line is cut before and after the chosen date.
  expect(await linesOf()).toBe(before + 2)
  expect(await region(page, "Heart rate variability").innerText()).toContain("another source")
  await page.getByRole("button", { name: "Table of Heart rate variability" }).click()
  const sources = await region(page, "Heart rate variability")
    .getByRole("row")
    .evaluateAll((rows) => rows.slice(1).map((row) => row.lastElementChild?.textContent))
  expect(sources.filter((name) => name === "Oura")).toHaveLength(1)
  expect(sources.filter((name) => name === "WHOOP")).toHaveLength(scored.length - 1)
  await close()
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
  test("says what a vendor delivers, and gives the operator addresses to copy", async () => {
    const { page, context, faults, open, close } = await visit(browser, service, { member })
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: service.url })
    await open("/connections")
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
    await page.getByText("For the operator: settings and addresses of WHOOP").click()
    await page.getByRole("button", { name: "Copy WHOOP redirect URL" }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `${service.url}/api/connections/whoop/callback`,
    )
    expect(await page.getByRole("region", { name: "WHOOP settings" }).innerText()).toBe(
      "WHOOP_CLIENT_ID=\nWHOOP_CLIENT_SECRET=",
    )
    await expectAccessible(page)
    expect(faults).toEqual([])
    await close()
  })

  test("warns before disconnecting only if no other source answers", async () => {
    const { page, open, close } = await visit(browser, service, { member })
    await open("/connections")
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
  await page.getByText("Your Oura data comes from archives").waitFor()
  await close()
})
