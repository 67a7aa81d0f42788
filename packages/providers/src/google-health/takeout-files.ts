// Which files of Google Takeout are read. They are known by their names, because folders have the language of the account. Takeout has
// most of Fitbit's history twice: in Google's files, and in Fitbit's own old ones.
import type { SeriesType } from "@restwell/client"
import { baseName, isHidden, type ZipEntry } from "../archive/zip-entries.ts"
import { known } from "../normalize/known.ts"
import { type Check, possibleIn, possibleSample } from "../normalize/possible-figures.ts"
import { CENTIMETRES, GRAMS } from "./takeout-normalize.ts"
import type { ScorePart } from "./takeout-wire.ts"

/** A table of Google, whole or cut by month or day: `steps.csv`, `steps_2026-06-01.csv`, `heart_rate-2026-06-10.csv`. */
const tableOf = (name: string): RegExp => new RegExp(`^${name}(?:[_-]\\d[\\d-]*)?\\.csv$`, "i")

/** Files of rows that are read as a whole, each kind in its own way. */
const NAMES = {
  sleeps: /^UserSleeps(?:[_-].*)?\.csv$/i,
  stages: /^UserSleepStages(?:[_-].*)?\.csv$/i,
  scores: /^UserSleepScores(?:[_-].*)?\.csv$/i,
  exercises: /^UserExercises(?:[_-].*)?\.csv$/i,
  heights: tableOf("height"),
  oldSleeps: /^sleep-[\d-]+\.json$/i,
  oldScores: /^sleep_score\.csv$/i,
  oldExercises: /^exercise-[\d-]+\.json$/i,
  oldHeartRates: /^heart_rate-[\d-]+\.json$/i,
  oldRestingRates: /^resting_heart_rate-[\d-]+\.json$/i,
  oldWeights: /^weight-[\d-]+\.json$/i,
  oldOxygenUptakes: /^demographic_vo2_max-[\d-]+\.json$/i,
  activeMinutes: tableOf("active_minutes"),
  zoneMinutes: /^active(?:_zone_minutes(?:[_-]\d[\d-]*)?| zone minutes - .*)\.csv$/i,
  oldModerateMinutes: /^moderately_active_minutes-[\d-]+\.json$/i,
  oldVeryActiveMinutes: /^very_active_minutes-[\d-]+\.json$/i,
  stressScores: /^Stress Score\.csv$/i,
} as const

/** A figure of a date. */
export type DailyFigure = "score" | "restingHeartRate" | "hrv" | "spo2" | "respiratoryRate" | "nightlyCelsius"

/** What the figure becomes, by which it is known what can be true of it. */
export const FIGURE_FIELDS = {
  score: ["recovery", "scorePercent"],
  restingHeartRate: ["recovery", "restingHeartRateBpm"],
  hrv: ["recovery", "hrvMs"],
  spo2: ["recovery", "spo2Percent"],
  respiratoryRate: ["sleep", "respiratoryRatePerMinute"],
  nightlyCelsius: ["recovery", "skinTempCelsius"],
} as const satisfies Readonly<Record<DailyFigure, readonly [kind: "sleep" | "recovery", field: string]>>

/** A table with a row for each date. */
export interface DailyTable {
  readonly figure: DailyFigure
  readonly name: RegExp
  readonly value: string
  /** @default "timestamp" */
  readonly time?: string
  /** Column of the baseline that belongs to the value. */
  readonly second?: string
  /** Columns of what a score is made of. */
  readonly parts?: readonly (readonly [part: ScorePart, column: string])[]
}

