// Gadgetbridge's export as an import: whole, once, undone, and what bands write that is easily read wrong.
import { undoImport } from "@restwell/core"
import {
  type AndroidTables,
  androidDatabase,
  GADGETBRIDGE_BAND,
  gadgetbridgeArchive,
  gadgetbridgeTables,
  type OuraRecords,
  zipOf,
} from "@restwell/simulator"
import { createWorld, storedRows, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest"
import { z } from "zod"
import { asleepMinutesOf, everythingOf, importArchive, ringDocuments, storedRecordsOf } from "./import-archive.ts"

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAYS = 30
const StagesSchema = z.object({ lightMs: z.number(), deepMs: z.number(), remMs: z.number(), awakeMs: z.number() })

let world: World
let documents: OuraRecords
let tables: AndroidTables
beforeAll(async () => {
  world = await createWorld({ days: DAYS, seed: "bands" })
  documents = await ringDocuments(world, DAYS)
  tables = gadgetbridgeTables(documents)
})
afterAll(() => world.close())

const imported = (userId: string, content: AndroidTables) =>
  importArchive(world, userId, { bytes: gadgetbridgeArchive(content), fileName: "gadgetbridge.zip" })

const recordsOf = (userId: string, kind: string) => storedRecordsOf(world, userId, { provider: "gadgetbridge", kind })

async function read(content: AndroidTables) {
  const userId = await world.addUser()
  const { status, error, report } = await imported(userId, content)
  expect([status, error]).toEqual(["done", null])
  const of = (kind: string) => recordsOf(userId, kind)
  const [sleeps, recoveries] = [await of("sleep"), await of("recovery")]
  return { report, sleeps, recoveries, days: await of("cycle"), workouts: await of("workout") }
}

test("nights, days and workouts are those of an independent count of the rows", async () => {
  const { report, sleeps, recoveries, days, workouts } = await read(tables)
  expect(report?.ignored).toEqual([])
  const nights = documents.sleep.filter(({ type, sleep_phase_5_min: phases }) => type === "long_sleep" && phases)
  const found = sleeps.flatMap(({ stages, isNap }) =>
    isNap || stages === undefined ? [] : [StagesSchema.parse(stages)],
  )
  expect(
    found.map(({ lightMs, deepMs, remMs }) => (lightMs + deepMs + remMs) / MINUTE_MS).slice(0, nights.length),
  ).toEqual(nights.map((night) => expect.closeTo(asleepMinutesOf(night), 6)))
  expect(days.map(({ date, steps, device }) => [date, steps, device])).toEqual(
    documents.daily_activity.map(({ day, steps }) => [day, steps, GADGETBRIDGE_BAND]),
  )
  expect(workouts.map(({ energyKcal, averageHeartRateBpm }) => [energyKcal, averageHeartRateBpm])).toEqual(
    documents.workout.map(({ calories }) => [calories || undefined, 131]),
  )
  expect(recoveries.filter(({ restingHeartRateBpm }) => restingHeartRateBpm !== undefined).length).toBeGreaterThan(20)
  expect(report?.notes).toEqual([
    "Files that Restwell does not read: device (1), gadgetbridge (1), global (1)",
    "Gadgetbridge was read as Gadgetbridge's database",
    `Rows of tables that Restwell does not read: COLMI_TEMPERATURE_SAMPLE ${nights.length}`,
  ])
})

test("the FIT files of a Garmin watch beside the database do not make it Garmin's archive", async () => {
  const userId = await world.addUser()
  const bytes = zipOf([
    { name: "gadgetbridge.json", bytes: Buffer.from("{}") },
    { name: "files/AA_BB/ACTIVITY/2026/x.fit", bytes: Buffer.from("no activity") },
    { name: "database/Gadgetbridge", bytes: androidDatabase(tables) },
  ])
  const { kind, report } = await importArchive(world, userId, { bytes, fileName: "gadgetbridge.zip" })
  expect(kind).toBe("gadgetbridge_export")
  expect(report?.by_type["sleep"]).toBeGreaterThan(20)
  expect(report?.notes).toContain("Files that Restwell does not read: gadgetbridge (1), x.fit (1)")
})

test("the same export twice changes nothing, undoing it leaves nothing, and the key of the device is nowhere", async () => {
  const userId = await world.addUser()
  const nobody = await everythingOf(world, userId)
  const once = await imported(userId, tables)
  const stored = await storedRows(world, userId)
  expect(await everythingOf(world, userId)).not.toMatch(/AA:BB:CC|secret/)
  const again = await imported(userId, tables)
  expect(again.report).toMatchObject({ stored: 0, unchanged: once.report?.stored })
  expect(await storedRows(world, userId)).toEqual(stored)
  await undoImport(world.context, userId, again.id)
  await undoImport(world.context, userId, once.id)
  expect(await everythingOf(world, userId)).toBe(nobody)
})

test("the database alone, in other letters and with the flag of a log, gives the same records", async () => {
  const [plain, changed] = [await world.addUser(), await world.addUser()]
  await imported(plain, tables)
  const renamed = Object.entries(tables).map(([name, rows]) => [
    name === "DEVICE" ? name : name.toLowerCase(),
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([column, cell]) => [column.toLowerCase(), cell]))),
  ])
  const bytes = androidDatabase(Object.fromEntries(renamed))
  bytes.writeUInt8(2, 18)
  bytes.writeUInt8(2, 19)
  const { status, error } = await importArchive(world, changed, { bytes, fileName: "Gadgetbridge" })
  expect([status, error]).toEqual(["done", null])
  expect(await recordsOf(changed, "sleep")).toEqual(await recordsOf(plain, "sleep"))
  expect(await recordsOf(changed, "cycle")).toEqual(await recordsOf(plain, "cycle"))
})

