// Floors, exercise, stress and the heart rate while walking: each way that has them brings them to trends and series, in one unit.
import {
  type AndroidTables,
  androidDatabase,
  appleArchive,
  appleRecord,
  type GarminRows,
  garminArchive,
  healthConnectArchive,
  type TakeoutRows,
  takeoutArchive,
} from "@restwell/simulator"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { newToken, pushed } from "../pushes/pusher.ts"
import { importedArchive } from "./upload-archive.ts"

let service: TestService
beforeAll(async () => {
  service = await startTestService({ now: new Date("2026-11-20T12:00:00Z"), isStill: true })
})
afterAll(() => service.close())

const DATE = "2026-11-18"
const at = (clock: string) => Date.parse(`${DATE}T${clock}+01:00`)
const MINUTE_MS = 60_000

async function person() {
  const member = new Member(service)
  await member.signUp()
  await member.send("PUT", "/api/account/preferences", { time_zone: "Europe/Berlin" })
  const key = await member.newKey()
  const read = async (path: string) =>
    (await fetch(`${service.url}/api/v1/${path}`, { headers: { authorization: `Bearer ${key}` } })).json()
  return { member, read }
}
type Person = Awaited<ReturnType<typeof person>>

async function imported(bytes: Buffer): Promise<Person & { readonly report: { readonly notes: readonly string[] } }> {
  const found = await person()
  const done = await importedArchive(service.url, found.member, bytes)
  expect(done).toMatchObject({ status: "done", error: null })
  return { ...found, report: done?.report }
}

const METRICS = ["floors", "exercise_minutes", "stress", "walking_heart_rate"] as const
type Figures = Readonly<Partial<Record<(typeof METRICS)[number], number>>>

/** What trends have of the date. */
async function figuresOf({ read }: Person): Promise<Figures> {
  const { metrics } = await read("metrics")
  const listed = METRICS.filter((id) => metrics.some((metric: { id: string }) => metric.id === id))
  const values = await Promise.all(
    listed.map(async (id) => {
      const { points } = await read(`trend?metric=${id}&start_date=${DATE}&end_date=${DATE}&points=true`)
      expect(points).toEqual([[DATE, expect.any(Number)]])
      return [id, points[0][1]] as const
    }),
  )
  return Object.fromEntries(values)
}

test("an iPhone's archive brings flights, exercise and the heart rate while walking, of the watch where both counted", async () => {
  const span = (from: string, to: string) => ({ startMs: at(from), endMs: at(to) })
  const phone = { sourceName: "Lena's iPhone" }
  const { report, ...lena } = await imported(
    appleArchive([
      appleRecord("FlightsClimbed", span("08:00:00", "08:10:00"), { unit: "count", value: "3" }),
      appleRecord("FlightsClimbed", span("08:00:00", "08:10:00"), { unit: "count", value: "4", ...phone }),
      appleRecord("FlightsClimbed", span("18:00:00", "18:10:00"), { unit: "count", value: "2", ...phone }),
      appleRecord("AppleExerciseTime", span("17:00:00", "17:01:00"), { unit: "min", value: "1" }),
      appleRecord("AppleExerciseTime", span("17:01:00", "17:02:00"), { unit: "min", value: "1" }),
      appleRecord("WalkingHeartRateAverage", span("09:00:00", "21:00:00"), { unit: "count/min", value: "96.5" }),
    ]),
  )
  expect(await figuresOf(lena)).toEqual({ floors: 5, exercise_minutes: 2, walking_heart_rate: 96.5 })
  expect(report.notes.join()).not.toMatch(/FlightsClimbed|AppleExerciseTime|WalkingHeartRate/)
  const series = await lena.read(`series?type=floors&start_date=${DATE}&end_date=${DATE}&resolution=1h`)
  expect(series).toMatchObject({ unit: "count", points: [{ sum: 3 }, { sum: 2 }] })
})

const GARMIN_DAY = {
  calendarDate: DATE,
  wellnessStartTimeGmt: "2026-11-17T23:00:00.0",
  wellnessStartTimeLocal: "2026-11-18T00:00:00.0",
  wellnessEndTimeGmt: "2026-11-18T23:00:00.0",
  wellnessEndTimeLocal: "2026-11-19T00:00:00.0",
  includesWellnessData: true,
  totalSteps: 9000,
}
const EMPTY: GarminRows = { nights: [], health: [], days: [], readiness: [], body: [], activities: [], fit: [] }

