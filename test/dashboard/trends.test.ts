import { CompareResponseSchema, TrendResponseSchema } from "@restwell/client"
import { expectAccessible, useBrowser, visit } from "@restwell/testing/browser"
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

async function read(type: "trend" | "compare", search: string) {
  const answer = await member.send("GET", `/api/account/${type}?${search}`)
  expect(answer.status).toBe(200)
  return answer.json()
}

const trend = async (search: string) => TrendResponseSchema.parse(await read("trend", search))

const panel = (page: Page, name: string) => page.getByRole("region", { name, exact: true })

const signed = (value: number): string => `${value > 0 ? "+" : value < 0 ? "\u2212" : "\u00b1"}${Math.abs(value)}`

test("each card begins with the average and its difference from the dates before, and keeps statistics closed", async () => {
  const { page, faults, open, close } = await visit(browser, service, { member })
  await open("/trends?days=90")
  const { period, with: before } = CompareResponseSchema.parse(await read("compare", "metric=hrv&days=90"))
  const card = panel(page, "Heart rate variability")
  await card.getByText(`${Math.round(Number(period.mean))} ms average`).waitFor()
  await card.getByText(`the 90 days before: ${Math.round(Number(before.mean))} ms`).waitFor()
  expect(await page.getByText(/95 % interval|per 30 days/).count()).toBe(0)
  const { interval, n } = await trend("metric=hrv&days=90")
  if (!interval) throw new Error("no interval")
  await card.getByText("Details").click()
  await card.getByText(`95 % interval ${signed(interval[0])} to ${signed(interval[1])} ms`).waitFor()
  await card.getByText(`${n} values`).waitFor()
  await expectAccessible(page)
  expect(faults).toEqual([])
  await close()
})

test("own dates, a range and Back are in the address", async () => {
  const { page, faults, open, close } = await visit(browser, service, { member })
  await open("/trends")
  await page.getByRole("button", { name: "90 days" }).click()
  await expect.poll(() => new URL(page.url()).search).toBe("?days=90")
  await page.getByRole("button", { name: "Dates" }).click()
  // The form begins with the dates of the page.
  await panel(page, "Heart rate variability").getByText("the 90 days before").waitFor()
  const { period } = await trend("metric=hrv&days=60")
  const { start_date: start } = period
  const end = new Date(Date.parse(start) + 20 * 86_400_000).toISOString().slice(0, 10)
  await page.getByLabel("To", { exact: true }).fill(end)
  await page.getByLabel("From").fill(start)
  await page.getByRole("button", { name: "Show" }).click()
  const own = `start_date=${start}&end_date=${end}`
  await expect.poll(() => new URL(page.url()).search).toBe(`?${own}`)
  const { mean } = await trend(`metric=hrv&${own}`)
  const card = panel(page, "Heart rate variability")
  await card.getByText(`${Math.round(Number(mean))} ms average`).waitFor()
  await card.getByText("the 21 days before").waitFor()
  await page.goBack()
  await card.getByText("the 90 days before").waitFor()
  await page.goBack()
  await card.getByText("the 30 days before").waitFor()
  expect(await page.getByRole("button", { name: "30 days" }).getAttribute("aria-pressed")).toBe("true")
  expect(faults).toEqual([])
  await close()
})

test("the caption above a chart is about the highlighted point", async () => {
  const { page, open, close } = await visit(browser, service, { member })
  await open("/trends")
  const card = panel(page, "Strain against recovery")
  const valueText = await card.getByRole("slider").getAttribute("aria-valuetext")
  await card.getByText(valueText ?? "", { exact: true }).waitFor()
  const recovery = Number(/recovery (\d+) %/.exec(valueText ?? "")?.[1])
  const outlined = card.locator("circle.stroke-text")
  const width = Number(await card.locator("[role=slider] svg").getAttribute("width"))
  const x = Number(await outlined.getAttribute("cx"))
  expect(Math.abs(((x - 40) / (width - 56)) * 100 - recovery)).toBeLessThan(1)
  await close()
})
