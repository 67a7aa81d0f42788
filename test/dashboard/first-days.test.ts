// The first days of a history, which have no usual ranges yet, of a person whose second device alone has values within the day.
import { enduranceAthlete, wornAlways } from "@restwell/simulator"
import { DESKTOP, useBrowser, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"

let service: TestService
const browser = useBrowser()
let member: Member
beforeAll(async () => {
  service = await startTestService({ days: 30, now: new Date("2026-03-11T18:30:00Z"), vendor: "oura" })
  const person = service.simulator.people.add({ email: "early@vendor.example", traits: wornAlways(enduranceAthlete) })
  ;({ member } = await Member.connected(service, person))
  await member.connect(person, "oura")
  await member.untilHistoryIsComplete()
  await member.send("PUT", "/api/account/sources", { order: { sleep: ["whoop", "oura"], recovery: ["whoop", "oura"] } })
})
afterAll(() => service.close())

const EARLY = "/?date=2026-02-13"
const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true })

test.each([{ width: 360, height: 780 }, DESKTOP])("nothing moves while the curves load: %o", async (viewport) => {
  const { page, open, close } = await visit(browser, service, { member, viewport })
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if ("value" in entry)
          document.documentElement.dataset["shift"] = String(
            Number(document.documentElement.dataset["shift"] ?? 0) + Number(entry.value),
          )
    }).observe({ type: "layout-shift", buffered: true })
  })
  await page.route("**/api/account/series*", async (route) => {
    await region(page, "The night").waitFor()
    await route.continue()
  })
  await open(EARLY)
  await region(page, "The night")
    .getByRole("slider", { name: /heart rate/i })
    .waitFor()
  await page.waitForLoadState("networkidle")
  expect(await page.evaluate(() => Number(document.documentElement.dataset["shift"] ?? 0))).toBeLessThan(0.1)
  await close()
})

test("of curves that still load the page does not say that there are none", async () => {
  const { page, open, close } = await visit(browser, service, { member })
  const held = Promise.withResolvers<void>()
  await page.route("**/api/account/series*", async (route) => {
    await held.promise
    await route.continue()
  })
  await open(EARLY)
  const text = () => region(page, "The night").textContent()
  await expect.poll(text, { timeout: 30_000 }).toContain("heart rate loads")
  expect(await text()).not.toContain("no heart rate")
  held.resolve()
  await expect.poll(text, { timeout: 30_000 }).toMatch(/heart rate \d+ bpm/)
  await close()
})

test("no gap is between the panels of a wide screen", async () => {
  const { page, open, close } = await visit(browser, service, { member })
  await open(EARLY)
  await page.waitForLoadState("networkidle")
  const boxes = await page.locator("main .flow-root > div").evaluateAll((parts) =>
    parts
      .map((part) => part.getBoundingClientRect())
      .filter(({ height }) => height > 0)
      .map(({ left, top, bottom }) => ({ left, top, bottom })),
  )
  const columns = [...Map.groupBy(boxes, ({ left }) => left).values()]
  expect(columns).toHaveLength(2)
  for (const column of columns)
    for (const [index, { top }] of column.entries())
      if (index > 0) expect(top - (column[index - 1]?.bottom ?? 0)).toBeLessThan(40)
  await close()
})
