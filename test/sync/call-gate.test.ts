import { type CallPurpose, createCallGate } from "@restwell/core"
import { RateLimited, VENDORS } from "@restwell/providers"
import { createTestDatabase, type TestDatabase } from "@restwell/testing/database"
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"

const budget = VENDORS.whoop.syncPolicy.calls

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
})
afterAll(() => store.drop())

/** A gate with its own clock, which moves while it waits. */
function gateAt(provider: string, limits: { perMinute: number; perDay: number }) {
  const time = { now: Date.parse("2026-11-20T12:00:00Z") }
  const clock = { now: () => new Date(time.now) }
  const wait = async (milliseconds: number) => {
    time.now += Math.ceil(milliseconds)
  }
  return {
    time,
    gate: createCallGate({
      database: store.database,
      clock,
      wait,
      provider,
      limits,
      budget,
      purpose: "event",
      userId: null,
    }),
  }
}

test("never allows more calls in any minute than the limit", async () => {
  const limit = 10
  await fc.assert(
    fc.asyncProperty(
      fc.uuid(),
      fc.array(fc.integer({ min: 0, max: 9_000 }), { minLength: 30, maxLength: 60 }),
      async (provider, pauses) => {
        const { gate, time } = gateAt(provider, { perMinute: limit, perDay: 1000 })
        const calls: number[] = []
        for (const pause of pauses) {
          time.now += pause
          const outcome = await gate.acquire().catch((error: unknown) => error)
          if (outcome instanceof RateLimited) time.now += outcome.retryAfterSeconds * 1000
          else calls.push(time.now)
        }
        calls.forEach((call, index) => {
          const tenthBefore = calls[index - limit]
          if (tenthBefore !== undefined) expect(call - tenthBefore).toBeGreaterThan(60_000)
        })
        expect(calls.length).toBeGreaterThan(limit)
      },
    ),
    { numRuns: 20 },
  )
})

test("two processes share one budget", async () => {
  const limits = { perMinute: 25, perDay: 1000 }
  const gates = [gateAt("shared", limits).gate, gateAt("shared", limits).gate]
  const calls = Array.from({ length: 80 }, (_, index) =>
    gates[index % 2]?.acquire().then(
      () => "call",
      () => "wait",
    ),
  )
  const outcomes = await Promise.all(calls)
  expect(outcomes.filter((outcome) => outcome === "call")).toHaveLength(25)
})

test.each([1, 5_000])("a process whose clock is %d ms behind sees the calls of the others", async (behind) => {
  const limits = { perMinute: 25, perDay: 1000 }
  const provider = `behind-${behind}`
  const [ahead, late] = [gateAt(provider, limits), gateAt(provider, limits)]
  late.time.now -= behind
  for (let call = 0; call < 25; call += 1) await ahead.gate.acquire()
  await expect(late.gate.acquire()).rejects.toMatchObject({ retryAfterSeconds: Math.ceil(61 + behind / 1000) })
})

test("where the vendor counts within seconds, the calls of a key are spaced, of two processes too", async () => {
  const time = { now: Date.parse("2026-11-20T12:00:00Z") }
  const gateOf = () =>
    createCallGate({
      database: store.database,
      clock: { now: () => new Date(time.now) },
      wait: async (milliseconds) => {
        time.now += Math.ceil(milliseconds)
      },
      provider: "spaced",
      limits: { perMinute: 60, perDay: 1000 },
      budget: { ...budget, of: "key", isSpaced: true },
      purpose: "person",
      userId: "ada",
    })
  const gates = [gateOf(), gateOf()]
  await Promise.all(Array.from({ length: 20 }, (_, index) => gates[index % 2]?.acquire()))
  const { rows } = await store.pool.query(
    "select extract(epoch from called_at)::float8 as at from restwell.vendor_call where provider like 'spaced/%' order by 1",
  )
  expect(rows).toHaveLength(20)
  rows.slice(1).forEach(({ at }, index) => {
    expect(at - rows[index].at).toBeGreaterThanOrEqual(1)
  })
})

