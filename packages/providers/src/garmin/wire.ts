// The files of Garmin's archive as they are written: names of fields and spellings of times. What is not named here is not read.

import type { SeriesType } from "@restwell/client"
import { utcDateOf } from "@restwell/client/calendar-dates"
import { DAY_MS, MINUTE_MS } from "@restwell/client/time-units"
import { z } from "zod"
import type { Bound } from "../contract/records.ts"
import { isStorableText } from "../contract/storable.ts"
import { clockMs, writtenMs } from "../normalize/clock-time.ts"
import { partOfScore } from "../normalize/contributors.ts"
import { figureFault } from "../normalize/plausible.ts"
import { possibleIn, possibleSample } from "../normalize/possible-figures.ts"

const text = z.string().max(100).refine(isStorableText, { error: "a character that cannot be stored" })
const number = z.number().nullish()
/** Garmin writes these where nothing was measured. */
export const NOT_MEASURED: readonly number[] = [0, -1, -2]
/** A part of a score, or what stands for none. */
const part = z.union([partOfScore, z.literal([-1, -2]).transform(() => null)])
export const CENTIMETRES = 100
export const GRAMS = 1_000
/** Ten feet. @see https://support.garmin.com/en-US/?faq=oavHs7aBWs8j7PeTPqxpd8 */
export const FLOOR_METERS = 3.048
/** A figure of a record. A day, a weight or a readiness may replace another one, so those that cannot be true are left out before. */
const figure = (...[kind, field, per = 1]: readonly [kind: Bound["kind"], field: string, per?: number]) =>
  number.superRefine(possibleIn(kind, field, { per, missing: NOT_MEASURED }))
/** A figure that becomes a sample. */
const ofSample = (type: SeriesType, per = 1) => number.superRefine(possibleSample(type, { per, missing: NOT_MEASURED }))
/** Milliseconds of an activity. The longest are races of days. */
const ofActivity = z
  .number()
  .min(0)
  .max(7 * DAY_MS)
  .nullish()
/** Seconds of a part of a night. */
const ofNight = z.number().min(0).max(86_400).nullish()

/** `Nov 17, 2022 11:00:00 PM` */
const AMERICAN = /^([A-Z][a-z]{2}) (\d{1,2}), (\d{4}) (\d{1,2}):(\d\d):(\d\d)\s([AP])M$/
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ")
const NOON = 12

type Spelling = number | string | readonly number[] | { readonly date: string }

/**
 * Milliseconds of a time in one of the archive's spellings: epoch milliseconds, ISO without a zone, or Java's list of parts. Days of
 * archives until 2023 have their date in an object, and are written the American way.
 * @see https://github.com/Fillll/life-log anal/utils/garmin_utils.py, which read both
 */
function millisecondsOf(value: Spelling): number {
  if (typeof value === "number") return value
  if (typeof value === "object" && "date" in value) return millisecondsOf(value.date)
  if (typeof value === "string") {
    const [matched, month = "", day, year, hour, minute, second, half] = AMERICAN.exec(value) ?? []
    if (matched === undefined) return writtenMs(value.replace(/Z$/, ""))
    const hours = (Number(hour) % NOON) + (half === "P" ? NOON : 0)
    return clockMs(Number(year), MONTHS.indexOf(month) + 1, Number(day), hours, Number(minute), Number(second))
  }
  const [year = Number.NaN, month = 1, day = 1, hour = 0, minute = 0, second = 0, nanosecond = 0] = value
  return clockMs(year, month, day, hour, minute, second, nanosecond / 1e6)
}

const EARLIEST_MS = Date.UTC(2000, 0, 1)
const LATEST_MS = Date.UTC(2100, 0, 1)

const TEXT = z.string().max(40)

/** A time as if the clock that it was read from showed UTC. For a field with GMT in its name it is an instant. */
const time = z
  .union([z.number(), TEXT, z.array(z.number()).min(3).max(7), z.object({ date: TEXT })], { error: "no time" })
  .refine((value) => millisecondsOf(value) >= EARLIEST_MS && millisecondsOf(value) < LATEST_MS, {
    error: "no time of this century",
  })

