import {
  type AccountResponse,
  DayResponseSchema,
  type JournalResponse,
  JournalResponseSchema,
  TrendsResponseSchema,
} from "@restwell/client"
import { officeWorker } from "@restwell/simulator"
import { whoopArchive } from "@restwell/testing/archive"
import {
  expectAccessible,
  expectGoodInEveryAppearance,
  expectNoSidewaysScroll,
  useBrowser,
  visit,
} from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { importedArchive } from "../imports/upload-archive.ts"

/** An evening in Berlin. */
const NOW = new Date("2026-03-11T18:30:00Z")
const NARROW = { width: 360, height: 780 }
const CLOCK = { clock: "24h", units: "metric", first_weekday: "monday" }

let service: TestService
const browser = useBrowser()
let both: Member
let key: string
let ring: Member
let uploaded: Member
let today: string
beforeAll(async () => {
  service = await startTestService({ days: 120, now: NOW, vendor: "oura" })
  const person = service.simulator.people.add({ email: "lena@vendor.example", traits: officeWorker })
  ;({ member: both, key } = await Member.connected(service, person))
  await both.connect(person, "oura")
  await both.untilHistoryIsComplete()
  ;({ member: ring } = await Member.connected(
    service,
    service.simulator.people.add({ email: "ring@vendor.example", traits: officeWorker }),
    undefined,
    "oura",
  ))
  uploaded = new Member(service)
  await uploaded.signUp()
  await importedArchive(service.url, uploaded, whoopArchive(service.simulator.records(person.email)))
  for (const member of [both, ring, uploaded]) await member.send("PUT", "/api/account/preferences", CLOCK)
  today = (await trendsOf(both)).today
}, 240_000)
afterAll(() => service.close())

async function trendsOf(member: Member, search = "") {
  return TrendsResponseSchema.parse(await (await member.send("GET", `/api/account/trends${search}`)).json())
}

const back = (days: number): string => new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10)
const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true })
/** The journal of the date, which is one line at first. */
async function openJournal(page: Page) {
  const journal = page.getByRole("region", { name: /^Log / })
  await journal.getByRole("button", { name: "Open the journal" }).click()
  return journal
}

const sentence = (page: Page) => page.locator("p[aria-live]")
const expectRecovery = (page: Page) =>
  expect.poll(() => sentence(page).innerText()).toMatch(/^(Recovery|Readiness) \d+/)

describe("the first screen", () => {
  test.each([
    ["two devices", () => both, "Recovery", "Strain"],
    ["a ring alone", () => ring, "Readiness", "Activity"],
    ["an uploaded archive alone", () => uploaded, "Recovery", "Strain"],
  ] as const)("of %s has a sentence, and no empty dial", async (_devices, member, first, third) => {
    const { page, faults, open, close } = await visit(browser, service, { member: member() })
    await open("/")
    await expect.poll(() => sentence(page).innerText()).toMatch(new RegExp(`^${first} \\d+`))
    expect(await sentence(page).innerText()).toMatch(/You slept \d+\u00a0h\u00a0\d\d\u00a0min, /)
    for (const name of [first, "Sleep", third]) expect(await region(page, name).innerText()).toMatch(/^[\d,.]+%?\n/)
    expect(await page.getByText("no score").count()).toBe(0)
    await expectGoodInEveryAppearance(page)
    expect(faults).toEqual([])
    await close()
  })

  test("has the dials in one row on a phone, and moves nothing while it loads", async () => {
    const { page, open, close } = await visit(browser, service, { member: both, viewport: NARROW })
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          if ("value" in entry)
            document.documentElement.dataset["shift"] = String(
              Number(document.documentElement.dataset["shift"] ?? 0) + Number(entry.value),
            )
      }).observe({ type: "layout-shift", buffered: true })
    })
    await open("/")
    await region(page, "Log yesterday")
      .getByText(/answer|Yes or no/)
      .waitFor()
    await page.waitForLoadState("networkidle")
    const boxes = await Promise.all(["Recovery", "Sleep", "Strain"].map((name) => region(page, name).boundingBox()))
    expect(new Set(boxes.map((box) => box?.y)).size).toBe(1)
    await expectNoSidewaysScroll(page)
    expect(await page.evaluate(() => Number(document.documentElement.dataset["shift"] ?? 0))).toBeLessThan(0.1)
    await close()
  })
})

