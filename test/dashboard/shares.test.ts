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

async function makeShare(wanted: object = {}): Promise<{ id: string; url: string }> {
  return (await member.send("POST", "/api/account/shares", { name: "Dr. Weber", days: 30, ...wanted })).json()
}

test("who opens the link reads the report without an account, and the page asks for nothing else", async () => {
  const { url } = await makeShare()
  const { page, faults, close } = await visit(browser, service, { hasWorker: true, locale: "de-DE" })
  const requests: string[] = []
  page.on("request", (request) => requests.push(new URL(request.url()).pathname))
  const response = await page.goto(url)
  expect(response?.headers()).toMatchObject({
    "cache-control": "no-store",
    "x-robots-tag": "noindex, nofollow, noarchive",
    "referrer-policy": "no-referrer",
  })
  await page.getByRole("heading", { name: "Report", level: 1 }).waitFor()
  await page.getByRole("row", { name: /^Resting heart rate/ }).waitFor()
  await page.getByText("Ada shared this report with Dr. Weber.").waitFor()
  await page.getByRole("slider").first().press("End")
  await page.waitForLoadState("networkidle")
  const others = requests.filter((path) => path !== "/shared" && !path.startsWith("/assets/"))
  expect([...new Set(others)]).toEqual(["/api/shared/report"])
  // In the form of the reader's language.
  expect(await page.locator("main").innerText()).toMatch(/\d{1,2}\. (?:Nov|Okt|Dez|Sept?|Aug)/)
  expect(await page.locator("meta[name=robots]").getAttribute("content")).toBe("noindex")
  expect(await page.getByRole("link").count()).toBe(0)
  await expectGoodInEveryAppearance(page)
  await page.reload()
  await page.getByRole("row", { name: /^Resting heart rate/ }).waitFor()
  const kept = await page.evaluate(async () => [
    document.cookie,
    Object.keys({ ...localStorage, ...sessionStorage }).join(),
    (await caches.keys()).join(),
  ])
  expect(kept).toEqual(["", "", ""])
  expect(faults).toEqual([])
  await close()
})

test("an ended share, one of nothing and half a link say so in plain words", async () => {
  const { id, url } = await makeShare()
  await member.send("DELETE", `/api/account/shares/${id}`)
  const { page, close } = await visit(browser, service)
  await page.goto(url)
  await page.getByText("This link was ended, ask the person who sent it for a new one.").waitFor()
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0)
  await expectGoodInEveryAppearance(page)
  await page.goto(`${service.url}/shared`)
  await page.reload()
  await page.getByText("The link is not complete.").waitFor()
  await page.goto(`${service.url}/shared${new URL(url).hash.slice(0, -4)}`)
  await page.reload()
  await page.getByText("Invalid link: it is incomplete, copy all of it again.").waitFor()
  await close()
})

test("a link for a year can be made while the browser is a date ahead of the person", async () => {
  const behind = new Member(service)
  await behind.signUp()
  await behind.send("PUT", "/api/account/preferences", { time_zone: "Pacific/Pago_Pago" })
  const { page, open, close } = await visit(browser, service, { member: behind, timezoneId: "Pacific/Kiritimati" })
  await open("/account#share")
  const panel = page.getByRole("region", { name: "Share with a coach or doctor" })
  await panel.getByLabel("Who it is for").fill("Dr. Weber")
  await panel.getByLabel("How long the link works").selectOption("365")
  await panel.getByRole("button", { name: "Make a link" }).click()
  await panel.getByText("Copy the link now and send it.").waitFor()
  await close()
})

test("the person makes a link on the page Account, sees its views, and ends it", async () => {
  const { page, context, faults, open, close } = await visit(browser, service, { member })
  await open("/report")
  await page.getByRole("link", { name: "share it by a link" }).click()
  const panel = page.getByRole("region", { name: "Share with a coach or doctor" })
  await panel.getByLabel("Who it is for").fill("Coach Kim")
  await panel.getByLabel("Weight and body fat").uncheck()
  await panel.getByLabel("Of which days").selectOption("30")
  await panel.getByRole("button", { name: "Make a link" }).click()
  const link = await panel.getByRole("region", { name: "link" }).innerText()
  expect(link).toMatch(/\/shared#rws_\w{38}$/)
  await panel.getByText("Only this computer can open this address").waitFor()
  const item = panel.getByRole("listitem").filter({ hasText: "Coach Kim" })
  expect(await item.innerText()).toMatch(
    /Sleep, Recovery, Daily strain and steps, Workouts of the last 30 days, until [\s\S]*not viewed yet/,
  )
  await expectGoodInEveryAppearance(page)
  const reader = await context.newPage()
  await reader.goto(link)
  await reader.getByRole("row", { name: /^Resting heart rate/ }).waitFor()
  await page.reload()
  await item.getByText("last viewed").waitFor()
  await item.getByRole("button", { name: "End Coach Kim" }).click()
  await page.getByRole("button", { name: "End share" }).click()
  await expect.poll(() => item.count()).toBe(0)
  await reader.reload()
  await reader.getByText("This link was ended, ask the person who sent it for a new one.").waitFor()
  await open("/access")
  await page.getByText("Share with “Coach Kim”").first().waitFor()
  expect(faults).toEqual([])
  await close()
})
