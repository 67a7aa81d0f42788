// Health Connect's export as an import: whole, once, undone, exported again, and what apps write that is easily read wrong.
import { runImports, undoImport } from "@restwell/core"
import {
  type AndroidTables,
  androidDatabase,
  HEALTH_CONNECT_APPS,
  healthConnectArchive,
  healthConnectFile,
  healthConnectTables,
  type OuraRecords,
} from "@restwell/simulator"
import { createWorld, storedRows, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  everythingOf,
  expectFailedImport,
  importArchive,
  readImport,
  receiveArchive,
  ringDocuments,
  storedRecordsOf,
} from "./import-archive.ts"

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAYS = 30

let world: World
let documents: OuraRecords
let tables: AndroidTables
beforeAll(async () => {
  world = await createWorld({ days: DAYS, seed: "androids" })
  documents = await ringDocuments(world, DAYS)
  tables = healthConnectTables(documents)
})
afterAll(() => world.close())

const imported = (userId: string, content: AndroidTables) =>
  importArchive(world, userId, { bytes: healthConnectArchive(content), fileName: "Health Connect.zip" })

const recordsOf = (userId: string, kind: string) => storedRecordsOf(world, userId, { provider: "health_connect", kind })

/** The records of a few tables. */
async function read(content: AndroidTables) {
  const userId = await world.addUser()
  const { status, error, report } = await imported(userId, content)
  expect([status, error]).toEqual(["done", null])
  const of = (kind: string) => recordsOf(userId, kind)
  return {
    userId,
    report,
    sleeps: await of("sleep"),
    recoveries: await of("recovery"),
    days: await of("cycle"),
    workouts: await of("workout"),
  }
}

test("nights, days and workouts are those of an independent count of the rows", async () => {
  const { report, sleeps, recoveries, days, workouts } = await read(tables)
  expect(report?.ignored).toEqual([])
  const nights = documents.sleep.filter(({ type, sleep_phase_5_min: phases }) => type === "long_sleep" && phases)
  const asleep = nights.map(
    ({ sleep_phase_5_min: phases }) => [...(phases ?? "")].filter((each) => each !== "4").length * 5,
  )
  const found = sleeps.filter(({ isNap, device }) => isNap === false && device === HEALTH_CONNECT_APPS.watch)
  expect(
    found.map(({ stages }) => {
      const { lightMs, deepMs, remMs } = stages as { lightMs: number; deepMs: number; remMs: number }
      return (lightMs + deepMs + remMs) / MINUTE_MS
    }),
  ).toEqual(asleep)
  const activity = documents.daily_activity.map((day) => ({
    date: day.day,
    steps: day.steps,
    device: HEALTH_CONNECT_APPS.watch,
    activeEnergyKcal: expect.closeTo(day.active_calories, 1),
    distanceMeters: expect.closeTo(day.equivalent_walking_distance, 1),
  }))
  expect(days).toMatchObject(activity)
  expect(days.slice(0, -1).map(({ energyKcal }) => energyKcal)).toEqual(
    documents.daily_activity.slice(0, -1).map(({ total_calories: kilocalories }) => kilocalories),
  )
  expect(workouts).toHaveLength(documents.workout.length)
  for (const workout of workouts)
    expect(workout).toMatchObject({ averageHeartRateBpm: 130, maxHeartRateBpm: 150, device: HEALTH_CONNECT_APPS.sport })
  expect(workouts.map(({ energyKcal }) => energyKcal)).toEqual(documents.workout.map(({ calories }) => calories ?? 0))
  const rested = recoveries.filter(({ hrvMs }) => hrvMs !== undefined)
  expect(rested.length).toBeGreaterThan(DAYS / 2)
  for (const recovery of rested)
    expect(recovery).toMatchObject({ hrvMethod: "rmssd", skinTempCelsius: expect.closeTo(34.8, 6) })
  expect(report?.notes).toEqual([
    "health_connect_export.db was read as Health Connect's export",
    "Rows of Oura are copies of what the vendor itself has: beside its connection or archive they count only where nothing else has the date",
    `Rows of tables that Restwell does not read: hydration_record_table ${documents.daily_activity.length}`,
  ])
})

