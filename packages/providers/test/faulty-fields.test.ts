// A faulty field in every record of every vendor, archive and push: everything beside it is stored.
import { tableOf, zipOf } from "@restwell/simulator"
import { expect, test } from "vitest"
import { derivePushed, type Json, type RecordKind, readHealthAutoExport, readVendorArchive } from "../src/index.ts"
import { readOuraRecords } from "../src/oura/normalize.ts"
import { readWhoopRecords } from "../src/whoop/normalize.ts"
import { WhoopPageSchema } from "../src/whoop/wire.ts"
import { expectFieldsAlone, type Outcome, outcomeOfItems, plainOf } from "./faulty-fields.ts"
import { fixturesOf } from "./fixtures.ts"

const NOW = new Date("2026-11-25T12:00:00Z")
const KINDS = ["sleep", "recovery", "workout", "cycle"] as const

function outcomeOf({ records, rejected }: ReturnType<typeof readWhoopRecords>): Outcome {
  expect(rejected).toEqual([])
  return {
    records: records.map(plainOf),
    leftOut: records.flatMap(({ leftOut = [] }) => leftOut.map(({ field, reason }) => `${field}: ${reason}`)),
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
  })
  expect(figures).toBeGreaterThan(0)
})

const push = async (data: object): Promise<Outcome> => {
  const table = await readHealthAutoExport(Buffer.from(JSON.stringify({ data })), {
    giveTurn: async () => {},
    latestMs: NOW.getTime(),
  })
  const rows = Array.from({ length: table.pieceCount }, (_, piece) => table.pieceAt(piece).rows).flat()
  const { ignored } = table
  const records = derivePushed(rows, { date: "2026-11-20", timeZone: "UTC", now: NOW })
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