/** The lowest edges of the panels at the left and at the right of a wide screen. */
const columnEnds = (page: Page): Promise<[left: number, right: number]> =>
  page.locator("main section").evaluateAll((panels) => {
    const boxes = panels.map((panel) => panel.getBoundingClientRect())
    const ends = boxes.map(({ bottom }) => bottom)
    const isLeft = ({ left, right }: DOMRect) =>
      (left + right) / 2 < (innerWidth + Math.min(...boxes.map((box) => box.left))) / 2
    return [
      Math.max(...ends.filter((_, index) => boxes[index] && isLeft(boxes[index]))),
      Math.max(...ends.filter((_, index) => boxes[index] && !isLeft(boxes[index]))),
    ]
  })

/** Less than the height of a chart. */
const NEAR = 250

test.each(["/", "/?date=2026-03-07"])("both columns of a wide screen end near each other on %s", async (path) => {
  const { page, open, close } = await visit(browser, service, { member: both })
  await open(path)
  await page.waitForLoadState("networkidle")
  const [left, right] = await columnEnds(page)
  expect(Math.abs(left - right)).toBeLessThan(NEAR)
  expect(Math.min(left, right)).toBeGreaterThan(1_000)
  await close()
})

describe("the date", () => {
  test.each([
    ["/", "Wed, Mar 11", "Wednesday, March 11"],
    ["/?date=2026-03-07", "Sat, Mar 7", "Saturday, March 7"],
    ["/?date=2025-12-27", "Dec 27, 2025", "Sat, Dec 27, 2025"],
  ])("of %s is one line beside its picker on a phone, and whole for screen readers", async (path, short, long) => {
    const { page, open, close } = await visit(browser, service, { member: both, viewport: NARROW })
    await open(path)
    const header = page.locator("main header").first()
    const box = await header.getByText(short, { exact: true }).boundingBox()
    expect(box?.height).toBeLessThan(30)
    expect(await header.ariaSnapshot()).toContain(long)
    expect(await header.ariaSnapshot()).not.toMatch(new RegExp(`: ${short}$`, "m"))
    await close()
  })

  test("is in the address, and Back returns to the day before", async () => {
    const { page, open, close } = await visit(browser, service, { member: both })
    await open("/")
    await page.getByRole("button", { name: "Previous day" }).click()
    await page.getByText("Yesterday").waitFor()
    expect(page.url()).toBe(`${service.url}/?date=${back(1)}`)
    await page.getByRole("button", { name: "Previous day" }).click()
    await page.getByText("2 days ago").waitFor()
    await page.goBack()
    await page.getByText("Yesterday").waitFor()
    await page.reload()
    await page.getByText("Yesterday").waitFor()
    await page.getByRole("button", { name: "Next day" }).click()
    await page.getByRole("heading", { name: "Today" }).waitFor()
    expect(page.url()).toBe(`${service.url}/`)
    expect(await page.getByRole("button", { name: "Next day" }).isDisabled()).toBe(true)
    await close()
  })

  test.each(["2099-01-01", "2026-02-30", "yesterday"])("?date=%s is today", async (date) => {
    const { page, open, close } = await visit(browser, service, { member: both })
    await open(`/?date=${date}`)
    await page.getByRole("heading", { name: "Today" }).waitFor()
    await expectRecovery(page)
    await close()
  })
})