test("Garmin's days bring floors from metres, minutes of both strengths, and stress where it was measured", async () => {
  const stress = (TOTAL: number) => ({
    aggregatorList: [
      { type: "ASLEEP", averageStressLevel: 12 },
      { type: "TOTAL", averageStressLevel: TOTAL },
    ],
  })
  const day = (total: number) => ({
    ...GARMIN_DAY,
    floorsAscendedInMeters: 30.48,
    moderateIntensityMinutes: 20,
    vigorousIntensityMinutes: 11,
    allDayStress: stress(total),
  })
  const measured = await imported(garminArchive({ ...EMPTY, days: [day(39)] }))
  expect(await figuresOf(measured)).toEqual({ floors: 10, exercise_minutes: 31, stress: 39 })
  const untold = await imported(garminArchive({ ...EMPTY, days: [day(-1)] }))
  expect(await figuresOf(untold)).toEqual({ floors: 10, exercise_minutes: 31 })
  const bare = await imported(garminArchive({ ...EMPTY, days: [GARMIN_DAY] }))
  expect(await figuresOf(bare)).toEqual({})
})

const written = (clock: string) => new Date(at(clock)).toISOString().replace(".000", "")
const tracked = (clock: string, more: object, source = "Fitbit Charge 6") => ({
  timestamp: written(clock),
  ...more,
  "data source": source,
})
const STEPS: TakeoutRows = { "steps_2026-11-01.csv": [tracked("08:00:00", { steps: 900 })] }

test("Takeout's new files bring floors and minutes of one source a date, and stress but where it could not be computed", async () => {
  const scores = [
    { DATE: "2026-11-17T00:00:00", STRESS_SCORE: 0, CALCULATION_FAILED: "true" },
    { DATE: `${DATE}T00:00:00`, STRESS_SCORE: 79, CALCULATION_FAILED: "false" },
  ]
  const floors = [
    tracked("08:00:00", { floors: 2 }),
    tracked("09:00:00", { floors: 1 }),
    tracked("09:00:00", { floors: 9 }, "Phone Health Connect"),
  ]
  const active = [
    tracked("08:00:00", { light: 1, moderate: 0, very: 0 }),
    tracked("08:01:00", { light: 0, moderate: 1, very: 0 }),
    tracked("08:02:00", { light: 0, moderate: 0, very: 1 }),
  ]
  const zones = [tracked("08:03:00", { "heart rate zone": "PEAK", "total minutes": 2 })]
  const all = {
    ...STEPS,
    "floors_2026-11-01.csv": floors,
    "active_minutes_2026-11-01.csv": active,
    "active_zone_minutes_2026-11-01.csv": zones,
    "Stress Score.csv": scores,
  }
  const found = await imported(takeoutArchive(all))
  expect(await figuresOf(found)).toEqual({ floors: 3, exercise_minutes: 2, stress: 79 })
  const { notes } = await found.read("trend?metric=stress&days=7")
  expect(notes).toContain("Stress score: Fitbit's score is higher with less stress.")
  const { "active_minutes_2026-11-01.csv": _, ...inZones } = all
  expect(await figuresOf(await imported(takeoutArchive(inZones)))).toMatchObject({ exercise_minutes: 1 })
})

test("a whole table of Takeout beside the one of its month counts nothing twice", async () => {
  const active = [tracked("08:00:00", { light: 0, moderate: 1, very: 4 })]
  const rates = [tracked("08:00:00", { "beats per minute": 61 }), tracked("08:00:05", { "beats per minute": 63 })]
  const energy = [tracked("08:00:00", { Kilocalories: 4.5 })]
  const found = await imported(
    takeoutArchive({
      ...STEPS,
      "steps.csv": STEPS["steps_2026-11-01.csv"] ?? [],
      "active_minutes.csv": active,
      "active_minutes-2026-11-18.csv": active,
      "heart_rate.csv": rates,
      "heart_rate-2026-11-18.csv": rates,
      "active_energy_burned.csv": energy,
      "active_energy_burned_2026-11-01.csv": energy,
    }),
  )
  expect(await figuresOf(found)).toEqual({ exercise_minutes: 5 })
  const dates = `start_date=${DATE}&end_date=${DATE}`
  const days = await found.read(`health?type=cycle&${dates}`)
  expect(days.records).toMatchObject([{ steps: 900, active_calories: 5 }])
  const beats = await found.read(`series?type=heart_rate&${dates}&resolution=raw`)
  expect(beats.points).toMatchObject([{ value: 61 }, { value: 63 }])
})

