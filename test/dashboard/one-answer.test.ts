import { useBrowser, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { storeSecondSource } from "./second-source.ts"

let service: TestService
const browser = useBrowser()
let member: Member
beforeAll(async () => {
  service = await startTestService({ days: 100 })
  ;({ member } = await Member.connected(service, service.simulator.people.add({ email: "lena@vendor.example" })))
  await storeSecondSource(service, member.email)
}, 120_000)
afterAll(() => service.close())

test.each([
  ["/trends", "main section p.text-3xl"],
  ["/trends?days=all", "main section p.text-3xl"],
  ["/trends?metric=hrv&days=90", "main section p.text-3xl"],
  ["/week", "main table td"],
  ["/report", "main table td"],
  ["/insights", "main section li"],
  ["/insights?outcome=hrv&factor=strain", "main section p"],
])("%s has its figures after at most three requests to the API, on the first visit too", async (path, figures) => {
  const { page, faults, open, close } = await visit(browser, service, { member })
  const requests: string[] = []
  page.on("request", (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith("/api/")) requests.push(`${request.method()} ${pathname}`)
  })
  await open(path)
  await page.locator(figures).filter({ hasText: /\d/ }).first().waitFor()
  await page.waitForLoadState("networkidle")
  expect(requests.length, requests.join(", ")).toBeLessThanOrEqual(3)
  expect(faults).toEqual([])
  await close()
})

test("the account and the day are asked for once, while the scripts load", async () => {
  const { page, faults, open, close } = await visit(browser, service, { member })
  const asked: string[] = []
  const { promise: areAsked, resolve } = Promise.withResolvers<void>()
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url())
    if (/^\/api\/account(?:\/day)?$/.test(pathname)) asked.push(pathname + search)
    if (asked.length === 2) resolve()
  })
  await page.route(/\/assets\/index-[^/]+\.js/, async (route) => {
    await areAsked
    await route.continue()
  })
  await open("/")
  await page.locator("main p[aria-live]").filter({ hasText: /\d/ }).waitFor()
  await page.waitForLoadState("networkidle")
  expect(asked.toSorted()).toEqual(["/api/account", "/api/account/day?rows=30"])
  expect(faults).toEqual([])
  await close()
})
