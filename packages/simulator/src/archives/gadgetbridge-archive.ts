// Gadgetbridge's export of a simulated person, who wore a ring: its documents become what a band of Xiaomi measured. A watch of Amazfit
// walked the same steps beside it.
import { HOUR_MS, MINUTE_MS } from "../model/calendar.ts"
import type { OuraRecords, WireOuraSleep } from "../oura/records/wire.ts"
import { type AndroidTables, androidDatabase } from "./android-database.ts"
import { type ZipContent, zipOf } from "./zip.ts"

export const GADGETBRIDGE_BAND = "Mi Band 8"
const [BAND, WATCH, USER] = [1, 2, 1]
const PHASE_MS = 5 * MINUTE_MS
/** Codes by the digits of a ring: deep, light, REM and awake. */
const STAGES: Readonly<Record<string, number>> = { "1": 2, "2": 3, "3": 4, "4": 5 }
const KINDS: Readonly<Record<string, number>> = { walking: 0x20, running: 0x10, cycling: 0x80 }
const QUARTERS_PER_HOUR = 4

const msOf = (text: string): number => Date.parse(text)
const hoursOf = (text: string): number => Number(/([+-]\d\d):\d\d$/.exec(text)?.[1] ?? 0)
const measured = (device: number, timestamp: number) => ({ TIMESTAMP: timestamp, DEVICE_ID: device, USER_ID: USER })

/** All tables. */
export function gadgetbridgeTables(records: OuraRecords): AndroidTables {
  const sleeps = records.sleep.filter(({ type }) => type === "long_sleep" || type === "late_nap")
  const nights = sleeps.filter(({ type, sleep_phase_5_min: phases }) => type === "long_sleep" && phases)
  const zone = hoursOf(nights[0]?.bedtime_start ?? "")
  const midnightOf = (day: string) => msOf(`${day}T00:00:00Z`) - zone * HOUR_MS
  return {
    DEVICE: [
      // The identifier and the key of a device are nobody's business.
      { _id: BAND, NAME: GADGETBRIDGE_BAND, MANUFACTURER: "Xiaomi", IDENTIFIER: "AA:BB:CC:DD:EE:01", ALIAS: null },
      { _id: WATCH, NAME: "Amazfit Bip", MANUFACTURER: "Huami", IDENTIFIER: "AA:BB:CC:DD:EE:02", ALIAS: "Old watch" },
    ],
    USER: [{ _id: USER, NAME: "Lena", BIRTHDAY: 631152000000, GENDER: 0 }],
    XIAOMI_ACTIVITY_SAMPLE: [
      ...sleeps.flatMap(beats),
      ...records.daily_activity.flatMap((day) => minutes(day, midnightOf)),
    ],
    XIAOMI_SLEEP_TIME_SAMPLE: sleeps.flatMap((sleep) => {
      const [startMs, endMs] = [msOf(sleep.bedtime_start), msOf(sleep.bedtime_end)]
      const seconds = (value: number | null) => Math.round((value ?? 0) / 60)
      const row = {
        ...measured(BAND, startMs),
        IS_AWAKE: 1,
        TOTAL_DURATION: seconds(sleep.total_sleep_duration),
        DEEP_SLEEP_DURATION: seconds(sleep.deep_sleep_duration),
        LIGHT_SLEEP_DURATION: seconds(sleep.light_sleep_duration),
        REM_SLEEP_DURATION: seconds(sleep.rem_sleep_duration),
        AWAKE_DURATION: seconds(sleep.awake_time),
      }
      // A sync in the middle of the night had its first part.
      return [
        { ...row, WAKEUP_TIME: startMs + (endMs - startMs) / 2, IS_AWAKE: 0 },
        { ...row, WAKEUP_TIME: endMs },
      ]
    }),
    XIAOMI_SLEEP_STAGE_SAMPLE: nights.flatMap(stages),
    XIAOMI_DAILY_SUMMARY_SAMPLE: nights.map(({ day, lowest_heart_rate: lowest }) => ({
      ...measured(BAND, midnightOf(day)),
      TIMEZONE: zone * QUARTERS_PER_HOUR,
      HR_RESTING: lowest ?? 0,
    })),
    GENERIC_HRV_VALUE_SAMPLE: nights.flatMap((night) =>
      (night.hrv?.items ?? []).flatMap((value, index) =>
        value === null ? [] : [{ ...measured(BAND, msOf(night.bedtime_start) + index * PHASE_MS), VALUE: value }],
      ),
    ),
    HUAMI_SLEEP_RESPIRATORY_RATE_SAMPLE: nights.flatMap(({ bedtime_start: start, average_breath: breath }) =>
      breath === null
        ? []
        : [{ ...measured(WATCH, msOf(start) + HOUR_MS), UTC_OFFSET: zone * HOUR_MS, RATE: Math.round(breath) }],
    ),
    HUAMI_SPO2_SAMPLE: nights.map(({ bedtime_start: start }) => ({
      ...measured(WATCH, msOf(start) + HOUR_MS),
      TYPE_NUM: 1,
      SPO2: 96,
    })),
    BASE_ACTIVITY_SUMMARY: records.workout.map((workout, index) => ({
      _id: index + 1,
      NAME: null,
      START_TIME: msOf(workout.start_datetime),
      END_TIME: msOf(workout.end_datetime),
      ACTIVITY_KIND: KINDS[workout.activity] ?? 0x04000001,
      DEVICE_ID: BAND,
      USER_ID: USER,
      SUMMARY_DATA: JSON.stringify({
        averageHR: { value: 131, unit: "bpm" },
        maxHR: 164,
        activeSeconds: (msOf(workout.end_datetime) - msOf(workout.start_datetime)) / 1_000,
        caloriesBurnt: { value: workout.calories ?? 0, unit: "calories_unit" },
        distanceMeters: { value: workout.distance ?? 0, unit: "meters" },
      }),
    })),
    COLMI_TEMPERATURE_SAMPLE: nights.map(({ bedtime_end: end }) => ({
      ...measured(BAND, msOf(end)),
      TEMPERATURE: 36.4,
    })),
  }
}

