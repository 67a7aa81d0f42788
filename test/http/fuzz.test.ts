import { connect } from "node:net"
import { HEALTH_TYPES } from "@restwell/client"
import { expectDescribed, Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { MEMBER_PAGES, PUBLIC_PAGES } from "../../packages/server/src/dashboard/dashboard.ts"

const REQUESTS = 10_000
const RAW_REQUESTS = 500
const PATIENCE_MS = 5_000

let service: TestService
let key: string
let cookie: string
beforeAll(async () => {
  service = await startTestService({ days: 20, environment: { FREE_MONTHLY_REQUESTS: "100000000", LOG_LEVEL: "warn" } })
  const { people } = service.simulator
  ;({ key } = await Member.connected(service, people.add({ email: "ada@vendor.example" })))
  ;({ cookie } = (await Member.connected(service, people.add({ email: "bob@vendor.example" }))).member)
})
afterAll(() => service.close())

const nasty = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom(
    "__proto__",
    "constructor",
    "\u0000",
    "' or 1=1 --",
    "{{7*7}}",
    "../../etc/passwd",
    "%00",
    "1e9",
    "NaN",
    "-0",
    "٣",
  ),
)

const PATHS = [
  "/api/v1/health",
  "/api/v1/health/",
  "/api/account",
  "/api/account/api-key",
  "/api/account/export",
  "/api/account/trends",
  "/api/account/health",
  "/api/auth/sign-in/email",
  "/api/auth/sign-in/code",
  "/api/auth/two-factor",
  "/api/auth/two-factor/confirm",
  "/api/auth/two-factor/recovery-codes",
  "/api/auth/two-factor/turn-off",
  "/api/auth/sign-up/email",
  "/api/auth/sign-out",
  "/api/auth/options",
  "/api/auth/passkeys",
  "/api/auth/passkeys/options",
  "/api/auth/passkeys/x",
  "/api/auth/sign-in/passkey",
  "/api/auth/sign-in/passkey/options",
  "/api/auth/sign-in/google",
  "/api/auth/callback/google",
  "/api/auth/set-password",
  "/api/auth/change-password",
  "/api/connections/whoop/authorize",
  "/api/connections/whoop/callback",
  "/api/connections/whoop/sync",
  "/api/connections/whoop",
  "/openapi.json",
  "/healthz",
  "/readyz",
]

/** The paths of the dashboard's HTML. */
const PAGES = new Set<string>([...PUBLIC_PAGES, ...MEMBER_PAGES])

const path = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...PATHS) },
  { weight: 1, arbitrary: nasty.map((text) => `/${encodeURIComponent(text.toWellFormed())}`) },
  {
    weight: 1,
    arbitrary: nasty.map((text) => `/api/connections/${encodeURIComponent(text.toWellFormed())}/authorize`),
  },
)

const parameter = fc.tuple(
  fc.oneof(fc.constantFrom("type", "days", "start_date", "end_date", "data", "state", "code", "error"), nasty),
  fc.oneof(
    fc.constantFrom(...HEALTH_TYPES, "7", "90", "91", "0", "2026-11-19", "2025-02-30", "9999-12-31", "0000-01-01", ""),
    nasty,
  ),
)

const search = fc
  .array(parameter, { maxLength: 5 })
  .map((pairs) =>
    new URLSearchParams(pairs.map(([name, value]) => [name.toWellFormed(), value.toWellFormed()])).toString(),
  )

/** Characters that fetch accepts in a header. */
const headerValue = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
  maxLength: 60,
})

const headers = fc.record(
  {
    authorization: fc.oneof(fc.constant("the key"), headerValue),
    "if-none-match": fc.oneof(fc.constantFrom("*", 'W/"x"', '"a", "b"'), headerValue),
    accept: headerValue,
    cookie: fc.oneof(fc.constant("the session"), headerValue),
    origin: fc.constantFrom("https://evil.example", "null", "http://localhost:3000"),
    "content-type": fc.oneof(fc.constantFrom("application/json", "text/plain", "multipart/form-data"), headerValue),
    "x-forwarded-for": headerValue,
  },
  { requiredKeys: [] },
)

const body = fc.option(
  fc.oneof(
    fc.json(),
    nasty,
    fc.json().map((text) => text.slice(1)),
    fc.constant("x".repeat(70_000)),
  ),
)

const request = fc.record({
  method: fc.constantFrom("GET", "GET", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"),
  path,
  search,
  headers,
  body,
})

test(`${REQUESTS} random requests get no 5xx, do not hang, and get only JSON`, async () => {
  const statuses = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 20, maxLength: 20 }), async (requests) => {
      await Promise.all(
        requests.map(async ({ method, path, search, headers, body }) => {
          const hasBody = body !== null && method !== "GET" && method !== "HEAD"
          const isDeletion = method === "DELETE" && path === "/api/account"
          const session = headers.cookie === "the session" && !isDeletion ? cookie : headers.cookie
          const authorization = headers.authorization === "the key" ? `Bearer ${key}` : headers.authorization
          const url = new URL(`${service.url}${path}?${search}`)
          const answer = await fetch(url, {
            method,
            redirect: "manual",
            signal: AbortSignal.timeout(PATIENCE_MS),
            headers: {
              ...headers,
              ...(authorization !== undefined && { authorization }),
              ...(session !== undefined && { cookie: session }),
            },
            ...(hasBody && { body: body.toWellFormed() }),
          })
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
          if (path === "/api/v1/health" && method === "GET") await expectDescribed(service.url, method, path, answer)
          // fetch normalises "/." to "/".
          if (!PAGES.has(url.pathname)) await expectJson(answer)
        }),
      )
    }),
    { numRuns: REQUESTS / 20 },
  )
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([])
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405]))
  expect((await readHealth(service.url, key)).status).toBe(200)
}, 300_000)

async function expectJson(answer: Response): Promise<void> {
  expect(answer.status).toBeLessThan(500)
  const text = await answer.text()
  if (text === "") return
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/)
  const parsed = JSON.parse(text)
  if (answer.status >= 400) expect(parsed).toMatchObject({ error: expect.any(String), message: expect.any(String) })
}

test(`${RAW_REQUESTS} random texts that may not be HTTP get JSON or a closed connection`, async () => {
  const line = fc.oneof(
    fc.constantFrom(
      "GET /api/v1/health HTTP/1.1",
      "GET / HTTP/9.9",
      "Host: x",
      "Host: y",
      "Content-Length: 5",
      "Content-Length: -1",
      "Transfer-Encoding: chunked",
      "Expect: 100-continue",
      "Upgrade: h2c",
      "Connection: Upgrade",
      "",
    ),
    fc.string({ unit: "binary-ascii", maxLength: 80 }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (lines) => {
      const answer = await sendRaw(`${lines.join("\r\n")}\r\n\r\n`)
      if (answer === "") return
      expect(answer).toMatch(/^HTTP\/1\.1 [1-4]\d\d /)
      expect(answer).not.toMatch(/<html/i)
    }),
    { numRuns: RAW_REQUESTS },
  )
}, 120_000)

/** Sends text and ends the connection. Resolves with the response. */
const sendRaw = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(service.url)
    const socket = connect(Number(port), "127.0.0.1")
    let answer = ""
    socket.setTimeout(PATIENCE_MS, () => reject(new Error(`no answer and no end to ${JSON.stringify(text)}`)))
    socket.on("data", (data) => {
      answer += data
    })
    socket.on("close", () => resolve(answer)).on("error", () => resolve(answer))
    socket.end(text)
  })
