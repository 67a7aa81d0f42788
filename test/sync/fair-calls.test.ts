import { type CallPurpose, createCallGate } from "@restwell/core"
import { RateLimited, VENDORS } from "@restwell/providers"
import { createTestDatabase, type TestDatabase } from "@restwell/testing/database"
import { afterEach, beforeEach, expect, test } from "vitest"

const provider = "whoop"
const budget = VENDORS.whoop.syncPolicy.calls
const limits = { perMinute: 1000, perDay: 100 }
const clock = { now: () => new Date("2026-11-20T12:00:00Z") }
const wait = () => Promise.reject(new Error("has to wait"))

let store: TestDatabase
beforeEach(async () => {
  store = await createTestDatabase()
  for (const name of ["ada", "ben"])
    await store.pool.query(`
      insert into restwell."user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
      values ('${name}', '${name}', '${name}@example.com', true, now(), now());
      insert into restwell.connection (user_id, provider, status, status_changed_at, connected_at, next_sync_at)
      values ('${name}', 'whoop', 'ok', now(), now(), now())`)
})
afterEach(() => store.drop())

/** Makes calls until one has to wait. Returns their number and the reason. */
async function use(userId: string, purpose: CallPurpose): Promise<[calls: number, reason: string]> {
  const gate = createCallGate({ database: store.database, clock, wait, provider, limits, budget, purpose, userId })
  for (let calls = 0; ; calls += 1) {
    const error = await gate.acquire().catch((refusal: unknown) => refusal)
    if (error instanceof RateLimited) return [calls, error.reason]
    expect(error).toBeUndefined()
  }
}

test("a flood of one person's news leaves the share of another, and the day's limit is kept", async () => {
  expect(await use("ada", "event")).toEqual([60, "fair_share"])
  expect(await use("ben", "event")).toEqual([40, "day_limit"])
  expect(await use("ada", "person")).toEqual([0, "day_limit"])
})

test("a person's long history leaves calls for the history of another, and for the news of both", async () => {
  expect(await use("ada", "history")).toEqual([60, "fair_share"])
  expect(await use("ben", "history")).toEqual([20, "day_limit"])
  expect(await use("ada", "event")).toEqual([20, "day_limit"])
})

test("requested syncs have a small share of a small budget, and none beyond it", async () => {
  expect(await use("ada", "request")).toEqual([16, "fair_share"])
  expect(await use("ben", "request")).toEqual([16, "fair_share"])
  expect(await use("ada", "event")).toEqual([40, "fair_share"])
})

test("what nobody needs may be used beyond the share", async () => {
  const large = { perMinute: 1000, perDay: 1000 }
  await store.pool.query("update restwell.connection set last_event_at = $1", [clock.now()])
  const gate = (userId: string) =>
    createCallGate({
      database: store.database,
      clock,
      wait,
      provider,
      limits: large,
      budget,
      purpose: "request",
      userId,
    })
  const countOf = async (userId: string) => {
    for (let calls = 0; ; calls += 1)
      if (
        await gate(userId)
          .acquire()
          .catch(() => true)
      )
        return calls
  }
  // Three people's news need 30 calls, and a first sync 60.
  expect(await countOf("ada")).toBe(910)
  expect(await countOf("ben")).toBe(70)
})
