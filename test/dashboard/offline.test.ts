import { expectAccessible, expectGoodInEveryAppearance, PHONE, useBrowser, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startProxy } from "../doctor/switchable-proxy.ts"

let service: TestService
const browser = useBrowser()
let member: Member
let key: string
beforeAll(async () => {
  service = await startTestService({ days: 60 })
  ;({ member, key } = await Member.connected(service, service.simulator.people.add({ email: "lena@vendor.example" })))
})
afterAll(() => service.close())

/** The paths and texts that the browser's caches hold of the person. */
const keptAnswers = (page: Page): Promise<{ path: string; text: string }[]> =>
  page.evaluate(async () => {
    const caches = await window.caches.keys()
    const requests = await Promise.all(
      caches.map(async (name) => {
        const cache = await window.caches.open(name)
        return Promise.all(
          (await cache.keys()).map(async (request) => {
            const { pathname: path, search } = new URL(request.url)
            return { path: path + search, text: (await (await cache.match(request))?.text()) ?? "" }
          }),
        )
      }),
    )
    return requests.flat().filter(({ path }) => path.startsWith("/api/"))
  })

const keptPaths = async (page: Page): Promise<string[]> => (await keptAnswers(page)).map(({ path }) => path)

async function signIn(page: Page, { email, password }: Pick<Member, "email" | "password">): Promise<void> {
  // Who has a session is not asked for a password.
  await page.context().clearCookies()
  await page.goto("/sign-in")
  await page.getByLabel("Email").fill(email)
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
  await page.getByRole("navigation", { name: "Pages" }).waitFor()
}

/** Opens Today as somebody who has just signed in, until what the main pages show first is kept. */
async function openToday(page: Page): Promise<void> {
  await signIn(page, member)
  const shown = [/day\?rows=\d+&date=/, /pages\/insights\?days=180/, /^\/api\/account$/].map((path) =>
    expect.stringMatching(path),
  )
  await expect.poll(() => keptPaths(page)).toEqual(expect.arrayContaining(shown))
}

test("offline, the pages show what was last seen, and from when", async () => {
  const { page, context, faults, close } = await visit(browser, service, { hasWorker: true, viewport: PHONE })
  await openToday(page)
  await context.setOffline(true)
  await page.reload()
  await page.getByText("You are offline").waitFor()
  await page.getByText(/^This is what Restwell showed on .+ \d{4}, /).waitFor()
  await page.getByRole("link", { name: "Trends" }).click()
  await page.getByRole("heading", { name: "Recovery", exact: true }).first().waitFor()
  expect(await page.getByRole("slider").count()).toBeGreaterThan(0)
  await page.getByRole("link", { name: "Insights" }).click()
  await page.getByRole("heading", { name: "What you did" }).waitFor()
  await expectGoodInEveryAppearance(page)
  await page.goto("/developer")
  await page.getByText("It is not shown while you are offline.").waitFor()
  expect(await page.getByText("You have no key yet.").count()).toBe(0)
  // A whole page load of a page that was never opened.
  await page.goto("/account")
  await page.getByRole("heading", { name: "Account", level: 1 }).waitFor()
  // A day of this week that was never opened.
  await page.goto("/")
  await page.getByRole("button", { name: "Previous day" }).click()
  await page.getByText("Yesterday").waitFor()
  await page.getByRole("region", { name: "The night" }).waitFor()
  // A day that was never looked at says so after one attempt.
  const asked: string[] = []
  page.on("request", (request) => void asked.push(request.url()))
  await page.goto("/?date=2026-02-03")
  await page.getByText("This day is not kept in this browser").waitFor()
  const days = asked.filter((url) => url.includes("/api/account/day?"))
  expect(days.length).toBeGreaterThan(0)
  expect(days).toEqual([...new Set(days)])
  await context.setOffline(false)
  await page.goto("/")
  await page.getByRole("heading", { level: 1 }).waitFor()
  await expect.poll(() => page.getByText("You are offline").count()).toBe(0)
  expect(faults.filter((fault) => !/ERR_INTERNET_DISCONNECTED|Failed to fetch/.test(fault))).toEqual([])
  await close()
})

test("a proxy in front of a service that is off is no answer: the pages show what was last seen", async () => {
  const proxy = await startProxy()
  proxy.target = service.url
  const { page, context, open, close } = await visit(browser, { url: proxy.url }, { member, hasWorker: true })
  await open("/")
  await expect.poll(() => keptPaths(page)).toEqual(expect.arrayContaining([expect.stringMatching(/pages\/insights/)]))
  const { target } = proxy
  // The proxy answers 502 now.
  proxy.target = "http://127.0.0.1:1"
  expect((await context.request.get("/api/account")).status()).toBe(502)
  await open("/")
  await page.getByText(/^This is what Restwell showed on .+ \d{4}, /).waitFor()
  await page.getByRole("region", { name: "The night" }).waitFor()
  // What is not kept has no other answer than the proxy's.
  expect(await page.evaluate(async () => (await fetch("/api/account/signs?days=3")).status)).toBe(502)
  proxy.target = target
  await open("/")
  await expect.poll(() => page.getByText("You are offline").count()).toBe(0)
  await close()
  await proxy.close()
})