test("the same export twice changes nothing, and undoing it leaves nothing", async () => {
  const userId = await world.addUser()
  const nobody = await everythingOf(world, userId)
  const once = await imported(userId, tables)
  const stored = await storedRows(world, userId)
  const again = await imported(userId, tables)
  expect(again.report).toMatchObject({ stored: 0, unchanged: once.report?.stored })
  expect(await storedRows(world, userId)).toEqual(stored)
  await undoImport(world.context, userId, again.id)
  expect(await storedRows(world, userId)).toEqual(stored)
  await undoImport(world.context, userId, once.id)
  expect(await everythingOf(world, userId)).toBe(nobody)
})

test("doubled rows, rows in another order and the file without a zip around it give the same records", async () => {
  const [plain, changed] = [await world.addUser(), await world.addUser()]
  await imported(plain, tables)
  const withId = ([name, rows]: readonly [string, AndroidTables[string]]): [string, AndroidTables[string]] => {
    if (/info_table|^sleep_|^heart_rate_record|^skin/.test(name)) return [name, rows]
    return [
      name,
      [...rows, ...rows].toReversed().map((row, index) => ({ ...row, ...(row["row_id"] && { row_id: index + 1 }) })),
    ]
  }
  const bytes = androidDatabase(Object.fromEntries(Object.entries(tables).map(withId)))
  // As an app leaves it: the header says that a log is beside the file.
  bytes.writeUInt8(2, 18)
  bytes.writeUInt8(2, 19)
  const { status, error } = await importArchive(world, changed, { bytes, fileName: "export" })
  expect([status, error]).toEqual(["done", null])
  const recordsAlone = async (userId: string) =>
    Promise.all(["sleep", "recovery", "cycle", "workout"].map((kind) => recordsOf(userId, kind)))
  expect(await recordsAlone(changed)).toEqual(await recordsAlone(plain))
})

/** 18 November 2026, 22:00 in Kathmandu. */
const EVENING_MS = Date.UTC(2026, 10, 18, 16, 15)
const OFFSET = 5.75 * 3_600
const span = (app: number | null, hours: number, length: number, more: object = {}) => ({
  app_info_id: app,
  start_time: EVENING_MS + hours * HOUR_MS,
  end_time: EVENING_MS + (hours + length) * HOUR_MS,
  start_zone_offset: OFFSET,
  end_zone_offset: OFFSET,
  ...more,
})
const numbered = (rows: readonly object[]) => rows.map((row, index) => ({ row_id: index + 1, ...row }))
const APPS = [
  { row_id: 1, package_name: "com.mc.xiaomi", app_name: "Mi Fitness" },
  { row_id: 2, package_name: "com.urbandroid.sleep", app_name: null },
  { row_id: 3, package_name: "com.strava", app_name: "\u0421\u0442\u0440\u0430\u0432\u0430" },
]

describe("sleep", () => {
  test("of one app with gaps of up to an hour is one, whose gaps are awake", async () => {
    const parts = [
      [0, 3, 4],
      [4, 3, 5],
      [8.5, 1, 6],
    ] as const
    const sessions = numbered(parts.map(([hours, length]) => span(1, hours, length)))
    const stages = parts.map(([hours, length, stage_type], index) => ({
      parent_key: index + 1,
      stage_start_time: EVENING_MS + hours * HOUR_MS,
      stage_end_time: EVENING_MS + (hours + length) * HOUR_MS,
      stage_type,
    }))
    const { sleeps } = await read({
      application_info_table: APPS,
      sleep_session_record_table: sessions,
      sleep_stages_table: stages,
    })
    expect(sleeps).toMatchObject([
      {
        date: "2026-11-19",
        durationMs: 7 * HOUR_MS,
        stages: { lightMs: 3 * HOUR_MS, deepMs: 3 * HOUR_MS, remMs: 0, awakeMs: HOUR_MS },
        utcOffsetMinutes: 345,
        device: "Mi Fitness",
      },
      { durationMs: HOUR_MS, stages: { remMs: HOUR_MS } },
    ])
  })

  test("without stages has its length alone", async () => {
    const { sleeps } = await read({
      application_info_table: APPS,
      sleep_session_record_table: numbered([span(2, 0, 8)]),
    })
    expect(sleeps).toMatchObject([
      { durationMs: 8 * HOUR_MS, device: "com.urbandroid.sleep", scoreState: "unscorable" },
    ])
    expect(sleeps[0]).not.toHaveProperty("asleepMs")
    expect(sleeps[0]).not.toHaveProperty("stages")
  })
})