/** Runs of one phase have one point at their start. */
function stages({ bedtime_start: start, sleep_phase_5_min: phases }: WireOuraSleep) {
  let ms = msOf(start)
  return ((phases ?? "").match(/(.)\1*/g) ?? []).map((run) => {
    const row = { ...measured(BAND, ms), STAGE: STAGES[run[0] ?? ""] ?? 0 }
    ms += run.length * PHASE_MS
    return row
  })
}

/** Minutes of old tables have seconds. */
const beats = (sleep: WireOuraSleep) =>
  (sleep.heart_rate?.items ?? []).map((value, index) => ({
    ...measured(BAND, Math.floor((msOf(sleep.bedtime_start) + index * PHASE_MS) / 1_000)),
    STEPS: 0,
    HEART_RATE: value ?? 255,
    DISTANCE_CM: 0,
  }))

/** A hundred minutes of a day. */
const WALKED = 100
function minutes(
  { day, steps, equivalent_walking_distance: meters }: OuraRecords["daily_activity"][number],
  midnightOf: (day: string) => number,
) {
  const each = Math.floor(steps / WALKED)
  return Array.from({ length: WALKED }, (_, minute) => ({
    ...measured(BAND, Math.floor((midnightOf(day) + 12 * HOUR_MS + minute * MINUTE_MS) / 1_000)),
    STEPS: minute === 0 ? steps - each * (WALKED - 1) : each,
    HEART_RATE: 0,
    DISTANCE_CM: meters,
  }))
}

/** The database alone, without an ending as the program writes it. */
export const gadgetbridgeFile = (tables: AndroidTables): ZipContent => ({
  name: "database/Gadgetbridge",
  bytes: androidDatabase(tables),
})

/** The export as a zip file. Its preferences have the key of the device. */
export const gadgetbridgeArchive = (tables: AndroidTables): Buffer =>
  zipOf([
    { name: "preferences/global.json", bytes: Buffer.from("{}") },
    { name: "preferences/device_AA:BB:CC:DD:EE:01.json", bytes: Buffer.from('{"authkey":"0xsecret"}') },
    gadgetbridgeFile(tables),
    {
      name: "gadgetbridge.json",
      bytes: Buffer.from('{"appId":"nodomain.freeyourgadget.gadgetbridge","backupVersion":1}'),
    },
  ])
