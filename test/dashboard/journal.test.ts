import { join } from "node:path"
import { JournalDaysResponseSchema } from "@restwell/client"
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
import { afterAll, beforeAll, expect, test, vi } from "vitest"

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
  await vi.waitFor(async () => expect((await answered("all")).length).toBeGreaterThan(100), 30_000)
}, 120_000)
afterAll(() => service.close())

/** Where screenshots for people go, if anywhere. */
const SCREENSHOTS = process.env["RESTWELL_TEST_SCREENSHOTS"]

async function answered(days: number | "all") {
  const answer = await member.send("GET", `/api/account/journal?days=${days}`)
  expect(answer.status).toBe(200)
  return JournalDaysResponseSchema.parse(await answer.json()).days
}

const panel = (page: Page, name: string) => page.getByRole("region", { name, exact: true })

test("trends mark the picked factor below every date axis, and name it in text and table", async () => {
  const days = await answered(30)
  const of = (factor: string) => ({
    yes: days.filter(({ yes }) => yes.includes(factor)).length,
    no: days.filter(({ no }) => no.includes(factor)).length,
  })
  const { page, faults, open, close } = await visit(browser, service, { member })
  await open("/trends")
  await expect.poll(() => page.getByRole("combobox", { name: "Marks", exact: true }).inputValue()).toBe("")
  await page.getByRole("combobox", { name: "Marks", exact: true }).selectOption("caffeine")
  const strain = panel(page, "Strain")
  await strain.getByText("Caffeine: yes").waitFor()
  const drawn = strain.locator("[role=slider] :is(circle.fill-accent, circle.fill-none)")
  await expect.poll(() => drawn.count()).toBe(of("caffeine").yes + of("caffeine").no)
  expect(await strain.locator("[role=slider] circle.fill-accent").count()).toBe(of("caffeine").yes)
  expect(of("caffeine").yes).toBeGreaterThan(5)
  const slider = strain.getByRole("slider")
  await slider.focus()
  await page.keyboard.press("Home")
  expect(await slider.getAttribute("aria-valuetext")).toMatch(/; Caffeine: (yes|no|not answered)$/)
  await page.getByRole("button", { name: "Table of Strain", exact: true }).click()
  const cells = await strain
    .getByRole("row")
    .evaluateAll((rows) => rows.slice(1).map((row) => row.lastChild?.textContent))
  expect(cells.filter((cell) => cell === "yes").length).toBe(of("caffeine").yes)
  expect(cells.filter((cell) => cell === "no").length).toBe(of("caffeine").no)
  await page.getByRole("combobox", { name: "Marks", exact: true }).selectOption({ label: "no marks" })
  await expect.poll(() => page.getByText("Caffeine: yes").count()).toBe(0)
  expect(faults).toEqual([])
  await close()
})

test("the picked factor stays after a reload, and a week counts its answered days", async () => {
  const { page, open, close } = await visit(browser, service, { member })
  await open("/trends")
  await page.getByRole("combobox", { name: "Marks", exact: true }).selectOption("read_in_bed")
  await page.reload()
  await expect.poll(() => page.getByRole("combobox", { name: "Marks", exact: true }).inputValue()).toBe("read_in_bed")
  await page.getByRole("button", { name: "All", exact: true }).click()
  await page.getByText("Weekly average strain, 0 to 21").waitFor()
  const slider = panel(page, "Strain").getByRole("slider")
  await slider.focus()
  await page.keyboard.press("PageUp")
  await page.keyboard.press("ArrowLeft")
  await expect
    .poll(() => slider.getAttribute("aria-valuetext"))
    .toMatch(/; Read in bed: yes on \d of \d answered days$/)
  await close()
})

test("today has the vendor's answers of the day beside the person's own", async () => {
  const newest = (await answered(30)).at(-1)
  const { page, faults, open, close } = await visit(browser, service, { member })
  await open(`/?date=${newest?.date}`)
  const journal = page.getByRole("region", { name: /^Log / })
  await journal.getByRole("button", { name: "Open the journal" }).click()
  await journal.getByRole("button", { name: "Add a topic" }).waitFor()
  expect(newest?.yes.length).toBeGreaterThan(0)
  for (const factor of newest?.yes ?? []) {
    const row = journal.getByRole("listitem").filter({ hasText: new RegExp(`^${factor.replaceAll("_", " ")}`, "i") })
    expect(await row.innerText()).toContain("WHOOP: yes")
    expect(await row.getByRole("button", { pressed: true }).count()).toBe(0)
  }
  expect(faults).toEqual([])
  await close()
})

test("without a journal Trends has nothing to mark", async () => {
  const person = service.simulator.people.add({ email: "bo@vendor.example" })
  const { member: other } = await Member.connected(service, person)
  const { page, open, close } = await visit(browser, service, { member: other })
  await open("/trends")
  await page.getByRole("heading", { name: /Heart rate variability/ }).waitFor()
  expect(await page.getByRole("combobox", { name: "Marks", exact: true }).count()).toBe(0)
  await close()
})

test("the marks are accessible and fit every screen", async () => {
  const { page, open, close } = await visit(browser, service, { member })
  await open("/trends")
  await page.getByRole("combobox", { name: "Marks", exact: true }).selectOption("caffeine")
  for (const [name, path] of [["trends", "/trends"]] as const) {
    await open(path)
    await page
      .getByText(/: yes$/)
      .first()
      .waitFor()
    await inEveryAppearance(page, async (appearance) => {
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      if (SCREENSHOTS !== undefined)
        await page.screenshot({ path: join(SCREENSHOTS, `journal-${name}-${appearance}.png`), fullPage: true })
    })
  }
  await close()
})

test("a journal is its person's alone, for as many dates as asked", async () => {
  expect((await fetch(`${service.url}/api/account/journal`)).status).toBe(401)
  expect((await member.send("GET", "/api/account/journal?days=0")).status).toBe(400)
  const [seven, all] = [await answered(7), await answered("all")]
  expect(seven.length).toBeLessThanOrEqual(7)
  expect(all.slice(-seven.length)).toEqual(seven)
})