describe("a day", () => {
  const energy = (kilocalories: number) => numbered([span(1, -22, 23, { energy: kilocalories * 1_000 })])

  test("is of one app: the one with steps in the most hours, never the sum", async () => {
    const { days } = await read({
      application_info_table: APPS,
      steps_record_table: numbered([
        span(1, -3, 1, { count: 400 }),
        span(1, -2, 1, { count: 500 }),
        span(2, -20, 20, { count: 9_000 }),
        span(3, -9, 1, { count: 700 }),
        span(3, -8, 1, { count: 700 }),
        span(3, -7, 1, { count: 700 }),
      ]),
      distance_record_table: numbered([span(2, -20, 20, { distance: 7_000 }), span(1, -3, 1, { distance: 300 })]),
    })
    expect(days).toMatchObject([{ date: "2026-11-18", steps: 900, distanceMeters: 300, device: "Mi Fitness" }])
  })

  test.each([
    [2_400, 2_400],
    [800, 800],
    [8_000, 8_000],
    [799, undefined],
    [8_001, undefined],
  ])("of %d kilocalories in thousandths has %s", async (kilocalories, expected) => {
    const { days, report } = await read({
      application_info_table: APPS,
      steps_record_table: numbered([span(1, -3, 1, { count: 400 })]),
      total_calories_burned_record_table: energy(kilocalories),
    })
    expect(days[0]?.["energyKcal"]).toBe(expected)
    const reason = "cycle: energyKcal left out: outside 800 to 8000 kcal a day"
    expect(report?.ignored).toEqual(expected === undefined ? [{ reason, count: 1 }] : [])
  })
})

describe("a workout", () => {
  test.each([
    [33, "running"],
    [57, "yoga"],
    [58, "other"],
    [53, "walking"],
    [4, "cycling"],
    [45, "strength"],
    [20, "hiit"],
    [49, "swimming"],
    [999, "other"],
  ])("of the platform's number %d is %s", async (exercise_type, sportType) => {
    const { workouts } = await read({
      application_info_table: APPS,
      exercise_session_record_table: numbered([span(1, -3, 1, { exercise_type })]),
    })
    expect(workouts).toMatchObject([{ sportType, date: "2026-11-18" }])
  })

  test("has the heart rate, energy and distance that its own app wrote within it, and shares of what it began before", async () => {
    const beat = (parent_key: number, minutes: number, beats_per_minute: number) => ({
      parent_key,
      epoch_millis: EVENING_MS + minutes * MINUTE_MS,
      beats_per_minute,
    })
    const { workouts, report } = await read({
      application_info_table: APPS,
      exercise_session_record_table: numbered([
        span(1, 0, 1, { exercise_type: 33 }),
        span(3, 5, 1, { exercise_type: 33 }),
      ]),
      // A record may last a day, and one that is missing leaves its beats to nobody.
      heart_rate_record_table: numbered([span(1, -12, 24), span(2, -12, 24)]),
      heart_rate_record_series_table: [
        beat(1, -1, 90),
        beat(1, 10, 140),
        beat(1, 20, 160),
        beat(1, 30, 0),
        beat(2, 25, 199),
        beat(77, 26, 198),
      ],
      active_calories_burned_record_table: numbered([
        span(1, -0.25, 0.5, { energy: 100_000 }),
        span(1, 0.25, 0.5, { energy: 200_000 }),
        span(1, -20, 23, { energy: 900_000 }),
        span(2, 0.25, 0.5, { energy: 700_000 }),
      ]),
      distance_record_table: numbered([span(1, 0, 1, { distance: 10_000 })]),
    })
    expect(workouts).toMatchObject([
      { averageHeartRateBpm: 150, maxHeartRateBpm: 160, energyKcal: 250, distanceMeters: 10_000 },
      { device: "Strava", assistants: false },
    ])
    expect(report?.ignored).toEqual([
      { reason: "heart_rate_record_series_table: outside 20 to 300 bpm", count: 1 },
      { reason: "heart_rate_record_series_table: without its record", count: 1 },
    ])
  })
})

test("a skin temperature without a baseline is a deviation alone", async () => {
  const night = numbered([span(1, 0, 8)])
  const { recoveries, report } = await read({
    application_info_table: APPS,
    sleep_session_record_table: night,
    skin_temperature_record_table: [{ ...night[0], baseline: 0 }],
    skin_temperature_delta_table: [0.1, 0.5].map((delta, index) => ({
      parent_key: 1,
      epoch_millis: EVENING_MS + index * HOUR_MS,
      delta,
    })),
  })
  expect(recoveries).toMatchObject([{ date: "2026-11-19", skinTempDeviationCelsius: expect.closeTo(0.3, 9) }])
  expect(recoveries[0]).not.toHaveProperty("skinTempCelsius")
  expect(report?.ignored).toEqual([])
})

