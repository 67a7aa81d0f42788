import { createServer, type Server } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { generateApiKey, type HealthReader, type HealthReadRequest, Unavailable } from "@restwell/core"
import { afterEach, beforeEach, expect, test } from "vitest"
import { takeFastPath } from "./health-fast-path.ts"
import type { AnsweredRequest } from "./plumbing/metrics.ts"

const { text: key, keyHash } = generateApiKey()
const quota = { limit: 10, remaining: 7, reset: new Date("2026-12-01T00:00:00Z") }
const BYTES = Buffer.from('{"records":[]}')

let server: Server
let read: HealthReadRequest[]
let measured: AnsweredRequest[]
let failures: unknown[]
let isDraining: boolean
let answer: HealthReader["readBytes"]

beforeEach(async () => {
  read = []
  measured = []
  failures = []
  isDraining = false
  answer = async () => ({ outcome: "answer", bytes: BYTES, etag: '"1"', recordCount: 0, quota })
  // What the framework would be asked.
  server = createServer((_request, response) => void response.writeHead(299).end())
  takeFastPath(server, {
    reader: {
      read: () => Promise.reject(new Error("not by this way")),
      readBytes(request) {
        read.push(request)
        return answer(request)
      },
    },
    clock: { now: () => new Date("2026-11-20T00:00:00Z") },
    readiness: {
      check: async () => true,
      drain: async () => {},
      noteRequest: () => {},
      isSheddingLoad: false,
      get isDraining() {
        return isDraining
      },
    },
    measureAnswer: (answered) => measured.push(answered),
    logFailure: (error) => failures.push(error),
    headers: ["x-of-all", "yes"],
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

const portOf = (): number => {
  const { port }: AddressInfo = Object(server.address())
  return port
}

/** Sends lines as they are. @returns the answer's head and body */
const send = (lines: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ""
    connect(portOf(), "127.0.0.1")
      .on("data", (chunk) => (text += chunk))
      .on("end", () => resolve(text))
      .on("error", reject)
      .write(`${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`)
  })

const plain = (path = "/api/v1/health?type=sleep&days=7") => [
  `GET ${path} HTTP/1.1`,
  "Host: a",
  `Authorization: Bearer ${key}`,
]

test("a plain request is read, answered with the bytes and measured", async () => {
  const text = await send([...plain(), "X-Request-Id: mine"])
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(text.endsWith(`\r\n\r\n${BYTES}`)).toBe(true)
  for (const header of [
    "x-of-all: yes",
    "x-request-id: mine",
    "x-ratelimit-remaining: 7",
    'etag: "1"',
    "content-length: 14",
  ])
    expect(text).toContain(`\r\n${header}\r\n`)
  expect(read).toEqual([{ credential: { keyHash }, query: { type: "sleep", days: 7 }, ifNoneMatch: [], charge: true }])
  expect(measured).toMatchObject([{ method: "GET", route: "/api/v1/health", status: 200, reqId: "mine" }])
})

test.each([
  ["without a query", plain("/api/v1/health"), { query: { type: "summary" } }],
  ["with a tag", [...plain(), 'If-None-Match: W/"1", "2"'], { ifNoneMatch: ['"1"', '"2"'] }],
  ["with names of headers in capitals", plain().map((line) => line.replace("Authorization", "AUTHORIZATION")), {}],
])("a request %s is plain", async (_, lines, expected) => {
  expect(await send(lines)).toMatch(/^HTTP\/1\.1 200 /)
  expect(read).toMatchObject([expected])
})

const withKey = (value: string) => [...plain().slice(0, 2), `Authorization: ${value}`]

test.each([
  ["another path", plain("/api/v1/healthy?type=sleep")],
  ["another method", ["HEAD /api/v1/health HTTP/1.1", ...plain().slice(1)]],
  ["HTTP/1.0", ["GET /api/v1/health HTTP/1.0", ...plain().slice(1)]],
  ["a body", [...plain(), "Content-Length: 0"]],
  ["a length that is not told", [...plain(), "Transfer-Encoding: chunked", "", "0", ""]],
  ["an expectation", [...plain(), "Expect: 100-continue"]],
  ["no key", plain().slice(0, 2)],
  ["two keys", [...plain(), `Authorization: Bearer ${key}`]],
  ["two hosts", [...plain(), "Host: b"]],
  ["two If-None-Match", [...plain(), 'If-None-Match: "1"', 'If-None-Match: "2"']],
  ["another scheme", withKey(`bearer ${key}`)],
  ["two spaces", withKey(`Bearer  ${key}`)],
  ["a mistyped key", withKey(`Bearer ${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`)],
  ["an unknown parameter", plain("/api/v1/health?type=sleep&dasy=7")],
  ["a wrong value", plain("/api/v1/health?days=91")],
  ["a parameter twice", plain("/api/v1/health?days=7&days=7")],
  ["a long query", plain(`/api/v1/health?type=sleep${"&days=7".repeat(40)}`)],
])("a request with %s is left to the framework, and reads nothing", async (_, lines) => {
  expect(await send(lines)).toMatch(/^HTTP\/1\.1 (?:299|4\d\d|100) /)
  expect(read).toEqual([])
})

test("while the service drains all is left to the framework", async () => {
  isDraining = true
  expect(await send(plain())).toMatch(/^HTTP\/1\.1 299 /)
  expect(read).toEqual([])
})

test("a failure is answered as everywhere, and written down when it is ours", async () => {
  answer = () => Promise.reject(new Unavailable("the database does not answer", 2))
  const text = await send(plain())
  expect(text).toMatch(/^HTTP\/1\.1 503 /)
  expect(text).toContain("\r\nretry-after: 2\r\n")
  expect(text).toContain('{"error":"unavailable"')
  expect(failures).toHaveLength(1)
  expect(measured).toMatchObject([{ status: 503 }])
})
