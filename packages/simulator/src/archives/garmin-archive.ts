// Garmin's export archive of a simulated person, written as Garmin writes it. The person wore a ring, whose documents become a watch's.
import { DAY_MS, MINUTE_MS } from "../model/calendar.ts"
import type { OuraRecords, WireOuraSleep, WireOuraWorkout } from "../oura/records/wire.ts"
import { gramsOn } from "./as-measured-by.ts"
import { type FitField, type FitMessage, fitFile, fitTime } from "./fit-file.ts"
import { type ZipContent, zipOf } from "./zip.ts"

type Row = Record<string, unknown>

/** The rows of each kind of file, to be changed by a test before they are written. */
export interface GarminRows {
  readonly nights: readonly Row[]
  readonly health: readonly Row[]
  readonly days: readonly Row[]
  readonly readiness: readonly Row[]
  readonly body: readonly Row[]
  readonly activities: readonly Row[]
  /** FIT files by name. */
  readonly fit: readonly ZipContent[]
}

export interface GarminVariant {
  /** Where the files are: a folder named by a UUID, Garmin's usual one, or none. @default "usual" */
  readonly root?: "usual" | "uuid" | "none"
  /** FIT files in each inner zip file. @default 100 */
  readonly fitFilesPerZip?: number
  /** More files of the archive. */
  readonly others?: readonly ZipContent[]
}

const USER = "7000123"
const MAIL = "lena@vendor.example"

/** Bytes of a sleep's stages, by the digit that Oura has for them, and by FIT's number. */
const LEVELS: Readonly<Record<string, number>> = { "1": 3, "2": 2, "3": 4, "4": 1 }
const PHASE_MS = 5 * MINUTE_MS

