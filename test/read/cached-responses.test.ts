import { HEALTH_TYPES, type HealthQuery } from "@restwell/client"
import { createHealthReader, disconnect, type HealthReader, openPool, rotateApiKey, ServiceError } from "@restwell/core"
import type { Person } from "@restwell/simulator"
import { createWorld, newKey, type World } from "@restwell/testing/world"
import { afterEach, beforeEach, expect, test } from "vitest"

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const WEEK = { type: "sleep", days: 7 } as const

let world: World
let person: Person
let userId: string
let keyHash: string
/** Caches nothing: it reads every answer from the store. */
let uncached: HealthReader

beforeEach(async () => {
  world = await createWorld({ days: 60 })
  person = world.simulator.people.add({ email: "ada@example.com" })
  userId = await world.addUser()
  await world.connect(userId, person)
  keyHash = (await newKey(world.context, userId)).keyHash
  uncached = createHealthReader(world.context, { pool: world.store.pool, cacheBytes: 0 })
})
afterEach(() => world.close())

const request = (query: HealthQuery) => ({ credential: { keyHash }, query, ifNoneMatch: [], isCounted: true })

/** The body and tag of an answer, or the outcome of a read without one. */
async function bytesOf(
  reader: HealthReader,
  query: HealthQuery = WEEK,
): Promise<[text: string, etag: string] | string> {
  try {
    const reading = await reader.read(request(query))
    if (reading.outcome === "refused") return reading.error.code
    if (reading.outcome !== "answer") return reading.outcome
    return [reading.response.bytes.toString(), reading.response.etag]
  } catch (error) {
    if (error instanceof ServiceError) return error.code
    throw error
  }
}

const used = async () =>
  Number((await world.store.pool.query("select sum(used) from restwell.usage")).rows[0]?.sum ?? 0)

test("a cached response has the bytes and the entity tag of one that is read from the store", async () => {
  for (const type of HEALTH_TYPES) {
    const query = type === "profile" ? { type } : { type, days: 45 }
    const expected = await bytesOf(uncached, query)
    expect(expected).toBeInstanceOf(Array)
    for (const reader of [world.reader, world.reader, uncached]) expect(await bytesOf(reader, query)).toEqual(expected)
  }
})

test("a conditional read has the same body as a plain one, unless its entity tag is still valid", async () => {
  const conditional = async (query: HealthQuery, etag: string) => {
    const reading = await world.reader.read({ ...request(query), ifNoneMatch: [etag] })
    return reading.outcome === "answer" ? reading.response.bytes.toString() : reading.outcome
  }
  const tagOf = async (query: HealthQuery): Promise<string> => (await bytesOf(uncached, query))[1] ?? ""
  const before = await tagOf(WEEK)
  expect(await conditional(WEEK, before)).toBe("not_modified")
  const others = HEALTH_TYPES.map((type): HealthQuery => (type === "profile" ? { type } : { type, days: 30 }))
  for (const query of others) expect(await conditional(query, before)).toBe((await bytesOf(uncached, query))[0])
  await changeNewestSleep()
  await world.sync(userId)
  for (const query of [WEEK, ...others])
    expect(await conditional(query, before)).toBe((await bytesOf(uncached, query))[0])
})

test("a cached response takes no more memory than its own bytes", async () => {
  for (const query of [{ type: "summary" }, { type: "profile" }, { type: "sleep", days: 1 }] as const) {
    const reading = await world.reader.read(request(query))
    if (reading.outcome !== "answer") throw new Error(`got ${reading.outcome}`)
    expect(reading.response.bytes.buffer.byteLength).toBe(reading.response.bytes.length)
  }
})

test("counts and logs every answer, cached or not", async () => {
  for (let read = 1; read <= 5; read += 1) {
    await bytesOf(world.reader)
    expect(await used()).toBe(read)
  }
  await Promise.all(Array.from({ length: 20 }, () => bytesOf(world.reader)))
  const { rows } = await world.store.pool.query(
    "select sum(reads)::int as reads, count(*)::int as entries from restwell.access_log",
  )
  expect([await used(), rows[0]?.reads]).toEqual([25, 25])
  expect(rows[0]?.entries).toBeLessThan(25)
})

test("a read is counted and logged by one transaction, cached or not", async () => {
  const pool = openPool({ ...world.store.connection, max: 1 }, () => {})
  const reader = createHealthReader(world.context, { pool, cacheBytes: 1_000_000 })
  const logged = async () =>
    (await world.store.pool.query("select count(*)::int as entries from restwell.access_log")).rows[0]?.entries
  await bytesOf(reader)
  for (const [query, end, expected] of [
    [WEEK, "rollback", 1],
    [WEEK, "commit", 2],
    [{ ...WEEK, days: 8 }, "rollback", 2],
    [{ ...WEEK, days: 9 }, "commit", 3],
  ] as const) {
    // One connection: the reader's statements run inside this transaction.
    await pool.query("begin")
    expect(await bytesOf(reader, query)).toBeInstanceOf(Array)
    await pool.query(end)
    expect([await used(), await logged()]).toEqual([expected, expected])
  }
  await pool.end()
})