type WireTime = z.infer<typeof time>

/** Returns the instant of a field with GMT in its name. */
export const instantOf = (value: WireTime): Date => new Date(millisecondsOf(value))

/** True if a time is later than another one. One that is missing is the earliest. */
export const isLater = (one: WireTime | null | undefined, other: WireTime | null | undefined): boolean =>
  (isKnown(one) ? millisecondsOf(one) : -1) > (isKnown(other) ? millisecondsOf(other) : -1)

export const isKnown = <Value>(value: Value | null | undefined): value is Value => value !== null && value !== undefined

/** Returns the calendar date, YYYY-MM-DD. */
export const dateOf = (value: WireTime): string => utcDateOf(new Date(millisecondsOf(value)))

/** Returns the minutes by which a local time is ahead of the same time in GMT. Undefined if one is missing. */
export function offsetBetween(
  local: WireTime | null | undefined,
  gmt: WireTime | null | undefined,
): number | undefined {
  if (!isKnown(local) || !isKnown(gmt)) return undefined
  return Math.round((millisecondsOf(local) - millisecondsOf(gmt)) / MINUTE_MS)
}

/** One that cannot be read costs neither its night nor the others. */
const NapSchema = z
  .object({ napStartTimestampGMT: time, napEndTimestampGMT: time, napTimeSec: number })
  .nullable()
  .catch(null)

/** A night of `*_sleepData.json`. */
export const SleepRowSchema = z.object({
  calendarDate: time,
  sleepStartTimestampGMT: time.nullish(),
  sleepEndTimestampGMT: time.nullish(),
  sleepWindowConfirmationType: text.nullish(),
  retro: z.boolean().nullish(),
  deepSleepSeconds: ofNight,
  lightSleepSeconds: ofNight,
  remSleepSeconds: ofNight,
  awakeSleepSeconds: ofNight,
  unmeasurableSeconds: ofNight,
  awakeCount: figure("sleep", "timesAwake"),
  averageRespiration: figure("sleep", "respiratoryRatePerMinute"),
  napList: z.array(NapSchema).max(48).nullish(),
  /** Points. @see https://developer.garmin.com/fit/, message sleep_assessment, which has the same */
  sleepScores: z
    .object({
      overallScore: figure("sleep", "scorePercent"),
      qualityScore: part,
      durationScore: part,
      recoveryScore: part,
      deepScore: part,
      remScore: part,
      lightScore: part,
      awakeningsCountScore: part,
      awakeTimeScore: part,
      combinedAwakeScore: part,
      restfulnessScore: part,
      interruptionsScore: part,
    })
    .nullish(),
  spo2SleepSummary: z
    .object({ averageSPO2: figure("recovery", "spo2Percent"), lowestSPO2: number, averageHR: number })
    .nullish(),
})

/** What the figures of a night become. Of others nothing is read. */
const HEALTH_FIELDS: ReadonlyMap<string, readonly [kind: "sleep" | "recovery", field: string]> = new Map([
  ["HRV", ["recovery", "hrvMs"]],
  ["SPO2", ["recovery", "spo2Percent"]],
  ["RESPIRATION", ["sleep", "respiratoryRatePerMinute"]],
  ["SKIN_TEMP_C", ["recovery", "skinTempDeviationCelsius"]],
])
const HealthMetricSchema = z
  .object({ type: text, value: number, status: text.nullish() })
  .superRefine(({ type, value }, issues) => {
    const [kind, field] = HEALTH_FIELDS.get(type) ?? []
    if (kind && field && isKnown(value) && !NOT_MEASURED.includes(value)) {
      const message = figureFault(kind, field, { value })
      if (message !== undefined) issues.addIssue({ code: "custom", path: ["value"], message })
    }
  })

