import { connect } from "node:net"
import { generateApiKey } from "@restwell/core"
import { expectDescribed, Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

const PATH = "/api/v1/health"

let service: TestService
let key: string
let unconnectedKey: string
beforeAll(async () => {
  service = await startTestService({ days: 20 })
  ;({ key } = await Member.connected(service, service.simulator.people.add({ email: "ada@vendor.example" })))
  const unconnected = new Member(service)
  await unconnected.signUp()
  unconnectedKey = await unconnected.newKey()
})
afterAll(() => service.close())

const remaining = async (): Promise<string | null> =>
  (await readHealth(service.url, key, "?days=0")).headers.get("x-ratelimit-remaining")

/** Sends a request that fetch would refuse. */
const sendRaw = (lines: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    let answer = ""
    socket.on("data", (data) => {
      answer += data
    })
    socket.on("end", () => resolve(answer)).on("error", reject)
    socket.end([...lines, "Connection: close", "", ""].join("\r\n"))
  })

describe("400", () => {
  test.each([
    ["days=0", "days", /from 1 to 90/],
    ["days=91", "days", /from 1 to 90/],
    ["days=-1", "days", /whole number/],
    ["days=7.5", "days", /whole number/],
    ["days=1e1", "days", /whole number/],
    ["days=%EF%BC%97", "days", /whole number/],
    ["days=", "days", /whole number/],
    ["type=steps", "type", /one of summary, sleep/],
    ["type=", "type", /one of/],
    ["type=sleep&type=sleep", "type", /more than once/],
    ["start_date=2025-02-30", "start_date", /day of the calendar/],
    ["start_date=19.11.2026", "start_date", /YYYY-MM-DD/],
    ["start_date=2026-11-19T00:00:00Z", "start_date", /YYYY-MM-DD/],
    ["end_date=1066-10-14", "end_date", /between 1900/],
    ["start_date=2025-05-02&end_date=2025-05-01", "start_date", /is after end_date/],
    ["start_date=2199-01-01", "start_date", /is after today/],
    ["start_date=2025-01-01&end_date=2025-04-01", "start_date", /more than 90 dates/],
    ["start_date=2020-01-01", "start_date", /more than 90 dates/],
    ["day=7", "day", /did you mean days/],
    ["startDate=2026-01-01", "startDate", /did you mean start_date/],
    ["days[]=7", "days[]", /did you mean days/],
    ["utm_source=mail", "utm_source", /unknown parameter/],
  ])("?%s gets a message that names %s", async (search, field, message) => {
    const answer = await readHealth(service.url, key, `?${search}`)
    expect(answer.status).toBe(400)
    await expectDescribed(service.url, "GET", PATH, answer)
    expect(await answer.json()).toEqual({ error: "invalid_request", message: expect.stringMatching(message), field })
    expect(answer.headers.get("x-ratelimit-limit")).toBe("1000")
  })

  test("a path that does not exist has the quota of the key, too", async () => {
    const answer = await fetch(`${service.url}/api/v1/helth`, { headers: { authorization: `Bearer ${key}` } })
    expect([answer.status, answer.headers.get("x-ratelimit-limit")]).toEqual([404, "1000"])
  })

  test("sources are no list and have no parameters: whoever asks for CSV gets them as JSON", async () => {
    const path = "/api/v1/sources"
    const headers = { authorization: `Bearer ${key}`, accept: "text/csv, application/json;q=0.9" }
    const answer = await fetch(service.url + path, { headers })
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"])
    const refused = await fetch(`${service.url}${path}?type=sleep`, { headers })
    expect(await refused.json()).toMatchObject({ message: "unknown parameter type, this takes no parameters" })
  })

  test("90 dates are allowed", async () => {
    expect((await readHealth(service.url, key, "?start_date=2025-01-01&end_date=2025-03-31")).status).toBe(200)
  })

  test("is not counted", async () => {
    const before = await remaining()
    await readHealth(service.url, key, "?days=91")
    await readHealth(service.url, key, "?start_date=2020-01-01")
    expect(await remaining()).toBe(before)
  })
})

