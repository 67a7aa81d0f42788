/** The built package in a real browser, against a server of the same origin and one of another. */
import { join } from "node:path"
import { quotaHeaders, RESET, SLEEP } from "@restwell/testing/answers"
import { useBrowser } from "@restwell/testing/browser"
import { build } from "esbuild"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { buildPackage, REPOSITORY, temporaryFolder } from "./built-package.ts"
import { type LocalServer, sendReply, startServer } from "./local-server.ts"

/** CORS headers of a service that a page of another origin may read. */
const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "authorization, if-none-match",
  "access-control-expose-headers": "etag, retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset",
}
const ETAG = '"v7-sleep"'
const USED_UP = { error: "rate_limited", message: "monthly request limit exceeded", limit: 1000, reset: RESET }

const scope = new AsyncDisposableStack()
let page: Page
let pageServer: LocalServer
let apiServer: LocalServer

/** Serves the page, its module, and an API: sleep with an ETag, recovery with a 429. */
const startHealthServer = (script: string) =>
  startServer((request, response) => {
    if (request.method === "OPTIONS") return sendReply(response, { status: 204, headers: CORS })
    if (request.url === "/")
      return sendReply(response, { status: 200, headers: { "content-type": "text/html" }, body: "<p>" })
    if (request.url === "/client.js") {
      return sendReply(response, { status: 200, headers: { "content-type": "text/javascript" }, body: script })
    }
    const headers = { ...CORS, ...quotaHeaders(999), etag: ETAG, "cache-control": "private, max-age=900" }
    if (request.url?.includes("type=recovery")) return sendReply(response, { status: 429, headers, body: USED_UP })
    if (request.headers["if-none-match"] === ETAG) return sendReply(response, { status: 304, headers })
    sendReply(response, { status: 200, headers, body: SLEEP })
  })

const browser = useBrowser()
beforeAll(async () => {
  const folder = scope.use(await temporaryFolder())
  await buildPackage(join(folder.path, "package"))
  const { outputFiles } = await build({
    entryPoints: [join(folder.path, "package", "index.js")],
    bundle: true,
    format: "esm",
    platform: "browser",
    nodePaths: [join(REPOSITORY, "node_modules")],
    write: false,
  })
  const script = outputFiles[0]?.text ?? ""
  pageServer = scope.use(await startHealthServer(script))
  apiServer = scope.use(await startHealthServer(script))
  page = await browser.newPage()
  await page.goto(pageServer.url)
})

afterAll(() => scope.disposeAsync())

/** Runs the body of an async function of `client` in the page, and returns its value by way of JSON. */
async function inPage(baseUrl: string, body: string): Promise<unknown> {
  const json = await page.evaluate<string>(`(async () => {
    const { createClient, RateLimitedError } = await import("/client.js")
    const client = createClient({ baseUrl: ${JSON.stringify(baseUrl)}, apiKey: "rw_key" })
    return JSON.stringify(await (async () => { ${body} })())
  })()`)
  return JSON.parse(json)
}

it.each([
  ["the same origin", () => pageServer],
  ["another origin", () => apiServer],
])("reads sleep from %s and confirms it by its ETag", async (_, serverOf) => {
  const server = serverOf()
  const result = await inPage(server.url, "return [await client.sleep({ days: 7 }), await client.sleep({ days: 7 })]")
  const quota = { limit: 1000, remaining: 999, reset: RESET }
  expect(result).toEqual([
    { data: SLEEP, quota, notModified: false },
    { data: SLEEP, quota, notModified: true },
  ])
  const reads = server.requests.filter(({ method, path }) => method === "GET" && path.includes("type=sleep"))
  expect(reads.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, ETAG])
})

it("sends a request for every call, even with a response in the browser's cache", async () => {
  const before = apiServer.requests.filter(({ method }) => method === "GET").length
  await inPage(apiServer.url, "return (await client.sleep({ days: 3 })).notModified")
  await inPage(apiServer.url, "return (await client.sleep({ days: 3 })).notModified")
  expect(apiServer.requests.filter(({ method }) => method === "GET").length - before).toBe(2)
})

it("throws a RateLimitedError with limit and reset when the quota is used up", async () => {
  const result = await inPage(
    pageServer.url,
    `return client.recovery().then(() => "no error", (error) => {
      const { name, code, status, limit, reset } = error
      return { isTyped: error instanceof RateLimitedError, name, code, status, limit, reset }
    })`,
  )
  const fields = { name: "RateLimitedError", code: "rate_limited", status: 429, limit: 1000, reset: RESET }
  expect(result).toEqual({ isTyped: true, ...fields })
})

it("ends a call when its signal aborts", async () => {
  const name = await inPage(
    pageServer.url,
    `return client.sleep({}, { signal: AbortSignal.abort() }).then(() => "no error", (error) => error.name)`,
  )
  expect(name).toBe("AbortError")
})
