import { PointSeriesSchema, TrendsResponseSchema } from "@restwell/client"
import { officeWorker } from "@restwell/simulator"
import {
  expectAccessible,
  expectGoodInEveryAppearance,
  expectNoSidewaysScroll,
  useBrowser,
  visit,
} from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import type { Locator, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

/** An evening in Berlin. */
const NOW = new Date("2026-03-11T18:30:00Z")
const NARROW = { width: 360, height: 780 }
const CLOCK = { clock: "24h", units: "metric", first_weekday: "monday" }

let service: TestService
const browser = useBrowser()
let both: Member
let ring: Member
let band: Member
let today: string
beforeAll(async () => {
  service = await startTestService({ days: 20, now: NOW, vendor: "oura" })
  const person = service.simulator.people.add({ email: "lena@vendor.example", traits: officeWorker })
  ;({ member: both } = await Member.connected(service, person))
  await both.connect(person, "oura")
  await both.untilHistoryIsComplete()
  const withRing = service.simulator.people.add({ email: "ring@vendor.example", traits: officeWorker })
  ;({ member: ring } = await Member.connected(service, withRing, undefined, "oura"))
  const withBand = service.simulator.people.add({ email: "band@vendor.example", traits: officeWorker })
  ;({ member: band } = await Member.connected(service, withBand))
  for (const member of [both, ring, band]) await member.send("PUT", "/api/account/preferences", CLOCK)
  today = (await trendsOf(both)).today
}, 240_000)
afterAll(() => service.close())

async function trendsOf(member: Member) {
  return TrendsResponseSchema.parse(await (await member.send("GET", "/api/account/trends")).json())
}

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true })
const textOf = async (slider: Locator) => (await slider.getAttribute("aria-valuetext")) ?? ""

/** "23:41": the local time of an instant, where the clock is that of another one. */
function clockAt(instant: string, local: string): string {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(local) ?? []
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1)
  return new Date(Date.parse(instant) + offset * 60_000).toISOString().slice(11, 16)
}

type Series = Awaited<ReturnType<typeof seriesOf>>

/** Values as the service has them, once it has some: a first sync reads the values of the day last. */
async function seriesOf(member: Member, search: string) {
  const read = async () => {
    const answer = await member.send("GET", `/api/account/series?${search}`)
    return PointSeriesSchema.parse(await answer.json())
  }
  await expect.poll(async () => (await read()).count).toBeGreaterThan(20)
  const { points } = await read()
  return {
    values: points.flatMap((point) => ("time" in point ? [point] : [])),
    buckets: points.flatMap((point) => ("mean" in point ? [point] : [])),
  }
}

/** The newest night with phases, and its values. */
async function newestNight(member: Member) {
  const { days } = await trendsOf(member)
  const day = days.findLast(({ sleep }) => sleep?.course)
  if (!day?.sleep) throw new Error("no night with phases")
  const { date, sleep: night } = day
  const [heartRate, hrv] = await Promise.all(
    ["heart_rate", "hrv"].map((type) => seriesOf(member, `type=${type}&start=${night.start}&end=${night.end}`)),
  )
  if (!heartRate || !hrv) throw new Error("no values")
  return { date, night, heartRate, hrv }
}

/** The mean of the values of five minutes of a night; undefined without one. */
function meanAt(step: number, { values }: Series, { start }: { readonly start: string }): number | undefined {
  const inStep = values.filter(({ time, duration_seconds: seconds = 0 }) => {
    const middleMs = Date.parse(time) + seconds * 500
    return Math.floor((middleMs - Date.parse(start)) / 300_000) === step
  })
  return inStep.length === 0 ? undefined : inStep.reduce((sum, { value }) => sum + value, 0) / inStep.length
}

