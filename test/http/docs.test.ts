import { HEALTH_TYPES } from "@restwell/client"
import { launchChromium } from "@restwell/testing/browser"
import { startTestService, type TestService } from "@restwell/testing/service"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"

let service: TestService
let browser: Browser
beforeAll(async () => {
  service = await startTestService({ days: 5 })
  browser = await launchChromium()
})
afterAll(async () => {
  await browser.close()
  await service.close()
})

test("the reference works without a script, under a strict content security policy", async () => {
  const page = await browser.newPage()
  const faults: string[] = []
  page.on("console", (message) => faults.push(message.text()))
  page.on("requestfailed", (request) => faults.push(request.url()))
  const answer = await page.goto(`${service.url}/docs/reference`)
  expect(answer?.headers()["content-security-policy"]).toMatch(/default-src 'none'.*style-src 'self'/)
  expect(await page.locator("script").count()).toBe(0)
  expect(await page.locator("h1").evaluate((heading) => getComputedStyle(heading).fontSize)).not.toBe("2em")
  expect(faults).toEqual([])
  await page.close()
})

test("the reference has every type with its fields and its URL", async () => {
  const page = await browser.newPage()
  await page.goto(`${service.url}/docs/reference`)
  const text = await page.locator("main").innerText()
  for (const type of HEALTH_TYPES) expect(await page.locator(`#type-${type}`).count()).toBe(1)
  for (const field of [
    "records[].stages.rem_hours",
    "skin_temp_deviation_celsius",
    "zone_5_hours",
    "includes_open_cycle",
  ])
    expect(text).toContain(field)
  expect(text).toContain(`${service.url}/api/v1/health?type=recovery`)
  await page.close()
})

test.each([320, 1440])(
  "at %d pixels nothing is wider than the page, and every internal link has a target",
  async (width) => {
    const page = await browser.newPage({ viewport: { width, height: 800 } })
    await page.goto(`${service.url}/docs/reference`)
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
    const lost = await page.evaluate(
      "[...document.querySelectorAll('a[href^=\"#\"]')].map((a) => a.getAttribute('href')).filter((href) => !document.querySelector(href))",
    )
    expect(lost).toEqual([])
    await page.close()
  },
)

test.each(["light", "dark"] as const)(
  "in the %s scheme every text has a contrast of at least 4.5 to 1",
  async (colorScheme) => {
    const page = await browser.newPage({ colorScheme })
    await page.goto(`${service.url}/docs/reference`)
    const faint = await page.evaluate(`(() => {
    const channel = (value) => { const c = value / 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4 }
    const luminance = (rgb) => { const [r, g, b] = rgb.match(/[\\d.]+/g).map(Number); return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b) }
    const ground = (node) => { for (let n = node; n; n = n.parentElement) { const c = getComputedStyle(n).backgroundColor; if (!/, 0\\)$|transparent/.test(c)) return c } return "rgb(255, 255, 255)" }
    return [...document.querySelectorAll("h1,h2,h3,p,a,th,td,code,li,footer")].filter((node) => {
      const [one, other] = [luminance(getComputedStyle(node).color), luminance(ground(node))].sort((a, b) => b - a)
      return (one + 0.05) / (other + 0.05) < 4.5
    }).map((node) => node.outerHTML.slice(0, 80))
  })()`)
    expect(faint).toEqual([])
    await page.close()
  },
)