test("tables and columns may be missing, empty of numbers, and written in other letters", async () => {
  const { days, workouts, report } = await read({
    Application_Info_Table: [{ row_id: 1, app_name: "Mi Fitness" }],
    StepsRecordTable: [{ app_info_id: 1, START_TIME: EVENING_MS - HOUR_MS, endTime: EVENING_MS, count: 100 }],
    exercise_session_record_table: [{ start_time: EVENING_MS, end_time: EVENING_MS + HOUR_MS }],
    weight_record_table: [
      { time: EVENING_MS, weight: "heavy" },
      { time: "yesterday", weight: 70_000 },
    ],
  })
  expect(days).toMatchObject([{ steps: 100, device: "Mi Fitness" }])
  expect(workouts).toMatchObject([{ sportType: "other", device: "Health Connect" }])
  expect(report?.ignored).toEqual([
    { reason: "weight_record_table: without a value", count: 1 },
    { reason: "weight_record_table: without a time of this century", count: 1 },
  ])
  expect(report?.notes).toContainEqual(expect.stringMatching(/^The export names no time zone: yours, .*, was used$/))
})

test("progress grows with the rows that are read, though the whole database was copied before", async () => {
  const userId = await world.addUser()
  const beats = Array.from({ length: 120_000 }, (_, index) => ({
    parent_key: 1,
    epoch_millis: EVENING_MS - 30_000 * index,
    beats_per_minute: 60 + (index % 40),
  }))
  const bytes = healthConnectArchive({ ...tables, heart_rate_record_series_table: beats })
  const id = await receiveArchive(world, userId, { bytes, fileName: "Health Connect.zip" })
  let isRunning = true
  const run = runImports(world.context, { signal: new AbortController().signal }).finally(() => (isRunning = false))
  const seen: number[] = []
  while (isRunning) seen.push((await readImport(world, userId, id)).progress)
  await run
  expect(await readImport(world, userId, id)).toMatchObject({ status: "done", progress: 1 })
  expect(seen.filter((each) => each > 0.25 && each < 1)).not.toEqual([])
})

describe("a hostile or broken file", () => {
  const refused = (bytes: Buffer, words: RegExp) => expectFailedImport(world, { bytes, fileName: "export.db" }, words)

  test.each([0.2, 0.5, 0.9])("of %d of its bytes is refused", async (share) => {
    const { bytes } = healthConnectFile(tables)
    await refused(bytes.subarray(0, Math.floor(bytes.length * share)), /ends before its last page|is damaged/)
  })

  test("of another program is refused", async () => {
    await refused(
      androidDatabase({ messages: [{ text: "hello" }] }),
      /is a database of a program that is not known here/,
    )
  })

  test("whose pages are bytes of something else is refused", async () => {
    const { bytes } = healthConnectFile(tables)
    await refused(Buffer.concat([bytes.subarray(0, 4_096), Buffer.alloc(bytes.length - 4_096, 0x55)]), /is damaged/)
  })

  test("whose pages are parts of several others is refused, as rows without end could be", async () => {
    const bytes = Buffer.from(healthConnectFile(tables).bytes)
    // Each interior page has its first child many times. Positions are those of SQLite's file format, 1.6.
    for (let at = 4_096; at < bytes.length; at += 4_096)
      if (bytes.readUInt8(at) === 5) {
        const first = bytes.readUInt32BE(at + bytes.readUInt16BE(at + 12))
        for (let cell = 0; cell < bytes.readUInt16BE(at + 3); cell += 1)
          bytes.writeUInt32BE(first, at + bytes.readUInt16BE(at + 12 + 2 * cell))
      }
    await refused(bytes, /is damaged/)
  })

  test("of more tables than an export has is refused before SQLite reads them", async () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`t${index}`, [{ a: 1 }]]))
    await refused(androidDatabase(many), /has more tables than an export has/)
  })

  test("without rows says that nothing was read", async () => {
    const { report } = await read({ application_info_table: APPS })
    expect(report?.notes).toContainEqual(expect.stringMatching(/^Nothing of this archive was read/))
  })
})