describe("401", () => {
  const cases: [string, (key: string) => string, RegExp][] = [
    ["no key after Bearer", () => "Bearer", /no key after Bearer/],
    ["another scheme", (good) => `Basic ${good}`, /scheme must be Bearer/],
    ["a lower-case b", (good) => `bearer ${good}`, /capital B/],
    ["two spaces", (good) => `Bearer  ${good}`, /one space/],
    ["something after the key", (good) => `Bearer ${good} x`, /nothing else/],
    ["the key alone", (good) => good, /Bearer and one space are missing/],
    ["quotes around the key", (good) => `Bearer "${good}"`, /quotes/],
    ["another service's key", () => "Bearer sk_live_1234", /begin with rw_/],
    ["half a key", (good) => `Bearer ${good.slice(0, 20)}`, /incomplete or mistyped/],
    ["an unknown key", () => `Bearer ${generateApiKey().text}`, /unknown, or it was replaced/],
  ]
  test.each(cases)("%s gets a message that explains the mistake without the key", async (_, header, message) => {
    const answer = await fetch(service.url + PATH, { headers: { authorization: header(key) } })
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, "Bearer"])
    await expectDescribed(service.url, "GET", PATH, answer)
    const text = await answer.text()
    expect(JSON.parse(text)).toEqual({ error: "unauthorized", message: expect.stringMatching(message) })
    expect(text).not.toContain(key)
    expect(answer.headers.get("x-ratelimit-limit")).toBeNull()
  })

  test("no header at all", async () => {
    const answer = await fetch(service.url + PATH)
    expect(answer.status).toBe(401)
    expect(await answer.json()).toEqual({ error: "unauthorized", message: expect.stringMatching(/missing API key/) })
  })

  test("two headers", async () => {
    const answer = await sendRaw([
      `GET ${PATH} HTTP/1.1`,
      "Host: x",
      `Authorization: Bearer ${key}`,
      `Authorization: Bearer ${key}`,
    ])
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
    expect(answer).toContain("more than one Authorization header")
  })

  test("is sent before the query is validated", async () => {
    expect((await fetch(`${service.url}${PATH}?days=999`)).status).toBe(401)
  })
})

describe("404", () => {
  test("a person without a provider gets a message to connect one, and is not counted", async () => {
    const answer = await readHealth(service.url, unconnectedKey, "?type=sleep")
    expect(answer.status).toBe(404)
    await expectDescribed(service.url, "GET", PATH, answer)
    expect(await answer.json()).toEqual({
      error: "not_found",
      message: expect.stringMatching(/no health provider connected/),
    })
    expect(answer.headers.get("x-ratelimit-remaining")).toBe("1000")
  })

  test.each([
    ["/api/v1/healt", /did you mean \/api\/v1\/health/],
    ["/api/v1/health/", /did you mean \/api\/v1\/health/],
    ["/wp-login.php", /the reference is at \/docs/],
  ])("the unknown path %s gets a suggestion", async (path, message) => {
    const answer = await fetch(service.url + path)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({ error: "route_not_found", message: expect.stringMatching(message) })
  })
})

describe("405", () => {
  test.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])("%s gets Allow and the quota headers", async (method) => {
    const answer = await fetch(service.url + PATH, { method, headers: { authorization: `Bearer ${key}` } })
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"])
    await expectDescribed(service.url, "GET", PATH, answer)
    expect(await answer.json()).toEqual({ error: "method_not_allowed", message: expect.any(String) })
    expect(answer.headers.get("x-ratelimit-limit")).toBe("1000")
  })
})

describe("invalid HTTP", () => {
  test.each([
    ["garbage", ["garbage"], 400],
    ["a header that is too large", [`GET ${PATH} HTTP/1.1`, "Host: x", `X-Large: ${"x".repeat(20_000)}`], 431],
    ["an address that is too long", [`GET ${PATH}?${"x".repeat(9_000)} HTTP/1.1`, "Host: x"], 414],
    ["a broken escape in the path", ["GET /%zz HTTP/1.1", "Host: x"], 400],
  ])("%s gets JSON", async (_, lines, status) => {
    const answer = await sendRaw(lines)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    const [head = "", body = ""] = answer.split("\r\n\r\n")
    expect(head.toLowerCase()).toContain("content-type: application/json")
    expect(JSON.parse(body)).toMatchObject({ error: expect.any(String), message: expect.any(String) })
  })
})
