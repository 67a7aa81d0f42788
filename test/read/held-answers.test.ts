import { HEALTH_TYPES, type HealthQuery } from "@restwell/client"
import { createHealthReader, disconnect, type HealthReader, rotateApiKey } from "@restwell/core"
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
/** Holds nothing: what it answers was read whole. */
let forgetful: HealthReader

beforeEach(async () => {
  world = await createWorld({ days: 60 })
  person = world.simulator.people.add({ email: "ada@example.com" })
  userId = await world.addUser()
  await world.connect(userId, person)
  keyHash = (await newKey(world.context, userId)).keyHash
  forgetful = createHealthReader(world.context, { pool: world.store.pool, heldBytes: 0 })
})
afterEach(() => world.close())

const request = (query: HealthQuery) => ({ credential: { keyHash }, query, ifNoneMatch: [], charge: true })

/** The body and tag of an answer, or the word for what was given instead. */
async function bytesOf(
  reader: HealthReader,
  query: HealthQuery = WEEK,
): Promise<[text: string, etag: string] | string> {
  const reading = await reader.readBytes(request(query))
  if (reading.outcome === "answer") return [reading.bytes.toString(), reading.etag]
  return reading.outcome === "refused" ? reading.error.code : reading.outcome
}

const used = async () =>
  Number((await world.store.pool.query("select sum(used) from restwell.usage")).rows[0]?.sum ?? 0)

test("bytes are the JSON of the answer, read whole, held, or stored by another version", async () => {
  for (const type of HEALTH_TYPES) {
    const query = type === "profile" ? { type } : { type, days: 45 }
    const reading = await world.reader.read(request(query))
    if (reading.outcome !== "answer") throw new Error(`got ${reading.outcome}`)
    const expected = [JSON.stringify(reading.body), reading.etag]
    for (const reader of [forgetful, world.reader, world.reader]) expect(await bytesOf(reader, query)).toEqual(expected)
    await world.store.pool.query("update restwell.record set shown_as = 'another' where right(provider_id, 1) < '8'")
    expect(await bytesOf(forgetful, query)).toEqual(expected)
    await world.store.pool.query("update restwell.record set shown = null, shown_as = null")
    expect(await bytesOf(forgetful, query)).toEqual(expected)
    await world.sync(userId)
  }
})

test("a held body keeps no more memory than its own bytes", async () => {
  for (const query of [{ type: "summary" }, { type: "profile" }, { type: "sleep", days: 1 }] as const) {
    const reading = await world.reader.readBytes(request(query))
    if (reading.outcome !== "answer") throw new Error(`got ${reading.outcome}`)
    expect(reading.bytes.buffer.byteLength).toBe(reading.bytes.length)
  }
})

test("what an earlier version stored is shown anew once the vendor lists it", async () => {
  await world.store.pool.query("update restwell.record set shown = null, shown_as = null")
  world.simulator.clock.advance(2 * DAY_MS)
  await world.runDue()
  const { rows } = await world.store.pool.query(
    "select count(*) filter (where shown_as is null)::int as old, count(shown)::int as shown from restwell.record where date > $1::date - 5",
    [world.simulator.clock.now().toISOString()],
  )
  expect(rows[0]).toMatchObject({ old: 0 })
  expect(rows[0].shown).toBeGreaterThan(5)
})

