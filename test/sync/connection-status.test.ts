import { bodyOf, createCallGate, deleteAccount, disconnect, readAccount } from "@restwell/core"
import { budgetOf, createWorld, type World } from "@restwell/testing/world"
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest"
import { connectionRow, openSubject, read, type Subject, storedRecords } from "./one-person.ts"

const HOUR_MS = 3_600_000

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

const sourceOf = async () => JSON.parse(await read(subject, "sleep")).source
const accountOf = async (userId: string) => (await readAccount(subject.world.context, userId)).connections[0]

describe("a profile that answers 500 never stops the records", () => {
  const FAULT = { match: { path: "/developer/v2/user" }, kind: "status", status: 500 } as const

  test("of a new connection, which is synced, polled, and finds its member later", async () => {
    const { world, person, userId } = subject
    const repair = world.simulator.faults.add(FAULT)
    await world.connect(userId, person)
    expect(await sourceOf()).toMatchObject({ status: "ok" })
    const first = JSON.parse(await storedRecords(subject)).length
    const { sleeps, cycles, recoveries, workouts } = world.simulator.records(person)
    expect(first).toBe(sleeps.length + cycles.length + recoveries.length + workouts.length)
    world.simulator.clock.advance(26 * HOUR_MS)
    await world.runDue()
    expect(JSON.parse(await storedRecords(subject)).length).toBeGreaterThan(first)
    expect(await sourceOf()).toMatchObject({ status: "ok" })
    repair()
    world.simulator.clock.advance(2 * HOUR_MS)
    await world.runDue()
    const { rows } = await world.store.pool.query("select member_id from restwell.connection")
    expect(rows).toEqual([{ member_id: String(person.userId) }])
  })

  test("of a connection whose profile is read again", async () => {
    const { world, person, userId } = subject
    await world.connect(userId, person)
    world.simulator.faults.add(FAULT)
    world.simulator.clock.advance(60 * 24 * HOUR_MS)
    await world.runDue()
    expect(await sourceOf()).toMatchObject({ status: "ok", last_synced_at: world.context.clock.now().toISOString() })
  })
})

describe("a connection whose history is not complete says why and until when", () => {
  test("after the vendor refused a call of another person", async () => {
    const { world, person, userId } = subject
    const pauseMs = 20 * 60_000
    world.simulator.faults.add({
      match: { path: "/developer" },
      kind: "rate_limit",
      headers: { "retry-after": "1200" },
    })
    const until = new Date(world.context.clock.now().getTime() + pauseMs)
    await world.connect(userId, person)
    world.simulator.faults.clear()
    const other = await world.addUser()
    await world.authorize(other, world.simulator.people.add({ email: "ben@example.com" }))
    const limited = { reason: "vendor_limit", message: expect.stringContaining("accepts no more calls"), until }
    expect(await accountOf(other)).toMatchObject({ status: "syncing", waiting: limited })
    await world.sync(other)
    expect(await accountOf(other)).toMatchObject({ status: "syncing", waiting: limited })
    expect(await accountOf(userId)).toMatchObject({ status: "syncing", waiting: limited })
    expect(await sourceOf()).toMatchObject({ status: "syncing", waiting: { ...limited, until: until.toISOString() } })
    world.simulator.clock.advance(pauseMs + 60_000)
    await world.runDue()
    expect(await accountOf(userId)).toMatchObject({ status: "ok", waiting: null })
    expect(await sourceOf()).not.toHaveProperty("waiting")
  })

  test("while it reads the history, in turn with others", async () => {
    const { world, person, userId } = subject
    await world.authorize(userId, person)
    await world.runJob(userId, { withHistory: false })
    const { rows } = await world.store.pool.query("select fetched_back_to from restwell.connection")
    const back = rows[0].fetched_back_to.toISOString().slice(0, 10)
    const waiting = { reason: "history", message: expect.stringContaining(`stored back to ${back}`), until: null }
    expect(await accountOf(userId)).toMatchObject({ status: "syncing", waiting })
    expect(await sourceOf()).toMatchObject({ status: "syncing", waiting })
  })
})

test("a history that paces itself says until when, and equal entity tags still mean equal bytes", async () => {
  const calls = { perMinute: 40, perDay: 100_000 }
  const paused: unknown[] = []
  const tags = new Map<string, string>()
  const world: World = await createWorld({
    days: 400,
    calls,
    gateFor(purpose, userId, provider) {
      // The world is complete when the first call is made.
      const gate = () =>
        createCallGate({
          ...{ database: world.store.database, clock: world.context.clock, budget: budgetOf(provider), limits: calls },
          ...{ purpose, userId, provider },
          async wait(milliseconds) {
            if (userId !== null) await look(userId)
            world.simulator.clock.advance(milliseconds)
          },
        })
      return { acquire: () => gate().acquire(), report: (limits) => gate().report(limits) }
    },
  })
  onTestFinished(() => world.close())
  const look = async (userId: string) => {
    const [connection] = (await readAccount(world.context, userId)).connections
    if (connection?.waiting?.reason === "minute_limit") paused.push(connection.waiting.until)
    const query = { type: "sleep", days: 9 } as const
    const reading = await world.reader.read({ credential: { userId }, query, ifNoneMatch: [], isCounted: false })
    if (reading.outcome !== "answer") throw new Error(`expected an answer, got ${reading.outcome}`)
    const body = JSON.stringify(bodyOf(reading.response.bytes))
    expect(tags.get(reading.response.etag) ?? body).toBe(body)
    tags.set(reading.response.etag, body)
  }
  const userId = await world.addUser()
  await world.connect(userId, world.simulator.people.add({ email: "ada@example.com" }))
  await look(userId)
  expect(paused.length).toBeGreaterThan(0)
  expect(paused).toEqual(paused.map(() => expect.any(Date)))
  expect([...tags.values()].some((body) => body.includes('"reason":"minute_limit"'))).toBe(true)
  expect([...tags.values()].at(-1)).toContain('"status":"ok"')
})
