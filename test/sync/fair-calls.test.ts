import { type CallPurpose, createCallGate } from "@restwell/core"
import { RateLimited, VENDORS } from "@restwell/providers"
import { createTestDatabase, type TestDatabase } from "@restwell/testing/database"
import { afterEach, beforeEach, expect, test } from "vitest"

const provider = "whoop"
const budget = VENDORS.whoop.syncPolicy.calls
const limits = { perMinute: 10_000, perDay: 1000 }
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

test("a flood of one person's news leaves the share of another, and of a newcomer", async () => {
  expect(await use("ada", "event")).toEqual([600, "fair_share"])
  expect(await use("ben", "event")).toEqual([333, "fair_share"])
  expect(await use("ada", "person")).toEqual([0, "fair_share"])
  expect(await use("cleo", "person")).toEqual([67, "day_limit"])
})

test("a person's long history leaves calls for the history of another, and for the news of both", async () => {
  expect(await use("ada", "history")).toEqual([600, "fair_share"])
  expect(await use("ben", "history")).toEqual([100, "day_limit"])
  expect(await use("ben", "reconciliation")).toEqual([200, "day_limit"])
  expect(await use("ada", "event")).toEqual([100, "day_limit"])
})

test("requested syncs have half of a share, and none beyond it", async () => {
  expect(await use("ada", "request")).toEqual([166, "fair_share"])
  expect(await use("ben", "request")).toEqual([166, "fair_share"])
  expect(await use("ada", "event")).toEqual([333, "fair_share"])
})

test("where there are many people, a share has room for a day without webhooks and for a first sync", async () => {
  await store.pool.query(`
    insert into restwell."user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
    select 'm' || n, 'M', n || '@example.com', true, now(), now() from generate_series(1, 50) n;
    insert into restwell.connection (user_id, provider, status, status_changed_at, connected_at, next_sync_at)
    select 'm' || n, 'whoop', 'ok', now(), now(), now() from generate_series(1, 50) n`)
  expect(await use("ada", "event")).toEqual([600, "fair_share"])
  expect(await use("m1", "history")).toEqual([60, "fair_share"])
  expect(await use("m2", "refresh")).toEqual([120, "fair_share"])
})