test("the limit per day is kept as well, and says when it ends", async () => {
  const { gate, time } = gateAt("daily", { perMinute: 100, perDay: 3 })
  for (let call = 0; call < 3; call += 1) {
    await gate.acquire()
    time.now += 3_600_000
  }
  const refusal = await gate.acquire().catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(RateLimited)
  expect(refusal).toMatchObject({ retryAfterSeconds: 86_401 - 3 * 3600 })
})

test("a vendor without remaining calls is not called until its reset", async () => {
  const { gate, time } = gateAt("paused", { perMinute: 100, perDay: 1000 })
  await gate.report({ remaining: 0, resetSeconds: 40 })
  await expect(gate.acquire()).rejects.toMatchObject({ retryAfterSeconds: 40 })
  time.now += 40_000
  await gate.acquire()
})

test("each purpose leaves calls to the more urgent ones", async () => {
  const limits = { perMinute: 100, perDay: 1000 }
  const clock = { now: () => new Date("2026-11-20T12:00:00Z") }
  const wait = () => Promise.reject(new Error("has to wait"))
  const use = async (purpose: CallPurpose) => {
    const { database } = store
    const options = { database, clock, wait, provider: "urgent", limits, budget: { ...budget, leastShare: limits } }
    const gate = createCallGate({ ...options, purpose, userId: null })
    for (let calls = 0; ; calls += 1) if (await gate.acquire().catch(() => true)) return calls
  }
  expect(await use("history")).toBe(70)
  expect(await use("request")).toBe(5)
  expect(await use("refresh")).toBe(5)
  expect(await use("reconciliation")).toBe(10)
  expect(await use("event")).toBe(10)
  expect(await use("person")).toBe(0)
})

test("while events are waiting, histories leave them nearly all calls of the minute", async () => {
  const provider = "notifying"
  const limits = { perMinute: 10, perDay: 1000 }
  const gateFor = (purpose: CallPurpose) => {
    const clock = { now: () => new Date("2026-11-20T12:00:00Z") }
    const wait = () => Promise.reject(new Error("has to wait"))
    return createCallGate({ database: store.database, clock, wait, provider, limits, budget, purpose, userId: null })
  }
  const countOf = async (purpose: CallPurpose) => {
    for (let calls = 0; ; calls += 1)
      if (
        await gateFor(purpose)
          .acquire()
          .catch(() => true)
      )
        return calls
  }
  const setConnection = async (status: string, retryAfter: string | null) => {
    await store.pool.query("delete from restwell.vendor_call where provider = $1", [provider])
    await store.pool.query("update restwell.connection set status = $1, retry_after = $2", [status, retryAfter])
  }
  await store.pool.query(`
    insert into restwell."user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
    values ('ada', 'Ada', 'ada@example.com', true, now(), now());
    insert into restwell.connection (user_id, provider, status, status_changed_at, connected_at, next_sync_at)
    values ('ada', 'notifying', 'ok', now(), now(), now());
    insert into restwell.vendor_event (user_id, provider, kind, named_by, provider_id, received_at, due_at)
    values ('ada', 'notifying', 'sleep', 'record', '1', '2026-11-20T11:59:00Z', '2026-11-20T11:59:00Z')`)
  await setConnection("ok", null)
  expect(await countOf("history")).toBe(2)
  expect(await countOf("event")).toBe(8)
  await setConnection("ok", "2026-11-20T12:01:01Z")
  expect(await countOf("history")).toBe(2)
  await setConnection("vendor_unavailable", "2026-11-20T12:30:00Z")
  expect(await countOf("history")).toBe(7)
  // No connection is left whose events can be read.
  await setConnection("reauthorization_required", null)
  expect(await countOf("history")).toBe(7)
})
