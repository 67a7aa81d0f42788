import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { type Simulator, startSimulator } from "../src/index.ts"
import { ask, signIn, type Tokens } from "./sign-in.ts"

const PATH = "/v2/activity/sleep"
let simulator: Simulator
let lena: Tokens
let sam: Tokens

beforeAll(async () => {
  simulator = await startSimulator({ now: new Date("2026-11-20T12:00:00Z"), days: 10 })
  lena = await signIn(simulator, "lena@example.com")
  sam = await signIn(simulator, "sam@example.com")
})
afterEach(() => {
  simulator.faults.clear()
  simulator.clock.advance(60_000)
})
afterAll(() => simulator.close())

const statusOf = async (tokens: Tokens, path = PATH) => (await ask(simulator, tokens, path)).status

describe("fault kinds", () => {
  test("latency delays a complete response", async () => {
    simulator.faults.add({ kind: "latency", ms: 60 })
    const startedAt = performance.now()
    expect(await statusOf(lena)).toBe(200)
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(59)
  })

  test("late_reply responds after the request has taken effect", async () => {
    const { access_token: token } = await signIn(simulator, "sam@example.com")
    simulator.faults.add({ match: { method: "DELETE" }, kind: "late_reply", ms: 3_000 })
    const startedAt = performance.now()
    const reply = fetch(`${simulator.url}/developer/v2/user/access`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${token}` },
    })
    await expect.poll(() => statusOf({ ...sam, access_token: token }), { interval: 5 }).toBe(401)
    expect(performance.now() - startedAt).toBeLessThan(3_000)
    expect((await reply).status).toBe(204)
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(2_999)
    sam = await signIn(simulator, "sam@example.com")
  })

  test("status responds with the given status, headers and body", async () => {
    simulator.faults.add({ kind: "status", status: 503, headers: { "retry-after": "7" }, body: "down" })
    const reply = await ask(simulator, lena, PATH)
    expect([reply.status, reply.headers.get("retry-after"), await reply.text()]).toEqual([503, "7", "down"])
  })

  test("rate_limit responds 429 with nothing remaining", async () => {
    simulator.faults.add({ kind: "rate_limit" })
    const reply = await ask(simulator, lena, PATH)
    expect([reply.status, reply.headers.get("x-ratelimit-remaining")]).toEqual([429, "0"])
    expect(Number(reply.headers.get("x-ratelimit-reset"))).toBeGreaterThan(0)
  })

  test("hang never responds", async () => {
    simulator.faults.add({ kind: "hang" })
    const response = fetch(`${simulator.url}/developer${PATH}`, { signal: AbortSignal.timeout(80) })
    await expect(response).rejects.toThrow(/timeout/i)
  })

  test.each(["malformed_json", "truncated_json", "html"] as const)(
    "%s responds 200 with invalid JSON",
    async (kind) => {
      simulator.faults.add({ kind })
      const reply = await ask(simulator, lena, PATH)
      expect(reply.status).toBe(200)
      await expect(reply.json()).rejects.toThrow(SyntaxError)
    },
  )

  test("cut_body ends in the middle of the body", async () => {
    simulator.faults.add({ kind: "cut_body" })
    const reply = await ask(simulator, lena, PATH)
    expect(reply.status).toBe(200)
    await expect(reply.text()).rejects.toThrow()
  })

  test.each(["reset_connection", "drop_reply_after_effect"] as const)("%s breaks the connection", async (kind) => {
    simulator.faults.add({ kind })
    await expect(ask(simulator, lena, PATH)).rejects.toThrow()
  })

  test("drop_reply_after_effect lets the request take effect", async () => {
    const own = await signIn(simulator, simulator.people.add({ email: "leaving@example.com" }))
    simulator.faults.add({ match: { method: "DELETE" }, kind: "drop_reply_after_effect", times: 1 })
    await expect(ask(simulator, own, "/v2/user/access", "DELETE")).rejects.toThrow()
    expect(await statusOf(own)).toBe(401)
  })

  test("transform replaces a response", async () => {
    simulator.faults.add({ kind: "transform", transform: () => ({ records: [], next_token: "and-so-on" }) })
    expect(await (await ask(simulator, lena, PATH)).json()).toEqual({ records: [], next_token: "and-so-on" })
  })

  test("rewrite sends a text as it is", async () => {
    simulator.faults.add({ kind: "rewrite", rewrite: (reply) => `{"length":1e400,"was":${reply.length > 2}}` })
    expect(await (await ask(simulator, lena, PATH)).text()).toBe('{"length":1e400,"was":true}')
  })
})

describe("a fault applies", () => {
  test("as many times as given", async () => {
    simulator.faults.add({ kind: "status", times: 2 })
    expect([await statusOf(lena), await statusOf(lena), await statusOf(lena)]).toEqual([500, 500, 200])
    expect(simulator.faults.list()).toEqual([])
  })

  test("only to the given person, method and path", async () => {
    const [person] = simulator.people.list()
    simulator.faults.add({
      kind: "status",
      match: { method: "get", path: /sleep$/, ...(person && { personId: person.userId }) },
    })
    expect(await statusOf(lena)).toBe(500)
    expect(await statusOf(sam)).toBe(200)
    expect(await statusOf(lena, "/v2/cycle")).toBe(200)
  })

  test("to a share of the requests, the same in every run", async () => {
    const statusesUnderFault = async () => {
      simulator.faults.add({ kind: "status", probability: 0.5 })
      const statuses: number[] = []
      for (let request = 0; request < 20; request++) statuses.push(await statusOf(lena))
      simulator.faults.clear()
      simulator.clock.advance(60_000)
      return statuses
    }
    const first = await statusesUnderFault()
    expect(await statusesUnderFault()).toEqual(first)
    expect(new Set(first)).toEqual(new Set([200, 500]))
  })

  test("until it is removed", async () => {
    const remove = simulator.faults.add({ kind: "status" })
    expect(await statusOf(lena)).toBe(500)
    remove()
    expect(await statusOf(lena)).toBe(200)
  })
})

test("logs the person, request, status and fault", async () => {
  simulator.requestLog.clear()
  simulator.faults.add({ kind: "status", status: 502, times: 1 })
  await statusOf(sam, `${PATH}?limit=3`)
  await statusOf(sam)
  const { userId: personId } = simulator.people.get("sam@example.com")
  expect(simulator.requestLog.entries).toMatchObject([
    { method: "GET", path: `/developer${PATH}`, query: "?limit=3", personId, status: 502, fault: "status" },
    { method: "GET", path: `/developer${PATH}`, query: "", personId, status: 200 },
  ])
  expect(simulator.requestLog.count({ personId, status: 200 })).toBe(1)
  expect(simulator.requestLog.counters()).toMatchObject({ total: 2, byStatus: { 200: 1, 502: 1 } })
})

test("close does not wait for hanging requests", async () => {
  const own = await startSimulator({ now: new Date("2026-11-20T12:00:00Z"), days: 1 })
  own.faults.add({ kind: "hang" })
  const hanging = fetch(`${own.url}/developer/v2/cycle`).catch((error: unknown) => error)
  await expect.poll(() => own.requestLog.count({ path: "/developer" })).toBe(1)
  await own.close()
  expect(await hanging).toBeInstanceOf(TypeError)
})
