// Google Takeout with Fitbit's data of a simulated person, in Google's files and in Fitbit's old ones. The person wore a ring, whose
// documents become a Fitbit's.
import { HOUR_MS, MINUTE_MS } from "../model/calendar.ts"
import type { OuraRecords, WireOuraSleep } from "../oura/records/wire.ts"
import { gramsOn } from "./as-measured-by.ts"
import { type ZipContent, zipOf } from "./zip.ts"

type Cells = Readonly<Record<string, string | number | null | undefined>>

/** Files by the name without their folder: rows of a table, or entries of a JSON list. To be changed by a test before they are written. */
export type TakeoutRows = Readonly<Record<string, readonly object[]>>

export interface TakeoutVariant {
  /** Folder of Google Health in the language of the account, or none. @default "Takeout/Fitbit/" */
  readonly root?: string
  /** More files of the archive. */
  readonly others?: readonly ZipContent[]
}

const PHASE_MS = 5 * MINUTE_MS
/** Names of both forms, by the digit that Oura has for a stage. */
const STAGES: Readonly<Record<string, string>> = { "1": "DEEP", "2": "LIGHT", "3": "REM", "4": "AWAKE" }
const OLD_STAGES: Readonly<Record<string, string>> = { DEEP: "deep", LIGHT: "light", REM: "rem", AWAKE: "wake" }
const TRACKER = "Google Fitbit Air"
const PHONE = "Phone Health Kit"
const COPY = "Garmin Connect Health Connect"

