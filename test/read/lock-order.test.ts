import { type Credential, createHealthReader, type HealthReader, openPool } from "@restwell/core"
import { createWorld, newKey, type World } from "@restwell/testing/world"
import { afterEach, beforeEach, expect, test } from "vitest"

const PEOPLE = 6
const REPLICAS = 3
const ROUNDS = 120
const READS_AT_ONCE = 12
/** PostgreSQL detects a deadlock after this time: short, to tell it from a long wait. */
const DEADLOCK_TIMEOUT = "10ms"

let world: World
let people: { readonly userId: string; readonly keyHash: string }[]

beforeEach(async () => {
  world = await createWorld({ days: 12 })
  people = []
  for (let number = 0; number < PEOPLE; number += 1) {
    const userId = await world.addUser()
    await world.connect(userId, world.simulator.people.add({ email: `p${number}@example.com` }))
    people.push({ userId, keyHash: (await newKey(world.context, userId)).keyHash })
  }
})
afterEach(() => world.close())

const anyOf = <Value>(list: readonly Value[]): Value => {
  const one = list[Math.floor(Math.random() * list.length)]
  if (one === undefined) throw new Error("there is nothing to choose from")
  return one
}

/** A random read by key or by user. Returns 1 if it was answered. */
async function readSomething(reader: HealthReader): Promise<number> {
  const { userId, keyHash } = anyOf(people)
  const days = anyOf([1, 3, 7, 12])
  const credential = anyOf([{ keyHash }, { keyHash }, { userId }])
  const query = anyOf([null, { type: "sleep", days }, { type: "recovery", days }, { type: "sleep", days }] as const)
  if (query === null) return readNoData(reader, credential)
  const reading = await reader.read({
    credential,
    query,
    ifNoneMatch: [],
    isCounted: true,
  })
  return reading.outcome === "answer" ? 1 : 0
}

async function readNoData(reader: HealthReader, credential: Credential): Promise<number> {
  expect((await reader.readQuota(credential)).limit).toBeGreaterThan(0)
  return 0
}

/** Changes the data now and then, so that cached responses become invalid. */
async function changeSomething(): Promise<void> {
  const { userId } = anyOf(people)
  await world.store.pool.query("update restwell.person set data_version = data_version + 1 where user_id = $1", [
    userId,
  ])
  await world.store.pool.query("update restwell.api_key set last_used_at = null where user_id = $1", [userId])
}

/** Runs reads on several replicas. Returns the number of deadlocks. */
async function deadlocksOf(work: (readers: readonly HealthReader[]) => Promise<void>): Promise<number> {
  const settings = { ...world.store.connection, max: 10, options: `-c deadlock_timeout=${DEADLOCK_TIMEOUT}` }
  const pools = Array.from({ length: REPLICAS }, () => openPool(settings, () => {}))
  await work(pools.map((pool) => createHealthReader(world.context, { pool, cacheBytes: 1_000_000 })))
  // PostgreSQL adds up a connection's statistics when it ends.
  await Promise.all(pools.map((pool) => pool.end()))
  const { rows } = await world.store.pool.query(
    "select deadlocks::int from pg_stat_database where datname = current_database()",
  )
  return rows[0]?.deadlocks
}

test("replicas that read for the same people at the same time never deadlock, cached or not", async () => {
  let answered = 0
  const readAndChange = async (reader: HealthReader) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      if (round % 10 === 0) await changeSomething()
      const reads = await Promise.all(Array.from({ length: READS_AT_ONCE }, () => readSomething(reader)))
      answered += reads.reduce((sum, read) => sum + read, 0)
    }
  }
  expect(await deadlocksOf(async (readers) => void (await Promise.all(readers.map(readAndChange))))).toBe(0)
  const { rows } = await world.store.pool.query("select sum(used)::int as used from restwell.usage")
  expect(rows).toEqual([{ used: answered }])
})

test("an assistant's read and a read by key for one person never deadlock", async () => {
  const [person] = people
  if (!person) throw new Error("there is nobody")
  const readAs = (reader: HealthReader, credential: { userId: string } | { keyHash: string }) =>
    reader.read({ credential, query: { type: "sleep", days: 7 }, ifNoneMatch: [], isCounted: true })
  const readBoth = (reader: HealthReader) => [
    readAs(reader, { userId: person.userId }),
    readAs(reader, { keyHash: person.keyHash }),
  ]
  const readOften = async (readers: readonly HealthReader[]) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await world.store.pool.query("update restwell.api_key set last_used_at = null")
      await Promise.all(readers.flatMap(readBoth))
    }
  }
  expect(await deadlocksOf(readOften)).toBe(0)
})
