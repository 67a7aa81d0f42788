/** A chat in Chromium that shows the view in a sandboxed frame of another origin. */
import { readFile } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import type { Chart } from "@restwell/client"
import { type Contexts, expectAccessible } from "@restwell/testing/browser"
import { build } from "esbuild"
import type { Frame, Page } from "playwright-core"
import { afterAll, beforeAll, expect } from "vitest"
import { resultWith } from "./example-charts.ts"
import type { ChatContext } from "./host-page.ts"

/** What hosts allow a view that declares no domains. SEP-1865, "Content Security Policy" */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "media-src 'self' data:; object-src 'none'; connect-src 'none'"

/** Colours of a chat behind the view, which has no background of its own. */
const BACKGROUNDS = { light: "#ffffff", dark: "#1f1e1d" } as const
export type Theme = keyof typeof BACKGROUNDS

export interface Chat {
  readonly page: Page
  /** The view inside the chat. */
  readonly view: Frame
  /** Errors of scripts, violated policies, and messages that the official schemas refuse. */
  faults(): Promise<readonly string[]>
  input(values: Record<string, unknown>): Promise<void>
  result(result: object): Promise<void>
  cancel(reason: string): Promise<void>
  change(context: ChatContext): Promise<void>
  /** Expects that axe finds nothing in the view, and that it is no wider than its frame and as high as it said. */
  expectGood(): Promise<void>
  close(): Promise<void>
}

export interface ChatOptions {
  readonly theme?: Theme
  readonly width?: number
  readonly variables?: Record<string, string>
}

export interface ChatServers extends AsyncDisposable {
  open(browser: Contexts, html: string, options?: ChatOptions): Promise<Chat>
}

const HTML = new URL("../../packages/dashboard/dist/chat.html", import.meta.url)

/** Chats that show the built view, for the tests of a file. */
export function useChats(browser: Contexts) {
  let servers: ChatServers
  let html: string
  beforeAll(async () => {
    html = await readFile(HTML, "utf8")
    servers = await startChatServers()
  })
  afterAll(() => servers[Symbol.asyncDispose]())
  return {
    /** Opens a chat, and expects no fault of the view in it. */
    inChat: async (options: ChatOptions, use: (chat: Chat) => Promise<void>): Promise<void> => {
      const chat = await servers.open(browser, html, options)
      await use(chat)
      expect(await chat.faults()).toEqual([])
      await chat.close()
    },
    /** Sends a call and its result, as for every question of a chat. */
    show: async (chat: Chat, chart: Chart): Promise<void> => {
      await chat.input({})
      await chat.view.getByText("Loading the chart").waitFor()
      await chat.result(resultWith(chart))
      await chat.view.getByText("Loading the chart").waitFor({ state: "detached" })
    },
  }
}

/** Serves the page of the chat and, from another origin, the views. */
export async function startChatServers(): Promise<ChatServers> {
  const script = await bundleHost()
  const views: string[] = []
  const host = await listen((path) =>
    path === "/host.js" ? { body: script, type: "text/javascript" } : { body: hostPage(path), type: "text/html" },
  )
  const sandbox = await listen((path) => ({
    body: views[Number(path.slice(1))] ?? "",
    type: "text/html",
    policy: POLICY,
  }))
  return {
    open(browser, html, options = {}) {
      const address = `${sandbox.url}/${views.push(html) - 1}`
      return openChat({ browser, hostUrl: host.url, address, options })
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([host.close(), sandbox.close()])
    },
  }
}

async function bundleHost(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [new URL("host-page.ts", import.meta.url).pathname],
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
  })
  return outputFiles[0]?.text ?? ""
}

const hostPage = (path: string): string => {
  const theme = path === "/dark" ? "dark" : "light"
  return `<!doctype html><html lang="en"><title>Chat</title>
<style>html { color-scheme: ${theme}; background: ${BACKGROUNDS[theme]} } body { margin: 0 } iframe { border: 0; width: 100%; height: 40px; display: block }</style>
<iframe title="Chart" sandbox="allow-scripts allow-same-origin"></iframe><script type="module" src="/host.js"></script>`
}

interface Answer {
  readonly body: string
  readonly type: string
  readonly policy?: string
}

async function listen(answer: (path: string) => Answer): Promise<{ url: string; close(): Promise<void> }> {
  const server: Server = createServer(({ url = "/" }, response) => {
    const { body, type, policy } = answer(url)
    response.setHeader("content-type", `${type}; charset=utf-8`)
    if (policy) response.setHeader("content-security-policy", policy)
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the server has no port")
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  }
}

interface Opening {
  readonly browser: Contexts
  readonly hostUrl: string
  readonly address: string
  readonly options: ChatOptions
}

async function openChat({ browser, hostUrl, address, options }: Opening): Promise<Chat> {
  const { theme = "light", width = 640, variables } = options
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme: "light" })
  const errors: string[] = []
  page.on("pageerror", (error) => errors.push(String(error)))
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()))
  page.on("requestfailed", (request) => errors.push(`request for ${request.url()}`))
  await page.goto(`${hostUrl}/${theme}`)
  const context: ChatContext = { theme, ...(variables && { styles: { variables } }) }
  await page.evaluate(([to, given]) => window.chatHost.open(to, given), [address, context] as const)
  const view = page.frame({ url: address })
  if (!view) throw new Error("the view is not in its frame")
  return {
    page,
    view,
    faults: async () => [...errors, ...(await page.evaluate(() => window.chatHost.faults))],
    input: (values) => page.evaluate((given) => window.chatHost.input(given), values),
    result: (result) => page.evaluate((given) => window.chatHost.result(given), result),
    cancel: (reason) => page.evaluate((given) => window.chatHost.cancel(given), reason),
    change: (changed) => page.evaluate((given) => window.chatHost.change(given), changed),
    expectGood: () => expectGood(page, view, theme),
    close: () => page.close(),
  }
}

async function expectGood(page: Page, view: Frame, theme: Theme): Promise<void> {
  await expect
    .poll(async () => {
      const sent = await page.evaluate(() => window.chatHost.size)
      const is = await view.evaluate(() => document.documentElement.getBoundingClientRect().height)
      return Math.abs((sent?.height ?? 0) - is)
    })
    .toBeLessThan(1)
  const excess = await view.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(excess).toBeLessThanOrEqual(0)
  // For axe a document without a background is white.
  const paint = (color: string) =>
    view.evaluate((given) => document.documentElement.style.setProperty("background", given), color)
  await paint(BACKGROUNDS[theme])
  await expectAccessible(view)
  await paint("")
}