test("Fitbit's old files bring floors, the minutes of both strengths, zones in points, and no exercise without the device", async () => {
  const day = (value: number, date = "11/18/26") => ({ dateTime: `${date} 00:00:00`, value: String(value) })
  const [moderate, very] = ["moderately_active_minutes-2026-11-01.json", "very_active_minutes-2026-11-01.json"]
  const rows = { [moderate]: [day(12), day(0, "11/17/26")], [very]: [day(30), day(0, "11/17/26")], ...STEPS }
  const whole = await imported(takeoutArchive(rows))
  expect(await figuresOf(whole)).toEqual({ exercise_minutes: 42 })
  expect(await whole.read("trend?metric=exercise_minutes&days=7")).toMatchObject({ n: 1 })
  const { [moderate]: _, ...half } = rows
  const alone = await imported(takeoutArchive(half))
  expect(await figuresOf(alone)).toEqual({ exercise_minutes: 30 })
  expect(alone.report.notes.join("\n")).toMatch(/moderately_active_minutes or very_active_minutes alone/)
  const zone = (clock: string, heart_zone_id: string, total_minutes: number) => ({
    date_time: `${DATE}T${clock}`,
    heart_zone_id,
    total_minutes,
  })
  const zones = [zone("09:30", "FAT_BURN", 1), zone("09:31", "CARDIO", 2), zone("09:32", "PEAK", 2)]
  const climbed = [{ dateTime: "11/18/26 07:00:00", value: "20" }]
  const ofFloors = await imported(takeoutArchive({ ...STEPS, "altitude-2026-11-01.json": climbed }))
  expect(await figuresOf(ofFloors)).toEqual({ floors: 2 })
  const ofZones = await imported(takeoutArchive({ ...STEPS, "Active Zone Minutes - 2026-11-01.csv": zones }))
  expect(await figuresOf(ofZones)).toEqual({ exercise_minutes: 3 })
})

test("VO2max comes from Garmin's measurements and Fitbit's table, and active energy from Fitbit's minutes", async () => {
  const row = (version: number, more: object) => ({
    version,
    metaData: { calendarDate: `${DATE}T09:00:00.0` },
    ...more,
  })
  const body = [
    row(1, { vo2MaxRunning: 51 }),
    row(2, { vo2MaxRunning: 52, vo2MaxCycling: 49 }),
    row(3, { height: 180 }),
  ]
  const uptake = `series?type=vo2max&start_date=${DATE}&end_date=${DATE}`
  const garmin = await imported(garminArchive({ ...EMPTY, body }))
  expect((await garmin.read(uptake)).points).toMatchObject([{ value: 52, source: "garmin" }])
  const takeout = await imported(
    takeoutArchive({
      ...STEPS,
      "demographic_vo2max.csv": [{ timestamp: `${DATE}T00:00:00Z`, "demographic vo2max": 44.2 }],
      "demographic_vo2_max-2026-11-01.json": [{ dateTime: "11/18/26 00:00:00", value: { demographicVO2Max: 40 } }],
      "active_energy_burned_2026-11-01.csv": [
        tracked("08:00:00", { kilocalories: 4.5 }),
        tracked("08:01:00", { kilocalories: 5 }),
        tracked("08:01:00", { kilocalories: 90 }, "Phone Health Connect"),
      ],
    }),
  )
  expect((await takeout.read(uptake)).points).toMatchObject([{ value: 44.2 }])
  const days = await takeout.read(`health?type=cycle&start_date=${DATE}&end_date=${DATE}`)
  expect(days.records).toMatchObject([{ steps: 900, active_calories: 10 }])
  const energy = await takeout.read(`series?type=active_energy&start_date=${DATE}&end_date=${DATE}&resolution=1d`)
  expect(energy.points).toMatchObject([{ sum: 9.5 }])
})