describe("what is kept", () => {
  test("has no key, export, log or setting, and is gone after signing out", async () => {
    const { page, close } = await visit(browser, service, { hasWorker: true })
    await openToday(page)
    for (const path of ["/developer", "/connections", "/account"]) {
      await page.goto(path)
      await page.waitForLoadState("networkidle")
    }
    await page.evaluate(() => fetch("/api/account/export").then((response) => response.text()))
    const kept = await keptAnswers(page)
    expect(kept.map(({ path }) => path)).toContain("/api/account")
    for (const { path, text } of kept) {
      expect(path).toMatch(/^\/api\/account(?:$|\/(?:day|journal|pages|series|signs|sources|trends)\b)/)
      expect(text).not.toContain(key.slice(0, 8))
    }
    await page.goto("/account")
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("heading", { name: "Sign in" }).waitFor()
    await page.waitForLoadState("networkidle")
    expect(await keptPaths(page)).toEqual([])
    await close()
  })

  test("is deleted when another person signs in, and when the session has ended elsewhere", async () => {
    const { page, context, close } = await visit(browser, service, { hasWorker: true })
    await openToday(page)
    const other = new Member(service)
    await other.signUp()
    await signIn(page, other)
    await page.waitForLoadState("networkidle")
    const texts = (await keptAnswers(page)).map(({ text }) => text).join()
    expect(texts).not.toContain(member.email)
    await signIn(page, member)
    await expect.poll(() => keptPaths(page)).toContain("/api/account")
    // A request of the page that is still on its way would be refused too, and lead to the sign-in.
    await page.waitForLoadState("networkidle")
    await context.clearCookies()
    await page.evaluate(() => void fetch("/api/account"))
    await expect.poll(() => keptPaths(page)).toEqual([])
    await close()
  })
})

describe("scripts that cannot load", () => {
  /** Whether an address is that of a script of Trends alone. The page itself names those that all pages share. */
  async function ofTrends(): Promise<(url: URL) => boolean> {
    const first = await (await fetch(service.url)).text()
    return ({ pathname }) => /^\/assets\/trends-[^/]+\.js$/.test(pathname) && !first.includes(pathname)
  }

  test("an old tab after an upgrade reloads itself once, and then offers to reload", async () => {
    const { page, open, close } = await visit(browser, service, { member })
    let loads = 0
    page.on("load", () => {
      loads += 1
    })
    const isOfTrends = await ofTrends()
    await page.route(isOfTrends, (route) => route.fulfill({ status: 404, body: "" }))
    await open("/")
    await page.getByRole("link", { name: "Trends" }).click()
    await page.getByRole("heading", { name: "This page could not be loaded" }).waitFor()
    expect(loads).toBe(2)
    await page.getByRole("navigation", { name: "Pages" }).waitFor()
    await expectAccessible(page)
    // Another page still works, and so does this one once its script is there.
    await page.getByRole("link", { name: "Connections" }).click()
    await page.getByRole("heading", { name: "Connections", level: 1 }).waitFor()
    await page.getByRole("link", { name: "Trends" }).click()
    await page.unroute(isOfTrends)
    await page.getByRole("button", { name: "Reload" }).click()
    await page.getByRole("heading", { name: "Trends", level: 1 }).waitFor()
    await close()
  })

  test("the reload of an old tab is enough when the new version has the script", async () => {
    const { page, open, close } = await visit(browser, service, { member })
    let requests = 0
    // The route stays: a request that is under way when a route ends may never be answered.
    await page.route(await ofTrends(), (route) => {
      requests += 1
      return requests === 1 ? route.fulfill({ status: 404, body: "" }) : route.continue()
    })
    await open("/")
    await page.getByRole("link", { name: "Trends" }).click()
    await page.getByRole("heading", { name: "Trends", level: 1 }).waitFor()
    await close()
  })

  test("without its first script the page says so", async () => {
    const { page, close } = await visit(browser, service, { member })
    await page.route(/\/assets\/index-[^/]+\.js/, (route) => route.abort())
    await page.goto("/")
    await page.getByRole("heading", { name: "Restwell could not be loaded" }).waitFor()
    await page.unroute(/\/assets\/index-[^/]+\.js/)
    await page.getByRole("button", { name: "Reload" }).click()
    await page.getByRole("navigation", { name: "Pages" }).waitFor()
    expect(await page.getByRole("heading", { name: "Restwell could not be loaded" }).count()).toBe(0)
    await close()
  })
})

test.each(["Enter", "Tab"])("the calendar's button keeps what %s did before its script was there", async (key) => {
  const { page, faults, close } = await visit(browser, service, { member })
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/assets\/calendar-[\w-]{8}\.js/, async (route) => {
    await isReleased
    await route.continue()
  })
  await page.goto("/", { waitUntil: "commit" })
  const button = page.getByRole("button", { name: /^Pick a day/ })
  await button.waitFor()
  await page.getByRole("button", { name: "Previous day" }).focus()
  await page.keyboard.press("Tab")
  if (key === "Enter") await page.keyboard.press("Enter")
  release()
  const calendar = page.getByRole("dialog", { name: "Calendar" })
  if (key === "Enter") {
    await calendar.locator("[data-date]:focus").waitFor()
    await page.keyboard.press("Escape")
  }
  // The page is loaded once the script is there.
  await page.waitForLoadState("networkidle")
  await calendar.waitFor({ state: "hidden" })
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Pick a day/)
  await page.keyboard.press("Enter")
  await calendar.locator("[data-date]:focus").waitFor()
  expect(faults).toEqual([])
  await close()
})