const msOf = (text: string): number => Date.parse(text)
/** `2024-05-14T15:41:04.0`, as if the clock showed UTC. */
const garminTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}.0`

function offsetMs(text: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? []
  return (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE_MS * (sign === "-" ? -1 : 1)
}

/** Nights and naps of the ring that are sleeps. */
const sleepsOf = ({ sleep }: Pick<OuraRecords, "sleep">, type: string) => sleep.filter((each) => each.type === type)

export function garminRows(records: OuraRecords): GarminRows {
  const nights = sleepsOf(records, "long_sleep")
  return {
    nights: nights.map((night) => nightRow(night, records)),
    health: nights.map((night) => healthRow(night, records)),
    days: records.daily_activity.map((activity) => dayRow(activity, records)),
    readiness: records.daily_readiness.flatMap((readiness) => readinessRows(readiness)),
    body: records.daily_activity.map(({ day }, index) => bodyRow(day, index)),
    activities: records.workout.map(activityRow),
    fit: nights.map((night) => ({ name: `${MAIL}_${msOf(night.bedtime_start)}.fit`, bytes: nightFit(night) })),
  }
}

function nightRow(night: WireOuraSleep, { daily_sleep, sleep }: OuraRecords): Row {
  const score = daily_sleep.find(({ day }) => day === night.day)
  const naps = sleep.filter(({ day, type }) => day === night.day && type === "late_nap")
  return {
    sleepStartTimestampGMT: garminTime(msOf(night.bedtime_start)),
    sleepEndTimestampGMT: garminTime(msOf(night.bedtime_end)),
    calendarDate: night.day,
    sleepWindowConfirmationType: "ENHANCED_CONFIRMED_FINAL",
    retro: false,
    deepSleepSeconds: night.deep_sleep_duration,
    lightSleepSeconds: night.light_sleep_duration,
    remSleepSeconds: night.rem_sleep_duration,
    awakeSleepSeconds: night.awake_time,
    unmeasurableSeconds: 0,
    awakeCount: night.sleep_phase_5_min === null ? null : night.sleep_phase_5_min.split(/[^4]+/).filter(Boolean).length,
    averageRespiration: night.average_breath,
    sleepScores: {
      overallScore: score?.score ?? null,
      durationScore: score?.contributors["total_sleep"] ?? null,
      deepScore: score?.contributors["deep_sleep"] ?? null,
      remScore: score?.contributors["rem_sleep"] ?? null,
      interruptionsScore: score?.contributors["restfulness"] ?? -1,
      feedback: "POSITIVE_LONG_AND_DEEP",
      insight: "NONE",
    },
    ...(naps.length > 0 && {
      napList: naps.map((nap) => ({
        napStartTimestampGMT: garminTime(msOf(nap.bedtime_start)),
        napEndTimestampGMT: garminTime(msOf(nap.bedtime_end)),
        napTimeSec: nap.total_sleep_duration,
      })),
    }),
  }
}

function healthRow(night: WireOuraSleep, { daily_spo2, daily_readiness }: OuraRecords): Row {
  const spo2 = daily_spo2.find(({ day }) => day === night.day)?.spo2_percentage?.average
  const deviation = daily_readiness.find(({ day }) => day === night.day)?.temperature_deviation
  const metric = (type: string, value: number | null | undefined): Row =>
    value === null || value === undefined
      ? { type, value: 0, status: "UNKNOWN", percentage: 0 }
      : {
          type,
          value,
          status: "IN_RANGE",
          baselineUpperLimit: value + 5,
          baselineLowerLimit: value - 5,
          percentage: 50,
        }
  return {
    calendarDate: night.day,
    createTimestampUTC: garminTime(msOf(night.bedtime_end)),
    updateTimestampUTC: garminTime(msOf(night.bedtime_end) + MINUTE_MS),
    outliersCount: 0,
    metrics: [
      metric("HRV", night.average_hrv),
      metric("HR", night.average_heart_rate),
      metric("SPO2", spo2),
      metric("SKIN_TEMP_C", deviation),
      metric("RESPIRATION", night.average_breath),
    ],
  }
}

function dayRow(activity: OuraRecords["daily_activity"][number], records: OuraRecords): Row {
  const offset = offsetMs(activity.timestamp)
  const startMs = msOf(activity.day) - offset
  const night = sleepsOf(records, "long_sleep").find(({ day }) => day === activity.day)
  return {
    calendarDate: activity.day,
    uuid: activity.id.replaceAll("-", ""),
    wellnessStartTimeGmt: garminTime(startMs),
    wellnessStartTimeLocal: garminTime(startMs + offset),
    wellnessEndTimeGmt: garminTime(startMs + DAY_MS),
    wellnessEndTimeLocal: garminTime(startMs + offset + DAY_MS),
    includesWellnessData: true,
    totalSteps: activity.steps,
    totalDistanceMeters: activity.equivalent_walking_distance,
    totalKilocalories: activity.total_calories,
    activeKilocalories: activity.active_calories,
    bmrKilocalories: activity.total_calories - activity.active_calories,
    restingHeartRate: night?.lowest_heart_rate ?? null,
    currentDayRestingHeartRate: 105,
    minHeartRate: night?.lowest_heart_rate ?? null,
    maxHeartRate: 160,
    allDayStress: { aggregatorList: [{ type: "TOTAL", averageStressLevel: -1 }] },
  }
}

function readinessRows({ day, score, contributors: parts }: OuraRecords["daily_readiness"][number]): Row[] {
  const factors = {
    sleepScoreFactorPercent: parts["previous_night"],
    sleepHistoryFactorPercent: parts["sleep_balance"],
    recoveryTimeFactorPercent: parts["recovery_index"],
    hrvFactorPercent: parts["hrv_balance"],
    acwrFactorPercent: parts["activity_balance"],
  }
  const row = { calendarDate: day, hrvWeeklyAverage: 511, recoveryTime: 12 }
  return [
    { ...row, ...factors, timestamp: `${day}T06:00:00.0`, inputContext: "AFTER_WAKEUP_RESET", score },
    { ...row, timestamp: `${day}T18:00:00.0`, inputContext: "AFTER_POST_EXERCISE_RESET", score: 1 },
  ]
}

/** A scale is stepped on each week. Other rows have a height alone. */
const bodyRow = (day: string, index: number): Row => ({
  version: 1_000 + index,
  metaData: { calendarDate: `${day}T00:00:00.0`, sequence: 1 },
  height: 172,
  ...(index % 7 === 0 && {
    weight: { weight: gramsOn(index), sourceType: "INDEX_SCALE", timestampGMT: `${day}T06:30:00.0` },
  }),
})

function activityRow(workout: WireOuraWorkout): Row {
  const [startMs, endMs] = [msOf(workout.start_datetime), msOf(workout.end_datetime)]
  const lengthMs = endMs - startMs
  return {
    activityId: startMs / 1000,
    name: "Morning run",
    activityType: workout.activity,
    sportType: "GENERIC",
    startTimeGmt: startMs,
    beginTimestamp: startMs,
    startTimeLocal: startMs + offsetMs(workout.start_datetime),
    duration: lengthMs * 0.9,
    elapsedDuration: lengthMs,
    distance: (workout.distance ?? 0) * 100,
    elevationGain: 12_000,
    avgSpeed: 0.31,
    calories: workout.calories,
    avgHr: 131,
    maxHr: 164,
    ...Object.fromEntries([0, 1, 2, 3, 4, 5].map((zone) => [`hrTimeInZone_${zone}`, lengthMs / 6])),
    hrTimeInZone_6: 0,
  }
}

/** Messages of a night: file_id, heart rate of monitoring, stages, HRV. */
function nightFit(night: WireOuraSleep): Buffer {
  const startMs = msOf(night.bedtime_start)
  const first = fitTime(startMs)
  const items = night.heart_rate?.items ?? []
  const firstIndex = items.findIndex((value) => value !== null)
  const beats = items.flatMap((value, index): FitMessage[] => {
    if (value === null) return []
    const at = first + index * (night.heart_rate?.interval ?? 300)
    // The first has the whole time, the others have its lower half, unless that would be FIT's sign of an invalid value.
    const isWhole = index === firstIndex || (at & 0xffff) === 0xffff
    const time: FitField = isWhole ? [253, 4, at] : [26, 2, at & 0xffff]
    return [{ number: 55, fields: [time, [27, 1, Math.round(value)]] }]
  })
  const stages = [...(night.sleep_phase_5_min ?? "")].map(
    (digit, index): FitMessage => ({
      number: 275,
      fields: [
        [253, 4, first + ((index + 1) * PHASE_MS) / 1000],
        [0, 1, LEVELS[digit] ?? 0],
      ],
    }),
  )
  // The start of a sleep is an event. Each stage has the time of its end.
  const start: FitMessage = {
    number: 21,
    fields: [
      [253, 4, first],
      [0, 1, 74],
      [1, 1, 0],
    ],
  }
  const variabilities = (night.hrv?.items ?? []).flatMap((value, index): FitMessage[] =>
    value === null
      ? []
      : [
          {
            number: 371,
            fields: [
              [253, 4, first + index * 300],
              [0, 2, Math.round(value * 128)],
            ],
          },
        ],
  )
  const end = fitTime(msOf(night.bedtime_end))
  const summary: FitMessage[] =
    night.average_hrv === null
      ? []
      : [
          {
            number: 370,
            fields: [
              [253, 4, end],
              [1, 2, Math.round(night.average_hrv * 128)],
            ],
          },
        ]
  const file: FitMessage = {
    number: 0,
    fields: [
      [0, 1, 49],
      [4, 4, end],
    ],
  }
  return fitFile([file, ...beats, start, ...stages, ...variabilities, ...summary])
}

/** The archive as a zip file. */
export function garminArchive(rows: GarminRows, variant: GarminVariant = {}): Buffer {
  const { root = "usual", fitFilesPerZip = 100, others = [] } = variant
  const top = { usual: "", uuid: "5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11/", none: "" }[root]
  const folder = (name: string) => (root === "none" ? "" : `${top}DI_CONNECT/${name}/`)
  const json = (name: string, value: unknown): ZipContent => ({ name, bytes: Buffer.from(JSON.stringify(value)) })
  const wellness = folder("DI-Connect-Wellness")
  return zipOf([
    ...inHundreds(rows.nights, (part, index) => json(`${wellness}2024_${index}_${USER}_sleepData.json`, part)),
    ...inHundreds(rows.health, (part, index) => json(`${wellness}2024_${index}_${USER}_healthStatusData.json`, part)),
    json(`${wellness}${USER}_userBioMetrics.json`, rows.body),
    ...inHundreds(rows.days, (part, index) =>
      json(`${folder("DI-Connect-Aggregator")}UDSFile_2024_${index}.json`, part),
    ),
    ...inHundreds(rows.readiness, (part, index) =>
      json(`${folder("DI-Connect-Metrics")}TrainingReadinessDTO_2024_${index}_${USER}.json`, part),
    ),
    json(`${folder("DI-Connect-Fitness")}${MAIL}_0_summarizedActivities.json`, [
      { summarizedActivitiesExport: rows.activities },
    ]),
    ...inParts(rows.fit, fitFilesPerZip, (part, index) => ({
      name: `${folder("DI-Connect-Uploaded-Files")}UploadedFiles_0-_Part${index + 1}.zip`,
      bytes: zipOf(part),
    })),
    json(`${folder("DI-Connect-User")}user_profile.json`, { userName: USER }),
    ...others,
  ])
}

const inHundreds = <Value>(values: readonly Value[], write: (part: readonly Value[], index: number) => ZipContent) =>
  inParts(values, 100, write)

const inParts = <Value>(
  values: readonly Value[],
  size: number,
  write: (part: readonly Value[], index: number) => ZipContent,
): ZipContent[] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    write(values.slice(index * size, (index + 1) * size), index),
  )
