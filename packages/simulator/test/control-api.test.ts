import { afterEach, beforeEach, expect, test } from "vitest"
import { type Simulator, startSimulator } from "../src/index.ts"
import { ask, signIn } from "./sign-in.ts"

const PERSON = "sam@example.com"
let simulator: Simulator

beforeEach(async () => {
  simulator = await startSimulator({ now: new Date("2026-11-20T12:00:00Z"), days: 20 })
})
afterEach(() => simulator.close())

async function control(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const reply = await fetch(`${simulator.url}/_simulator${path}`, {
    method,
    ...(body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  return { status: reply.status, body: text === "" ? null : JSON.parse(text) }
}

test("lists people and their records, by email address or user id", async () => {
  const { userId } = simulator.people.get(PERSON)
  const expected = structuredClone(simulator.records(PERSON))
  expect((await control("GET", "/people")).body).toMatchObject([{}, { user_id: userId, email: PERSON }])
  expect((await control("GET", `/people/${PERSON}/records`)).body).toEqual(expected)
  expect((await control("GET", `/people/${userId}/records`)).body).toEqual(expected)
})

test("adds people", async () => {
  expect((await control("POST", "/people", { email: "new@example.com", history: "none" })).status).toBe(201)
  expect((await control("POST", "/people", { count: 3 })).body).toHaveLength(3)
  expect(simulator.people.list()).toHaveLength(6)
  expect((await control("POST", "/people", { email: "new@example.com" })).status).toBe(400)
  expect((await control("POST", "/people", { name: "nobody" })).status).toBe(400)
  expect((await control("POST", "/people")).status).toBe(400)
})

test("moves the clock", async () => {
  expect((await control("POST", "/clock", { advanceMs: 86_400_000 })).body).toEqual({ now: "2026-11-21T12:00:00.000Z" })
  expect((await control("POST", "/clock", { set: "2026-12-01T00:00:00Z" })).body).toEqual({
    now: "2026-12-01T00:00:00.000Z",
  })
  expect((await control("GET", "/clock")).body).toEqual({ now: "2026-12-01T00:00:00.000Z" })
  expect((await control("POST", "/clock", { set: "tomorrow" })).status).toBe(400)
})

test("adds, lists and clears faults", async () => {
  const tokens = await signIn(simulator, PERSON)
  const fault = { kind: "status", status: 418, times: 3, match: { pathPattern: "cycle$" } }
  expect((await control("POST", "/faults", fault)).status).toBe(201)
  expect((await ask(simulator, tokens, "/v2/cycle")).status).toBe(418)
  expect((await control("GET", "/faults")).body).toEqual([{ ...fault, timesLeft: 2 }])
  expect((await control("DELETE", "/faults")).status).toBe(204)
  expect((await ask(simulator, tokens, "/v2/cycle")).status).toBe(200)
  expect((await control("POST", "/faults", { kind: "earthquake" })).status).toBe(400)
})

test("faults do not affect the controls", async () => {
  await control("POST", "/faults", { kind: "status", status: 500 })
  expect((await control("GET", "/people")).status).toBe(200)
})

test("returns and clears the request log, which does not contain control requests", async () => {
  await signIn(simulator, PERSON)
  expect((await control("GET", "/requests")).body).toMatchObject({
    counters: { total: 2, codeExchanges: 1, refreshes: 0 },
    requests: [
      { method: "POST", status: 302 },
      { grantType: "authorization_code", status: 200 },
    ],
  })
  await control("DELETE", "/requests")
  expect(simulator.requestLog.entries).toEqual([])
})

test("expires and revokes tokens", async () => {
  const tokens = await signIn(simulator, PERSON)
  expect((await control("GET", "/tokens")).body).toEqual({ codes: 0, accessTokens: 1, refreshTokens: 1 })
  await control("POST", `/people/${PERSON}/tokens/expire`)
  expect((await ask(simulator, tokens, "/v2/cycle")).status).toBe(401)
  await control("POST", `/people/${PERSON}/tokens/revoke`)
  expect((await control("GET", "/tokens")).body).toMatchObject({ refreshTokens: 0 })
})

test("edits records", async () => {
  const { workouts, cycles } = simulator.records(PERSON)
  const [workout] = workouts
  const path = `/people/${PERSON}/records`
  expect((await control("PATCH", `${path}/workouts/${workout?.id}`, { sport_name: "rowing" })).status).toBe(204)
  expect(simulator.records(PERSON).workouts[0]?.sport_name).toBe("rowing")
  expect((await control("DELETE", `${path}/workouts/${workout?.id}`)).status).toBe(204)
  expect(simulator.records(PERSON).workouts).toHaveLength(workouts.length - 1)
  expect((await control("POST", `${path}/workouts`, workout)).status).toBe(204)
  expect(simulator.records(PERSON).workouts[0]).toEqual(workout)
  expect((await control("PATCH", `${path}/cycles/${cycles[0]?.id}`, { score: { strain: 1 } })).status).toBe(204)
  expect((await control("DELETE", `${path}/workouts/unknown`)).status).toBe(404)
  expect((await control("DELETE", `${path}/dreams/1`)).status).toBe(404)
  expect((await control("GET", "/people/nobody/records")).status).toBe(404)
})

test("changes webhook addresses and delivery options", async () => {
  const retryAfterMs = [1000, 2000]
  const options = { urls: ["http://127.0.0.1:9/closed"], copies: 2, shuffled: true, timeoutMs: 100, retryAfterMs }
  expect((await control("PUT", "/webhooks", options)).body).toEqual({ ...options, muted: false, deliveries: [] })
  await signIn(simulator, PERSON)
  simulator.edit.workout.patch(PERSON, simulator.records(PERSON).workouts[0]?.id ?? "", {})
  const { body } = await control("POST", "/webhooks/flush")
  expect(body).toMatchObject({
    deliveries: [
      { state: "waiting", attempts: 1 },
      { state: "waiting", attempts: 1 },
    ],
  })
})