const msOf = (text: string): number => Date.parse(text)
const offsetOf = (text: string): string => (text.endsWith("Z") ? "+00:00" : text.slice(-6))
const offsetMs = (text: string): number => {
  const [hours = 0, minutes = 0] = offsetOf(text).slice(1).split(":").map(Number)
  return (hours * 60 + minutes) * MINUTE_MS * (offsetOf(text).startsWith("-") ? -1 : 1)
}
const utc = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`
/** `10/04/26 22:30:00` */
const american = (ms: number): string => {
  const [year, month, day] = new Date(ms).toISOString().slice(2, 10).split("-")
  return `${month}/${day}/${year} ${new Date(ms).toISOString().slice(11, 19)}`
}
const local = (text: string): string => new Date(msOf(text) + offsetMs(text)).toISOString().slice(0, 23)

/** Nights and naps that Fitbit would find too. Each has stages. */
const sleepsOf = ({ sleep }: OuraRecords): readonly WireOuraSleep[] =>
  sleep.filter(({ type, sleep_phase_5_min: phases }) => phases && (type === "long_sleep" || type === "late_nap"))

/** Runs of equal stages. */
function segmentsOf({ bedtime_start, bedtime_end, sleep_phase_5_min }: WireOuraSleep) {
  const found: { stage: string; startMs: number; endMs: number }[] = []
  for (const [index, digit] of [...(sleep_phase_5_min ?? "")].entries()) {
    const startMs = msOf(bedtime_start) + index * PHASE_MS
    const endMs = Math.min(startMs + PHASE_MS, msOf(bedtime_end))
    const last = found.at(-1)
    const stage = STAGES[digit] ?? "AWAKE"
    if (last?.stage === stage) last.endMs = endMs
    else if (endMs > startMs) found.push({ stage, startMs, endMs })
  }
  return found
}

const minutesIn = (sleep: WireOuraSleep, stage: string): number =>
  segmentsOf(sleep).reduce((sum, each) => sum + (each.stage === stage ? (each.endMs - each.startMs) / MINUTE_MS : 0), 0)
const minutesAsleep = (sleep: WireOuraSleep): number =>
  ["LIGHT", "DEEP", "REM"].reduce((sum, stage) => sum + minutesIn(sleep, stage), 0)

/** Minutes of a day with steps: an hour from noon on. */
function minutesOf({ day, timestamp, steps }: OuraRecords["daily_activity"][number]) {
  const noonMs = msOf(day) - offsetMs(timestamp) + 12 * HOUR_MS
  return Array.from({ length: 60 }, (_, index) => ({
    atMs: noonMs + index * MINUTE_MS,
    steps: Math.floor(steps / 60) + (index < steps % 60 ? 1 : 0),
  }))
}

/** As many as the day has on which clocks are set forward, so that none is on the date after it. */
const ENERGY_MINUTES = 23 * 60

/** Minutes of a day with the energy at rest and in motion, which add up to that of the day. */
function energyOf({ day, timestamp, total_calories: whole }: OuraRecords["daily_activity"][number]) {
  const midnightMs = msOf(day) - offsetMs(timestamp)
  return Array.from({ length: ENERGY_MINUTES }, (_, index) => ({
    atMs: midnightMs + index * MINUTE_MS,
    calories: Math.floor(whole / ENERGY_MINUTES) + (index < whole % ENERGY_MINUTES ? 1 : 0),
  }))
}

function sleepTables(records: OuraRecords): TakeoutRows {
  const sleeps = sleepsOf(records)
  const scoreOf = (day: string) => records.daily_sleep.find((each) => each.day === day)?.score
  return {
    "UserSleeps_2026-01-01.csv": sleeps.map((sleep, index) => ({
      sleep_id: `90000000000000${index}`,
      sleep_type: "STAGES",
      minutes_in_sleep_period: (msOf(sleep.bedtime_end) - msOf(sleep.bedtime_start)) / MINUTE_MS,
      minutes_asleep: minutesAsleep(sleep),
      minutes_awake: minutesIn(sleep, "AWAKE"),
      start_utc_offset: offsetOf(sleep.bedtime_start),
      sleep_start: utc(msOf(sleep.bedtime_start)),
      end_utc_offset: offsetOf(sleep.bedtime_end),
      sleep_end: utc(msOf(sleep.bedtime_end)),
      data_source: "DERIVED",
    })),
    "UserSleepStages_2026-01-01.csv": sleeps.flatMap((sleep, index) =>
      segmentsOf(sleep).map(({ stage, startMs, endMs }, number) => ({
        sleep_id: `90000000000000${index}`,
        sleep_stage_id: number,
        sleep_stage_type: stage,
        start_utc_offset: offsetOf(sleep.bedtime_start),
        sleep_stage_start: utc(startMs),
        end_utc_offset: offsetOf(sleep.bedtime_end),
        sleep_stage_end: utc(endMs),
      })),
    ),
    "UserSleepScores_2026-01-01.csv": sleeps.flatMap((sleep, index) =>
      sleep.type === "long_sleep" && typeof scoreOf(sleep.day) === "number"
        ? [
            {
              sleep_id: `90000000000000${index}`,
              overall_score: scoreOf(sleep.day),
              duration_score: -1,
              resting_heart_rate: sleep.lowest_heart_rate,
            },
          ]
        : [],
    ),
  }
}

const minuteTables = (records: OuraRecords, nights: readonly WireOuraSleep[]): TakeoutRows => ({
  "steps_2026-01-01.csv": records.daily_activity.flatMap((day) =>
    minutesOf(day).flatMap(({ atMs, steps }) => [
      { timestamp: utc(atMs), steps, "data source": TRACKER },
      // The phone lay on a table for a part of the day. Another watch's app copied the whole day, and more.
      { timestamp: utc(atMs), steps: Math.floor(steps / 2), "data source": PHONE },
      { timestamp: utc(atMs), steps: steps + 1, "data source": COPY },
    ]),
  ),
  "distance_2026-01-01.csv": records.daily_activity.map((day) => ({
    timestamp: utc(minutesOf(day)[0]?.atMs ?? 0),
    distance: day.equivalent_walking_distance,
    "data source": TRACKER,
  })),
  "calories_2026-01-01.csv": records.daily_activity.flatMap((day) =>
    energyOf(day).map(({ atMs, calories }) => ({
      timestamp: utc(atMs),
      calories,
      "data source": "Google Health App",
    })),
  ),
  "heart_rate_2026-01-01.csv": nights.flatMap((night) =>
    itemsOf(night, "heart_rate").flatMap(({ atMs, value }) => [
      { timestamp: utc(atMs), "beats per minute": value, "data source": TRACKER },
    ]),
  ),
  "heart_rate_variability_2026-01-01.csv": nights.flatMap((night) =>
    itemsOf(night, "hrv").map(({ atMs, value }) => ({
      timestamp: utc(atMs),
      "root mean square of successive differences milliseconds": value,
      "standard deviation milliseconds": 1,
      "data source": TRACKER,
    })),
  ),
})

/** Google's files. */
export function takeoutRows(records: OuraRecords): TakeoutRows {
  const nights = sleepsOf(records).filter(({ type }) => type === "long_sleep")
  const daily = (value: string, of: (night: WireOuraSleep) => number | null | undefined) =>
    nights.flatMap((night): Cells[] => {
      const found = of(night)
      return found === null || found === undefined
        ? []
        : [{ timestamp: `${night.day}T00:00:00Z`, [value]: found, "data source": "Google Health App" }]
    })
  const spo2 = (day: string) => records.daily_spo2.find((each) => each.day === day)?.spo2_percentage?.average
  return {
    ...sleepTables(records),
    "UserExercises_2026-01-01.csv": records.workout.map((workout, index) => ({
      exercise_id: `80000000000000${index}`,
      exercise_start: utc(msOf(workout.start_datetime)),
      exercise_end: utc(msOf(workout.end_datetime)),
      utc_offset: offsetOf(workout.start_datetime),
      activity_name: workout.activity,
      tracker_total_calories: workout.calories,
      tracker_total_distance_mm: (workout.distance ?? 0) * 1000,
      tracker_avg_heart_rate: 131,
      tracker_peak_heart_rate: 164,
      activity_type_probabilities: '[{"type": "RUN", "probability": 0.9}, {"type": "WALK", "probability": 0.1}]',
      deletion_reason: "",
    })),
    "daily_readiness.csv": records.daily_readiness.flatMap(({ day, score }) =>
      score === null ? [] : [{ timestamp: day, score, type: "HIGH", "data source": "Google Health App" }],
    ),
    "daily_resting_heart_rate.csv": daily("beats per minute", (night) => night.lowest_heart_rate),
    "daily_heart_rate_variability.csv": daily(
      "average heart rate variability milliseconds",
      (night) => night.average_hrv,
    ),
    "daily_oxygen_saturation.csv": daily("average percentage", (night) => spo2(night.day)),
    "daily_respiratory_rate.csv": daily("breaths per minute", (night) => night.average_breath),
    ...minuteTables(records, nights),
    "weight.csv": records.daily_activity.flatMap(({ day }, index) =>
      index % 7 === 0
        ? [{ timestamp: `${day}T06:30:00Z`, "weight grams": gramsOn(index), "data source": "Scale" }]
        : [],
    ),
    "height.csv": [
      { timestamp: "2026-01-01T00:00:00Z", "height millimeters": 1_720, "data source": "Google Health App" },
    ],
  }
}

function itemsOf(night: WireOuraSleep, name: "heart_rate" | "hrv") {
  const series = night[name]
  return (series?.items ?? []).flatMap((value, index) =>
    value === null
      ? []
      : [{ atMs: msOf(night.bedtime_start) + index * (series?.interval ?? 300) * 1000, value: Math.round(value) }],
  )
}

/** Fitbit's old files of the same. Ids have nothing in common with Google's. */
export function oldTakeoutRows(records: OuraRecords): TakeoutRows {
  const sleeps = sleepsOf(records)
  const nights = sleeps.filter(({ type }) => type === "long_sleep")
  const dailySummary = (value: string, of: (night: WireOuraSleep) => number | null | undefined) =>
    nights.flatMap((night): Cells[] => (of(night) ? [{ timestamp: `${night.day}T00:00:00`, [value]: of(night) }] : []))
  return {
    "sleep-2026-01-01.json": sleeps.map((sleep, index) => oldSleep(sleep, index)),
    "sleep_score.csv": sleeps.flatMap((sleep, index) => {
      const score = records.daily_sleep.find(({ day }) => day === sleep.day)?.score
      return sleep.type === "long_sleep" && typeof score === "number"
        ? [
            {
              sleep_log_entry_id: 500 + index,
              timestamp: utc(msOf(sleep.bedtime_end)),
              overall_score: score,
              composition_score: "",
              resting_heart_rate: sleep.lowest_heart_rate,
            },
          ]
        : []
    }),
    "exercise-0.json": records.workout.map((workout, index) => ({
      logId: 700 + index,
      activityName: workout.activity,
      startTime: american(msOf(workout.start_datetime)),
      duration: msOf(workout.end_datetime) - msOf(workout.start_datetime),
      calories: workout.calories,
      averageHeartRate: 131,
      distance: (workout.distance ?? 0) / 1000,
      distanceUnit: "Kilometer",
    })),
    "Daily Readiness Score - 2026-01-01.csv": records.daily_readiness.flatMap(({ day, score }) =>
      score === null ? [] : [{ date: day, readiness_score_value: score, readiness_state: "HIGH" }],
    ),
    "resting_heart_rate-2026-01-01.json": nights.map(({ day, lowest_heart_rate: value }) => ({
      dateTime: american(msOf(day)),
      value: { date: value ? american(msOf(day)).slice(0, 8) : null, value: value ?? 0, error: 0 },
    })),
    "Daily Heart Rate Variability Summary - 2026-01-(1).csv": dailySummary("rmssd", (night) => night.average_hrv),
    "Daily Respiratory Rate Summary - 2026-01-01.csv": dailySummary(
      "daily_respiratory_rate",
      (night) => night.average_breath,
    ),
    "Daily SpO2 - 2026-01-01-2026-04-01.csv": nights.flatMap(({ day }) => {
      const average = records.daily_spo2.find((each) => each.day === day)?.spo2_percentage?.average
      return average ? [{ timestamp: `${day}T00:00:00Z`, average_value: average, lower_bound: 90 }] : []
    }),
    "steps-2026-01-01.json": records.daily_activity.flatMap((day) =>
      minutesOf(day).map(({ atMs, steps }) => ({ dateTime: american(atMs), value: String(steps) })),
    ),
    "heart_rate-2026-01-01.json": nights.flatMap((night) =>
      itemsOf(night, "heart_rate").map(({ atMs, value }) => ({
        dateTime: american(atMs),
        value: { bpm: value, confidence: 2 },
      })),
    ),
    "Heart Rate Variability Details - 2026-01-01.csv": nights.flatMap((night) =>
      itemsOf(night, "hrv").map(({ atMs, value }) => ({
        timestamp: new Date(atMs + offsetMs(night.bedtime_start)).toISOString().slice(0, 19),
        rmssd: value,
        coverage: 0.9,
      })),
    ),
    "weight-2026-01-01.json": records.daily_activity.flatMap(({ day }, index) => {
      const kilograms = gramsOn(index) / 1000
      return index % 7 === 0
        ? [
            {
              logId: index,
              weight: kilograms / 0.45359237,
              bmi: kilograms / 1.72 ** 2,
              date: american(msOf(day)).slice(0, 8),
              time: "06:30:00",
            },
          ]
        : []
    }),
  }
}

function oldSleep(sleep: WireOuraSleep, index: number): object {
  const minutes = (stage: string) => ({
    count: segmentsOf(sleep).filter((segment) => segment.stage === stage).length,
    minutes: minutesIn(sleep, stage),
    thirtyDayAvgMinutes: 0,
  })
  return {
    logId: 500 + index,
    dateOfSleep: sleep.day,
    startTime: local(sleep.bedtime_start),
    endTime: local(sleep.bedtime_end),
    duration: msOf(sleep.bedtime_end) - msOf(sleep.bedtime_start),
    minutesAsleep: minutesAsleep(sleep),
    minutesAwake: minutesIn(sleep, "AWAKE"),
    timeInBed: (msOf(sleep.bedtime_end) - msOf(sleep.bedtime_start)) / MINUTE_MS,
    efficiency: 93,
    type: "stages",
    mainSleep: sleep.type === "long_sleep",
    levels: {
      summary: { deep: minutes("DEEP"), light: minutes("LIGHT"), rem: minutes("REM"), wake: minutes("AWAKE") },
      data: segmentsOf(sleep).map(({ stage, startMs, endMs }) => ({
        dateTime: new Date(startMs + offsetMs(sleep.bedtime_start)).toISOString().slice(0, 23),
        level: OLD_STAGES[stage],
        seconds: (endMs - startMs) / 1000,
      })),
      shortData: [],
    },
  }
}

/** Folders as Google has them. */
const FOLDERS: readonly (readonly [RegExp, string])[] = [
  [/^User/, "Health Fitness Data_GoogleData"],
  [/^sleep_score/, "Sleep Score"],
  [/^Daily Readiness/, "Daily Readiness"],
  [/SpO2/, "Oxygen Saturation (SpO2)"],
  [/^(?:Daily (?:Heart|Resp)|Heart Rate Var)/, "Heart Rate Variability"],
  [/\.json$/, "Global Export Data"],
  [/./, "Physical Activity_GoogleData"],
]

const cell = (value: unknown): string => {
  const text = value === null || value === undefined ? "" : String(value)
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A table as Google writes it. */
export function tableOf(rows: readonly object[]): string {
  const columns = Object.keys(rows[0] ?? {})
  const lines = rows.map((row) => columns.map((column) => cell(Reflect.get(row, column))).join(","))
  return [columns.join(","), ...lines, ""].join("\n")
}

/** The archive as a zip file. Rows of both forms may be joined. */
export function takeoutArchive(
  rows: TakeoutRows,
  { root = "Takeout/Fitbit/", others = [] }: TakeoutVariant = {},
): Buffer {
  const files = Object.entries(rows).map(([name, content]): ZipContent => {
    const folder = root === "" ? "" : `${root}${FOLDERS.find(([pattern]) => pattern.test(name))?.[1]}/`
    const text = name.endsWith(".json") ? JSON.stringify(content) : tableOf(content)
    return { name: `${folder}${name}`, bytes: Buffer.from(text) }
  })
  return zipOf([...files, ...others])
}
