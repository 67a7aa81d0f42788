// A faulty field in every record of every vendor, archive and push: everything beside it is stored.
import { type GarminRows, tableOf, zipOf } from "@restwell/simulator"
import { expect, test } from "vitest"
import {
  type ArchiveItem,
  derivePushed,
  type Json,
  type RecordKind,
  readHealthAutoExport,
  readVendorArchive,
} from "../src/index.ts"
import { readOuraRecords } from "../src/oura/normalize.ts"
import { readWhoopRecords } from "../src/whoop/normalize.ts"
import { WhoopPageSchema } from "../src/whoop/wire.ts"
import { expectFieldsAlone, type Outcome, plainOf } from "./faulty-fields.ts"
import { fixturesOf } from "./fixtures.ts"
import { DAY, NIGHT, RUN, read as readGarmin } from "./garmin-rows.ts"
import {
  NIGHT_STAGES,
  OLD_NIGHT,
  OLD_SLEEPS,
  read as readTakeout,
  SCORE,
  SCORES,
  SLEEPS,
  STAGES,
  NIGHT as TAKEOUT_NIGHT,
} from "./takeout-rows.ts"

const NOW = new Date("2026-11-25T12:00:00Z")
const KINDS = ["sleep", "recovery", "workout", "cycle"] as const

function outcomeOf({ records, rejected }: ReturnType<typeof readWhoopRecords>): Outcome {
  expect(rejected).toEqual([])
  return {
    records: records.map(plainOf),
    leftOut: records.flatMap(({ leftOut = [] }) => leftOut.map(({ field, reason }) => `${field}: ${reason}`)),
  }
}

function outcomeOfItems(items: readonly ArchiveItem[]): Outcome {
  expect(items.flatMap((item) => (item.type === "ignored" ? [item.reason] : []))).toEqual([])
  return {
    records: items.flatMap((item) => (item.type === "record" ? [plainOf(item.archived.record)] : [])),
    leftOut: items.flatMap((item) => (item.type === "left_out" ? [item.reason] : [])),
  }
}

test.each(KINDS)("a wrong number in a %s of WHOOP costs this number alone", async (kind) => {
  const page = WhoopPageSchema.parse(fixturesOf("whoop").readFixture(`${kind}-page`))
  const figures = await expectFieldsAlone({
    source: page.records[kind === "cycle" ? 1 : 0] ?? null,
    read: (raw) => outcomeOf(readWhoopRecords(kind, [raw])),
    essential: ["id", "cycle_id", "user_id", "v1_id", "sport_id"],
  })
  expect(figures).toBeGreaterThan(3)
})

const oura = fixturesOf("oura").readFixture
const document = (name: string): Json => oura(name)
const OURA: Readonly<Record<RecordKind, Json>> = {
  sleep: { sleep: document("sleep"), daily_sleep: document("daily_sleep") },
  recovery: {
    daily_readiness: document("daily_readiness"),
    sleep: document("sleep"),
    daily_spo2: document("daily_spo2"),
  },
  workout: { workout: document("workout") },
  cycle: { daily_activity: document("daily_activity") },
}

test.each(KINDS)("a wrong number in a %s of Oura costs this number alone", async (kind) => {
  const withoutItems = JSON.parse(
    JSON.stringify(OURA[kind], (key, inner) => (key === "heart_rate" || key === "hrv" ? undefined : inner)),
  )
  const figures = await expectFieldsAlone<Json>({
    source: withoutItems,
    read: (raw) => outcomeOf(readOuraRecords(kind, [raw], NOW)),
    essential: ["sleep.sleep_phase_5_min", "sleep.movement_30_sec"],
  })
  expect(figures).toBeGreaterThan(1)
})

const archive = async (name: string, bytes: Buffer): Promise<Outcome> => {
  const file = {
    name,
    size: bytes.length,
    read: async (position: number, length: number) => bytes.subarray(position, position + length),
  }
  const { items } = await readVendorArchive(file, { isZip: name.endsWith(".zip"), now: NOW, timeZone: "Europe/Berlin" })
  return outcomeOfItems(await Array.fromAsync(items))
}
const asText = { number: (found: number): Json => String(BigInt(Math.round(found))), nothing: "" }