/** 18 November 2026, 22:00 UTC. */
const EVENING_MS = Date.UTC(2026, 10, 18, 22)
const DEVICE = [{ _id: 1, NAME: "Band 7", IDENTIFIER: "AA:BB", ALIAS: null }]
const minute = (index: number, more: object) => ({
  TIMESTAMP: EVENING_MS / 1_000 + index * 60,
  DEVICE_ID: 1,
  RAW_KIND: 0,
  STEPS: 0,
  HEART_RATE: 255,
  DEEP_SLEEP: 0,
  REM_SLEEP: 0,
  ...more,
})
const asleep = (from: number, to: number, more: object = {}) =>
  Array.from({ length: to - from }, (_, index) => minute(from + index, { RAW_KIND: 120, ...more }))

describe("a night of Huami's minutes", () => {
  test("has the stages of their strengths, without their highest bit, and awake between", async () => {
    const { sleeps } = await read({
      DEVICE,
      HUAMI_EXTENDED_ACTIVITY_SAMPLE: [
        ...asleep(0, 120, { DEEP_SLEEP: 128 + 43 }),
        ...asleep(120, 200, { DEEP_SLEEP: 128 + 42, REM_SLEEP: 128 + 55 }),
        ...asleep(230, 300, { REM_SLEEP: 56 }),
        minute(900, { RAW_KIND: 120 }),
      ],
    })
    expect(sleeps).toMatchObject([
      {
        durationMs: 300 * MINUTE_MS,
        stages: { deepMs: 120 * MINUTE_MS, lightMs: 80 * MINUTE_MS, remMs: 70 * MINUTE_MS, awakeMs: 30 * MINUTE_MS },
        device: "Band 7",
      },
    ])
  })

  test("whose stages are all zero has its sum alone, never light sleep", async () => {
    const { sleeps } = await read({ DEVICE, HUAMI_EXTENDED_ACTIVITY_SAMPLE: [...asleep(0, 200), ...asleep(210, 400)] })
    expect(sleeps).toMatchObject([{ durationMs: 400 * MINUTE_MS, asleepMs: 390 * MINUTE_MS }])
    expect(sleeps[0]).not.toHaveProperty("stages")
  })
})

