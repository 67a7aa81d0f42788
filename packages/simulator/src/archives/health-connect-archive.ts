// Health Connect's export of a simulated person, as Android 14 writes it. The person wore a ring, whose documents become what the app of a
// watch wrote. The phone counts some of the same steps beside it, and the ring's own app writes copies of its nights.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../model/calendar.ts"
import type { OuraRecords, WireOuraSleep, WireOuraWorkout } from "../oura/records/wire.ts"
import { type AndroidTables, androidDatabase } from "./android-database.ts"
import { gramsOn } from "./as-measured-by.ts"
import { type ZipContent, zipOf } from "./zip.ts"

/** Names of apps by their ids. */
export const HEALTH_CONNECT_APPS = {
  watch: "Samsung Health",
  phone: "Google Play services",
  ring: "Oura",
  sport: "Komoot",
} as const
const [WATCH, PHONE, RING, SPORT] = [1, 2, 3, 4]
const PHASE_MS = 5 * MINUTE_MS
/** Codes by the digits of a ring: deep, light, REM and awake. */
const STAGES: Readonly<Record<string, number>> = { "1": 5, "2": 4, "3": 6, "4": 1 }
/** Walking is 53, running 33, cycling 4. */
const EXERCISES: Readonly<Record<string, number>> = { walking: 53, running: 33, cycling: 4 }
const CALORIES_PER_KILOCALORIE = 1_000

const msOf = (text: string): number => Date.parse(text)

/** Seconds east of UTC of an ISO text. */
function offsetOf(text: string): number {
  const [, sign, hours = "0", minutes = "0"] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? []
  return (Number(hours) * 60 + Number(minutes)) * 60 * (sign === "-" ? -1 : 1)
}

/** Rows of a table, which are numbered from 1. */
const numbered = <Row extends object>(rows: readonly Row[]) =>
  rows.map((row, index) => ({ row_id: index + 1, uuid: null, ...row }))

const between = (app: number, startMs: number, endMs: number, offset: number, endOffset = offset) => ({
  app_info_id: app,
  start_time: startMs,
  end_time: endMs,
  start_zone_offset: offset,
  end_zone_offset: endOffset,
})
const at = (app: number, time: number, offset: number) => ({ app_info_id: app, time, zone_offset: offset })

/** All tables. */
export function healthConnectTables(records: OuraRecords): AndroidTables {
  const sleeps = records.sleep.filter(({ type }) => type === "long_sleep" || type === "late_nap")
  const nights = sleeps.filter(({ type }) => type === "long_sleep")
  const days = records.daily_activity
  const offset = offsetOf(nights[0]?.bedtime_start ?? "")
  const midnightOf = (day: string) => msOf(`${day}T00:00:00Z`) - offset * 1_000
  const sessions = numbered(sleeps.flatMap((sleep) => sessionsOf(sleep)))
  const weighings = days.filter((_, index) => index % 7 === 0)
  return {
    android_metadata: [{ locale: "en_GB" }],
    application_info_table: [
      { row_id: WATCH, package_name: "com.sec.android.app.shealth", app_name: HEALTH_CONNECT_APPS.watch },
      { row_id: PHONE, package_name: "com.google.android.gms", app_name: HEALTH_CONNECT_APPS.phone },
      { row_id: RING, package_name: "com.ouraring.oura", app_name: HEALTH_CONNECT_APPS.ring },
      { row_id: SPORT, package_name: "de.komoot.android", app_name: HEALTH_CONNECT_APPS.sport },
    ],
    sleep_session_record_table: sessions.map(({ phases, ...row }) => ({ ...row, title: null, notes: null })),
    sleep_stages_table: sessions.flatMap(({ row_id, start_time, phases }) => stagesOf(row_id, start_time, phases)),
    ...beats(sleeps, records.workout),
    ...counts(records, midnightOf, offset),
    heart_rate_variability_rmssd_record_table: numbered(
      sleeps.flatMap((sleep) =>
        valuesOf(sleep, "hrv").map(([ms, value]) => ({
          ...at(WATCH, ms, offsetOf(sleep.bedtime_start)),
          heart_rate_variability_millis: value,
        })),
      ),
    ),
    ...vitals(nights, records),
    weight_record_table: numbered(
      weighings.map(({ day }, index) => ({
        ...at(PHONE, midnightOf(day) + 7 * HOUR_MS, offset),
        weight: gramsOn(7 * index),
      })),
    ),
    height_record_table: numbered(
      days.slice(0, 1).map(({ day }) => ({ ...at(PHONE, midnightOf(day), offset), height: 1.72 })),
    ),
    exercise_session_record_table: numbered(records.workout.map(exerciseOf)),
    hydration_record_table: numbered(
      days.map(({ day }) => ({ ...between(PHONE, midnightOf(day), midnightOf(day) + HOUR_MS, offset), volume: 250 })),
    ),
  }
}