test("every answer is counted and told, held or not", async () => {
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

test("reads of one moment tell apart what each leaves of the month, whatever they are of", async () => {
  const queries: HealthQuery[] = [WEEK, { type: "sleep", days: 30 }, { type: "recovery", days: 7 }]
  const readAll = () => Promise.all([...queries, ...queries].map((query) => world.reader.readBytes(request(query))))
  for (const before of [0, 6]) {
    const remaining = (await readAll()).map(({ quota }) => quota?.remaining ?? Number.NaN)
    const expected = Array.from({ length: 6 }, (_, index) => 1_000_000 - before - 6 + index)
    expect(remaining.toSorted((one, other) => one - other)).toEqual(expected)
  }
})

/** What a held answer was made under, and how it ceases to stand. */
const CHANGES: [string, () => Promise<unknown>][] = [
  ["a record changes at the vendor", () => changeNewestSleep().then(() => world.sync(userId))],
  ["another day begins where the person is", async () => world.simulator.clock.advance(DAY_MS)],
  [
    "the place's clock changes",
    () => world.store.pool.query("update restwell.person set utc_offset_minutes = utc_offset_minutes + 840"),
  ],
  [
    "the status changes",
    () => world.store.pool.query("update restwell.connection set status = 'vendor_unavailable'").then(grow),
  ],
  ["the vendor is disconnected", () => disconnect(world.context, { userId, provider: "whoop", wipeData: false })],
  ["the key is replaced", () => rotateApiKey(world.context, userId)],
  ["the account is gone", () => world.store.pool.query(`delete from restwell."user"`)],
]

const grow = () => world.store.pool.query("update restwell.person set data_version = data_version + 1")

async function changeNewestSleep(): Promise<void> {
  const [sleep] = world.simulator.records(person).sleeps
  if (!sleep) throw new Error("the simulated person has no sleep")
  world.simulator.clock.advance(MINUTE_MS)
  world.simulator.edit.sleep.patch(person, sleep.id, { score_state: "UNSCORABLE", score: undefined })
}

test.each(CHANGES)("a held answer is given no more once %s", async (_, change) => {
  const before = await bytesOf(world.reader)
  expect(await bytesOf(world.reader)).toEqual(before)
  await change()
  const after = await bytesOf(world.reader)
  expect(after).not.toEqual(before)
  expect(after).toEqual(await bytesOf(forgetful))
})

test("a replaced key reads nothing that is held for it, though the new one is in use", async () => {
  const former = keyHash
  await bytesOf(world.reader)
  keyHash = (await newKey(world.context, userId)).keyHash
  expect(await bytesOf(world.reader)).toBeInstanceOf(Array)
  keyHash = former
  expect(await bytesOf(world.reader)).toBe("unauthorized")
})

test("a replaced key reads nothing in the same moment as the new one either", async () => {
  const former = keyHash
  await bytesOf(world.reader)
  keyHash = (await newKey(world.context, userId)).keyHash
  await bytesOf(world.reader)
  const by = (hash: string) => world.reader.readBytes({ ...request(WEEK), credential: { keyHash: hash } })
  const before = await used()
  const readings = await Promise.all([by(keyHash), by(former), by(keyHash), by(former)])
  expect(readings.map(({ outcome }) => outcome)).toEqual(["answer", "refused", "answer", "refused"])
  expect(await used()).toBe(before + 2)
})

test("a held answer of the last seven days is not the next day's, a few seconds after midnight either", async () => {
  const { rows } = await world.store.pool.query("select utc_offset_minutes as minutes from restwell.person")
  const local = world.simulator.clock.nowMs() + rows[0].minutes * MINUTE_MS
  world.simulator.clock.advance(DAY_MS - (local % DAY_MS) - 20_000)
  const evening = await bytesOf(world.reader)
  expect(await bytesOf(world.reader)).toEqual(evening)
  world.simulator.clock.advance(30_000)
  expect((await bytesOf(world.reader))[1]).not.toBe(evening[1])
  expect(await bytesOf(world.reader)).toEqual(await bytesOf(forgetful))
})

test("a held answer asks for news of data that have just become old, as one read whole does", async () => {
  world.simulator.clock.advance(14.5 * MINUTE_MS)
  world.requested.length = 0
  await bytesOf(world.reader)
  await bytesOf(world.reader)
  expect(world.requested).toEqual([])
  world.simulator.clock.advance(40_000)
  await bytesOf(world.reader)
  await bytesOf(world.reader)
  expect(world.requested).toEqual([{ userId, provider: "whoop" }])
})