describe("a night of Xiaomi", () => {
  const night = (hours: number, more: object) => ({
    TIMESTAMP: EVENING_MS,
    DEVICE_ID: 1,
    WAKEUP_TIME: EVENING_MS + hours * HOUR_MS,
    IS_AWAKE: 1,
    TOTAL_DURATION: 420,
    ...more,
  })

  test("without points of stages has the sums of its own minutes, of the longest reading", async () => {
    const sums = { DEEP_SLEEP_DURATION: 100, LIGHT_SLEEP_DURATION: 200, REM_SLEEP_DURATION: 120, AWAKE_DURATION: 30 }
    const { sleeps } = await read({
      DEVICE,
      XIAOMI_SLEEP_TIME_SAMPLE: [night(8, sums), night(4, { ...sums, LIGHT_SLEEP_DURATION: 50, IS_AWAKE: 0 })],
    })
    const [deepMs, lightMs, remMs, awakeMs] = [100, 200, 120, 30].map((minutes) => minutes * MINUTE_MS)
    expect(sleeps).toMatchObject([{ durationMs: 8 * HOUR_MS, stages: { deepMs, lightMs, remMs, awakeMs } }])
  })

  test("of which only a part of the points is there has its own sums and no phases", async () => {
    const sums = { DEEP_SLEEP_DURATION: 100, LIGHT_SLEEP_DURATION: 200, REM_SLEEP_DURATION: 120, AWAKE_DURATION: 30 }
    for (const [own, STAGE, expected] of [
      [sums, 3, { stages: { deepMs: 100, lightMs: 200, remMs: 120, awakeMs: 30 } }],
      [{}, 3, { asleepMs: 420 }],
      // The last point lasts to the end: as long asleep as the sums say, and in another phase.
      [{ ...sums, AWAKE_DURATION: 60 }, 2, { stages: { deepMs: 100, lightMs: 200, remMs: 120, awakeMs: 60 } }],
    ] as const) {
      const { sleeps, report } = await read({
        DEVICE,
        XIAOMI_SLEEP_TIME_SAMPLE: [night(8, own)],
        XIAOMI_SLEEP_STAGE_SAMPLE: [{ TIMESTAMP: EVENING_MS + (STAGE === 3 ? 6 : 1) * HOUR_MS, DEVICE_ID: 1, STAGE }],
      })
      const inMs = JSON.parse(JSON.stringify(expected), (_, value) =>
        typeof value === "number" ? value * MINUTE_MS : value,
      )
      expect(sleeps).toMatchObject([{ durationMs: 8 * HOUR_MS, ...inMs }])
      expect(sleeps[0]).not.toHaveProperty("course")
      expect(report?.ignored).toEqual([
        { reason: "XIAOMI_SLEEP_STAGE_SAMPLE: they add up to another night than its own sums", count: 1 },
      ])
    }
  })

  test("lasts through its points, of which an unknown one is no stage", async () => {
    const point = (hours: number, STAGE: number) => ({ TIMESTAMP: EVENING_MS + hours * HOUR_MS, DEVICE_ID: 1, STAGE })
    const { sleeps } = await read({
      DEVICE,
      XIAOMI_SLEEP_TIME_SAMPLE: [night(8, { TOTAL_DURATION: 300 })],
      XIAOMI_SLEEP_STAGE_SAMPLE: [
        point(-1, 5),
        point(0, 3),
        point(2, 2),
        point(3, 0),
        point(4, 4),
        point(6, 5),
        point(9, 2),
      ],
    })
    expect(sleeps).toMatchObject([
      {
        durationMs: 8 * HOUR_MS,
        stages: { lightMs: 2 * HOUR_MS, deepMs: HOUR_MS, remMs: 2 * HOUR_MS, awakeMs: 2 * HOUR_MS },
      },
    ])
  })
})

