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