const OF_CYCLE = {
  "Cycle start time": "2026-11-18 23:10:00",
  "Cycle end time": "2026-11-19 23:30:00",
  "Cycle timezone": "UTC+01:00",
}
const OF_SLEEP = {
  "Sleep onset": "2026-11-18 23:10:00",
  "Wake onset": "2026-11-19 07:10:00",
  "Sleep performance %": "88",
  "Respiratory rate (rpm)": "14.2",
  "Asleep duration (min)": "430",
  "In bed duration (min)": "480",
  "Light sleep duration (min)": "240",
  "Deep (SWS) duration (min)": "90",
  "REM duration (min)": "100",
  "Awake duration (min)": "50",
  "Sleep need (min)": "500",
  "Sleep debt (min)": "20",
  "Sleep efficiency %": "90",
  "Sleep consistency %": "77",
}
const EFFORT = { "Energy burned (cal)": "2300", "Max HR (bpm)": "170", "Average HR (bpm)": "70" }

test.each([
  [
    "physiological_cycles.csv",
    {
      ...OF_CYCLE,
      "Recovery score %": "61",
      "Resting heart rate (bpm)": "52",
      "Heart rate variability (ms)": "63",
      "Skin temp (celsius)": "33.4",
      "Blood oxygen %": "96",
      "Day Strain": "12.1",
      ...EFFORT,
      ...OF_SLEEP,
    },
  ],
  ["sleeps.csv", { ...OF_CYCLE, ...OF_SLEEP, Nap: "false" }],
  [
    "workouts.csv",
    {
      ...OF_CYCLE,
      "Workout start time": "2026-11-19 17:00:00",
      "Workout end time": "2026-11-19 18:00:00",
      "Duration (min)": "60",
      "Activity name": "Running",
      "Activity Strain": "11",
      ...EFFORT,
      "HR Zone 1 %": "10",
      "HR Zone 2 %": "20",
      "HR Zone 3 %": "30",
      "HR Zone 4 %": "20",
      "HR Zone 5 %": "10",
      "GPS enabled": "true",
      "Distance (meters)": "9000",
      "Altitude gain (meters)": "10",
      "Altitude change (meters)": "1",
    },
  ],
])("a wrong number in a row of WHOOP's %s costs this number alone", async (name, row) => {
  const figures = await expectFieldsAlone<Record<string, string>>({
    source: row,
    read: (each) => archive(name, Buffer.from(tableOf([each]))),
    essential: [],
    written: asText,
  })
  expect(figures).toBeGreaterThan(5)
})

test.each([
  ["sleepmodel.csv", "sleep"],
  ["dailyreadiness.csv", "daily_readiness"],
  ["dailyactivity.csv", "daily_activity"],
  ["workout.csv", "workout"],
])("a wrong number in a row of Oura's %s costs this number alone", async (name, table) => {
  const fields = Object.entries(Object(document(table))).filter(
    ([, found]) => typeof found !== "object" || found === null,
  )
  const figures = await expectFieldsAlone<Record<string, unknown>>({
    source: Object.fromEntries(fields.map(([field, found]) => [field, found === null ? "" : String(found)])),
    read: async (row) => archive("oura.zip", zipOf([{ name: `App Data/${name}`, bytes: Buffer.from(tableOf([row])) }])),
    essential: ["sleep_phase_5_min", "movement_30_sec", "class_5_min"],
    written: asText,
  })
  expect(figures).toBeGreaterThan(0)
})

type Row = GarminRows["nights"][number]

test.each<[string, Row, (row: Row) => Partial<GarminRows>]>([
  ["night", NIGHT, (row) => ({ nights: [row] })],
  ["day", DAY, (row) => ({ days: [row] })],
  ["activity", RUN, (row) => ({ activities: [row] })],
])("a wrong number in a %s of Garmin costs this number alone", async (_what, row, rowsOf) => {
  const figures = await expectFieldsAlone<Row>({
    source: row,
    read: async (each) => outcomeOfItems(await readGarmin(rowsOf(each))),
    essential: ["activityId", "startTimeGmt", "startTimeLocal"],
  })
  expect(figures).toBeGreaterThan(3)
})