/** A night of `*_healthStatusData.json`. */
export const HealthRowSchema = z.object({
  calendarDate: time,
  updateTimestampUTC: time.nullish(),
  metrics: z.array(HealthMetricSchema).max(20),
})

/** A day of `UDSFile_*.json`. */
export const DayRowSchema = z.object({
  calendarDate: time,
  includesWellnessData: z.boolean().nullish(),
  wellnessStartTimeGmt: time.nullish(),
  wellnessStartTimeLocal: time.nullish(),
  wellnessEndTimeGmt: time.nullish(),
  wellnessEndTimeLocal: time.nullish(),
  totalSteps: figure("cycle", "steps"),
  totalDistanceMeters: figure("cycle", "distanceMeters"),
  totalKilocalories: number,
  activeKilocalories: figure("cycle", "activeEnergyKcal"),
  restingHeartRate: figure("recovery", "restingHeartRateBpm"),
  averageHeartRate: figure("cycle", "averageHeartRateBpm"),
  maxHeartRate: figure("cycle", "maxHeartRateBpm"),
  floorsAscendedInMeters: ofSample("floors", FLOOR_METERS),
  moderateIntensityMinutes: ofSample("exercise_minutes"),
  vigorousIntensityMinutes: ofSample("exercise_minutes"),
  allDayStress: z
    .object({ aggregatorList: z.array(z.object({ type: text, averageStressLevel: ofSample("stress") })).max(20) })
    .nullish(),
})

/** A morning or another moment of `TrainingReadinessDTO_*.json`. */
export const ReadinessRowSchema = z.object({
  calendarDate: time,
  timestamp: time.nullish(),
  inputContext: text.nullish(),
  score: figure("recovery", "scorePercent"),
  sleepScoreFactorPercent: part,
  sleepHistoryFactorPercent: part,
  recoveryTimeFactorPercent: part,
  hrvFactorPercent: part,
  acwrFactorPercent: part,
  stressHistoryFactorPercent: part,
})

/** A row of `*_userBioMetrics.json`. */
export const BodyRowSchema = z.object({
  version: z.number().nullish(),
  metaData: z.object({ calendarDate: time }),
  weight: z
    .object({
      weight: figure("profile", "data.body.weightKilograms", GRAMS),
      timestampGMT: time.nullish(),
      sourceType: text.nullish(),
    })
    .nullish(),
  height: figure("profile", "data.body.heightMeters", CENTIMETRES),
  vo2Max: ofSample("vo2max"),
  vo2MaxRunning: ofSample("vo2max"),
  vo2MaxCycling: ofSample("vo2max"),
})

const ID = z.union([z.int(), z.string().regex(/^[\w-]{1,60}$/)]).transform(String)

/** An activity of `*_summarizedActivities.json`. */
export const ActivityRowSchema = z.object({
  activityId: ID,
  activityType: text.nullish(),
  sportType: text.nullish(),
  startTimeGmt: time.nullish(),
  beginTimestamp: time.nullish(),
  startTimeLocal: time.nullish(),
  duration: ofActivity,
  elapsedDuration: ofActivity,
  distance: number,
  calories: number,
  bmrCalories: number,
  avgHr: number,
  maxHr: number,
  parent: z.boolean().nullish(),
  parentId: z.union([z.number(), text]).nullish(),
  hrTimeInZone_0: ofActivity,
  hrTimeInZone_1: ofActivity,
  hrTimeInZone_2: ofActivity,
  hrTimeInZone_3: ofActivity,
  hrTimeInZone_4: ofActivity,
  hrTimeInZone_5: ofActivity,
  hrTimeInZone_6: ofActivity,
})

export type SleepRow = z.infer<typeof SleepRowSchema>
export type HealthRow = z.infer<typeof HealthRowSchema>
export type DayRow = z.infer<typeof DayRowSchema>
export type ReadinessRow = z.infer<typeof ReadinessRowSchema>
export type BodyRow = z.infer<typeof BodyRowSchema>
export type ActivityRow = z.infer<typeof ActivityRowSchema>
