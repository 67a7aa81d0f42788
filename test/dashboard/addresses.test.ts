// Addresses that assistants link to open what the assistant spoke about: the same dates, and the same sport.
import { addDays } from "@restwell/client/calendar-dates"
import { useBrowser, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

const TODAY = "2026-03-11"

let service: TestService
let member: Member
const browser = useBrowser()
beforeAll(async () => {
  service = await startTestService({ days: 200, now: new Date(`${TODAY}T16:30:00Z`) })
  ;({ member } = await Member.connected(service, service.simulator.people.add({ email: "lena@vendor.example" })))
}, 120_000)
afterAll(() => service.close())

test("Insights reads the dates of its address, keeps them in its links, and leaves them for a usual range", async () => {
  const { page, faults, open, close } = await visit(browser, service, { member })
  const dates = `start_date=${addDays(TODAY, -120)}&end_date=${addDays(TODAY, -31)}`
  const asked = page.waitForRequest(/pages\/insights/)
  await open(`/insights?outcome=hrv&factor=strain&lag=1&${dates}`)
  expect((await asked).url()).toContain(dates)
  await page.getByText("Nov 11, 2025 to Feb 8, 2026:").waitFor()
  const range = page.getByLabel("Range")
  expect(await range.locator("option:checked").innerText()).toBe("Nov 11, 2025 to Feb 8, 2026")
  expect(await page.getByRole("link", { name: "Test all factors" }).getAttribute("href")).toContain(dates)
  await range.selectOption({ label: "90 days" })
  await page.waitForURL((url) => url.searchParams.get("days") === "90" && !url.searchParams.has("start_date"))
  await page.getByText("Dec 12, 2025 to Mar 11, 2026:").waitFor()
  expect(faults).toEqual([])
  await close()
})

test("the page of a metric of workouts reads the sport of its address, says so, and leads back", async () => {
  const { sports } = await (await member.send("GET", "/api/account/sports?days=90")).json()
  const [{ sport_type: sport }] = sports
  const { page, faults, open, close } = await visit(browser, service, { member })
  const asked = page.waitForRequest(/pages\/metric/)
  await open(`/trends?metric=workout&days=90&sport=${sport}`)
  expect((await asked).url()).toContain(`sport=${sport}`)
  await page.getByText("Only workouts of").waitFor()
  await page.getByRole("region", { name: "Weekdays" }).waitFor()
  await page.getByRole("button", { name: "Show all sports" }).click()
  await page.waitForURL(/metric=workout&days=90$/)
  expect(await page.getByText("Only workouts of").count()).toBe(0)
  expect(faults).toEqual([])
  await close()
})