test("Health Connect's floors are those of the app that answers for the day", async () => {
  const between = (app_info_id: number, from: string, more: object) => ({
    app_info_id,
    start_time: at(from),
    end_time: at(from) + 10 * MINUTE_MS,
    start_zone_offset: 3_600,
    ...more,
  })
  const tables: AndroidTables = {
    application_info_table: [
      { row_id: 1, package_name: "com.sec.android.app.shealth", app_name: "Samsung Health" },
      { row_id: 2, package_name: "com.google.android.gms", app_name: "Google Play services" },
    ],
    steps_record_table: [between(1, "08:00:00", { count: 900 }), between(1, "10:00:00", { count: 900 })],
    floors_climbed_record_table: [between(1, "08:00:00", { floors: 4 }), between(2, "08:00:00", { floors: 7 })],
  }
  expect(await figuresOf(await imported(healthConnectArchive(tables)))).toEqual({ floors: 4 })
})

test("Gadgetbridge's stress of minutes and of moments, where 0 and 255 are none", async () => {
  const device = [{ _id: 1, NAME: "Mi Band 8", MANUFACTURER: "Xiaomi", IDENTIFIER: "AA:BB", TYPE: 1 }]
  const minute = (clock: string, STRESS: number) => ({ TIMESTAMP: at(clock) / 1_000, DEVICE_ID: 1, STEPS: 10, STRESS })
  const xiaomi = { DEVICE: device, XIAOMI_ACTIVITY_SAMPLE: [minute("08:00:00", 30), minute("08:01:00", 40)] }
  // The last value stands for five minutes, so the mean over time is (30 x 1 + 40 x 5) / 6.
  expect(await figuresOf(await imported(androidDatabase(xiaomi)))).toEqual({ stress: 38.3 })
  const none = { DEVICE: device, XIAOMI_ACTIVITY_SAMPLE: [minute("08:00:00", 0), minute("08:01:00", 255)] }
  expect(await figuresOf(await imported(androidDatabase(none)))).toEqual({})
  const moment = { TIMESTAMP: at("08:00:00"), DEVICE_ID: 1, TYPE_NUM: 0, STRESS: 44 }
  expect(await figuresOf(await imported(androidDatabase({ DEVICE: device, HUAMI_STRESS_SAMPLE: [moment] })))).toEqual({
    stress: 44,
  })
})

test("phones push them, by the names of Health Auto Export and by ours", async () => {
  const auto = await person()
  const { token } = await newToken(auto.member)
  const metric = (name: string, units: string, clock: string, qty: number) => ({
    name,
    units,
    data: [{ date: `${DATE} ${clock} +0100`, qty, source: "Apple Watch" }],
  })
  const metrics = [
    metric("flights_climbed", "count", "08:00:00", 3),
    metric("apple_exercise_time", "min", "17:00:00", 25),
    metric("walking_heart_rate_average", "count/min", "12:00:00", 97),
  ]
  const path = "/api/ingest/health-auto-export"
  expect(await pushed(service, { data: { metrics } }, { token, path })).toMatchObject({ stored: 3, ignored: [] })
  expect(await figuresOf(auto)).toEqual({ floors: 3, exercise_minutes: 25, walking_heart_rate: 97 })
  const own = await person()
  const row = (type: string, value: number, unit: string) => ({ type, start: `${DATE}T08:00:00+01:00`, value, unit })
  const records = [
    row("floors", 3, "count"),
    row("exercise_minutes", 0.5, "hr"),
    row("stress", 61, "points"),
    row("walking_heart_rate", 97, "bpm"),
  ]
  const ofOwn = await newToken(own.member)
  expect(await pushed(service, { records }, ofOwn)).toMatchObject({ stored: 4, ignored: [] })
  expect(await figuresOf(own)).toEqual({ floors: 3, exercise_minutes: 30, stress: 61, walking_heart_rate: 97 })
})
