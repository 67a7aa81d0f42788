// From the rows of Google Takeout to the normalised records: pure, and the only file that converts Google's and Fitbit's units.

import { type ScoreState, SLEEP_STAGES, type SleepStages } from "@restwell/client"
import { MINUTE_MS, SECOND_MS } from "@restwell/client/time-units"
import type { ArchivedRecord } from "../archive/archive-items.ts"
import { isOfStrava, type Json } from "../contract/records.ts"
import type { Sample } from "../contract/series.ts"
import { contributorsOf } from "../normalize/contributors.ts"
import { courseOf, localDateOf, phasedShare } from "../normalize/derive.ts"
import { known } from "../normalize/known.ts"
import { sportTypeOf } from "../normalize/vocabulary.ts"
import type { ExerciseRow, OldExercise, OldWeight, ScoreParts } from "./takeout-wire.ts"

export const CENTIMETRES = 100
const MILLIMETRES = 1_000
export const GRAMS = 1_000
const METRES_PER_MILE = 1_609.344
const KILOGRAMS_PER_POUND = 0.45359237

/** What was read of the rows, as JSON has it. */
const rawOf = (rows: object): Json => JSON.parse(JSON.stringify(rows))
/** `20261004T203000Z` */
const compact = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`

/** A stage of a sleep with its instants. */
export interface Segment {
  readonly stage: keyof typeof STAGE_NUMBERS
  readonly startMs: number
  readonly endMs: number
}

const STAGE_NUMBERS = {
  light: SLEEP_STAGES.indexOf("light"),
  deep: SLEEP_STAGES.indexOf("deep"),
  rem: SLEEP_STAGES.indexOf("rem"),
  awake: SLEEP_STAGES.indexOf("awake"),
} as const

/** A sleep of either form, or of both. */
export interface Sleep {
  /** True for Google's own file, which has UTC offsets. */
  readonly isNew: boolean
  readonly id: string
  readonly startedAt: Date
  readonly endedAt: Date
  readonly startUtcOffsetMinutes: number
  readonly endUtcOffsetMinutes: number
  readonly minutesAsleep?: number | undefined
  /** Undefined where the file does not say. */
  readonly isMain?: boolean | undefined
  /** Empty for a device that finds no stages. */
  readonly segments: readonly Segment[]
  /** Durations that the file itself has, minutes. */
  readonly summary?: SleepStages | undefined
  readonly timesAwake?: number | undefined
  readonly score?: number | undefined
  readonly scoreParts?: Readonly<Partial<Record<"duration" | "composition" | "revitalization", number | undefined>>>
  readonly minutesToFallAsleep?: number | undefined
  readonly restingHeartRate?: number | undefined
}

/** A sleep that counts. */
export interface CountedSleep {
  readonly sleep: Sleep
  readonly isNap: boolean
  /** True for the night of its date, false for a nap and for another part of a night. */
  readonly isMain: boolean
  /** Rows of the same form that are the same sleep. */
  readonly doubles: number
}

export const sleepDateOf = ({ endedAt, endUtcOffsetMinutes }: Sleep): string =>
  localDateOf(endedAt, endUtcOffsetMinutes)

/** The stages as the file adds them up, or the sum of its segments. A stage that a night with stages does not have lasted zero. */
function stagesOf({ segments, summary }: Sleep): SleepStages | undefined {
  if (summary) return summary
  if (!segments.some(({ stage }) => stage !== "awake")) return undefined
  const sumOf = (stage: Segment["stage"]) =>
    segments.reduce((sum, each) => sum + (each.stage === stage ? each.endMs - each.startMs : 0), 0)
  return { lightMs: sumOf("light"), deepMs: sumOf("deep"), remMs: sumOf("rem"), awakeMs: sumOf("awake") }
}

/** Returns the durations of an old sleep with stages. Undefined if one is missing. */
export function summaryOf(
  parts: Readonly<Partial<Record<"light" | "deep" | "rem" | "wake", { readonly minutes?: number | null | undefined }>>>,
): SleepStages | undefined {
  const msOf = (minutes: number | null | undefined) =>
    minutes === null || minutes === undefined ? undefined : Math.round(minutes * MINUTE_MS)
  const [lightMs, deepMs] = [msOf(parts.light?.minutes), msOf(parts.deep?.minutes)]
  const [remMs, awakeMs] = [msOf(parts.rem?.minutes), msOf(parts.wake?.minutes)]
  if (lightMs === undefined || deepMs === undefined || remMs === undefined || awakeMs === undefined) return undefined
  return { lightMs, deepMs, remMs, awakeMs }
}

/**
 * The night of a date has the date as its id, in both forms and whatever the zone of an old time was taken to be.
 * @param respiratoryRate breaths per minute, of the night of the date
 */
export function normalizeSleep(
  { sleep, isNap, isMain }: Pick<CountedSleep, "sleep" | "isNap" | "isMain">,
  respiratoryRate: number | undefined,
): ArchivedRecord {
  const { startedAt, endedAt, startUtcOffsetMinutes, endUtcOffsetMinutes, minutesAsleep, segments, score } = sleep
  const durationMs = endedAt.getTime() - startedAt.getTime()
  const stages = stagesOf(sleep)
  const asleepMs = stages || minutesAsleep === undefined ? undefined : minutesAsleep * MINUTE_MS
  const date = sleepDateOf(sleep)
  const spans = segments.map(({ stage, ...times }) => ({ ...times, phase: stage }))
  const course = stages && courseOf(spans, { startMs: startedAt.getTime(), endMs: endedAt.getTime() })
  const local = new Date(startedAt.getTime() + startUtcOffsetMinutes * MINUTE_MS).toISOString()
  const providerId = isMain ? date : `${isNap ? "nap" : "night"}-${local.slice(0, 16)}`
  // Minutes of the old form are those of the clock on the wall: a night in which clocks change has an hour more or less.
  const countedMs = sleep.isNew ? durationMs : durationMs + (endUtcOffsetMinutes - startUtcOffsetMinutes) * MINUTE_MS
  // Percent of the time in bed in both forms: Fitbit's own figure of the old form counts restlessness too.
  const efficiencyPercent =
    minutesAsleep === undefined || countedMs <= 0
      ? undefined
      : Math.min(100, (minutesAsleep * MINUTE_MS * 100) / countedMs)
  return {
    startedAt,
    utcOffsetMinutes: endUtcOffsetMinutes,
    date,
    precedence:
      (sleep.isNew ? 4 : 0) +
      (stages ? 2 : 0) +
      (score === undefined ? 0 : 1) +
      phasedShare(course) / 2 +
      (minutesAsleep ?? 0) / 1e5,
    record: {
      kind: "sleep",
      providerId,
      updatedMs: endedAt.getTime(),
      scoreState: stages || asleepMs !== undefined ? "scored" : "unscorable",
      startMs: startedAt.getTime(),
      endMs: endedAt.getTime(),
      utcOffsetMinutes: endUtcOffsetMinutes,
      startUtcOffsetMinutes,
      endUtcOffsetMinutes,
      raw: rawOf({ ...sleep, segments: undefined }),
      isNap,
      durationMs,
      ...known({
        scorePercent: score,
        efficiencyPercent,
        respiratoryRatePerMinute: isMain ? respiratoryRate : undefined,
        timesAwake: sleep.timesAwake,
        latencyMs: sleep.minutesToFallAsleep && sleep.minutesToFallAsleep * MINUTE_MS,
        contributors: contributorsOf(sleep.scoreParts, null),
        stages,
        asleepMs,
        course,
      }),
      ...(segments.length > 0 && { samples: [{ type: "sleep_stages", samples: segments.map(sampleOf) }] }),
    },
  }
}

const sampleOf = ({ stage, startMs, endMs }: Segment): Sample => ({
  atMs: startMs,
  value: STAGE_NUMBERS[stage],
  durationMs: endMs - startMs,
})

/** Seconds of a segment of the old form, as milliseconds. */
export const segmentMs = (seconds: number): number => seconds * SECOND_MS

/** The figures of a morning. */
export interface Morning {
  readonly date: string
  readonly night: Sleep | undefined
  readonly score: number | undefined
  readonly scoreParts: ScoreParts | undefined
  readonly hrv: number | undefined
  readonly restingHeartRate: number | undefined
  readonly spo2: number | undefined
  readonly nightlyCelsius: number | undefined
  /** Median of the nights of a month, as Google computes it. */
  readonly baselineCelsius: number | undefined
  readonly hasDay: boolean
  readonly utcOffsetMinutes: number
  /** The date where the person is. */
  readonly today: string
}

/** Returns the recovery of a date. Undefined without readiness, HRV and resting heart rate. */
export function normalizeMorning(morning: Morning): ArchivedRecord | undefined {
  const { date, night, score, scoreParts, hrv, restingHeartRate, spo2, nightlyCelsius, baselineCelsius, today } =
    morning
  if (score === undefined && hrv === undefined && restingHeartRate === undefined) return undefined
  const deviation =
    nightlyCelsius !== undefined && baselineCelsius !== undefined ? nightlyCelsius - baselineCelsius : undefined
  const startedAt = night?.startedAt ?? new Date(`${date}T00:00:00Z`)
  const createdAt = night?.endedAt ?? startedAt
  const scoreState: ScoreState = score !== undefined ? "scored" : date >= today ? "pending" : "unscorable"
  const figures = [score, hrv, restingHeartRate, spo2, nightlyCelsius]
  return {
    date,
    startedAt,
    utcOffsetMinutes: morning.utcOffsetMinutes,
    precedence: figures.filter((value) => value !== undefined).length,
    record: {
      kind: "recovery",
      providerId: date,
      updatedMs: createdAt.getTime(),
      scoreState,
      raw: rawOf({ score, scoreParts, hrv, restingHeartRate, spo2, nightlyCelsius, baselineCelsius }),
      createdMs: createdAt.getTime(),
      ...known({
        sleepProviderId: night && date,
        cycleProviderId: morning.hasDay ? date : undefined,
        scorePercent: score,
        contributors: contributorsOf(scoreParts, null),
        hrvMs: hrv,
        restingHeartRateBpm: restingHeartRate,
        spo2Percent: spo2,
        skinTempCelsius: nightlyCelsius,
        skinTempDeviationCelsius: deviation,
      }),
    },
  }
}

/** What a date adds up to. */
export interface DayTotals {
  readonly date: string
  readonly steps: number
  /** That counted the steps, where the file names it. */
  readonly device: string | undefined
  /** By which its device was chosen: that of another archive may be another one. */
  readonly weight: number
  readonly distanceMeters: number | undefined
  readonly calories: number | undefined
  readonly activeCalories: number | undefined
  /** Its midnights. */
  readonly startedAt: Date
  readonly endedAt: Date
  readonly startUtcOffsetMinutes: number
  readonly endUtcOffsetMinutes: number
}

export function normalizeDay(day: DayTotals): ArchivedRecord {
  const { date, steps, device, weight, distanceMeters, calories, activeCalories } = day
  const { startedAt, endedAt, startUtcOffsetMinutes, endUtcOffsetMinutes } = day
  return {
    startedAt,
    utcOffsetMinutes: startUtcOffsetMinutes,
    date,
    // The day of an export is not over, so a later export has more of it.
    precedence: weight,
    record: {
      kind: "cycle",
      providerId: date,
      updatedMs: endedAt.getTime(),
      scoreState: "scored",
      raw: rawOf({ steps, distanceMeters, calories, activeCalories }),
      startMs: startedAt.getTime(),
      endMs: endedAt.getTime(),
      utcOffsetMinutes: startUtcOffsetMinutes,
      startUtcOffsetMinutes,
      endUtcOffsetMinutes,
      ...known({ device, energyKcal: calories, activeEnergyKcal: activeCalories, steps, distanceMeters }),
    },
  }
}

/** A workout of either form. */
export interface Workout {
  readonly startedAt: Date
  readonly endedAt: Date
  readonly utcOffsetMinutes: number
  readonly name: string
  /** The app or device that recorded it, as far as the file names it. */
  readonly source?: string | null | undefined
  readonly calories?: number | undefined
  readonly distance?: number | undefined
  readonly averageHeartRate?: number | undefined
  readonly maxHeartRate?: number | undefined
  /** As its file has it. */
  readonly row: ExerciseRow | OldExercise
}

/** Zero stands for no measurement. */
const measured = (value: number | null | undefined): number | undefined => value || undefined

/** @param utcOffsetMinutes for a row without an offset */
export function workoutOf(row: ExerciseRow, utcOffsetMinutes: number): Workout {
  const millimetres = measured(row.tracker_total_distance_mm) ?? measured(row.manually_logged_total_distance_mm)
  return {
    startedAt: row.exercise_start,
    endedAt: row.exercise_end,
    utcOffsetMinutes: row.utc_offset ?? utcOffsetMinutes,
    name: row.activity_name ?? "",
    source: row.data_source,
    calories: measured(row.tracker_total_calories) ?? measured(row.manually_logged_total_calories),
    distance: millimetres && millimetres / MILLIMETRES,
    averageHeartRate: measured(row.tracker_avg_heart_rate),
    maxHeartRate: measured(row.tracker_peak_heart_rate),
    row,
  }
}

/** Metres in a unit of distance that an activity names. A distance without one is left out. */
const METRES: ReadonlyMap<string, number> = new Map([
  ["kilometer", 1_000],
  ["mile", METRES_PER_MILE],
  ["meter", 1],
])

export function oldWorkoutOf(row: OldExercise, utcOffsetMinutes: number): Workout {
  const [distance, metres] = [measured(row.distance), METRES.get(row.distanceUnit?.toLowerCase() ?? "")]
  return {
    startedAt: row.startTime,
    endedAt: new Date(row.startTime.getTime() + row.duration),
    utcOffsetMinutes,
    name: row.activityName ?? "",
    source: row.source?.name,
    calories: measured(row.calories),
    distance: distance && metres && distance * metres,
    averageHeartRate: measured(row.averageHeartRate),
    row,
  }
}

export function normalizeWorkout(workout: Workout): ArchivedRecord {
  const { startedAt, endedAt, utcOffsetMinutes, name, calories, distance, averageHeartRate, maxHeartRate } = workout
  const source = workout.source ?? ""
  const providerId = compact(startedAt)
  const figures = known({
    averageHeartRateBpm: averageHeartRate,
    maxHeartRateBpm: maxHeartRate,
    energyKcal: calories,
    distanceMeters: distance,
  })
  return {
    startedAt,
    utcOffsetMinutes,
    date: localDateOf(startedAt, utcOffsetMinutes),
    precedence: Object.keys(figures).length,
    record: {
      kind: "workout",
      providerId,
      updatedMs: endedAt.getTime(),
      scoreState: "scored",
      raw: rawOf(workout.row),
      startMs: startedAt.getTime(),
      endMs: endedAt.getTime(),
      utcOffsetMinutes,
      durationMs: endedAt.getTime() - startedAt.getTime(),
      sportType: sportTypeOf(name),
      countsAsWorkout: true,
      ...(isOfStrava(source) && { device: source, assistants: false as const }),
      ...figures,
    },
  }
}

/** Weight divided by BMI is the height in metres squared. With pounds it is more than anyone's. */
const TALLEST_SQUARED = 4.9

/** An old weight in kilograms. Its unit is that of the account, which only the BMI beside it shows. Without one it is in pounds. */
export const kilogramsOf = ({ weight, bmi }: OldWeight): number =>
  bmi && bmi > 0 && weight / bmi < TALLEST_SQUARED ? weight : weight * KILOGRAMS_PER_POUND

/** Kilograms or metres of a row in grams or millimetres. */
export const perThousand = (value: number): number => value / GRAMS

/** A date's next. */