/** Samsung Health writes a long night as two sessions. */
function sessionsOf(sleep: WireOuraSleep) {
  const [startMs, endMs] = [msOf(sleep.bedtime_start), msOf(sleep.bedtime_end)]
  const phases = sleep.sleep_phase_5_min ?? ""
  const [offset, endOffset] = [offsetOf(sleep.bedtime_start), offsetOf(sleep.bedtime_end)]
  const half = sleep.type === "long_sleep" ? Math.floor(phases.length / 2) : phases.length
  const splitMs = startMs + half * PHASE_MS
  // The copy of the ring's app has no stages, and is a little shorter.
  const copy = { ...between(RING, startMs + MINUTE_MS, endMs - MINUTE_MS, offset, endOffset), phases: "" }
  if (half === phases.length) return [{ ...between(WATCH, startMs, endMs, offset, endOffset), phases }, copy]
  return [
    { ...between(WATCH, startMs, splitMs, offset), phases: phases.slice(0, half) },
    { ...between(WATCH, splitMs, endMs, endOffset), phases: phases.slice(half) },
    copy,
  ]
}

/** Runs of one phase are one row. */
function stagesOf(parent: number, startMs: number, phases: string) {
  let ms = startMs
  return (phases.match(/(.)\1*/g) ?? []).map((run) => {
    const row = {
      parent_key: parent,
      stage_start_time: ms,
      stage_end_time: ms + run.length * PHASE_MS,
      stage_type: STAGES[run[0] ?? ""] ?? 2,
    }
    ms = row.stage_end_time
    return row
  })
}

const valuesOf = (sleep: WireOuraSleep, name: "heart_rate" | "hrv") =>
  (sleep[name]?.items ?? []).flatMap((value, index): [number, number][] =>
    value === null ? [] : [[msOf(sleep.bedtime_start) + index * PHASE_MS, value]],
  )

/** One record for each sleep and workout, with its beats in another table. */
function beats(sleeps: readonly WireOuraSleep[], workouts: readonly WireOuraWorkout[]): AndroidTables {
  const measured = [
    ...sleeps.map((sleep) => ({
      span: between(WATCH, msOf(sleep.bedtime_start), msOf(sleep.bedtime_end), offsetOf(sleep.bedtime_start)),
      values: valuesOf(sleep, "heart_rate"),
    })),
    ...workouts.map(({ start_datetime: start, end_datetime: end }) => ({
      span: between(SPORT, msOf(start), msOf(end), offsetOf(start)),
      values: [110, 130, 150].map((value, index): [number, number] => [msOf(start) + index * MINUTE_MS, value]),
    })),
  ]
  return {
    heart_rate_record_table: numbered(measured.map(({ span }) => span)),
    heart_rate_record_series_table: measured.flatMap(({ values }, index) =>
      values.map(([ms, value]) => ({ parent_key: index + 1, epoch_millis: ms, beats_per_minute: value })),
    ),
  }
}