/** Of two tables with a figure for a date, the earlier one counts. */
export const DAILY_TABLES: readonly DailyTable[] = [
  { figure: "score", name: tableOf("daily_readiness"), value: "score" },
  {
    figure: "score",
    name: /^Daily Readiness Score - .*\.csv$/i,
    time: "date",
    value: "readiness_score_value",
    parts: [
      ["activity", "activity_subcomponent"],
      ["sleep", "sleep_subcomponent"],
      ["hrv", "hrv_subcomponent"],
    ],
  },
  { figure: "restingHeartRate", name: tableOf("daily_resting_heart_rate"), value: "beats per minute" },
  {
    figure: "hrv",
    name: tableOf("daily_heart_rate_variability"),
    value: "average heart rate variability milliseconds",
  },
  { figure: "hrv", name: /^Daily Heart Rate Variability Summary - .*\.csv$/i, value: "rmssd" },
  { figure: "spo2", name: tableOf("daily_oxygen_saturation"), value: "average percentage" },
  { figure: "spo2", name: /^Daily SpO2 - .*\.csv$/i, value: "average_value" },
  { figure: "respiratoryRate", name: tableOf("daily_respiratory_rate"), value: "breaths per minute" },
  { figure: "respiratoryRate", name: /^Daily Respiratory Rate Summary - .*\.csv$/i, value: "daily_respiratory_rate" },
  {
    figure: "nightlyCelsius",
    name: tableOf("daily_sleep_temperature_derivations"),
    value: "nightly temperature celsius",
    second: "baseline temperature celsius",
  },
  {
    figure: "nightlyCelsius",
    name: /^Computed Temperature - .*\.csv$/i,
    time: "sleep_end",
    value: "nightly_temperature",
  },
]

/** A figure that is added up for each date. */
export type SumFigure =
  | "steps"
  | "distanceMeters"
  | "calories"
  | "activeCalories"
  | "floors"
  | "activeMinutes"
  | "zoneMinutes"

export interface SumTable {
  readonly figure: keyof typeof SUM_CHECKS
  readonly name: RegExp
  readonly values: readonly string[]
  /** Fitbit's own file of the same. */
  readonly oldName?: RegExp
  /** What divides a value of the old file. @default 1 */
  readonly oldDivisor?: number
  /** Its times are local in some archives. @default false, which is UTC */
  readonly isOldClockUnsure?: true
  /** Undefined where no samples are stored. */
  readonly type?: SeriesType
}

/** What can be true of a minute of a sum. @param per how many units of the file are one of the sum */
export const SUM_CHECKS = {
  steps: (per?: number) => possibleIn("cycle", "steps", known({ per })),
  distanceMeters: (per?: number) => possibleIn("cycle", "distanceMeters", known({ per })),
  calories: (per?: number) => possibleIn("cycle", "energyKcal", known({ per })),
  activeCalories: (per?: number) => possibleIn("cycle", "activeEnergyKcal", known({ per })),
  floors: (per?: number) => possibleSample("floors", known({ per })),
} as const satisfies Partial<Record<SumFigure, (per?: number) => Check>>

/** Feet, which the old files have in multiples of a floor. @see https://github.com/danlsn/fitport */
const FLOOR_FEET = 10

/** Steps are first, because they tell the clock of others. */
export const SUM_TABLES: readonly SumTable[] = [
  {
    figure: "steps",
    name: tableOf("steps"),
    values: ["steps"],
    oldName: /^steps-[\d-]+\.json$/i,
    type: "steps",
  },
  {
    figure: "distanceMeters",
    name: tableOf("distance"),
    values: ["distance"],
    oldName: /^distance-[\d-]+\.json$/i,
    oldDivisor: CENTIMETRES,
    type: "distance",
  },
  {
    figure: "floors",
    name: tableOf("floors"),
    values: ["floors"],
    oldName: /^altitude-[\d-]+\.json$/i,
    oldDivisor: FLOOR_FEET,
    isOldClockUnsure: true,
    type: "floors",
  },
  {
    figure: "activeCalories",
    name: tableOf("active_energy_burned"),
    values: ["kilocalories", "calories"],
    type: "active_energy",
  },
  {
    figure: "calories",
    name: tableOf("calories"),
    values: ["calories", "kilocalories"],
    oldName: /^calories-[\d-]+\.json$/i,
    isOldClockUnsure: true,
  },
]

/** A table of samples. */
export interface SampleTable {
  readonly type: SeriesType
  readonly name: RegExp
  /** Spellings of the column. */
  readonly values: readonly string[]
  /** What divides a value. @default 1 */
  readonly divisor?: number
  /** What stands for a value that could not be measured. */
  readonly placeholder?: number
  /** A row is for a date, whatever its time. @default false */
  readonly isDaily?: true
}

