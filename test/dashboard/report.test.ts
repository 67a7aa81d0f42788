import { CompareResponseSchema, TrendResponseSchema } from "@restwell/client"
import { metricNamed, usualRangeText } from "@restwell/client/figures"
import { expectGoodInEveryAppearance, useBrowser, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"

let service: TestService
const browser = useBrowser()
let member: Member
beforeAll(async () => {
  service = await startTestService({ days: 200 })
  ;({ member } = await Member.connected(service, service.simulator.people.add({ email: "lena@vendor.example" })))
}, 120_000)
afterAll(() => service.close())

const read = async (path: string) => (await member.send("GET", `/api/account/${path}`)).json()

const rowOf = (page: Page, title: string) => page.getByRole("row", { name: new RegExp(`^${title}`) })

/** The pages of a PDF that Chromium wrote. */
const pageCount = (pdf: Buffer): number => pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0

test("the report has the figures of the API, with their days, for the period of Trends", async () => {
  const { page, faults, open, close } = await visit(browser, service, { member })
  await open("/trends?days=30")
  await page.getByRole("main").getByRole("link", { name: "Report" }).click()
  await expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).search).toBe("/report?days=30")
  const trend = TrendResponseSchema.parse(await read("trend?metric=resting_heart_rate&days=30"))
  const compared = CompareResponseSchema.parse(await read("compare?metric=resting_heart_rate&days=30"))
  const { usual } = trend
  if (!usual) throw new Error("no usual range")
  const row = rowOf(page, "Resting heart rate")
  await row.waitFor()
  const text = (await row.innerText()).replaceAll(/\s+/g, " ")
  expect(text).toContain(`${trend.n} of 30 days`)
  expect(text).toContain(`${Math.round(Number(trend.mean))} bpm`)
  expect(text).toContain(`${usualRangeText(metricNamed("resting_heart_rate"), usual)} bpm of ${usual.n} values`)
  expect(text).toContain(`before: ${Math.round(Number(compared.with.mean))} bpm, ${compared.with.n} days`)
  const leftOut = page.getByRole("region", { name: "Left out" })
  expect(await leftOut.getByRole("listitem").count()).toBeGreaterThan(trend.notes.length > 0 ? 1 : 0)
  const about = (await page.getByRole("main").innerText()).replaceAll(/\s+/g, " ")
  for (const fact of [/Name \w+/, /Source WHOOP/, /\(30 days\)/, /Made [A-Z]/]) expect(about).toMatch(fact)
  await page.getByRole("button", { name: "Year" }).click()
  await expect.poll(() => new URL(page.url()).search).toBe("?days=365")
  await page.goBack()
  await row.waitFor()
  await expectGoodInEveryAppearance(page)
  expect(faults).toEqual([])
  await close()
})

test("printed on A4 and Letter it has one or two pages, with charts as wide as the paper and no buttons", async () => {
  const { page, open, close } = await visit(browser, service, { member })
  for (const days of ["7", "90", "all"]) {
    await open(`/report?days=${days}`)
    await rowOf(page, "Recovery").waitFor()
    await page.waitForLoadState("networkidle")
    for (const format of ["A4", "Letter"]) {
      const pages = pageCount(await page.pdf({ format }))
      expect([1, 2], `${days} days on ${format}`).toContain(pages)
    }
  }
  await page.emulateMedia({ media: "print" })
  await page.setViewportSize({ width: 703, height: 1000 })
  expect(await page.getByRole("button").count()).toBe(0)
  const right = await page
    .locator("[role=slider] svg")
    .evaluateAll((all) => Math.max(...all.map((svg) => svg.getBoundingClientRect().right)))
  expect(right).toBeLessThanOrEqual(703)
  await close()
})

test("the keyboard prints it", async () => {
  const { page, open, close } = await visit(browser, service, { member })
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute("data-printed", "")
  })
  await open("/report")
  await page.getByRole("button", { name: "Print" }).focus()
  await page.keyboard.press("Enter")
  await expect.poll(() => page.locator("body[data-printed]").count()).toBe(1)
  await close()
})
