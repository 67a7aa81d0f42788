import { PAGES } from "@restwell/manual/site"
import {
  DESKTOP,
  expectAccessible,
  expectNoSidewaysScroll,
  inEveryAppearance,
  PHONE,
  useBrowser,
  visit,
} from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"

let service: TestService
const browser = useBrowser()
let member: Member
beforeAll(async () => {
  service = await startTestService({ days: 30 })
  ;({ member } = await Member.connected(service, service.simulator.people.add({ email: "lena@vendor.example" })))
})
afterAll(() => service.close())

const addressOf = (path: string): string => `/docs/${path === "index" ? "" : path}`

test("every page loads without a fault under the strict content security policy, and its links and pictures have a target", async () => {
  const { page, faults, close } = await visit(browser, service, { viewport: DESKTOP })
  const anchors = new Map<string, Set<string>>()
  const links: string[] = []
  for (const { path } of PAGES) {
    const answer = await page.goto(`${service.url}${addressOf(path)}`)
    expect(answer?.status(), path).toBe(200)
    const policy = answer?.headers()["content-security-policy"] ?? ""
    expect(policy).toMatch(/default-src 'none'.*style-src 'self';.*require-trusted-types-for 'script'/)
    expect(policy).not.toMatch(/unsafe/)
    expect(await page.locator("h1").count(), path).toBeGreaterThan(0)
    const hrefs = await page
      .locator("a[href], img[src]")
      .evaluateAll((nodes) =>
        nodes.map((node) => ("href" in node ? String(node.href) : "src" in node ? String(node.src) : "")),
      )
    const ids = await page.locator("[id]").evaluateAll((nodes) => nodes.map(({ id }) => id))
    anchors.set(new URL(addressOf(path), service.url).href, new Set(ids))
    links.push(...hrefs)
  }
  expect(faults).toEqual([])
  await close()
  const lost: string[] = []
  for (const link of new Set(links)) {
    const url = new URL(link)
    // Examples such as `your-restwell.example` and vendors' sites are not called: only their form is checked.
    if (url.origin !== service.url) continue
    const target = url.href.replace(url.hash, "")
    const known = anchors.get(target)
    const isReached = known ?? (await fetch(target)).ok
    if (!isReached || (known && url.hash !== "" && !known.has(decodeURIComponent(url.hash.slice(1))))) lost.push(link)
  }
  expect(lost).toEqual([])
  expect(links.length).toBeGreaterThan(200)
})

test("every page is there as Markdown, and llms.txt lists it", async () => {
  const list = await (await fetch(`${service.url}/llms.txt`)).text()
  for (const { path } of PAGES) {
    const answer = await fetch(`${service.url}/docs/${path}.md`)
    expect(answer.headers.get("content-type")).toMatch(/^text\/markdown/)
    expect(await answer.text()).toMatch(/^# /m)
    if (path !== "index") expect(list).toContain(`(/docs/${path}.md)`)
  }
  expect((await (await fetch(`${service.url}/docs/llms-full.txt`)).text()).length).toBeGreaterThan(50_000)
})

test("scripts are compressed as the browser accepts, and immutable", async () => {
  const html = await (await fetch(`${service.url}/docs/api`)).text()
  const paths = [...html.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path = ""]) => path)
  expect(paths.length).toBeGreaterThan(2)
  for (const path of paths)
    for (const encoding of ["br", "gzip"]) {
      const { status, headers } = await fetch(`${service.url}${path}`, { headers: { "accept-encoding": encoding } })
      expect([status, headers.get("content-encoding")], path).toEqual([200, encoding])
      expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
      expect(headers.get("content-security-policy")).toMatch(/default-src 'none'/)
    }
})

test("the search finds a page without a request to another site", async () => {
  const { page, faults, close } = await visit(browser, service, { viewport: DESKTOP })
  const elsewhere: string[] = []
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== service.url) elsewhere.push(request.url())
  })
  await page.goto(`${service.url}/docs/`)
  await page.getByRole("button", { name: "Search" }).first().click()
  await page.locator("#localsearch-input").fill("Tasker")
  await page.locator("#localsearch-list a").first().click()
  await page.waitForURL(/\/docs\/recipes#tasker$/)
  expect(elsewhere).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test("the search has guides before the API reference, and finds operations by their names", async () => {
  const { page, faults, close } = await visit(browser, service, { viewport: DESKTOP })
  await page.goto(`${service.url}/docs/`)
  await page.getByRole("button", { name: "Search" }).first().click()
  const results = page.locator("#localsearch-list a")
  const find = async (words: string) => {
    await page.locator("#localsearch-input").fill("")
    await expect.poll(() => results.count()).toBe(0)
    await page.locator("#localsearch-input").fill(words)
    await results.first().waitFor()
    return results.evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""))
  }
  for (const words of ["webhook", "journal", "sleep debt", "backup", "share", "assistant", "connect whoop"])
    expect((await find(words))[0], words).not.toMatch(/^\/docs\/(?:reference|changelog)/)
  const openapi = OpenApiSchema.parse(await (await fetch(`${service.url}/openapi.json`)).json())
  const operations = Object.values(openapi.paths).flatMap((methods) => Object.values(methods))
  expect(operations.length).toBeGreaterThan(50)
  const lost: string[] = []
  // Each takes a second, so one in eight stands for all.
  for (const { summary } of operations.filter((_, index) => index % 8 === 0))
    if (!(await find(summary)).some((href) => href.startsWith("/docs/reference"))) lost.push(summary)
  expect(lost).toEqual([])
  expect(faults).toEqual([])
  await close()
})

const OpenApiSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ summary: z.string() }))),
})

test("code has colours without style attributes", async () => {
  const { page, close } = await visit(browser, service, { viewport: DESKTOP })
  await page.goto(`${service.url}/docs/recipes`)
  const colours = await page
    .locator("pre span")
    .evaluateAll((words) => words.map((word) => getComputedStyle(word).color))
  expect(new Set(colours).size).toBeGreaterThan(3)
  expect(await page.locator("pre [style]").count()).toBe(0)
  await close()
})

test("try-it answers with the session of the dashboard, and with a key", async () => {
  const { page, faults, close } = await visit(browser, service, { viewport: PHONE, member })
  await page.goto(`${service.url}/docs/api`)
  await page.getByRole("button", { name: "Send" }).click()
  await page.locator(".try-it .status strong").getByText("200").waitFor()
  expect(await page.getByRole("region", { name: "Response" }).innerText()).toContain('"records"')
  const key = await member.newKey()
  await page.getByLabel("API key").fill(key)
  await page.getByRole("button", { name: "Send" }).click()
  await page.getByText("requests left this month").waitFor()
  expect(faults).toEqual([])
  await close()
})

/** With tables, code, diagrams and the reference. All pages have one style. */
const LOOKED_AT = ["", "recipes", "reference", "settings"]

test("the pages are accessible and fit, in both themes on a desktop and on a phone", { timeout: 240_000 }, async () => {
  const { page, faults, close } = await visit(browser, service)
  for (const path of LOOKED_AT) {
    await page.goto(`${service.url}/docs/${path}`)
    await page.locator("h1").waitFor()
    await inEveryAppearance(page, async (name) => {
      const isDark = () => page.evaluate("document.documentElement.classList.contains('dark')")
      await expect.poll(isDark).toBe(name.endsWith("dark"))
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      const folder = process.env["SCREENSHOTS"]
      if (folder) await page.screenshot({ path: `${folder}/${path || "index"}-${name}.png` })
    })
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNoSidewaysScroll(page)
  }
  expect(faults).toEqual([])
  await close()
})
