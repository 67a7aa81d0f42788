// Each figure, bar and workout leads to the page that is about it.
import { type WorkoutRecord, WorkoutResponseSchema } from "@restwell/client"
import { hoursText } from "@restwell/client/figures"
import { enduranceAthlete, wornAlways } from "@restwell/simulator"
import { expectGoodInEveryAppearance, PHONE, useBrowser, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

let service: TestService
const browser = useBrowser()
let member: Member
beforeAll(async () => {
  service = await startTestService({ days: 130 })
  const worn = wornAlways(enduranceAthlete)
  const traits = { ...worn, life: { ...worn.life, unscorableNights: 0 } }
  const person = service.simulator.people.add({ email: "opener@example.com", traits })
  ;({ member } = await Member.connected(service, person))
})
afterAll(() => service.close())

async function workouts(): Promise<readonly WorkoutRecord[]> {
  const answer = await member.send("GET", "/api/account/health?type=workout&days=30")
  return WorkoutResponseSchema.parse(await answer.json()).records
}

/** A scored workout of a past date, whose next morning is known. */
async function pastWorkout(): Promise<WorkoutRecord> {
  const all = await workouts()
  const [newest] = all.map(({ date }) => date)
  if (newest === undefined) throw new Error("no workouts")
  const before = Temporal.PlainDate.from(newest).subtract({ days: 3 }).toString()
  const found = all.find(({ date, zones, distance_meters: meters }) => date < before && zones && meters)
  if (!found) throw new Error("no workout with zones and a distance")
  return found
}

describe("on Today", () => {
  test.each([
    ["Recovery", "metric=recovery_score"],
    ["Sleep", "metric=sleep_performance"],
    ["Strain", "metric=strain"],
    ["Heart rate variability", "metric=hrv"],
    ["Resting heart rate", "metric=resting_heart_rate"],
    ["Deep", "metric=deep"],
    ["Efficiency", "metric=sleep_efficiency"],
  ])("%s opens its history", async (name, search) => {
    const { page, open, close } = await visit(browser, service, { member, viewport: PHONE })
    await open(`/?date=${(await pastWorkout()).date}`)
    await page.getByRole("link", { name, exact: true }).last().click()
    await page.waitForURL(`**/trends?${search}&days=30`)
    await page.getByRole("heading", { level: 2 }).first().waitFor()
    expect(await page.getByText("There is no such metric").count()).toBe(0)
    await close()
  })
})

describe("a workout", () => {
  test("opens from its day, with its figures, its zones and the next morning", async () => {
    const workout = await pastWorkout()
    const { page, faults, open, close } = await visit(browser, service, { member, viewport: PHONE })
    await open(`/?date=${workout.date}`)
    await page.locator(`a[href*="${workout.id}"]`).click()
    await page.waitForURL(/\/workout\?/)
    const figures = page.getByRole("region", { name: "Figures" })
    await figures.getByText(hoursText(workout.duration_hours), { exact: true }).waitFor()
    await figures.getByText(`${workout.average_heart_rate} bpm`, { exact: true }).waitFor()
    const zones = page.getByRole("region", { name: "Heart rate zones" })
    await zones
      .getByText(hoursText(workout.zones?.zone_2_hours ?? null), { exact: true })
      .first()
      .waitFor()
    const morning = page.getByRole("region", { name: "The next morning" })
    await morning.getByText(/^Recovery \d+ %/).waitFor()
    await expectGoodInEveryAppearance(page)
    const next = Temporal.PlainDate.from(workout.date).add({ days: 1 }).toString()
    await morning.getByRole("link", { name: /^Open / }).click()
    await page.waitForURL(`**/?date=${next}`)
    expect(faults).toEqual([])
    await close()
  })

  test("that is not there says so", async () => {
    const { page, open, close } = await visit(browser, service, { member })
    await open("/workout?date=2026-01-05&id=whoop-none")
    await page.getByText("There is no such workout").waitFor()
    await close()
  })
})

describe("a bar or a point", () => {
  test("offers its day when it is pressed, and keeps the offer when the pointer leaves", async () => {
    const { page, open, close } = await visit(browser, service, { member, viewport: PHONE })
    await open("/trends?days=30")
    const chart = page.getByRole("slider", { name: /^Recovery, / })
    const box = await chart.boundingBox()
    if (!box) throw new Error("no chart")
    expect(await page.getByRole("link", { name: /^Open / }).count()).toBe(0)
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    await page.mouse.move(0, 0)
    const offered = page.getByRole("link", { name: /^Open [A-Z][a-z]{2} \d+$/ })
    const said = await chart.getAttribute("aria-valuetext")
    const name = (await offered.textContent())?.replace("Open ", "") ?? ""
    expect(said).toContain(`, ${name}, `)
    await offered.click()
    await page.waitForURL(/\/\?date=/)
    await page.getByRole("heading", { level: 1 }).waitFor()
    await close()
  })

  test.each([
    ["/trends?metric=hrv&days=30", /\/\?date=/],
    ["/trends?metric=hrv&days=300", /\/week\?date=/],
  ])("of %s opens by keyboard", async (path, address) => {
    const { page, open, close } = await visit(browser, service, { member })
    await open(path)
    const chart = page.getByRole("slider", { name: /^Heart rate variability, / })
    await chart.focus()
    await page.keyboard.press("ArrowLeft")
    const offered = page.getByRole("link", { name: /^Open / })
    await page.keyboard.press("Shift+Tab")
    await expect.poll(() => offered.evaluate((link) => link === document.activeElement)).toBe(true)
    await page.keyboard.press("Enter")
    await page.waitForURL(address)
    await close()
  })

  test("of the week opens its day", async () => {
    const { page, open, close } = await visit(browser, service, { member })
    await open("/week")
    const bar = page.getByRole("region", { name: "Recovery" }).getByRole("link").first()
    const date = /date=(.*)$/.exec((await bar.getAttribute("href")) ?? "")?.[1]
    await bar.click()
    await page.waitForURL(`**/?date=${date}`)
    await close()
  })
})