describe("the calendar", () => {
  test("is coloured by a figure, and opens any day of the history by keyboard", async () => {
    const { page, faults, open, close } = await visit(browser, service, { member: both, viewport: NARROW })
    await open("/")
    await page.getByRole("button", { name: /^Pick a day/ }).click()
    const calendar = page.getByRole("dialog", { name: "Calendar" })
    await calendar
      .getByRole("button", { name: /: recovery \d+/ })
      .first()
      .waitFor()
    await calendar.getByLabel("Colours").selectOption("sleep")
    await calendar
      .getByRole("button", { name: /\d+ h \d\d min asleep/ })
      .first()
      .waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    const wanted = "2025-12-03"
    await calendar.getByLabel("Month", { exact: true }).selectOption("2025-12")
    await calendar.locator(`[data-date="${wanted}"]`).press("Enter")
    await page.getByText("98 days ago").waitFor()
    expect(page.url()).toBe(`${service.url}/?date=${wanted}`)
    const [day] = (await trendsOf(both, `?start_date=${wanted}&end_date=${wanted}`)).days
    await sentence(page)
      .getByText(new RegExp(`Recovery ${Math.round(day?.recovery?.score ?? Number.NaN)}\\s%,`))
      .waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test("moves by days, weeks and months with the keys of a date picker, and never beyond the history", async () => {
    const { page, faults, open, close } = await visit(browser, service, { member: both })
    const { oldest_date: oldest } = await trendsOf(both)
    // A Wednesday.
    await open("/?date=2026-02-18")
    await page.getByRole("button", { name: /^Pick a day/ }).press("Enter")
    const calendar = page.getByRole("dialog", { name: "Calendar" })
    const focused = () => calendar.locator("[data-date]:focus").getAttribute("data-date")
    await expect.poll(focused).toBe("2026-02-18")
    for (const [key, date] of [
      ["ArrowRight", "2026-02-19"],
      ["ArrowDown", "2026-02-26"],
      ["ArrowLeft", "2026-02-25"],
      ["ArrowUp", "2026-02-18"],
      ["Home", "2026-02-16"],
      ["End", "2026-02-22"],
      ["PageUp", "2026-01-22"],
      ["PageDown", "2026-02-22"],
      ["PageDown", today],
      ["ArrowRight", today],
    ] as const) {
      await page.keyboard.press(key)
      await expect.poll(focused, { message: key }).toBe(date)
    }
    for (let month = 0; month < 6; month += 1) await page.keyboard.press("PageUp")
    await expect.poll(focused).toBe(oldest)
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await calendar.waitFor({ state: "hidden" })
    expect(page.url()).toMatch(/\?date=\d{4}-\d\d-\d\d$/)
    await page.getByRole("button", { name: /^Pick a day/ }).press("Enter")
    await page.keyboard.press("Escape")
    await calendar.waitFor({ state: "hidden" })
    expect(await page.locator(":focus").innerText()).toMatch(/^Pick a day/)
    expect(faults).toEqual([])
    await close()
  })

  test("jumps to the first month, and no further", async () => {
    const { page, open, close } = await visit(browser, service, { member: both })
    const { oldest_date: oldest } = await trendsOf(both)
    await open("/")
    await page.getByRole("button", { name: /^Pick a day/ }).click()
    const calendar = page.getByRole("dialog", { name: "Calendar" })
    await calendar.getByLabel("Month", { exact: true }).selectOption(`${oldest?.slice(0, 7)}`)
    await calendar.locator(`[data-date="${oldest}"]`).click()
    await page.getByRole("button", { name: "Previous day" }).waitFor()
    expect(page.url()).toBe(`${service.url}/?date=${oldest}`)
    expect(await page.getByRole("button", { name: "Previous day" }).isDisabled()).toBe(true)
    await close()
  })
})

async function ownAnswers(date: string): Promise<JournalResponse["records"]> {
  const answer = await fetch(`${service.url}/api/v1/journal?start_date=${date}&end_date=${date}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  return JournalResponseSchema.parse(await answer.json()).records.filter(({ source }) => source === "restwell")
}

const answersOf = async (date: string) => (await ownAnswers(date)).map(({ factor, answer }) => [factor, answer])

describe("the journal", () => {
  test("is answered by one tap, changed by another, and undone by tapping again", async () => {
    const { page, faults, open, close } = await visit(browser, service, { member: both, viewport: NARROW })
    const date = back(60)
    await open(`/?date=${date}`)
    const alcohol = (await openJournal(page)).getByRole("group", { name: "Alcohol" })
    await alcohol.getByRole("button", { name: "Yes" }).click()
    await expect.poll(() => answersOf(date)).toEqual([["alcohol", true]])
    await alcohol.getByRole("button", { name: "No" }).click()
    await expect.poll(() => answersOf(date)).toEqual([["alcohol", false]])
    await page.reload()
    await openJournal(page)
    await alcohol.getByRole("button", { name: "No", pressed: true }).click()
    await expect.poll(() => answersOf(date)).toEqual([])
    expect(await alcohol.getByRole("button", { pressed: true }).count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  })

  test("takes topics and a note of the person's own, by keyboard alone", async () => {
    const { page, faults, open, close } = await visit(browser, service, { member: both })
    await open("/")
    const journal = await openJournal(page)
    await journal.getByRole("button", { name: "Add a topic" }).press("Enter")
    await journal.getByLabel("Your own topic").fill("Garden work")
    await page.keyboard.press("Enter")
    const topic = journal.getByRole("group", { name: "Garden work" })
    await topic.getByRole("button", { name: "Yes" }).press("Enter")
    await expect
      .poll(async () => (await ownAnswers(today)).map(({ question, answer }) => [question, answer]))
      .toEqual([["Garden work", true]])
    await journal.getByLabel("Note").fill("Late flight")
    await journal.getByRole("button", { name: "Save" }).press("Enter")
    await journal.getByText("Saved", { exact: true }).waitFor()
    await page.reload()
    await openJournal(page)
    await expect.poll(() => journal.getByLabel("Note").inputValue()).toBe("Late flight")
    expect(await topic.getByRole("button", { name: "Yes", pressed: true }).count()).toBe(1)
    await expectAccessible(page)
    expect(faults).toEqual([])
    await close()
  })

  test("shows the answer before, and says why, when the service refuses one", async () => {
    const { page, open, close } = await visit(browser, service, { member: ring })
    await page.route("**/api/account/journal/20*", (route) =>
      route.request().method() === "PUT"
        ? route.fulfill({ status: 503, json: { error: "unavailable", message: "the database does not answer" } })
        : route.continue(),
    )
    await open("/")
    const alcohol = (await openJournal(page)).getByRole("group", { name: "Alcohol" })
    await alcohol.getByRole("button", { name: "Yes" }).click()
    await page.getByRole("alert").getByText("The database does not answer.").waitFor()
    expect(await alcohol.getByRole("button", { pressed: true }).count()).toBe(0)
    await close()
  })
})

type Connection = AccountResponse["connections"][number]

describe("states", () => {
  test.each([
    ["syncing", {}, "Syncing your"],
    ["vendor_unavailable", {}, "cannot be read now"],
    ["reauthorization_required", {}, "Reconnect"],
  ] as const)("%s is said above the figures, which stay", async (status, more, text) => {
    const { page, faults, open, close } = await visit(browser, service, { member: ring })
    await page.route("**/api/account", async (route) => {
      const account = await (await route.fetch()).json()
      const connections = account.connections.map((each: Connection) => ({ ...each, status, ...more }))
      await route.fulfill({ json: { ...account, connections } })
    })
    await open("/")
    await page.getByText(text, { exact: false }).first().waitFor()
    await expectRecovery(page)
    await expectAccessible(page)
    expect(faults).toEqual([])
    await page.unrouteAll({ behavior: "ignoreErrors" })
    await close()
  })

  test("without data, a day says what is missing and the journal still works", async () => {
    const { page, open, close } = await visit(browser, service, { member: ring })
    await page.route("**/api/account/day?*", async (route) => {
      const answer = DayResponseSchema.parse(await (await route.fetch()).json())
      const rows = answer.rows.map((day) => ({
        ...day,
        sleep: null,
        recovery: null,
        strain: null,
        workouts: [],
        naps: [],
      }))
      await route.fulfill({
        json: {
          ...{ ...answer, rows, figures: [], figures_date: null, awaited: ["sleep", "recovery"] },
          ...{ sleep: null, recovery: null, cycle: null },
        },
      })
    })
    await open("/")
    await sentence(page).getByText("Your night is not here yet.").waitFor()
    await (await openJournal(page)).getByRole("group", { name: "Alcohol" }).waitFor()
    expect(await page.getByRole("heading", { name: "Resting heart rate" }).count()).toBe(0)
    await expectGoodInEveryAppearance(page)
    await page.unrouteAll({ behavior: "ignoreErrors" })
    await close()
  })

  test("an error of one day is shown, and works again after a retry", async () => {
    const { page, open, close } = await visit(browser, service, { member: ring })
    const down = { error: "unavailable", message: "the database does not answer" }
    await page.route("**/api/account/day?*", (route) => route.fulfill({ status: 400, json: down }))
    await open("/")
    await page.getByRole("alert").getByText("The database does not answer.").waitFor()
    await expectAccessible(page)
    await page.unroute("**/api/account/day?*")
    await page.getByRole("button", { name: "Try again" }).click()
    await expectRecovery(page)
    await close()
  })
})
