import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type RawAnswer, requestOf, sendRaw } from "./raw-request.ts"

const PATH = "/api/v1/health"

let service: TestService
let key: string
let cookie: string
beforeAll(async () => {
  service = await startTestService({ days: 5 })
  const { people } = service.simulator
  const connected = await Member.connected(service, people.add({ email: "ada@vendor.example" }))
  key = connected.key
  cookie = connected.member.cookie
})
afterAll(() => service.close())

function expectRefusal(answer: RawAnswer, status: number, body: Record<string, unknown>): void {
  expect(answer.status).toBe(status)
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8")
  expect(answer.headers.get("cache-control")).toBe("no-store")
  expect(JSON.parse(answer.body)).toEqual({ message: expect.any(String), ...body })
}

describe("answers in JSON what Node would answer without a body", () => {
  test.each([
    ["no Host", requestOf(`GET ${PATH} HTTP/1.1`), 400, { error: "invalid_request", field: "host" }],
    [
      "two Hosts",
      requestOf(`GET ${PATH} HTTP/1.1`, "Host: a", "Host: b"),
      400,
      { error: "invalid_request", field: "host" },
    ],
    [
      "an unknown expectation",
      requestOf(`GET ${PATH} HTTP/1.1`, "Host: x", "Expect: tea"),
      417,
      { error: "expectation_failed" },
    ],
    [
      "CONNECT, as to a proxy",
      requestOf("CONNECT elsewhere.example:443 HTTP/1.1", "Host: elsewhere.example"),
      400,
      { error: "invalid_request", field: "method" },
    ],
    [
      "a method that HTTP does not know",
      requestOf(`FETCH ${PATH} HTTP/1.1`, "Host: x"),
      400,
      { error: "invalid_request", field: "request" },
    ],
    [
      "TLS on a port without it",
      "\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n",
      400,
      { error: "invalid_request", field: "request" },
    ],
    [
      "an address of nine thousand characters",
      requestOf(`GET ${PATH}?${"x".repeat(9_000)} HTTP/1.1`, "Host: x"),
      414,
      { error: "uri_too_long" },
    ],
    [
      "headers of twenty thousand characters",
      requestOf(`GET ${PATH} HTTP/1.1`, "Host: x", `X-Large: ${"x".repeat(20_000)}`),
      431,
      { error: "headers_too_large" },
    ],
    [
      "two lengths of one body",
      requestOf("POST /api/auth/sign-in/email HTTP/1.1", "Host: x", "Content-Length: 5", "Transfer-Encoding: chunked"),
      400,
      { error: "invalid_request", field: "request" },
    ],
  ])("%s", async (_, text, status, body) => {
    expectRefusal(await sendRaw(service.url, text), status, body)
  })

  test("accepts HTTP/1.0 without Host", async () => {
    expect((await sendRaw(service.url, "GET /healthz HTTP/1.0\r\n\r\n")).status).toBe(200)
  })

  test("ends a slow request after ten seconds, and answers others meanwhile", async () => {
    const dribble = sendRaw(service.url, `GET ${PATH} HTTP/1.1\r\nHost: x\r\n`)
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
    expectRefusal(await dribble, 408, { error: "request_timeout" })
  })
})

describe("answers 405 to other methods, whatever the body is", () => {
  const bodies: [string, string, string][] = [
    ["POST", "application/json", "{"],
    ["POST", "text/xml", "<x/>"],
    ["PUT", "multipart/form-data", "x"],
    ["QUERY", "application/json", "{}"],
    ["PROPFIND", "text/xml", "<x/>"],
    ["PATCH", "application/json", "x".repeat(70_000)],
  ]
  test.each(bodies)("%s with %s", async (method, type, body) => {
    const answer = await fetch(service.url + PATH, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": type },
      body,
    })
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"])
    expect(answer.headers.get("x-ratelimit-limit")).toBe("1000")
    expect(await answer.json()).toEqual({ error: "method_not_allowed", message: `${PATH} takes GET, HEAD` })
  })

  test("QUERY without a body", async () => {
    const answer = await sendRaw(service.url, requestOf(`QUERY ${PATH} HTTP/1.1`, "Host: x"))
    expectRefusal(answer, 405, { error: "method_not_allowed" })
  })

  test("lists all methods of the path in Allow", async () => {
    const answer = await fetch(`${service.url}/api/account`, { method: "PUT" })
    expect(answer.headers.get("allow")).toBe("GET, HEAD, DELETE")
  })
})

describe("bodies", () => {
  const signIn = (type: string, body: string): Promise<Response> =>
    fetch(`${service.url}/api/auth/sign-in/email`, { method: "POST", headers: { "content-type": type }, body })

  test.each([
    ["text/plain", "{}", 415, /application\/json/],
    ["application/x-www-form-urlencoded", "a=b", 415, /application\/json/],
    ["multipart/form-data", "x", 415, /application\/json/],
    ["application/json", "{", 400, /not valid JSON/],
    ["application/json", '{"__proto__":{"isAdmin":true}}', 400, /not valid JSON/],
    ["application/json", `"${"x".repeat(70_000)}"`, 413, /too large/],
  ])("%s %.20s", async (type, body, status, message) => {
    const answer = await signIn(type, body)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ error: expect.any(String), message: expect.stringMatching(message) })
  })
})

describe("a key in the URL", () => {
  test.each(["api_key", "apikey", "key", "token", "access_token"])(
    "?%s= gets 401 with the right header to use",
    async (name) => {
      const answer = await fetch(`${service.url}${PATH}?${name}=${key}`)
      expect(answer.status).toBe(401)
      const text = await answer.text()
      expect(JSON.parse(text)).toEqual({
        error: "unauthorized",
        message: expect.stringMatching(/in the URL is not accepted.*Authorization: Bearer <key>/),
      })
      expect(text).not.toContain(key)
    },
  )
})

describe("disconnecting", () => {
  test.each(["data=delete&data=keep", "data=Delete", "data=", "date=delete"])("?%s deletes nothing", async (search) => {
    const answer = await fetch(`${service.url}/api/connections/whoop?${search}`, {
      method: "DELETE",
      headers: { cookie },
    })
    expect(answer.status).toBe(400)
    const account = await (await fetch(`${service.url}/api/account`, { headers: { cookie } })).json()
    expect(account.connections[0]).toMatchObject({ status: "ok", history: { records: expect.any(Number) } })
    expect(account.connections[0].history.records).toBeGreaterThan(0)
  })
})