test("offsets are milliseconds of Huami and quarters of an hour of Xiaomi, and decide the date", async () => {
  const { recoveries, report } = await read({
    DEVICE,
    HUAMI_HEART_RATE_RESTING_SAMPLE: [
      { TIMESTAMP: EVENING_MS, DEVICE_ID: 1, UTC_OFFSET: 8 * HOUR_MS, HEART_RATE: 50 },
      { TIMESTAMP: EVENING_MS + 1, DEVICE_ID: 1, UTC_OFFSET: 8 * HOUR_MS, HEART_RATE: 255 },
    ],
    XIAOMI_DAILY_SUMMARY_SAMPLE: [
      { TIMESTAMP: EVENING_MS - 72 * HOUR_MS, DEVICE_ID: 1, TIMEZONE: 32, HR_RESTING: 60 },
      { TIMESTAMP: EVENING_MS - 96 * HOUR_MS, DEVICE_ID: 1, TIMEZONE: 32, HR_RESTING: 0 },
    ],
  })
  expect(recoveries.map(({ date, restingHeartRateBpm }) => [date, restingHeartRateBpm])).toEqual([
    ["2026-11-16", 60],
    ["2026-11-19", 50],
  ])
  // Numbers that stand for none are nothing to report.
  expect(report?.ignored).toEqual([])
})

test("what is not read of a band's summary of a day is named, with the days that have it", async () => {
  const day = (days: number, more: object) => ({
    TIMESTAMP: EVENING_MS - days * 24 * HOUR_MS,
    DEVICE_ID: 1,
    USER_ID: 1,
    TIMEZONE: 4,
    HR_RESTING: 55,
    HR_MAX: 150,
    HR_MAX_TS: EVENING_MS / 1_000,
    STEPS: 8_000,
    SPO2_AVG: 0,
    CALORIES: null,
    ...more,
  })
  const { report, days } = await read({
    DEVICE,
    XIAOMI_DAILY_SUMMARY_SAMPLE: [day(1, {}), day(2, { CALORIES: 2_100, SPO2_AVG: 97 }), day(3, { HR_MAX: 0 })],
  })
  expect(report?.notes).toContain(
    "Figures of XIAOMI_DAILY_SUMMARY_SAMPLE that Restwell does not read: STEPS 3, HR_MAX 2, CALORIES 1, SPO2_AVG 1",
  )
  expect(days).toEqual([])
})

test("a workout has its figures with and without units, and an unknown kind is other", async () => {
  const workout = (ACTIVITY_KIND: number, hours: number, SUMMARY_DATA: string | null) => ({
    START_TIME: EVENING_MS + hours * HOUR_MS,
    END_TIME: EVENING_MS + (hours + 1) * HOUR_MS,
    ACTIVITY_KIND,
    SUMMARY_DATA,
  })
  const { workouts, report } = await read({
    DEVICE,
    BASE_ACTIVITY_SUMMARY: [
      workout(0x200000, -9, '{"averageHR":{"value":131,"unit":"bpm"},"distanceMeters":5012,"caloriesBurnt":"many"}'),
      workout(0x04000077, -6, "no JSON"),
      workout(0x10, -3, null),
      { ...workout(0x10, 0, null), END_TIME: null },
    ],
  })
  expect(workouts).toMatchObject([
    { sportType: "strength", averageHeartRateBpm: 131, distanceMeters: 5_012, device: "Band 7" },
    { sportType: "other" },
    { sportType: "running" },
  ])
  expect(workouts[0]).not.toHaveProperty("energyKcal")
  expect(report?.ignored).toEqual([{ reason: "BASE_ACTIVITY_SUMMARY: without its times", count: 1 }])
})

test("a server that has no writable folder for temporary files is named, with what the operator does", async () => {
  // The next file of this process must not see it.
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv("TMPDIR", "/dev/null/restwell")
  const { status, error } = await imported(await world.addUser(), tables)
  expect([status, error]).toEqual([
    "failed",
    "the server has no folder for a copy of Gadgetbridge, ask the operator to make the folder for temporary files writable, then upload it again",
  ])
})
