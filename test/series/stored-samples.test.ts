import { mergeSamples, readSeriesDays, replaceRecordSamples, replaceSamples, type SeriesQuery } from "@restwell/core"
import type { Sample } from "@restwell/providers"
import { createWorld, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"

let world: World
let userId: string
let other: string
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  userId = await world.addUser()
  other = await world.addUser()
})

const owner = () => ({ userId, provider: "oura" })
const at = (time: string, value: number, more: Partial<Sample> = {}): Sample => ({
  atMs: Date.parse(`${time}Z`),
  value,
  ...more,
})
const heartRate = (...samples: Sample[]) => ({ type: "heart_rate", samples }) as const
const window = (from: string, to: string) => ({ from: new Date(`${from}Z`), to: new Date(`${to}Z`) })

async function readAll(query: Partial<SeriesQuery> = {}): Promise<string[]> {
  const whole = {
    userId,
    type: "heart_rate",
    providers: ["oura"],
    from: "2026-11-01",
    to: "2026-11-30",
    ...query,
  } as const
  const days = await Array.fromAsync(readSeriesDays(world.store.pool, whole))
  return days.flatMap(({ samples: { atMs, values } }) =>
    Array.from(atMs, (ms, index) => `${new Date(ms).toISOString().slice(5, 16)} ${values[index]}`),
  )
}

const inTransaction = <Result>(
  work: Parameters<ReturnType<World["context"]["database"]["transaction"]>["execute"]>[0],
) => world.context.database.transaction().execute(work) as Promise<Result>

test("replaces a window by what the vendor has there now, and keeps what is beside it", async () => {
  const write = (from: string, to: string, ...samples: Sample[]) =>
    inTransaction((transaction) => replaceSamples(transaction, owner(), window(from, to), [heartRate(...samples)]))
  await write("2026-11-20T00:00", "2026-11-22T00:00", at("2026-11-20T23:59", 50), at("2026-11-21T08:00", 60))
  await write("2026-11-21T00:00", "2026-11-22T00:00", at("2026-11-21T09:00", 70))
  expect(await readAll()).toEqual(["11-20T23:59 50", "11-21T09:00 70"])
  await write("2026-11-20T00:00", "2026-11-22T00:00")
  expect(await readAll()).toEqual([])
})

test("adds samples by instant, and reports what was there already", async () => {
  const add = (...samples: Sample[]) =>
    inTransaction((transaction) => mergeSamples(transaction, owner(), [heartRate(...samples)]))
  expect(await add(at("2026-11-20T10:00", 50), at("2026-11-21T10:00", 51))).toMatchObject({ stored: 2, unchanged: 0 })
  expect(await add(at("2026-11-21T10:00", 51), at("2026-11-21T10:01", 52))).toMatchObject({ stored: 1, unchanged: 1 })
  expect(await readAll()).toEqual(["11-20T10:00 50", "11-21T10:00 51", "11-21T10:01 52"])
})

test("gives each person their own samples alone", async () => {
  await inTransaction((transaction) => mergeSamples(transaction, owner(), [heartRate(at("2026-11-20T10:00", 50))]))
  expect(await readAll({ userId: other })).toEqual([])
  expect(await readAll({ providers: ["apple_health"] })).toEqual([])
  expect(await readAll({ type: "hrv" })).toEqual([])
})

test("fills times without samples from those of a record, and replaces these with the record", async () => {
  const item = { durationMs: 300_000 }
  const write = (...samples: Sample[]) =>
    inTransaction((transaction) =>
      replaceRecordSamples(transaction, owner(), [{ recordId: "night", sets: [heartRate(...samples)] }]),
    )
  await inTransaction((transaction) => mergeSamples(transaction, owner(), [heartRate(at("2026-11-21T02:04", 48))]))
  await write(at("2026-11-20T23:55", 52, item), at("2026-11-21T02:00", 49, item), at("2026-11-21T02:05", 50, item))
  expect(await readAll()).toEqual(["11-20T23:55 52", "11-21T02:04 48", "11-21T02:05 50"])
  await write(at("2026-11-21T03:00", 47, item))
  expect(await readAll()).toEqual(["11-21T02:04 48", "11-21T03:00 47"])
})

test("loses no sample of two writers who write at once", async () => {
  const add = (minute: number) =>
    inTransaction((transaction) =>
      mergeSamples(transaction, owner(), [heartRate(at(`2026-11-21T10:${10 + minute}`, minute))]),
    )
  await Promise.all(Array.from({ length: 8 }, (_, minute) => add(minute)))
  expect(await readAll()).toHaveLength(8)
})

test("reads more rows than one page has", async () => {
  const days = Array.from({ length: 450 }, (_, day) => ({
    atMs: Date.parse("2025-01-01") + day * 86_400_000,
    value: day,
  }))
  await inTransaction((transaction) => mergeSamples(transaction, owner(), [heartRate(...days)]))
  const rows = await readAll({ from: "2025-01-01", to: "2026-12-31" })
  expect(rows).toHaveLength(450)
  expect(rows.at(-1)).toBe("03-26T00:00 449")
})