describe("the hours of a night", () => {
  test("have heart rate and HRV over its phases, read by keyboard and table", async () => {
    const { date, night, heartRate, hrv } = await newestNight(ring)
    const lowest = Math.min(...heartRate.values.map(({ value }) => value))
    const first = heartRate.values.find(({ value }) => value === lowest)
    const { page, faults, open, close } = await visit(browser, service, { member: ring, viewport: NARROW })
    await open(`/?date=${date}`)
    const panel = region(page, "The night")
    const at = clockAt(first?.time ?? "", night.start_local)
    await panel.getByText(`Lowest heart rate ${lowest} bpm at ${at}`, { exact: true }).waitFor()
    const chart = panel.getByRole("slider", { name: /^Sleep phases, heart rate and HRV, / })
    // A screen reader begins with the lowest.
    expect(await textOf(chart)).toMatch(new RegExp(`: (?:Awake|REM|Light|Deep), heart rate ${lowest} bpm, `))
    await chart.focus()
    await page.keyboard.press("Home")
    for (let step = 0; step < 12; step += 1) {
      const [beats, milliseconds] = [meanAt(step, heartRate, night), meanAt(step, hrv, night)]
      const texts = [
        beats === undefined ? "no heart rate" : `heart rate ${Math.round(beats)} bpm`,
        milliseconds === undefined ? "no HRV" : `HRV ${Math.round(milliseconds)} ms`,
      ]
      expect(await textOf(chart)).toContain(texts.join(", "))
      await page.keyboard.press("ArrowRight")
    }
    await expectNoSidewaysScroll(page)
    await expectGoodInEveryAppearance(page)
    await panel.getByRole("button", { name: "Table of Sleep phases, heart rate and HRV" }).click()
    const cells = panel.getByRole("row").nth(3).getByRole("cell")
    const third = [meanAt(2, heartRate, night), meanAt(2, hrv, night)]
    const written = third.map((value) => (value === undefined ? "\u2013" : `${Math.round(value)}`))
    expect((await cells.allInnerTexts()).slice(1)).toEqual(written)
    await expectAccessible(page)
    expect(faults).toEqual([])
    await close()
  })

  test("follow the person's clock", async () => {
    const { date } = await newestNight(ring)
    await ring.send("PUT", "/api/account/preferences", { ...CLOCK, clock: "12h" })
    const { page, open, close } = await visit(browser, service, { member: ring })
    await open(`/?date=${date}`)
    await region(page, "The night")
      .getByText(/^Lowest heart rate \d+ bpm at \d{1,2}:\d\d [AP]M$/)
      .waitFor()
    await ring.send("PUT", "/api/account/preferences", CLOCK)
    await close()
  })

  test("of a device without values have those of another one, with its name", async () => {
    await both.send("PUT", "/api/account/sources", { order: { sleep: ["whoop", "oura"] } })
    const { page, open, close } = await visit(browser, service, { member: both })
    await open(`/?date=${(await newestNight(ring)).date}`)
    const chart = region(page, "The night").getByRole("slider", { name: /^Heart rate and HRV, / })
    await chart.getByText("Heart rate, bpm, from Oura").waitFor()
    await both.send("PUT", "/api/account/sources", { order: { sleep: [] } })
    await close()
  })

  test("are there without a connection once they were seen", async () => {
    const { date } = await newestNight(ring)
    const { page, context, open, close } = await visit(browser, service, { member: ring, hasWorker: true })
    await open(`/?date=${date}`)
    const isKept = () =>
      page.evaluate(async () => {
        const kept = await (await caches.open("answers")).keys()
        return kept.filter(({ url }) => url.includes("/series?type=heart_rate&start=")).length
      })
    await expect.poll(isKept).toBe(1)
    await context.setOffline(true)
    await page.reload()
    await page.getByText("You are offline").waitFor()
    await region(page, "The night")
      .getByText(/^Lowest heart rate/)
      .waitFor()
    await close()
  })
})

