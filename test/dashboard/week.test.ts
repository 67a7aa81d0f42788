import { CompareResponseSchema, TrendsResponseSchema } from "@restwell/client"
import { expectGoodInEveryAppearance, useBrowser, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

let service: TestService
const browser = useBrowser()
let member: Member
beforeAll(async () => {
  service = await startTestService({ days: 100 })
  ;({ member } = await Member.connected(service, service.simulator.people.add({ email: "lena@vendor.example" })))
}, 120_000)
afterAll(() => service.close())

const read = async (path: string) => (await member.send("GET", `/api/account/${path}`)).json()

const daysBefore = (date: string, days: number): string =>
  new Date(Date.parse(date) - days * 86_400_000).toISOString().slice(0, 10)

test("a phone has the comparison of each figure on a line of its own", async () => {
  const { page, open, close } = await visit(browser, service, { member, viewport: { width: 360, height: 740 } })
  await open("/week")
  const row = page.getByRole("row", { name: /^Resting heart rate/ })
  const [words, usually] = [row.getByRole("cell").last().locator("span").first(), row.getByText(/^usually/)]
  await usually.waitFor()
  const [title, left, right] = await Promise.all(
    [row.getByRole("rowheader"), words, usually].map((locator) => locator.boundingBox()),
  )
  if (!title || !left || !right) throw new Error("not drawn")
  expect(left.y).toBeGreaterThanOrEqual(title.y + title.height)
  expect(right.y).toBeLessThan(left.y + left.height)
  expect(left.height).toBeLessThan(30)
  await close()
})

test("the week has the figures and verdicts of the API, for any seven days", async () => {
  const { period } = TrendsResponseSchema.parse(await read("trends?days=7"))
  const end = daysBefore(period.end_date, 7)
  const week = `start_date=${daysBefore(end, 6)}&end_date=${end}`
  const { page, faults, open, close } = await visit(browser, service, { member })
  await open("/week")
  await page.getByRole("heading", { name: "Averages of the week" }).waitFor()
  await page.getByRole("button", { name: "Previous week" }).click()
  await expect.poll(() => new URL(page.url()).search).toBe(`?date=${end}`)
  const compared = CompareResponseSchema.parse(await read(`compare?metric=resting_heart_rate&${week}`))
  const row = page.getByRole("row", { name: /^Resting heart rate/ })
  await row
    .getByText(`${Math.round(Number(compared.period.mean))} bpm`)
    .first()
    .waitFor()
  const words = { higher: "higher", lower: "lower", no_clear_difference: "[+\u2212±]\\d" }
  if (compared.verdict === "not_enough_data") throw new Error("no difference")
  expect(await row.innerText()).toMatch(new RegExp(words[compared.verdict]))
  const { days } = TrendsResponseSchema.parse(await read(`trends?${week}`))
  const bars = page.getByRole("region", { name: "Recovery" }).getByRole("listitem")
  const texts = await bars.allTextContents()
  expect(texts).toHaveLength(7)
  const barText = (score: number | null | undefined) =>
    score === undefined ? "no data" : score === null ? "not scored" : `${Math.round(score)} %`
  for (const [index, { recovery }] of days.entries()) expect(texts[index]).toContain(barText(recovery?.score))
  await page.getByText(/^(A (good|harder|mixed) week|You slept|Nothing changed clearly|Too few nights)/).waitFor()
  await page.goBack()
  expect(await page.getByRole("button", { name: "Next week" }).isDisabled()).toBe(true)
  await expectGoodInEveryAppearance(page)
  expect(faults).toEqual([])
  await close()
})

test("a date of the future or no date at all is the week up to today", async () => {
  const { page, open, close } = await visit(browser, service, { member })
  for (const date of ["2190-01-01", "yesterday", "2026-02-30"]) {
    await open(`/week?date=${date}`)
    await page.getByRole("heading", { name: "Averages of the week" }).waitFor()
    expect(await page.getByRole("button", { name: "Next week" }).isDisabled()).toBe(true)
  }
  await close()
})
