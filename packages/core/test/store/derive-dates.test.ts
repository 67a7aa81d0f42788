// Derived dates and baselines must not depend on the order in which records arrive.

import { HOUR_MS } from "@restwell/client/time-units"
import type { NormalizedCycle, NormalizedRecord, NormalizedRecovery, NormalizedSleep } from "@restwell/providers"
import { readWhoopRecords } from "@restwell/providers/whoop-records"
import { createWorld, storedRows, type World } from "@restwell/testing/world"
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type RecordKey, textOf } from "../../src/store/statements/delete-records.ts"
import { ingest } from "../../src/sync/ingest.ts"

/** Longer than the baseline of the skin temperature. */
const NIGHTS = 45

let world: World
let incremental: string
let atOnce: string
let all: { sleep: NormalizedSleep[]; recovery: NormalizedRecovery[]; cycle: NormalizedCycle[] }
beforeAll(async () => {
  world = await createWorld({ days: NIGHTS + 15 })
  const [one, other] = [await addEmpty(), await addEmpty()]
  incremental = one
  atOnce = other
  const { sleeps, recoveries, cycles } = world.simulator.records(
    world.simulator.people.add({ email: "ada@vendor.example" }),
  )
  const read = (kind: RecordKey["kind"], wires: readonly object[]) =>
    readWhoopRecords(kind, JSON.parse(JSON.stringify(wires))).records
  const take = <Kind extends RecordKey["kind"]>(kind: Kind, wires: readonly object[]) =>
    read(kind, wires)
      .filter((record): record is Extract<NormalizedRecord, { kind: Kind }> => record.kind === kind)
      .slice(0, NIGHTS)
  all = { sleep: take("sleep", sleeps), recovery: take("recovery", recoveries), cycle: take("cycle", cycles) }
  expect(Object.values(all).map(({ length }) => length)).toEqual([NIGHTS, NIGHTS, NIGHTS])
})
afterAll(() => world.close())

/** Adds a connected account whose person has no record at the vendor. */
async function addEmpty(): Promise<string> {
  const userId = await world.addUser()
  await world.connect(userId, world.simulator.people.add({ email: `${userId}@vendor.example`, history: "none" }))
  return userId
}

async function store(
  userId: string,
  records: readonly NormalizedRecord[],
  deleted: readonly RecordKey[] = [],
): Promise<void> {
  const { rows } = await world.store.pool.query<{ generation: string }>(
    "select generation from restwell.connection where user_id = $1",
    [userId],
  )
  const fetched = { records, deleted, rejected: [] }
  const generation = rows[0]?.generation ?? ""
  const ingestion = { generation, fetched, progress: {}, asOf: world.context.clock.now() }
  expect(await ingest(world.context, { userId, provider: "whoop" }, ingestion)).toBe(true)
}

const night = fc.nat(NIGHTS - 1)
const maybe = fc.option(night, { nil: undefined })
const hours = fc.integer({ min: -72, max: 72 })
const later = (ms: number, by: number): number => ms + by * HOUR_MS

function itemAt<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new Error(`there is no night ${index}`)
  return item
}

/** Changes the times, the cycle or the nap flag of a sleep, as a vendor may. */
const aSleep = fc
  .record({ night, cycle: maybe, isNap: fc.boolean(), by: hours })
  .map(({ night, cycle, isNap, by }) => () => {
    const { cycleProviderId: _former, ...sleep } = itemAt(all.sleep, night)
    return {
      ...sleep,
      startMs: later(sleep.startMs, by),
      endMs: later(sleep.endMs, by),
      isNap,
      ...(cycle !== undefined && { cycleProviderId: itemAt(all.cycle, cycle).providerId }),
    }
  })
const temperature = fc.option(fc.integer({ min: 30, max: 36 }), { nil: undefined })
const aRecovery = fc
  .record({ night, sleep: maybe, cycle: maybe, isScored: fc.boolean(), celsius: temperature })
  .map(({ night, sleep, cycle, isScored, celsius }) => () => {
    const { skinTempCelsius: _, sleepProviderId: __, cycleProviderId: ___, ...recovery } = itemAt(all.recovery, night)
    return {
      ...recovery,
      scoreState: isScored ? ("scored" as const) : ("unscorable" as const),
      ...(celsius !== undefined && { skinTempCelsius: celsius }),
      ...(sleep !== undefined && { sleepProviderId: itemAt(all.sleep, sleep).providerId }),
      ...(cycle !== undefined && { cycleProviderId: itemAt(all.cycle, cycle).providerId }),
    }
  })
const aCycle = fc.record({ night, by: hours }).map(({ night, by }) => () => {
  const cycle = itemAt(all.cycle, night)
  return { ...cycle, startMs: later(cycle.startMs, by) }
})
const deletion = fc
  .record({ kind: fc.constantFrom("sleep", "recovery", "cycle"), night })
  .map(({ kind, night }) => (): RecordKey => {
    const records: readonly RecordKey[] = all[kind]
    return { kind, providerId: itemAt(records, night).providerId }
  })

const isRecord = (each: NormalizedRecord | RecordKey): each is NormalizedRecord => "raw" in each

const changes = fc.array(fc.oneof(aSleep, aRecovery, aCycle, deletion), { minLength: 1, maxLength: 4 })

test("derived values are the same whether records are stored one change at a time or all at once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 8 }), async (steps) => {
      await world.store.pool.query("delete from restwell.record")
      const current = new Map<string, NormalizedRecord>(
        Object.values(all)
          .flat()
          .map((record) => [textOf(record), record]),
      )
      await store(incremental, [...current.values()])
      for (const [index, step] of steps.entries()) {
        const changed = new Map<string, NormalizedRecord | RecordKey>(
          step.map((make) => make()).map((each) => [textOf(each), each]),
        )
        const records = [...changed.values()]
          .filter(isRecord)
          .map((record) => ({ ...record, updatedMs: later(record.updatedMs, index + 1) }))
        const deleted = [...changed.values()].filter((each) => !isRecord(each))
        for (const key of deleted) current.delete(textOf(key))
        for (const record of records) current.set(textOf(record), record)
        await store(incremental, records, deleted)
      }
      await store(atOnce, [...current.values()])
      expect(await storedRows(world, incremental)).toEqual(await storedRows(world, atOnce))
    }),
    { numRuns: 25 },
  )
})

test("a temperature that never changes deviates by nothing at all", async () => {
  await world.store.pool.query("delete from restwell.record")
  await store(incremental, [...all.sleep, ...all.recovery.map((recovery) => ({ ...recovery, skinTempCelsius: 33.81 }))])
  const { rows } = await world.store.pool.query(
    "select distinct skin_temp_deviation as deviation from restwell.record where skin_temp_deviation is not null",
  )
  expect(rows).toEqual([{ deviation: 0 }])
})