test("a wrong number in a sleep of Google's tables costs this number alone", async () => {
  const figures = await expectFieldsAlone({
    source: {
      night: { ...TAKEOUT_NIGHT, minutes_asleep: "405" },
      score: { ...SCORE, overall_score: "85", resting_heart_rate: "53" },
    },
    read: async ({ night, score }) =>
      outcomeOfItems(await readTakeout({ [SLEEPS]: [night], [STAGES]: NIGHT_STAGES, [SCORES]: [score] })),
    essential: ["night.sleep_id", "score.sleep_id"],
    written: asText,
  })
  expect(figures).toBeGreaterThan(1)
})

const OLD_RUN = {
  logId: 50_000_000_002,
  activityName: "Run",
  startTime: "09/12/26 16:00:00",
  duration: 1_800_000,
  calories: 310,
  averageHeartRate: 141,
  distance: 5,
  distanceUnit: "Kilometer",
}

test.each([
  [
    "sleep",
    OLD_NIGHT,
    OLD_SLEEPS,
    ["logId", "levels.data.0.seconds", "levels.data.1.seconds", "levels.shortData.0.seconds"],
  ],
  ["activity", OLD_RUN, "exercise-0.json", ["logId", "duration"]],
])("a wrong number in a %s of Fitbit's old files costs this number alone", async (_what, row, name, essential) => {
  const figures = await expectFieldsAlone<object>({
    source: row,
    read: async (each) => outcomeOfItems(await readTakeout({ [name]: [each] })),
    essential,
  })
  expect(figures).toBeGreaterThan(0)
})

const push = async (data: object): Promise<Outcome> => {
  const { rows, ignored } = await readHealthAutoExport({ data }, async () => {})
  const records = derivePushed(rows, { provider: "apple_health", date: "2026-11-20", timeZone: "UTC", now: NOW })
  return { records: records.map(({ record }) => plainOf(record)), leftOut: [...ignored.keys()] }
}

test.each([
  [
    "workout",
    {
      workouts: [
        {
          name: "Outdoor Run",
          start: "2026-11-20 18:00:00 +0000",
          end: "2026-11-20 18:45:00 +0000",
          duration: 2280,
          distance: { qty: 6.2, units: "km" },
          activeEnergyBurned: { qty: 412, units: "kcal" },
          heartRate: { min: 90, avg: 141, max: { qty: 166, units: "bpm" } },
        },
      ],
    },
  ],
  [
    "night in sums",
    {
      metrics: [
        {
          name: "sleep_analysis",
          units: "hr",
          data: [
            {
              sleepStart: "2026-11-19 23:00:00 +0000",
              sleepEnd: "2026-11-20 07:00:00 +0000",
              inBedStart: "2026-11-19 23:00:00 +0000",
              inBedEnd: "2026-11-20 07:00:00 +0000",
              totalSleep: 7,
              asleep: 0,
              core: 4,
              deep: 1,
              rem: 2,
              awake: 0.5,
              inBed: 8,
              source: "Band",
            },
          ],
        },
      ],
    },
  ],
])("a wrong number in a %s of Health Auto Export costs this number alone", async (_what, data) => {
  const figures = await expectFieldsAlone<object>({ source: data, read: push, essential: ["metrics.0.data.0.asleep"] })
  expect(figures).toBeGreaterThan(0)
})

const HEALTH = {
  calendarDate: "2026-11-18",
  updateTimestampUTC: "2026-11-18T06:10:00.0",
  metrics: [
    { type: "HRV", value: 52, status: "IN_RANGE" },
    { type: "SPO2", value: 95, status: "IN_RANGE" },
    { type: "SKIN_TEMP_C", value: 0.3, status: "IN_RANGE" },
  ],
}
const READINESS = {
  calendarDate: "2026-11-18",
  timestamp: "2026-11-18T06:15:00.0",
  inputContext: "AFTER_WAKEUP_RESET",
  score: 71,
}

test.each<[string, Row, (row: Row) => Partial<GarminRows>]>([
  ["night's health", HEALTH, (row) => ({ nights: [NIGHT], days: [DAY], health: [row] })],
  ["morning's readiness", READINESS, (row) => ({ nights: [NIGHT], days: [DAY], readiness: [row] })],
])("a wrong number in a %s of Garmin costs this number alone", async (_what, row, rowsOf) => {
  const figures = await expectFieldsAlone<Row>({
    source: row,
    read: async (each) => outcomeOfItems(await readGarmin(rowsOf(each))),
    essential: [],
  })
  expect(figures).toBeGreaterThan(0)
})