test("simultaneous reads each get their own remaining quota", async () => {
  const queries: HealthQuery[] = [WEEK, { type: "sleep", days: 30 }, { type: "recovery", days: 7 }]
  const readAll = () => Promise.all([...queries, ...queries].map((query) => world.reader.read(request(query))))
  for (const before of [0, 6]) {
    const remaining = (await readAll()).map(({ quota }) => quota?.remaining ?? Number.NaN)
    const expected = Array.from({ length: 6 }, (_, index) => 1_000_000 - before - 6 + index)
    expect(remaining.toSorted((one, other) => one - other)).toEqual(expected)
  }
})

/** Every change that makes a cached response invalid. */
const CHANGES: [string, () => Promise<unknown>][] = [
  ["a record changes at the vendor", () => changeNewestSleep().then(() => world.sync(userId))],
  ["a new day begins in the person's time zone", async () => world.simulator.clock.advance(DAY_MS)],
  [
    "the time zone changes",
    () => world.store.pool.query("update restwell.person set utc_offset_minutes = utc_offset_minutes + 840"),
  ],
  [
    "the status changes",
    () => world.store.pool.query("update restwell.connection set status = 'vendor_unavailable'").then(raiseDataVersion),
  ],
  ["the vendor is disconnected", () => disconnect(world.context, { userId, provider: "whoop", wipeData: false })],
  ["the key is replaced", () => rotateApiKey(world.context, userId)],
  ["the account is deleted", () => world.store.pool.query(`delete from restwell."user"`)],
]

const raiseDataVersion = () => world.store.pool.query("update restwell.person set data_version = data_version + 1")

async function changeNewestSleep(): Promise<void> {
  const [sleep] = world.simulator.records(person).sleeps
  if (!sleep) throw new Error("the simulated person has no sleep")
  world.simulator.clock.advance(MINUTE_MS)
  world.simulator.edit.sleep.patch(person, sleep.id, { score_state: "UNSCORABLE", score: undefined })
}

test.each(CHANGES)("does not send a cached response once %s", async (_, change) => {
  const before = await bytesOf(world.reader)
  expect(await bytesOf(world.reader)).toEqual(before)
  await change()
  const after = await bytesOf(world.reader)
  expect(after).not.toEqual(before)
  expect(after).toEqual(await bytesOf(uncached))
})

test("a replaced key gets no cached response while the new key is in use", async () => {
  const former = keyHash
  await bytesOf(world.reader)
  keyHash = (await newKey(world.context, userId)).keyHash
  expect(await bytesOf(world.reader)).toBeInstanceOf(Array)
  keyHash = former
  expect(await bytesOf(world.reader)).toBe("unauthorized")
})

test("a replaced key gets nothing, even in a batch with the new key", async () => {
  const former = keyHash
  await bytesOf(world.reader)
  keyHash = (await newKey(world.context, userId)).keyHash
  await bytesOf(world.reader)
  const by = (hash: string) => world.reader.read({ ...request(WEEK), credential: { keyHash: hash } })
  const before = await used()
  const readings = await Promise.allSettled([by(keyHash), by(former), by(keyHash), by(former)])
  expect(readings.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "rejected"])
  expect(await used()).toBe(before + 2)
})

test("the cached response of a day is not sent after midnight, not even seconds after", async () => {
  const { rows } = await world.store.pool.query("select utc_offset_minutes as minutes from restwell.person")
  const local = world.simulator.clock.nowMs() + rows[0].minutes * MINUTE_MS
  world.simulator.clock.advance(DAY_MS - (local % DAY_MS) - 20_000)
  const evening = await bytesOf(world.reader)
  expect(await bytesOf(world.reader)).toEqual(evening)
  world.simulator.clock.advance(30_000)
  expect((await bytesOf(world.reader))[1]).not.toBe(evening[1])
  expect(await bytesOf(world.reader)).toEqual(await bytesOf(uncached))
})

test("a cached response of data that became stale requests a sync once", async () => {
  world.simulator.clock.advance(14.5 * MINUTE_MS)
  world.requested.length = 0
  await bytesOf(world.reader)
  await bytesOf(world.reader)
  expect(world.requested).toEqual([])
  world.simulator.clock.advance(40_000)
  await bytesOf(world.reader)
  await bytesOf(world.reader)
  await expect.poll(() => world.requested).toEqual([{ userId, provider: "whoop" }])
  expect((await world.store.pool.query("select sync_requested_at from restwell.connection")).rows).toEqual([
    { sync_requested_at: world.simulator.clock.now() },
  ])
})
