import { deleteAccount, disconnect } from "@restwell/core"
import { afterEach, beforeEach, expect, test } from "vitest"
import { connectionRow, openSubject, read, type Subject, storedRecords } from "./one-person.ts"

let subject: Subject
beforeEach(async () => {
  subject = await openSubject()
})
afterEach(() => subject.world.close())

test("while the vendor is down stored records are returned with that status, until it is back", async () => {
  const { world, person, userId } = subject
  await world.connect(userId, person)
  const before = JSON.parse(await read(subject, "sleep"))
  const repair = world.simulator.faults.add({ match: { path: "/developer" }, kind: "status", status: 503 })
  await world.sync(userId)
  const during = JSON.parse(await read(subject, "sleep"))
  expect(during.records).toEqual(before.records)
  expect(during.source).toEqual({ ...before.source, status: "vendor_unavailable" })
  expect((await connectionRow(subject)).next_sync_at).toEqual(new Date(world.context.clock.now().getTime() + 60_000))
  repair()
  await world.sync(userId)
  expect(JSON.parse(await read(subject, "sleep")).source.status).toBe("ok")
})

test("a revoked grant requires the person to connect again, which keeps the stored records", async () => {
  const { world, person, userId } = subject
  await world.connect(userId, person)
  const before = await storedRecords(subject)
  world.simulator.tokens.revokeAll(person)
  await world.sync(userId)
  expect(JSON.parse(await read(subject, "sleep")).source.status).toBe("reauthorization_required")
  await world.connect(userId, person)
  expect(JSON.parse(await read(subject, "sleep")).source.status).toBe("ok")
  expect(await storedRecords(subject)).toBe(before)
})

test("an expired access token is refreshed, and a refused one too", async () => {
  const { world, person, userId } = subject
  await world.connect(userId, person)
  world.simulator.clock.advance(2 * 3_600_000)
  await world.sync(userId)
  expect(world.simulator.requestLog.counters().refreshes).toBe(1)
  world.simulator.tokens.expireAccess(person)
  await world.sync(userId)
  expect(world.simulator.requestLog.counters().refreshes).toBe(2)
  expect((await connectionRow(subject)).status).toBe("ok")
})

test("a read of data older than 15 minutes requests a sync at most once a minute, and does not wait for it", async () => {
  const { world, person, userId } = subject
  await world.connect(userId, person)
  await read(subject, "sleep")
  expect(world.requested).toEqual([])
  world.simulator.clock.advance(15 * 60_000 + 1)
  await Promise.all([read(subject, "sleep"), read(subject, "recovery"), read(subject, "workout")])
  await expect.poll(() => world.requested).toEqual([{ userId, provider: "whoop" }])
})

test("a sync in flight stores nothing after a disconnect", async () => {
  const { world, person, userId } = subject
  await world.connect(userId, person)
  await disconnect(world.context, { userId, provider: "whoop", wipeData: true })
  await world.connect(userId, person)
  world.simulator.faults.add({ match: { path: "/developer/v2/cycle" }, kind: "latency", ms: 300, times: 1 })
  const syncing = world.sync(userId)
  await disconnect(world.context, { userId, provider: "whoop", wipeData: true })
  await syncing
  expect(await storedRecords(subject)).toBe("[]")
  expect((await connectionRow(subject)).status).toBe("disconnected")
})

test("a sync in flight does not restore a deleted account", async () => {
  const { world, person, userId } = subject
  await world.connect(userId, person)
  world.simulator.faults.add({ match: { path: "/developer/v2/cycle" }, kind: "latency", ms: 300, times: 1 })
  const syncing = world.sync(userId)
  await deleteAccount(world.context, userId)
  await syncing
  expect(await storedRecords(subject)).toBe("[]")
})

test("when the call budget is used up the sync is resumed later, and the status stays syncing", async () => {
  const { world, person, userId } = subject
  const lift = world.simulator.faults.add({ match: { path: /activity/ }, kind: "rate_limit" })
  await world.connect(userId, person)
  expect((await connectionRow(subject)).status).toBe("syncing")
  expect((await connectionRow(subject)).next_sync_at.getTime()).toBeGreaterThan(world.context.clock.now().getTime())
  lift()
  world.simulator.clock.advance(61_000)
  await world.sync(userId)
  expect((await connectionRow(subject)).status).toBe("ok")
})
