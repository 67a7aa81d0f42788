// The values of Oura's nights are stored with them, and change and end with them.

import { SeriesResponseSchema } from "@restwell/client"
import { HOUR_MS } from "@restwell/client/time-units"
import { bodyOf, createHealthReader, disconnect, readSeriesDays, requestSync } from "@restwell/core"
import type { OuraSimulator, Person, Simulator } from "@restwell/simulator"
import { startOuraBeside, startVendor } from "@restwell/testing/vendor"
import { createWorld, type World } from "@restwell/testing/world"
import { afterEach, beforeEach, expect, test } from "vitest"

let whoop: Simulator
let oura: OuraSimulator
let world: World
let person: Person
let userId: string
beforeEach(async () => {
  whoop = await startVendor({ now: new Date("2026-11-20T12:00:00Z"), days: 40 })
  // The collection of heart rates would answer in place of the nights' values.
  oura = await startOuraBeside(whoop, { uncheckedScopes: ["heartrate"] })
  world = await createWorld({ vendor: "oura", simulator: whoop, beside: { oura } })
  person = whoop.people.add({ email: "ada@example.com" })
  userId = await world.addUser()
  await world.connect(userId, person)
})
afterEach(async () => {
  await world.close()
  await oura.close()
  await whoop.close()
})

const TYPES = ["heart_rate", "hrv"] as const
const window = { from: "2026-09-01", to: "2026-12-31" }

async function stored(type: (typeof TYPES)[number] | "sleep_stages"): Promise<string[]> {
  const query = { userId, type, providers: ["oura"], ...window }
  const days = await Array.fromAsync(readSeriesDays(world.store.pool, query))
  return days.flatMap(({ samples: { atMs, values } }) => Array.from(atMs, (ms, index) => `${ms} ${values[index]}`))
}

/** What Oura has, computed from its documents alone. */
function expected(type: (typeof TYPES)[number]): string[] {
  const sleeps = oura.records(person).sleep.filter(({ type: kind }) => kind !== "rest" && kind !== "deleted")
  const lines = sleeps.flatMap(({ [type]: series }) =>
    (series?.items ?? []).flatMap((value, index) =>
      value === null ? [] : [`${Date.parse(series?.timestamp ?? "") + index * 300_000} ${value}`],
    ),
  )
  return lines.toSorted()
}

async function syncAgain(): Promise<void> {
  whoop.clock.advance(2 * 3_600_000)
  await requestSync(world.context, { userId, provider: "oura" })
  await world.runDue()
}

test("every value of every night is stored, and a further sync changes none", async () => {
  for (const type of TYPES) {
    expect(expected(type).length).toBeGreaterThan(1_000)
    expect(await stored(type)).toEqual(expected(type))
  }
  expect((await stored("sleep_stages")).length).toBeGreaterThan(200)
  const before = await Promise.all(TYPES.map(stored))
  await syncAgain()
  expect(await Promise.all(TYPES.map(async (type) => (await stored(type)).slice(0, 1_000)))).toEqual(
    before.map((lines) => lines.slice(0, 1_000)),
  )
})

test("a night that changes or is deleted changes or takes away its values", async () => {
  const [first, second] = oura
    .records(person)
    .sleep.filter(({ type }) => type === "long_sleep")
    .toReversed()
  if (!first || !second) throw new Error("Ada slept two nights")
  const timestamp = first.bedtime_start
  oura.edit.sleep.patch(person, first.id, { heart_rate: { interval: 300, items: [41], timestamp } })
  oura.edit.sleep.delete(person, second.id)
  await syncAgain()
  expect(await stored("heart_rate")).toEqual(expected("heart_rate"))
  expect(await stored("heart_rate")).toContain(`${Date.parse(timestamp)} 41`)
})

test("disconnecting with the data deletes the values", async () => {
  await disconnect(world.context, { userId, provider: "oura", wipeData: true })
  expect(await stored("heart_rate")).toEqual([])
  expect(await stored("sleep_stages")).toEqual([])
})

test("a date has the stages of a night of many days, however long ago its first part began", async () => {
  const parts = oura
    .records(person)
    .sleep.filter(({ type }) => type === "long_sleep")
    .slice(-8)
  const startMs = (index: number) => Date.parse("2026-11-13T00:00:00Z") + index * 21 * HOUR_MS
  for (const [index, { id }] of parts.entries()) {
    const [start, end] = [startMs(index), startMs(index) + 20 * HOUR_MS].map((ms) => new Date(ms).toISOString())
    oura.edit.sleep.patch(person, id, {
      bedtime_start: start ?? "",
      bedtime_end: end ?? "",
      time_in_bed: 20 * 3_600,
      total_sleep_duration: 20 * 3_600,
      sleep_phase_5_min: "2".repeat(240),
      sleep_phase_30_sec: null,
    })
  }
  await syncAgain()
  const reader = createHealthReader(world.context, { pool: world.store.pool, cacheBytes: 0 })
  const query = { type: "series", series: "sleep_stages", start_date: "2026-11-19", end_date: "2026-11-19" } as const
  const reading = await reader.read({ credential: { userId }, query, ifNoneMatch: [], isCounted: false })
  if (reading.outcome !== "answer") throw new Error(reading.outcome)
  const body = SeriesResponseSchema.parse(bodyOf(reading.response.bytes))
  const starts = parts.map((_, index) => new Date(startMs(index)).toISOString())
  expect("segments" in body && body.segments.map(({ start }) => start)).toEqual(expect.arrayContaining(starts))
})
