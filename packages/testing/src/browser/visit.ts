import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import type { Browser, BrowserContext, CDPSession, Frame, Page } from "playwright-core"
import { expect } from "vitest"
import type { Address, Member } from "../member/member.ts"

export const PHONE = { width: 390, height: 844 }
export const DESKTOP = { width: 1280, height: 800 }

export interface VisitOptions {
  /** The member who is signed in. @default nobody */
  readonly member?: Member
  readonly colorScheme?: "dark" | "light"
  readonly viewport?: { readonly width: number; readonly height: number }
  /** @default true */
  readonly javaScriptEnabled?: boolean
}

/** A browser window on the dashboard. `faults` collects script errors and what the content security policy blocked. */
export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  readonly faults: string[]
  /** Goes to a page and waits for its heading. */
  open(path: string): Promise<void>
  close(): Promise<void>
}

export async function visit(browser: Browser, { url }: Address, options: VisitOptions = {}): Promise<Visit> {
  const { member, colorScheme = "light", viewport = DESKTOP, javaScriptEnabled = true } = options
  const context = await browser.newContext({
    baseURL: url,
    colorScheme,
    viewport,
    javaScriptEnabled,
    acceptDownloads: true,
  })
  if (member) await signInAs(context, url, member)
  const page = await context.newPage()
  const faults: string[] = []
  page.on("pageerror", (error) => faults.push(String(error)))
  page.on("console", (message) => {
    // Chromium logs every 4xx as an error, and some tests provoke them.
    if (message.type() === "error" && !/Failed to load resource/.test(message.text())) faults.push(message.text())
  })
  return {
    page,
    context,
    faults,
    async open(path) {
      await page.goto(path)
      await page.locator("h1").waitFor()
    },
    close: () => context.close(),
  }
}

export async function signInAs(context: BrowserContext, url: string, member: Member): Promise<void> {
  const cookies = member.cookie.split("; ").map((cookie) => {
    const [name = "", ...value] = cookie.split("=")
    return { name, value: value.join("="), url, httpOnly: true, sameSite: "Lax" as const }
  })
  await context.addCookies(cookies)
}

const axe = readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8")

/** Expects that axe finds no breach of WCAG 2.2 A and AA, or of its own best practices. */
export async function expectAccessible(page: Page | Frame): Promise<void> {
  // While an element fades in, its contrast is too low: wait until two frames pass without an animation.
  await page.evaluate(async () => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const running = () =>
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getTiming().iterations !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished)
    for (let quietFrames = 0; quietFrames < 2; quietFrames += 1) {
      await nextFrame()
      const animations = running()
      if (animations.length > 0) quietFrames = -1
      await Promise.allSettled(animations)
    }
  })
  // The debugger may run scripts that the page's content security policy blocks.
  await page.evaluate(await axe)
  const found: unknown = await page.evaluate(
    `axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
      .then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html.slice(0, 160)).join(" | ")))`,
  )
  expect(found, page.url()).toEqual([])
}

/** Expects that the page is no wider than its window. WCAG 2.2, 1.4.10 */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(excess, page.url()).toBeLessThanOrEqual(0)
}

/** Expects that a secret is in no storage, cookie or address of the page. */
export async function expectNotKept(page: Page, secret: string): Promise<void> {
  const kept = await page.evaluate(async () => ({
    storage: [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })].join(),
    databases: (await indexedDB.databases()).length,
    cookies: document.cookie,
    address: window.location.href,
  }))
  expect(kept.databases).toBe(0)
  for (const text of [kept.storage, kept.cookies, kept.address]) expect(text).not.toContain(secret)
}

export interface Authenticator {
  readonly session: CDPSession
  readonly id: string
}

/** Adds a simulated device that creates passkeys without asking its user. @see https://www.w3.org/TR/webauthn-3/#sctn-automation */
export async function addAuthenticator(page: Page, isUserVerified = true): Promise<Authenticator> {
  const session = await page.context().newCDPSession(page)
  await session.send("WebAuthn.enable")
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  })
  return { session, id: authenticatorId }
}
