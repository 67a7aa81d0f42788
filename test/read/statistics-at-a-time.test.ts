import {
  createHealthReader,
  databaseTrouble,
  type HealthReader,
  type HealthReadRequest,
  limitExpensiveReads,
  type Statistics,
  StatisticsThread,
} from "@restwell/core"
import { createWorld, newKey, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest"

let world: World
let userId: string
let otherId: string
let keyHash: string
beforeAll(async () => {
  world = await createWorld({ days: 120, quota: { free: 1_000, pro: 50_000 } })
  const { people } = world.simulator
  userId = await world.addUser()
  await world.connect(userId, people.add({ email: "ada@example.com" }))
  otherId = await world.addUser()
  await world.connect(otherId, people.add({ email: "omar@example.com" }))
  keyHash = (await newKey(world.context, userId)).keyHash
})
afterAll(() => world.close())

const relation = (days: number) => ({ type: "relate", outcome: "hrv", days }) as const
const request = (days: number, more: Partial<HealthReadRequest> = {}): HealthReadRequest => ({
  credential: { userId },
  query: relation(days),
  ifNoneMatch: [],
  isCounted: false,
  ...more,
})
const usedByKey = async (): Promise<number> => {
  const { rows } = await world.store.pool.query("select coalesce(sum(used), 0)::int as used from restwell.usage")
  return rows[0].used
}

describe("the limit of expensive reads", () => {
  let computed = 0
  let finish: () => void
  let reader: HealthReader
  beforeEach(() => {
    computed = 0
    const { promise, resolve } = Promise.withResolvers<void>()
    finish = resolve
    /** Statistics that end when the test ends them. */
    const statistics: Statistics = async (person) => {
      computed += 1
      if (person === userId) await promise
      return { bytes: new TextEncoder().encode("{}"), recordCount: 0 }
    }
    const expensiveReads = limitExpensiveReads(world.context.clock)
    reader = createHealthReader(world.context, { pool: world.store.pool, cacheBytes: 0, statistics, expensiveReads })
  })

  /** Eight at a time: by key, by session, and by an assistant. */
  async function fill() {
    const entry = { clientId: "c", assistant: "A", operation: "o", types: [], startDate: null, endDate: null } as const
    const limits = { isForAssistant: true, groups: [], from: null }
    const call = { userId, queries: [relation(30), relation(31)], limits, entry } as const
    const byAssistant = reader.readCall(call)
    await expect.poll(() => computed).toBe(1)
    const others = [50, 51, 52, 53].map((days) => reader.read(request(days)))
    const byKey = [60, 61, 62].map((days) => reader.read(request(days, { credential: { keyHash }, isCounted: true })))
    return Promise.all([byAssistant, ...others, ...byKey])
  }

  test("is shared by a person's keys, sessions and assistants, counts nothing, and concerns nobody else", async () => {
    const used = await usedByKey()
    const filled = fill()
    await expect.poll(() => computed).toBe(8)
    for (const more of [
      { credential: { keyHash }, isCounted: true },
      {},
      { isHead: true },
      { credential: { keyHash }, isCounted: true, isHead: true },
    ])
      expect(await reader.read(request(40, more))).toMatchObject({
        outcome: "refused",
        error: { code: "rate_limited", limit: 8, retryAfterSeconds: 1, reset: expect.any(Date) },
        quota: { limit: 1000 },
      })
    expect(await usedByKey()).toBe(used)
    expect(await reader.read(request(40, { credential: { userId: otherId } }))).toMatchObject({ outcome: "answer" })
    const sleep = { credential: { keyHash }, query: { type: "sleep" as const, days: 7 } }
    expect(await reader.read(request(7, sleep))).toMatchObject({ outcome: "answer" })
    finish()
    await filled
    expect(await reader.read(request(40))).toMatchObject({ outcome: "answer" })
  })

  test("HEAD computes nothing, and is refused what GET is refused", async () => {
    finish()
    const head = { credential: { keyHash }, isCounted: true, isHead: true }
    const get = await reader.read(request(33, { credential: { keyHash }, isCounted: true }))
    const used = await usedByKey()
    const etag = get.outcome === "answer" ? get.response.etag : ""
    expect(await reader.read(request(33, head))).toMatchObject({ outcome: "head", etag })
    expect(computed).toBe(1)
    const query = { type: "trend", metric: "nonsense" } as const
    for (const more of [{}, head])
      expect(await reader.read(request(1, { query, ...more }))).toMatchObject({ error: { code: "invalid_request" } })
    await world.store.pool.query("update restwell.usage set used = 1000")
    expect(await reader.read(request(33, head))).toMatchObject({ error: { code: "rate_limited", limit: 1000 } })
    expect(await reader.read(request(33, { isHead: true }))).toMatchObject({ outcome: "head" })
    expect(computed).toBe(1)
    await world.store.pool.query("update restwell.usage set used = $1", [used])
  })
})

describe("values within the day", () => {
  test.each([
    { days: 1 },
    { days: 2, resolution: "1m" },
    { start: "2026-11-01T00:00:00Z", end: "2026-11-01T00:10:00Z" },
    { days: 1, format: "csv" },
  ] as const)("are computed as statistics are, under the same limit, also of a short time: %j", async (time) => {
    const tasks: string[] = []
    const { promise: held, resolve: finish } = Promise.withResolvers<void>()
    const statistics: Statistics = async (_person, { kind }) => {
      tasks.push(kind)
      await held
      return { bytes: new TextEncoder().encode(`as the thread wrote it ${tasks.length}`), recordCount: 1 }
    }
    const expensiveReads = limitExpensiveReads(world.context.clock)
    const reader = createHealthReader(world.context, {
      pool: world.store.pool,
      cacheBytes: 0,
      statistics,
      expensiveReads,
    })
    const query = { type: "series", series: "heart_rate", ...time } as const
    const reads = Array.from({ length: 8 }, () => reader.read(request(0, { query })))
    await expect.poll(() => tasks).toEqual(reads.map(() => "series"))
    expect(await reader.read(request(0, { query }))).toMatchObject({ error: { code: "rate_limited", limit: 8 } })
    finish()
    for (const reading of await Promise.all(reads)) {
      if (reading.outcome !== "answer") throw new Error(`got ${reading.outcome}`)
      expect(reading.response.bytes.toString()).toBe("as the thread wrote it 8")
    }
  })
})

describe("the thread of the statistics", () => {
  /** Time that the thread was idle, as the test decides. */
  const waits: (() => void)[] = []
  const startThread = () => {
    waits.length = 0
    const connection = { ...world.store.connection, application_name: "statistics-thread", max: 1 }
    const wait = () => new Promise<void>((resolve) => void waits.push(resolve))
    const thread = new StatisticsThread({ connection, wait })
    onTestFinished(() => thread[Symbol.asyncDispose]())
    const reader = createHealthReader(world.context, {
      pool: world.store.pool,
      cacheBytes: 0,
      statistics: thread.compute,
    })
    return { reader, thread }
  }
  const connections = async (): Promise<number> => {
    const { rows } = await world.store.pool.query(
      "select count(*)::int as count from pg_stat_activity where application_name = 'statistics-thread' and datname = current_database()",
    )
    return rows[0].count
  }
  const bytesOf = async (reader: HealthReader, days: number): Promise<string> => {
    const reading = await reader.read(request(days))
    if (reading.outcome !== "answer") throw new Error(`got ${reading.outcome}`)
    return reading.response.bytes.toString()
  }

  test("gives the same answer, ends when it is idle, and starts again", async () => {
    const { reader } = startThread()
    expect(await connections()).toBe(0)
    const answers = await Promise.all([90, 91, 92].map((days) => bytesOf(reader, days)))
    expect(answers).toEqual(await Promise.all([90, 91, 92].map((days) => bytesOf(world.reader, days))))
    expect(await connections()).toBe(1)
    // Once because of the tasks since the last look, and once without one.
    for (const count of [1, 2]) {
      await expect.poll(() => waits.length).toBe(count)
      waits.at(-1)?.()
    }
    await expect.poll(connections).toBe(0)
    expect(await bytesOf(reader, 93)).toBe(await bytesOf(world.reader, 93))
  })

  test("says that the database was lost, and goes on with a new connection", async () => {
    const { thread } = startThread()
    const read = () =>
      thread.compute(userId, { kind: "trends", userId, dates: { days: 30 }, now: world.context.clock.now() })
    const before = await read()
    const blocker = await world.store.pool.connect()
    await blocker.query("begin; lock table restwell.record in access exclusive mode")
    const lost = read().then(
      () => undefined,
      (error: unknown) => databaseTrouble(error),
    )
    const terminate =
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'statistics-thread' and wait_event_type = 'Lock'"
    await expect.poll(async () => (await blocker.query(terminate)).rowCount).toBe(1)
    await blocker.query("rollback")
    blocker.release()
    expect(await lost).toBe("the database does not answer, try again in a moment")
    expect(await read()).toEqual(before)
  })
})
