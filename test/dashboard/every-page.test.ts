import { MEMBER_PAGES, PUBLIC_PAGES } from "@restwell/server/built-pages"
import {
  DESKTOP,
  expectAccessible,
  expectGoodInEveryAppearance,
  expectNoSidewaysScroll,
  PHONE,
  useBrowser,
  visit,
} from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

let service: TestService
const browser = useBrowser()
let member: Member
let newcomer: Member
beforeAll(async () => {
  service = await startTestService({ days: 100 })
  ;({ member } = await Member.connected(service, service.simulator.people.add({ email: "lena@vendor.example" })))
  newcomer = new Member(service)
  await newcomer.signUp()
})
afterAll(() => service.close())

const NARROW = { width: 320, height: 640 }

/** Lines that open to more, without our chevron or with the browser's own triangle. */
const oddDisclosures = (page: Page): Promise<string[]> =>
  page
    .locator("summary")
    .evaluateAll((lines) =>
      lines
        .filter(
          (line) =>
            line.querySelectorAll("svg.lucide-chevron-right").length !== 1 ||
            getComputedStyle(line).listStyleType !== "none",
        )
        .map(({ textContent }) => textContent),
    )

async function expectGoodPage(path: string, visitor?: Member): Promise<void> {
  const { page, faults, open, close } = await visit(browser, service, visitor && { member: visitor })
  await open(path)
  await page.waitForLoadState("networkidle")
  await expectGoodInEveryAppearance(page)
  expect(await oddDisclosures(page)).toEqual([])
  await page.setViewportSize(NARROW)
  await expectNoSidewaysScroll(page)
  expect(faults).toEqual([])
  await close()
}

test.each(PUBLIC_PAGES)("%s is accessible, fits every screen, and violates no Content-Security-Policy", (path) =>
  expectGoodPage(path),
)

test.each(MEMBER_PAGES)("%s is accessible, fits every screen, and violates no Content-Security-Policy", (path) =>
  expectGoodPage(path, member),
)

test.each([
  ["dark", PHONE],
  ["light", DESKTOP],
] as const)("chart tables, open dialogs and the first steps are accessible: %s, %o", async (colorScheme, viewport) => {
  const first = await visit(browser, service, { member, colorScheme, viewport })
  await first.open("/trends")
  await first.page.getByRole("button", { name: "Table of Recovery" }).click()
  await expectAccessible(first.page)
  await first.open("/connections")
  await first.page.getByRole("button", { name: "Disconnect" }).click()
  await first.page.getByRole("alertdialog").waitFor()
  await expectAccessible(first.page)
  await first.close()
  const second = await visit(browser, service, { member: newcomer, colorScheme, viewport })
  await second.open("/")
  await second.page.getByRole("checkbox", { name: "WHOOP" }).check()
  await second.page.getByRole("link", { name: "Connect WHOOP" }).waitFor()
  await expectAccessible(second.page)
  await expectNoSidewaysScroll(second.page)
  await second.close()
})

test("every chart is reachable by keyboard, and a link skips the navigation", async () => {
  const { page, open, close } = await visit(browser, service, { member })
  await open("/trends")
  await expect.poll(() => page.locator('[aria-label*="use the arrow keys to read each value"]').count()).toBe(7)
  await page.keyboard.press("Tab")
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to content")
  await page.keyboard.press("Enter")
  await page.keyboard.press("Tab")
  expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/7 days$/)
  const reached = new Set<string>()
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press("Tab")
    reached.add(
      await page.evaluate(
        () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "",
      ),
    )
  }
  expect([...reached].filter((name) => name.includes("use the arrow keys to read each value"))).toHaveLength(7)
  await close()
})

// At once, because the page repeats a failed request for seconds before it displays the error.
describe.concurrent("when the service fails", () => {
  // The list of pages needs no answer.
  test.each(MEMBER_PAGES.filter((path, index) => path !== "/more" && index % 2 === 0))(
    "%s displays the error, and works again after a retry",
    async (path) => {
      const { page, open, close } = await visit(browser, service, { member })
      const down = { error: "unavailable", message: "the database does not answer, try again in a moment" }
      await page.route("**/api/account", (route) => route.fulfill({ status: 503, json: down }))
      await open(path)
      await page
        .getByRole("alert")
        .getByText("The database does not answer, try again in a moment.")
        .waitFor({ timeout: 30_000 })
      await expectAccessible(page)
      await page.unroute("**/api/account")
      await page.getByRole("button", { name: "Try again" }).click()
      await page.getByRole("alert").waitFor({ state: "hidden" })
      await close()
    },
  )

  test("Trends reports an unreachable service, and works again after a retry", async () => {
    const { page, open, close } = await visit(browser, service, { member })
    await page.route("**/api/account/pages/trends*", (route) => route.abort())
    await open("/trends")
    await page.getByText("Restwell is unreachable. Check your connection and try again.").waitFor({ timeout: 30_000 })
    await page.unroute("**/api/account/pages/trends*")
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByRole("slider", { name: /^Recovery, / }).waitFor()
    await close()
  })
})
