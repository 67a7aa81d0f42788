import { createHmac } from "node:crypto"
import { createServer, type Server } from "node:http"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type Simulator, startSimulator } from "../src/index.ts"
import { ask, signIn } from "./sign-in.ts"

const NOW = new Date("2026-11-20T12:00:00Z")
const PERSON = "lena@example.com"
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

interface Received {
  headers: Record<string, string | string[] | undefined>
  raw: string
  body: { user_id: number; id: string; type: string; trace_id: string }
}

let simulator: Simulator
let receiver: Server
let received: Received[]
let answer: number

beforeEach(async () => {
  received = []
  answer = 204
  receiver = createServer((request, response) => {
    let raw = ""
    request.on("data", (chunk) => {
      raw += String(chunk)
    })
    request.on("end", () => {
      received.push({ headers: request.headers, raw, body: JSON.parse(raw) })
      response.writeHead(answer).end()
    })
  })
  await new Promise<void>((resolve) => {
    receiver.listen(0, "127.0.0.1", resolve)
  })
  const address = receiver.address()
  const port = typeof address === "object" && address ? address.port : 0
  simulator = await startSimulator({ now: NOW, days: 20, webhookUrls: [`http://127.0.0.1:${port}/hook`] })
})

afterEach(async () => {
  await simulator.close()
  receiver.close()
})

async function advance(durationMs: number): Promise<void> {
  simulator.clock.advance(durationMs)
  await simulator.webhooks.flush()
}

const types = () => received.map(({ body }) => body.type)

test("a new day sends its sleep and its recovery, both with the sleep's id", async () => {
  await signIn(simulator, PERSON)
  await advance(DAY_MS)
  const [sleep] = simulator.records(PERSON).sleeps.filter(({ nap }) => !nap)
  const sent = received.filter(({ body }) => body.id === sleep?.id).map(({ body }) => body.type)
  expect(sent).toContain("sleep.updated")
  expect(sent).toContain("recovery.updated")
  expect(sent.indexOf("sleep.updated")).toBeLessThan(sent.indexOf("recovery.updated"))
})

test("sends an event for every new or updated record", async () => {
  await signIn(simulator, PERSON)
  await advance(4 * DAY_MS)
  const { sleeps, recoveries, workouts } = simulator.records(PERSON)
  const isNew = ({ updated_at }: { updated_at: string }) => Date.parse(updated_at) > NOW.getTime()
  const sent = new Set(received.map(({ body }) => `${body.type} ${body.id}`))
  for (const { id } of sleeps.filter(isNew)) expect(sent).toContain(`sleep.updated ${id}`)
  for (const { id } of workouts.filter(isNew)) expect(sent).toContain(`workout.updated ${id}`)
  for (const { sleep_id } of recoveries.filter(isNew)) expect(sent).toContain(`recovery.updated ${sleep_id}`)
  expect(types().some((type) => type.startsWith("cycle"))).toBe(false)
})

test("the signature covers the timestamp and the raw body", async () => {
  await signIn(simulator, PERSON)
  await advance(DAY_MS)
  expect(received.length).toBeGreaterThan(0)
  for (const { headers, raw } of received) {
    const timestamp = String(headers["x-whoop-signature-timestamp"])
    expect(timestamp).toBe(String(NOW.getTime() + DAY_MS))
    const expected = createHmac("sha256", "simulator-secret").update(`${timestamp}${raw}`).digest("base64")
    expect(headers["x-whoop-signature"]).toBe(expected)
  }
})

test("sends nothing about people without a grant", async () => {
  await advance(DAY_MS)
  expect(received).toEqual([])
  simulator.edit.workout.patch(PERSON, simulator.records(PERSON).workouts[0]?.id ?? "", {})
  await simulator.webhooks.flush()
  expect(received).toEqual([])
  const tokens = await signIn(simulator, PERSON)
  await ask(simulator, tokens, "/v2/user/access", "DELETE")
  await advance(DAY_MS)
  expect(received).toEqual([])
})