/** The watch counts in six hours of a day, and the phone half of it in three. The ring's app writes a sum of the day. */
function counts(
  { daily_activity, workout }: OuraRecords,
  midnightOf: (day: string) => number,
  offset: number,
): AndroidTables {
  const spans = (day: string, hours: readonly number[], app: number) =>
    hours.map((hour) => between(app, midnightOf(day) + hour * HOUR_MS, midnightOf(day) + (hour + 1) * HOUR_MS, offset))
  const walked = [8, 9, 12, 13, 17, 18]
  const perHour = (total: number, hours: readonly number[]) => total / hours.length
  return {
    steps_record_table: numbered(
      daily_activity.flatMap(({ day, steps }) => {
        const share = Math.floor(steps / walked.length)
        return [
          ...spans(day, walked, WATCH).map((span, index) => ({
            ...span,
            count: index === 0 ? steps - share * (walked.length - 1) : share,
          })),
          ...spans(day, walked.slice(0, 3), PHONE).map((span) => ({ ...span, count: share })),
          { ...between(RING, midnightOf(day), midnightOf(day) + DAY_MS, offset), count: steps },
        ]
      }),
    ),
    distance_record_table: numbered([
      ...daily_activity.flatMap(({ day, equivalent_walking_distance: meters }) =>
        spans(day, walked, WATCH).map((span) => ({ ...span, distance: perHour(meters, walked) })),
      ),
      ...workout.map((each) => ({ ...spanOf(each), distance: each.distance ?? 0 })),
    ]),
    active_calories_burned_record_table: numbered([
      ...daily_activity.flatMap(({ day, active_calories: kilocalories }) =>
        spans(day, walked, WATCH).map((span) => ({
          ...span,
          energy: perHour(kilocalories, walked) * CALORIES_PER_KILOCALORIE,
        })),
      ),
      ...workout.map((each) => ({ ...spanOf(each), energy: (each.calories ?? 0) * CALORIES_PER_KILOCALORIE })),
    ]),
    total_calories_burned_record_table: numbered(
      daily_activity.map(({ day, total_calories: kilocalories }) => ({
        ...between(WATCH, midnightOf(day), midnightOf(day) + DAY_MS, offset),
        energy: kilocalories * CALORIES_PER_KILOCALORIE,
      })),
    ),
  }
}

function vitals(nights: readonly WireOuraSleep[], { daily_spo2 }: OuraRecords): AndroidTables {
  const after = (night: WireOuraSleep, ms: number) => msOf(night.bedtime_start) + ms
  const rowsOf = (column: string, ms: number, figureOf: (night: WireOuraSleep) => number | null | undefined) =>
    numbered(
      nights.flatMap((night) => {
        const value = figureOf(night)
        const moment = at(WATCH, after(night, ms), offsetOf(night.bedtime_start))
        return value === null || value === undefined ? [] : [{ ...moment, [column]: value }]
      }),
    )
  const skin = numbered(
    nights.map(({ bedtime_start: start, bedtime_end: end }) => ({
      ...between(WATCH, msOf(start), msOf(end), offsetOf(start)),
      baseline: 34.5,
    })),
  )
  return {
    resting_heart_rate_record_table: rowsOf("beats_per_minute", 8 * HOUR_MS, (night) => night.lowest_heart_rate),
    respiratory_rate_record_table: rowsOf("rate", HOUR_MS, (night) => night.average_breath),
    oxygen_saturation_record_table: rowsOf(
      "percentage",
      HOUR_MS,
      (night) => daily_spo2.find(({ day }) => day === night.day)?.spo2_percentage?.average,
    ),
    skin_temperature_record_table: skin,
    skin_temperature_delta_table: skin.flatMap(({ row_id, start_time }) =>
      [1, 2].map((hour) => ({ parent_key: row_id, epoch_millis: start_time + hour * HOUR_MS, delta: 0.2 * hour })),
    ),
  }
}

const spanOf = ({ start_datetime: start, end_datetime: end }: WireOuraWorkout) =>
  between(SPORT, msOf(start), msOf(end), offsetOf(start), offsetOf(end))

const exerciseOf = (workout: WireOuraWorkout) => ({
  ...spanOf(workout),
  exercise_type: EXERCISES[workout.activity] ?? 58,
  title: null,
  notes: null,
})

/** The database, named as in the archive. */
export const healthConnectFile = (tables: AndroidTables): ZipContent => ({
  name: "health_connect_export.db",
  bytes: androidDatabase(tables),
})

/** The export as a zip file. */
export const healthConnectArchive = (tables: AndroidTables): Buffer => zipOf([healthConnectFile(tables)])
