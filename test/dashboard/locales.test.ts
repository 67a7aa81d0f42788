// Dates and numbers as the reader of the page writes them, in a page whose language is English.
import { enduranceAthlete, wornAlways } from "@restwell/simulator"
import { expectNoSidewaysScroll, useBrowser, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

let service: TestService
const browser = useBrowser()
let member: Member
beforeAll(async () => {
  service = await startTestService({ days: 70, now: new Date("2026-11-27T18:30:00Z"), isStill: true })
  const person = service.simulator.people.add({ email: "reader@example.com", traits: wornAlways(enduranceAthlete) })
  ;({ member } = await Member.connected(service, person))
})
afterAll(() => service.close())

const SMALL_PHONE = { width: 360, height: 780 }

test.each([
  ["en-US", "Thursday, November 26", /^Nov \d+$/, /^\d+\.\d$/],
  ["en-GB", "Thursday 26 November", /^\d+ Nov$/, /^\d+\.\d$/],
  ["de-DE", "Thursday, 26. November", /^\d+\. Nov\.$/, /^\d+,\d$/],
])("a reader of %s", async (locale, date, tick, strain) => {
  const { page, faults, open, close } = await visit(browser, service, { member, locale, viewport: SMALL_PHONE })
  await open("/?date=2026-11-26")
  await page.getByText(date, { exact: true }).waitFor()
  const ring = page.getByRole("region", { name: "Strain", exact: true })
  await expect.poll(async () => (await ring.innerText()).split("\n")[0]).toMatch(strain)
  await page.getByText(/You slept/).waitFor()
  for (const path of ["/", "/trends", "/week", "/report", "/insights", "/connections", "/account"]) {
    await open(path)
    await page.waitForLoadState("networkidle")
    await expectNoSidewaysScroll(page)
  }
  await open("/trends?days=7")
  const axis = page.getByRole("slider", { name: /^Recovery, / }).locator("text")
  await expect.poll(async () => (await axis.allTextContents()).some((text) => tick.test(text))).toBe(true)
  for (const chart of await page.getByRole("slider", { name: /^(Recovery|HRV|Resting|Strain|Skin)/ }).all()) {
    const marks = await chart.locator("text[text-anchor=end]").allTextContents()
    expect(new Set(marks.map((mark) => mark.split(/[.,]/)[1]?.length)).size, marks.join()).toBe(1)
  }
  expect(faults).toEqual([])
  await close()
})
