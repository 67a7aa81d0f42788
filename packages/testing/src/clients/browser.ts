/** A real Chromium for tests, on a machine that has nothing but what npm installed. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Frame,
  type LaunchOptions,
  type Page,
} from "playwright-core"
import { afterAll, expect } from "vitest"
import type { Address, Member } from "./member.ts"

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
]

/** Inside the package, so that a newer version of it starts without the old one's files. */
const UNPACKED_FOLDER = fileURLToPath(new URL("../unpacked", import.meta.resolve("@sparticuz/chromium")))

/** The package's own list of font folders names places on AWS only. */
const FONTS_CONF = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir></fontconfig>
`

/**
 * Starts a headless Chromium with an empty profile of its own; closing the browser removes the profile.
 * It is the one `CHROMIUM_PATH` names, else the one of the npm package, which is for Linux on x64 only.
 */
export async function launchChromium(): Promise<Browser> {
  const executablePath = process.env["CHROMIUM_PATH"]
  const which = executablePath ? { executablePath } : await unpackedChromium()
  return chromium.launch({ ...which, headless: true, args: ARGUMENTS })
}

async function unpackedChromium(): Promise<Pick<LaunchOptions, "executablePath" | "env">> {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error("set CHROMIUM_PATH to a Chromium or Chrome: npm has none for this machine")
  }
  if (!existsSync(UNPACKED_FOLDER)) await unpack()
  return {
    executablePath: join(UNPACKED_FOLDER, "chromium"),
    env: {
      ...process.env,
      // A bare Debian or container has neither NSS nor a font; the package brings both.
      LD_LIBRARY_PATH: join(UNPACKED_FOLDER, "al2023", "lib"),
      FONTCONFIG_PATH: join(UNPACKED_FOLDER, "fonts"),
    },
  }
}

/** Unpacks beside the final folder and renames, so that of two test runs at once neither sees half of it. */
async function unpack(): Promise<void> {
  const staging = await mkdtemp(`${UNPACKED_FOLDER}-`)
  const program = fileURLToPath(new URL("unpack-chromium.ts", import.meta.url))
  // The package takes the folder from TMPDIR, and adds its libraries only where it believes to be on AWS.
  const env = { ...process.env, TMPDIR: staging, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x" }
  try {
    await promisify(execFile)(process.execPath, [program], { env })
    await writeFile(join(staging, "fonts", "fonts.conf"), FONTS_CONF)
    await rename(staging, UNPACKED_FOLDER)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    if (!existsSync(UNPACKED_FOLDER)) throw error
  }
}

/** Opens pages in a Chromium, each context with cookies and storage of its own. */
export type Contexts = Pick<Browser, "newContext" | "newPage">

/** The browser of a test file. Call it at the top of the file: it starts with the first page, and ends after the tests. */
export function useBrowser(): Contexts {
  let browser: Promise<Browser> | undefined
  const newContext = async (options?: BrowserContextOptions): Promise<BrowserContext> => {
    browser ??= launchChromium()
    return (await browser).newContext(options)
  }
  afterAll(async () => {
    await (await browser)?.close()
  })
  return { newContext, newPage: async (options) => (await newContext(options)).newPage() }
}

export const PHONE = { width: 390, height: 844 }
export const DESKTOP = { width: 1280, height: 800 }

/** Each theme and each size once: colours depend on the one and the layout on the other. */
const APPEARANCES = [
  { colorScheme: "dark", device: "phone", viewport: PHONE },
  { colorScheme: "light", device: "desktop", viewport: DESKTOP },
] as const

/** Runs a check in both themes, on a phone and on a desktop. The page is not loaded again. @param check its name is for files */
export async function inEveryAppearance(page: Page, check: (name: string) => Promise<void>): Promise<void> {
  for (const { colorScheme, device, viewport } of APPEARANCES) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    await check(`${device}-${colorScheme}`)
  }
}

/** Expects that a page is accessible and fits, in both themes, on a phone and on a desktop. */
export const expectGoodInEveryAppearance = (page: Page): Promise<void> =>
  inEveryAppearance(page, async () => {
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  })

export interface VisitOptions {
  /** The member who is signed in. @default nobody */
  readonly member?: Member
  readonly colorScheme?: "dark" | "light"
  readonly viewport?: { readonly width: number; readonly height: number }
  /** @default true */
  readonly javaScriptEnabled?: boolean
  /** Of the browser, as de-DE. @default the system's */
  readonly locale?: string
  /** Of the browser, as Europe/Berlin. @default the system's */
  readonly timezoneId?: string
  /** Whether the page may start its service worker, whose requests a test cannot intercept. @default false */
  readonly hasWorker?: boolean
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

export async function visit(browser: Contexts, { url }: Address, options: VisitOptions = {}): Promise<Visit> {
  const {
    member,
    colorScheme = "light",
    viewport = DESKTOP,
    javaScriptEnabled = true,
    hasWorker = false,
    locale,
    timezoneId,
  } = options
  const context = await browser.newContext({
    baseURL: url,
    colorScheme,
    viewport,
    javaScriptEnabled,
    serviceWorkers: hasWorker ? "allow" : "block",
    acceptDownloads: true,
    ...(locale !== undefined && { locale }),
    ...(timezoneId !== undefined && { timezoneId }),
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

/** Opens a line of a list of devices or ways. */
export const openLine = (page: Page, name: string): Promise<void> =>
  page.getByRole("heading", { name, exact: true }).click()

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
        // In a part that was closed meanwhile they stand still, and never finish.
        .filter(({ effect }) => !(effect instanceof KeyframeEffect) || effect.target?.checkVisibility())
        .map(({ finished }) => finished)
    for (let quietFrames = 0; quietFrames < 2; quietFrames += 1) {
      await nextFrame()
      const animations = running()
      if (animations.length > 0) quietFrames = -1
      await Promise.allSettled(animations)
    }
  })
  // The debugger may run scripts that the page's content security policy blocks.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(await axe)
  // Selectors, and lists of what is well, take half of the time of a long page.
  const found: unknown = await page.evaluate(
    `axe.run({
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      resultTypes: ["violations"],
      selectors: false,
    })
      .then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html.slice(0, 160)).join(" | ")))`,
  )
  expect(found, page.url()).toEqual([])
}

/** Expects that the page is no wider than its window. WCAG 2.2, 1.4.10 */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  // Charts follow a new width a frame later.
  const excess = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  await expect.poll(excess, { message: page.url() }).toBeLessThanOrEqual(0)
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
