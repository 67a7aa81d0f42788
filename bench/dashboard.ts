/**
 * `npm run bench:dashboard`: how fast the dashboard's pages load in Chromium, with ten years of data. Measures the times that Lighthouse
 * reports, at full speed and as on a phone: four times slower, over slow 4G. Of pages with figures it also measures when these are there,
 * and counts the requests to the API.
 * @see https://web.dev/articles/vitals
 */

import { launchChromium } from "@restwell/testing/browser"
import type { Browser, BrowserContext } from "playwright-core"
import { openBenchService } from "./targets/bench-service.ts"

const RUNS = 5
const SETTLE_MS = 1_000
/** Slow 4G, as Lighthouse has it: milliseconds, and bytes a second. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
/** How much slower than this machine a phone is. */
const PHONE_SLOWDOWN = 4
const PAGES = [
  "/docs",
  "/sign-in",
  "/",
  "/trends",
  "/trends?metric=hrv&days=90",
  "/week",
  "/report",
  "/insights",
  "/developer",
  "/connections",
  "/account",
] as const

/** An element for each page whose text has a digit once the page's figures are there. */
const FIGURES: Readonly<Record<string, string>> = {
  "/": "main p[aria-live]",
  "/trends": "main section p.text-3xl",
  "/trends?metric=hrv&days=90": "main section p.text-3xl",
  "/week": "main table td",
  "/report": "main table td",
  "/insights": "main section ul li",
}

interface Vitals {
  readonly lcpMs: number
  readonly blockedMs: number
  readonly shift: number
  readonly scriptKilobytes: number
  /** When the page has its figures. 0 on pages without. */
  readonly figuresMs: number
  /** Requests to the API. */
  readonly requests: number
}

const service = await openBenchService({ days: 3650 })
const browser = await launchChromium()
try {
  print(["page", "requests", "LCP ms", "blocked ms", "CLS", "script kB", "phone: LCP", "blocked", "figures"])
  for (const path of PAGES) {
    const own = await medianOf(browser, path, { isPhone: false })
    const phone = await medianOf(browser, path, { isPhone: true })
    const ofPhone = [phone.lcpMs, phone.blockedMs, path in FIGURES ? phone.figuresMs : "-"]
    print([path, own.requests, own.lcpMs, own.blockedMs, own.shift, own.scriptKilobytes, ...ofPhone])
  }
} finally {
  await browser.close()
  await service.close()
}

interface Device {
  readonly isPhone: boolean
}

async function medianOf(chromium: Browser, path: string, device: Device): Promise<Vitals> {
  const runs: Vitals[] = []
  for (let run = 0; run < RUNS; run += 1) {
    const context = await chromium.newContext({ baseURL: service.url, viewport: { width: 390, height: 844 } })
    if (path !== "/sign-in" && path !== "/docs") await signIn(context)
    runs.push(await measure(context, path, device))
    await context.close()
  }
  const median = (pick: (vitals: Vitals) => number): number =>
    runs.map(pick).toSorted((one, other) => one - other)[Math.floor(RUNS / 2)] ?? Number.NaN
  return {
    lcpMs: median(({ lcpMs }) => lcpMs),
    blockedMs: median(({ blockedMs }) => blockedMs),
    shift: median(({ shift }) => shift),
    scriptKilobytes: median(({ scriptKilobytes }) => scriptKilobytes),
    figuresMs: median(({ figuresMs }) => figuresMs),
    requests: median(({ requests }) => requests),
  }
}

async function signIn(context: BrowserContext): Promise<void> {
  const [name = "", ...value] = (service.member.cookie.split("; ")[0] ?? "").split("=")
  await context.addCookies([{ name, value: value.join("="), url: service.url }])
}

/** Loads a page with an empty cache. */
async function measure(context: BrowserContext, path: string, { isPhone }: Device): Promise<Vitals> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  if (isPhone) {
    await session.send("Emulation.setCPUThrottlingRate", { rate: PHONE_SLOWDOWN })
    await session.send("Network.enable")
    await session.send("Network.emulateNetworkConditions", SLOW_4G)
  }
  await page.addInitScript((figures) => {
    const seen = { lcpMs: 0, blockedMs: 0, shift: 0, figuresMs: 0 }
    new MutationObserver(() => {
      const text = document.querySelector(figures)?.textContent ?? ""
      if (seen.figuresMs === 0 && /\d/.test(text)) seen.figuresMs = performance.now()
    }).observe(document, { subtree: true, childList: true, characterData: true })
    const watch = (
      type: string,
      take: (entry: PerformanceEntry & { value?: number; hadRecentInput?: boolean }) => void,
    ) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
    watch("largest-contentful-paint", ({ startTime }) => {
      seen.lcpMs = startTime
    })
    // Only the time of a task beyond 50 ms counts as blocked.
    watch("longtask", ({ duration }) => {
      seen.blockedMs += duration - 50
    })
    watch("layout-shift", ({ value = 0, hadRecentInput }) => {
      seen.shift += hadRecentInput ? 0 : value
    })
    Object.assign(window, { vitals: () => seen })
  }, FIGURES[path] ?? "none")
  await page.goto(path)
  await page.locator("h1").waitFor()
  await page.waitForLoadState("networkidle")
  await page.waitForTimeout(SETTLE_MS)
  const vitals = await page.evaluate(() => {
    const { vitals } = Object(window)
    const resources = performance.getEntriesByType("resource")
    const scripts = resources.filter(({ name }) => name.endsWith(".js"))
    const bytes = scripts.reduce((sum, entry) => sum + Number(Object(entry).encodedBodySize), 0)
    const requests = resources.filter(({ name }) => new URL(name).pathname.startsWith("/api/")).length
    return { ...vitals(), scriptKilobytes: bytes / 1000, requests }
  })
  return vitals
}

function print(cells: readonly (string | number)[]): void {
  const texts = cells.map((cell) => (typeof cell === "number" ? cell.toFixed(cell < 1 && cell > 0 ? 3 : 0) : cell))
  process.stdout.write(`${texts.map((text, index) => (index === 0 ? text.padEnd(28) : text.padStart(12))).join("")}\n`)
}
