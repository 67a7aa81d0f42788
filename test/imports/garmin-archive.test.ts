// Garmin's export archive as an import: whole, once, in any order, undone, and beside another source.
import { undoImport } from "@restwell/core"
import {
  fitFile,
  fitTime,
  type GarminRows,
  garminArchive,
  garminRows,
  type OuraRecords,
  type OuraSimulator,
  startOuraSimulator,
  zipOf,
} from "@restwell/simulator"
import { ouraArchive } from "@restwell/testing/archive"
import { createWorld, storedRows, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { coursesOf, everythingOf, importArchive, measuredDays, phasesOf, spanOf } from "./import-archive.ts"

let world: World
let oura: OuraSimulator
let documents: OuraRecords
beforeAll(async () => {
  world = await createWorld({ days: 60, seed: "watches" })
  oura = await startOuraSimulator({ seed: 3, now: world.simulator.clock.now(), days: 60 })
  const [first] = oura.people.list()
  if (!first) throw new Error("nobody at Oura")
  documents = oura.records(first)
})
afterAll(async () => {
  await oura.close()
  await world.close()
})

const imported = (userId: string, rows: GarminRows) =>
  importArchive(world, userId, { bytes: garminArchive(rows), fileName: "garmin.zip" })

/** A night of the simulated ring whose stages were found. */
const isMeasured = ({ type, light_sleep_duration: light }: OuraRecords["sleep"][number]) =>
  type === "long_sleep" && light !== null

async function stored(userId: string, types: readonly string[]) {
  const { rows } = await world.store.pool.query<{ type: string; count: number }>(
    "select type, sum(count)::int as count from restwell.series where user_id = $1 and type = any($2) group by type order by type",
    [userId, types],
  )
  return Object.fromEntries(rows.map(({ type, count }) => [type, count]))
}

/** Rows of a ring that found no stages are default windows in Garmin's app. */
function ignoredOf({ sleep }: OuraRecords) {
  const count = sleep.filter((night) => night.type === "long_sleep" && !isMeasured(night)).length
  return count > 0
    ? [{ reason: "nights that were not measured: the watch was not worn, or it found no stages", count }]
    : []
}

test("FIT files alone are told as stored", async () => {
  const userId = await world.addUser()
  const second = (at: number, rate: number) => {
    const time = fitTime(Date.parse("2026-11-18T16:00:00Z") + at * 1_000)
    return { number: 20, fields: [[253, 4, time] as const, [3, 1, rate] as const] }
  }
  const bytes = zipOf([{ name: "run.fit", bytes: fitFile([second(0, 96), second(1, 98), second(2, 99)]) }])
  const { status, kind, report } = await importArchive(world, userId, { bytes, fileName: "fit.zip" })
  expect([status, kind, report?.by_type]).toEqual(["done", "garmin_archive", { heart_rate: 3 }])
  expect([report?.stored, report?.unchanged]).toEqual([3, 0])
})

test("the whole archive is imported, and counted by type", async () => {
  const userId = await world.addUser()
  const rows = garminRows(documents)
  const { status, kind, report, error } = await imported(userId, rows)
  expect({ status, kind, error }).toEqual({ status: "done", kind: "garmin_archive", error: null })
  const nights = documents.sleep.filter(isMeasured)
  const naps = documents.sleep.filter(
    ({ day, type }) =>
      type === "late_nap" && documents.sleep.some((night) => night.type === "long_sleep" && night.day === day),
  )
  const resting = documents.sleep.filter(
    ({ type, lowest_heart_rate: lowest }) => type === "long_sleep" && lowest !== null,
  )
  const dates = [...documents.daily_readiness.filter(({ score }) => score !== null), ...resting].map(({ day }) => day)
  const measuredIn = (name: "hrv" | "heart_rate") =>
    documents.sleep
      .filter(({ type }) => type === "long_sleep")
      .flatMap((night) => night[name]?.items ?? [])
      .filter((item) => item !== null).length
  const [hrv, beats] = [measuredIn("hrv"), measuredIn("heart_rate")]
  const { hrv: ofHrv, heart_rate: ofBeats, ...byType } = report?.by_type ?? {}
  expect([ofHrv, ofBeats]).toEqual([hrv, beats])
  expect(byType).toEqual({
    sleep: nights.length + naps.length,
    cycle: documents.daily_activity.length,
    recovery: new Set(dates).size,
    workout: documents.workout.length,
    weight: Math.ceil(documents.daily_activity.length / 7),
  })
  const { hrv: hrvDates, heart_rate: beatDates, weight: _, ...recordDates } = report?.dates_by_type ?? {}
  const ringNights = documents.sleep.filter(({ type }) => type === "long_sleep")
  expect([hrvDates, beatDates]).toEqual([
    spanOf(measuredDays(ringNights, "hrv")),
    spanOf(measuredDays(ringNights, "heart_rate")),
  ])
  expect(recordDates).toEqual({
    sleep: spanOf([...nights, ...naps].map(({ day }) => day)),
    cycle: spanOf(documents.daily_activity.map(({ day }) => day)),
    recovery: spanOf(dates),
    workout: spanOf(documents.workout.map(({ start_datetime: start }) => start.slice(0, 10))),
  })
  expect(report).toMatchObject({ unchanged: 0, ignored: ignoredOf(documents) })
  expect(report?.notes).toContain("Read as nights: sleepData (1)")
  expect(report?.stored).toBe(Object.values(byType).reduce((sum, count) => sum + count, hrv + beats))
  expect(await stored(userId, ["hrv", "heart_rate"])).toEqual({ hrv, heart_rate: beats })
  const { rows: connections } = await world.store.pool.query(
    "select provider, status from restwell.connection where user_id = $1",
    [userId],
  )
  expect(connections).toEqual([{ provider: "garmin", status: "archive" }])
})

test("each night is drawn by the ring's own phases, and agrees with its sums", async () => {
  const userId = await world.addUser()
  await imported(userId, garminRows(documents))
  // A night whose end was edited has no phases there.
  const nights = documents.sleep
    .filter(isMeasured)
    .map((night) => [night.day, phasesOf(night).map((phase) => phase ?? null)] as const)
  const isWhole = ([, phases]: (typeof nights)[number]) => !phases.includes(null)
  expect([nights.filter(isWhole).length > 30, nights.every(isWhole)]).toEqual([true, false])
  expect(await coursesOf(world, userId)).toEqual(Object.fromEntries(nights))
})

test("importing it twice changes nothing, and undoing both leaves no trace", async () => {
  const userId = await world.addUser()
  const before = await everythingOf(world, userId)
  const rows = garminRows(documents)
  const first = await imported(userId, rows)
  const [records, samples] = [await storedRows(world, userId), await stored(userId, ["hrv", "weight", "sleep_stages"])]
  const second = await imported(userId, rows)
  expect(second.report).toMatchObject({ stored: 0, unchanged: first.report?.stored, by_type: first.report?.by_type })
  await undoImport(world.context, userId, first.id)
  expect(await storedRows(world, userId)).toEqual(records)
  expect(await stored(userId, ["hrv", "weight", "sleep_stages"])).toEqual(samples)
  await undoImport(world.context, userId, second.id)
  expect(await everythingOf(world, userId)).toBe(before)
})

test("of two archives the longer night, the fuller recovery and the later day count, whichever came first", async () => {
  const all = garminRows(documents)
  const shorter = {
    ...all,
    nights: all.nights.map((night) => ({ ...night, lightSleepSeconds: 600 })),
    health: [],
    days: all.days.map((day) => ({ ...day, wellnessEndTimeGmt: day["wellnessStartTimeGmt"], totalSteps: 1 })),
  }
  const alone = await world.addUser()
  await imported(alone, all)
  const expected = await storedRows(world, alone)
  for (const archives of [
    [all, shorter],
    [shorter, all],
  ]) {
    const userId = await world.addUser()
    for (const rows of archives) await imported(userId, rows)
    expect(await storedRows(world, userId)).toEqual(expected)
  }
})

test("another source beside it stays as it is", async () => {
  const userId = await world.addUser()
  await importArchive(world, userId, { bytes: ouraArchive(documents) })
  const before = await storedRows(world, userId)
  const { id } = await imported(userId, garminRows(documents))
  expect((await storedRows(world, userId)).length).toBeGreaterThan(before.length)
  await undoImport(world.context, userId, id)
  expect(await storedRows(world, userId)).toEqual(before)
})