describe("an edit", () => {
  beforeEach(async () => {
    await signIn(simulator, PERSON)
  })

  const night = () => simulator.records(PERSON).sleeps.find(({ nap, score_state }) => !nap && score_state === "SCORED")

  test("of a sleep sends its recovery too and changes both updated_at", async () => {
    const id = night()?.id ?? ""
    await advance(1000)
    received = []
    simulator.edit.sleep.patch(PERSON, id, { end: "2026-11-20T05:00:00.000Z" })
    await simulator.webhooks.flush()
    expect(types().toSorted()).toEqual(["recovery.updated", "sleep.updated"])
    const { sleeps, recoveries } = simulator.records(PERSON)
    const updatedAt = "2026-11-20T12:00:01.000Z"
    expect(sleeps.find((sleep) => sleep.id === id)).toMatchObject({
      end: "2026-11-20T05:00:00.000Z",
      updated_at: updatedAt,
    })
    expect(recoveries.find(({ sleep_id }) => sleep_id === id)?.updated_at).toBe(updatedAt)
  })

  test("is sent once, also when the clock moves afterwards", async () => {
    const id = night()?.id ?? ""
    simulator.edit.sleep.patch(PERSON, id, { nap: false })
    await advance(1)
    expect(received.filter(({ body }) => body.id === id && body.type === "sleep.updated")).toHaveLength(1)
  })

  test("that deletes a sleep deletes its recovery", async () => {
    const id = night()?.id ?? ""
    simulator.edit.sleep.delete(PERSON, id)
    await simulator.webhooks.flush()
    expect(types().toSorted()).toEqual(["recovery.deleted", "sleep.deleted"])
    expect(received.every(({ body }) => body.id === id)).toBe(true)
    const { sleeps, recoveries } = simulator.records(PERSON)
    expect(sleeps.some((sleep) => sleep.id === id)).toBe(false)
    expect(recoveries.some(({ sleep_id }) => sleep_id === id)).toBe(false)
  })

  test("of a workout or recovery sends one event, of a cycle none", async () => {
    const { workouts, recoveries, cycles } = simulator.records(PERSON)
    simulator.edit.workout.patch(PERSON, workouts[0]?.id ?? "", { sport_name: "padel" })
    simulator.edit.recovery.patch(PERSON, recoveries[0]?.cycle_id ?? 0, { score: { recovery_score: 12 } })
    simulator.edit.cycle.patch(PERSON, cycles[0]?.id ?? 0, { score: { strain: 3.5 } })
    simulator.edit.workout.delete(PERSON, workouts[1]?.id ?? "")
    await simulator.webhooks.flush()
    expect(types().toSorted()).toEqual(["recovery.updated", "workout.deleted", "workout.updated"])
    const now = simulator.records(PERSON)
    expect(now.workouts[0]?.sport_name).toBe("padel")
    expect(now.recoveries[0]?.score).toMatchObject({ ...recoveries[0]?.score, recovery_score: 12 })
    expect(now.cycles[0]?.score?.strain).toBe(3.5)
  })

  test("can add a record", async () => {
    const [workout] = simulator.records(PERSON).workouts
    if (!workout) throw new Error("the person has no workout")
    const id = "11111111-2222-4333-8444-555555555555"
    simulator.edit.workout.put(PERSON, { ...workout, id, start: "2026-11-20T11:00:00.000Z" })
    await simulator.webhooks.flush()
    expect(simulator.records(PERSON).workouts[0]?.id).toBe(id)
    expect(received.map(({ body }) => body.id)).toEqual([id])
  })

  test("of an unknown record is refused", () => {
    expect(() => simulator.edit.workout.delete(PERSON, "unknown")).toThrow("no such record")
  })
})

test("an edit under a running clock is sent once", async () => {
  const running = await startSimulator({ now: NOW, ticking: true, days: 5, webhookUrls: simulator.webhooks.urls })
  await signIn(running, PERSON)
  const id = running.records(PERSON).workouts[0]?.id ?? ""
  running.edit.workout.patch(PERSON, id, { sport_name: "padel" })
  running.clock.advance(1000)
  await running.webhooks.flush()
  expect(received.filter(({ body }) => body.id === id)).toHaveLength(1)
  await running.close()
})

test("retries a failed delivery five times on the simulated clock, with the same trace_id", async () => {
  await signIn(simulator, PERSON)
  answer = 500
  const [workout] = simulator.records(PERSON).workouts
  simulator.edit.workout.patch(PERSON, workout?.id ?? "", {})
  await simulator.webhooks.flush()
  const tries = () => received.filter(({ body }) => body.id === workout?.id)
  const counts = [tries().length]
  for (const minutes of [1, 5, 10, 20, 24, 60, 60]) {
    await advance(minutes * MINUTE_MS)
    counts.push(tries().length)
  }
  expect(counts).toEqual([1, 2, 3, 4, 5, 6, 6, 6])
  expect(new Set(tries().map(({ body }) => body.trace_id)).size).toBe(1)
  expect(simulator.webhooks.deliveries[0]).toMatchObject({ state: "failed", attempts: 6, status: 500 })
})

test("stops after a successful retry", async () => {
  await signIn(simulator, PERSON)
  answer = 503
  const [workout] = simulator.records(PERSON).workouts
  simulator.edit.workout.patch(PERSON, workout?.id ?? "", {})
  await simulator.webhooks.flush()
  answer = 200
  await advance(MINUTE_MS)
  await advance(60 * MINUTE_MS)
  expect(received.filter(({ body }) => body.id === workout?.id)).toHaveLength(2)
})

test("retries after the given delays", async () => {
  await signIn(simulator, PERSON)
  simulator.webhooks.manners.retryAfterMs = [1000, 2000]
  answer = 503
  const [workout] = simulator.records(PERSON).workouts
  simulator.edit.workout.patch(PERSON, workout?.id ?? "", {})
  await simulator.webhooks.flush()
  for (const durationMs of [1000, 2000, MINUTE_MS]) await advance(durationMs)
  expect(simulator.webhooks.deliveries[0]).toMatchObject({ state: "failed", attempts: 3 })
})

test("can send copies in random order", async () => {
  await signIn(simulator, PERSON)
  simulator.webhooks.manners.copies = 2
  simulator.webhooks.manners.shuffled = true
  await advance(3 * DAY_MS)
  const byTrace = Map.groupBy(received, ({ body }) => body.trace_id)
  for (const copies of byTrace.values()) expect(copies).toHaveLength(2)
  const order = simulator.webhooks.deliveries.map(({ event }) => event.atMs)
  expect(order).not.toEqual(order.toSorted((left, right) => left - right))
})