/** Of two tables of a type, the later one is read only for hours that the earlier one does not have, or days of the body. */
export const SAMPLE_TABLES: readonly SampleTable[] = [
  { type: "heart_rate", name: tableOf("heart_rate"), values: ["beats per minute"] },
  {
    type: "hrv",
    name: tableOf("heart_rate_variability"),
    values: [
      "root mean square of successive differences milliseconds",
      "root mean square of successive differences ms",
    ],
  },
  { type: "hrv", name: /^Heart Rate Variability Details - .*\.csv$/i, values: ["rmssd"] },
  {
    type: "spo2",
    name: tableOf("oxygen_saturation"),
    values: ["oxygen saturation percentage"],
    placeholder: 50,
  },
  { type: "spo2", name: /^Minute SpO2 - .*\.csv$/i, values: ["value"], placeholder: 50 },
  { type: "weight", name: tableOf("weight"), values: ["weight grams"], divisor: GRAMS },
  {
    type: "vo2max",
    name: tableOf("demographic_vo2max"),
    values: ["demographic vo2max"],
    placeholder: 0,
    isDaily: true,
  },
  {
    type: "vo2max",
    name: tableOf("daily_vo2_max"),
    values: ["daily vo2 max value"],
    placeholder: 0,
    isDaily: true,
  },
  { type: "body_fat", name: tableOf("body_fat"), values: ["body fat percentage", "fat percentage"] },
]

/** The files of an archive that are read. */
export type TakeoutFiles = Readonly<Record<keyof typeof NAMES, readonly ZipEntry[]>> & {
  /** Files whose name fits, in the order of their names. */
  readonly named: (name: RegExp) => readonly ZipEntry[]
  readonly read: readonly ZipEntry[]
  /** The others. */
  readonly unread: readonly ZipEntry[]
}

const READ_NAMES: readonly RegExp[] = [
  ...Object.values(NAMES),
  ...DAILY_TABLES.map(({ name }) => name),
  ...SUM_TABLES.flatMap(({ name, oldName }) => (oldName ? [name, oldName] : [name])),
  ...SAMPLE_TABLES.map(({ name }) => name),
]

/** Folders of Takeout that are not translated. */
const OF_TAKEOUT = /(?:^|\/)(?:Takeout\/Fitbit|Global Export Data|[^/]*_GoogleData)\//
/** Names that no other vendor's archive has. Those of Fitbit's own tables have this before their dates. */
const DISTINCT: readonly RegExp[] = [
  NAMES.sleeps,
  NAMES.stages,
  NAMES.scores,
  NAMES.exercises,
  NAMES.oldSleeps,
  NAMES.oldScores,
  NAMES.oldHeartRates,
  NAMES.stressScores,
  ...READ_NAMES.filter(({ source }) => source.includes(" - ")),
]

/** Returns the files of Google Takeout with Fitbit's data. Undefined for another archive. */
export function takeoutFilesOf(entries: readonly ZipEntry[]): TakeoutFiles | undefined {
  const visible = entries
    .filter(({ name }) => !isHidden(name))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const named = (pattern: RegExp) => visible.filter(({ name }) => pattern.test(ownName(name)))
  const isTakeout =
    visible.some(({ name }) => OF_TAKEOUT.test(name)) || DISTINCT.some((pattern) => named(pattern).length > 0)
  if (!isTakeout) return undefined
  return {
    sleeps: named(NAMES.sleeps),
    stages: named(NAMES.stages),
    scores: named(NAMES.scores),
    exercises: named(NAMES.exercises),
    heights: named(NAMES.heights),
    oldSleeps: named(NAMES.oldSleeps),
    oldScores: named(NAMES.oldScores),
    oldExercises: named(NAMES.oldExercises),
    oldHeartRates: named(NAMES.oldHeartRates),
    oldRestingRates: named(NAMES.oldRestingRates),
    oldWeights: named(NAMES.oldWeights),
    oldOxygenUptakes: named(NAMES.oldOxygenUptakes),
    activeMinutes: named(NAMES.activeMinutes),
    zoneMinutes: named(NAMES.zoneMinutes),
    oldModerateMinutes: named(NAMES.oldModerateMinutes),
    oldVeryActiveMinutes: named(NAMES.oldVeryActiveMinutes),
    stressScores: named(NAMES.stressScores),
    named,
    read: visible.filter(({ name }) => isRead(name)),
    unread: visible.filter(({ name }) => !isRead(name)),
  }
}

/** Browsers add a number to the name of a file that is there already. */
const ownName = (name: string): string => baseName(name).replace(/ ?\(\d+\)(?=\.\w+$)/, "")

const isRead = (name: string): boolean => READ_NAMES.some((pattern) => pattern.test(ownName(name)))
