import { expectAccessible, openLine, PHONE, useBrowser, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

let service: TestService
const browser = useBrowser()
beforeAll(async () => {
  service = await startTestService({ vendor: "intervals", days: 30 })
})
afterAll(() => service.close())

test("a person follows the steps, mistypes the key, enters it, and enters a new one when it has ended", async () => {
  const person = service.simulator.people.add({ email: "keys@vendor.example" })
  const member = new Member(service)
  await member.signUp()
  const { page, open } = await visit(browser, service, { member, viewport: PHONE })
  await open("/connections")
  const panel = page.getByRole("region", { name: "intervals.icu" })
  await openLine(page, "intervals.icu")
  await panel.getByRole("link", { name: "intervals.icu/settings" }).waitFor()
  const field = panel.getByLabel("intervals.icu key")
  const submit = panel.getByRole("button", { name: "Connect intervals.icu" })
  await field.fill("2w0vk4rq1c8m6x9z3p5t7y")
  await submit.click()
  await panel.getByText(/does not accept this key/).waitFor()
  await expectAccessible(page)
  const enter = async () => {
    await field.fill(service.simulatorOf("intervals").keyOf(person))
    await submit.click()
  }
  await enter()
  await panel.getByText("Up to date", { exact: true }).waitFor({ timeout: 60_000 })
  await panel.getByText(/contains Garmin, the data come from Garmin/).waitFor()
  expect(await page.content()).not.toContain(service.simulatorOf("intervals").keyOf(person))
  service.simulatorOf("intervals").renewKey(person)
  await panel.getByRole("button", { name: "Sync now" }).click()
  // The page looks once a minute.
  const reads = async (text: string) => {
    await page.reload()
    await submit
      .or(panel.getByRole("button", { name: "Sync now" }))
      .first()
      .waitFor()
    return panel.getByText(text, { exact: true }).count()
  }
  await expect.poll(() => reads("Reconnect needed"), { timeout: 60_000 }).toBe(1)
  await panel.getByRole("link", { name: "Reconnect" }).click()
  await page.waitForURL(/\/connections(?:#intervals)?$/)
  await enter()
  await panel.getByText("Up to date", { exact: true }).waitFor({ timeout: 60_000 })
})

test("a workout is named with the device behind it, as the terms of Garmin ask", async () => {
  const person = service.simulator.people.add({ email: "garmin@vendor.example" })
  const member = new Member(service)
  await member.signUp()
  await member.send("PUT", "/api/connections/intervals/credential", {
    key: service.simulatorOf("intervals").keyOf(person),
  })
  await member.untilHistoryIsComplete()
  const { activities } = service.simulatorOf("intervals").records(person)
  const ride = activities.find(({ device_name: device }) => device?.includes("Garmin"))
  const { page, open } = await visit(browser, service, { member })
  await open(`/?date=${ride?.start_date_local.slice(0, 10)}`)
  await page
    .getByRole("region", { name: "Workouts" })
    .getByText(/Garmin Forerunner 965/)
    .first()
    .waitFor()
})

test("the first steps offer it to somebody who has nothing yet", async () => {
  const member = new Member(service)
  await member.signUp()
  const { page, open } = await visit(browser, service, { member })
  await open("/start")
  await page.getByRole("checkbox", { name: "Another" }).check()
  await page.getByRole("checkbox", { name: "A watch that sends to intervals.icu" }).check()
  await page.getByLabel("intervals.icu key").waitFor()
  await expectAccessible(page)
})