describe("the hours of a day", () => {
  test("are its heart rate from waking on, with the workouts", async () => {
    const { days } = await trendsOf(both)
    const day = days.findLast(({ date, sleep, workouts }) => date < today && sleep && workouts[0])
    const workout = day?.workouts[0]
    if (!day?.sleep || !workout) throw new Error("no day with a workout")
    const { date, sleep } = day
    const { buckets } = await seriesOf(both, `type=heart_rate&start_date=${date}&end_date=${date}&resolution=5m`)
    const awake = buckets.filter(({ start }) => Date.parse(start) + 300_000 > Date.parse(sleep.end))
    const [low, high] = [Math.min(...awake.map(({ min }) => min)), Math.max(...awake.map(({ max }) => max))]
    const { page, faults, open, close } = await visit(browser, service, { member: both, viewport: NARROW })
    await open(`/?date=${date}`)
    const panel = region(page, "The day")
    await panel.getByText(`${low} to ${high} bpm`).waitFor()
    const woken = Math.floor(sleep.end_minutes / 5) * 5
    const chart = panel.getByRole("slider", { name: /^Heart rate, / })
    const box = await chart.boundingBox()
    if (!box) throw new Error("the chart is not drawn")
    const middle = workout.start_minutes + workout.duration_hours * 30
    const x = 40 + ((box.width - 46) * (middle - woken)) / (1440 - woken)
    await chart.hover({ position: { x, y: 40 } })
    await expect.poll(() => textOf(chart)).toMatch(/: (?:heart rate \d+ bpm|no heart rate), [A-Z]/)
    await expectGoodInEveryAppearance(page)
    await panel.getByRole("button", { name: "Table of Heart rate" }).click()
    const means = new Map(awake.map(({ start, mean }) => [clockAt(start, sleep.end_local), Math.round(mean)]))
    const row = panel.getByRole("row").nth(3)
    const time = await row.getByRole("rowheader").innerText()
    expect(await row.getByRole("cell").first().innerText()).toBe(`${means.get(time) ?? "\u2013"}`)
    expect(faults).toEqual([])
    await close()
  })

  test("are absent of a device without values in it", async () => {
    const { page, open, close } = await visit(browser, service, { member: band })
    await open("/")
    await page.waitForLoadState("networkidle")
    await region(page, "Workouts").waitFor()
    expect(await region(page, "The day").count()).toBe(0)
    expect(await page.getByRole("slider").count()).toBe(0)
    await close()
  })
})

describe("steps by hour", () => {
  const HOUR_MS = 3_600_000

  test("are a heat map in the details of the steps, read by keyboard and table", async () => {
    const { page, faults, open, close } = await visit(browser, service, { member: ring, viewport: NARROW })
    // No simulated device counts the steps of an hour: two Mondays with 300 and 500 of them from 17:00 on, in Berlin.
    await page.route("**/api/account/series?type=steps*", async (route) => {
      const answer = await (await route.fetch()).json()
      const isByHour = route.request().url().includes("resolution=1h")
      const points = ["2026-03-02", "2026-03-09"].map((date, index) => {
        const midnightMs = Date.parse(`${date}T00:00:00+01:00`)
        const sum = { n: 1, sum: 300 + index * 200 }
        if (isByHour) return { start: new Date(midnightMs + 17 * HOUR_MS).toISOString(), ...sum }
        return { start: new Date(midnightMs).toISOString(), date, ...sum }
      })
      await route.fulfill({ json: { ...answer, points, count: 2, empty_reason: null } })
    })
    await open("/trends")
    const card = region(page, "Steps")
    await card.getByText("Details").click()
    const grid = card.getByRole("slider", { name: /^Steps by hour, / })
    expect(await textOf(grid)).toBe("Monday, 17:00 to 18:00: 400 steps on average of 2 days")
    await grid.focus()
    await page.keyboard.press("Home")
    expect(await textOf(grid)).toBe("Monday, 00:00 to 01:00: 0 steps on average of 2 days")
    await page.keyboard.press("End")
    expect(await textOf(grid)).toBe("Sunday, 23:00 to 00:00: no data")
    await expectGoodInEveryAppearance(page)
    await card.getByRole("button", { name: "Table of Steps by hour" }).click()
    const row = card.getByRole("region", { name: "Steps by hour, table" }).getByRole("row").nth(18)
    expect(await row.innerText()).toMatch(/^17:00\s+400\s+\u2013/)
    expect(faults).toEqual([])
    await page.unrouteAll({ behavior: "ignoreErrors" })
    await close()
  })

  test("are absent of a device that counts whole days alone", async () => {
    const { page, open, close } = await visit(browser, service, { member: ring })
    await open("/trends")
    const card = region(page, "Steps")
    await card.getByText("Details").click()
    await card.getByText("Standard deviation").waitFor()
    await page.waitForLoadState("networkidle")
    expect(await card.getByText("Steps by hour").count()).toBe(0)
    await close()
  })
})
