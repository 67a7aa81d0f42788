// The shapes of the Google Health API v4, with wire names, and only the fields that are read. Whole numbers are written as text, and what is
// zero, false or empty may be left out. https://developers.google.com/health/reference/rest
import { z } from "zod"
import type { Json } from "../contract/records.ts"
import { opaqueId, pageToken } from "../normalize/opaque-texts.ts"
import { instant } from "../normalize/read-records.ts"

/** `58` or `"58"`. */
const figure = z
  .union([z.number(), z.string().regex(/^-?\d{1,15}(?:\.\d{1,15})?$/)], { error: "not a number" })
  .transform(Number)
  .nullish()
/** Of one sleep. */
const minutes = figure.refine((value) => value == null || (value >= 0 && value <= 1_440), {
  error: "no minutes of a day",
})
const text = z.string().max(200).nullish()

/** Minutes east of UTC: `"7200s"`, `"-25200s"`, and as seen in other places `"-07:00"` and seconds. */
const utcOffset = z.union([z.number(), z.string().max(20)]).transform((written, context) => {
  const minutes = typeof written === "number" ? written / 60 : minutesOf(written)
  if (minutes !== undefined) return Math.round(minutes)
  context.addIssue({ code: "custom", message: "not a UTC offset" })
  return z.NEVER
})

function minutesOf(written: string): number | undefined {
  const [, seconds] = /^(-?\d{1,6}(?:\.\d+)?)s$/.exec(written) ?? []
  if (seconds !== undefined) return Number(seconds) / 60
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(written) ?? []
  if (sign !== undefined) return (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1)
  return written === "Z" ? 0 : undefined
}

const DateShape = z.object({ year: z.int(), month: z.int(), day: z.int() })

/** YYYY-MM-DD. Google has rows of the year 9998. */
const calendarDate = DateShape.transform((date, context) => {
  try {
    if (date.year >= 2000 && date.year < 2100) return Temporal.PlainDate.from(date, { overflow: "reject" }).toString()
  } catch {
    // Not a date of the calendar.
  }
  context.addIssue({ code: "custom", message: "not a date of this century" })
  return z.NEVER
})

/** `users/me/dataTypes/sleep/dataPoints/12345`. Ids are asked for again, and another text could lead to another address. */
export const pointId = z.string().transform((name, context) => {
  const id = /\/dataPoints\/([\w.~-]{1,150})$/.exec(name)?.[1]
  if (id !== undefined) return id
  context.addIssue({ code: "custom", message: "not the name of a data point" })
  return z.NEVER
})

const DeviceShape = z.object({ displayName: text, manufacturer: text })
const ApplicationShape = z.object({ packageName: text, webClientId: text, googleWebClientId: text })
const DataSourceShape = z.object({
  platform: text,
  device: DeviceShape.nullish().catch(undefined),
  application: ApplicationShape.nullish().catch(undefined),
})
const dataSource = DataSourceShape.nullish().catch(undefined)

const IntervalShape = z.object({
  startTime: instant,
  endTime: instant,
  startUtcOffset: utcOffset.nullish(),
  endUtcOffset: utcOffset.nullish(),
})

/** Times with the offset where it ended, or where it began if that is all there is. */
const interval = IntervalShape.transform((read, context) => {
  const { startUtcOffset: start, endUtcOffset: end } = read
  const startOffset = start ?? end
  const endOffset = end ?? start
  if (startOffset !== null && startOffset !== undefined && endOffset !== null && endOffset !== undefined)
    return { startTime: read.startTime, endTime: read.endTime, startOffset, endOffset }
  context.addIssue({ code: "custom", path: ["endUtcOffset"], message: "no UTC offset" })
  return z.NEVER
})

const SleepStageShape = z.object({ startTime: instant, endTime: instant, type: z.string().max(40) })
const StageSummaryShape = z.object({ type: z.string().max(40), minutes, count: figure })
const SleepSummaryShape = z.object({
  minutesInSleepPeriod: minutes,
  minutesAsleep: minutes,
  stagesSummary: z.array(StageSummaryShape.nullable()).max(20).nullish(),
})
const SleepMetadataShape = z.object({
  mainSleep: z.boolean().nullish(),
  nap: z.boolean().nullish(),
  processed: z.boolean().nullish(),
  stagesStatus: text,
})
const SleepShape = z.object({
  interval,
  type: text,
  stages: z.array(SleepStageShape.nullable()).max(3_000).nullish(),
  summary: SleepSummaryShape.nullish(),
  metadata: SleepMetadataShape.nullish(),
  createTime: instant.nullish(),
  updateTime: instant.nullish(),
})

const MetricsSummaryShape = z.object({
  caloriesKcal: figure,
  distanceMillimeters: figure,
  averageHeartRateBeatsPerMinute: figure,
})
const ExerciseShape = z.object({
  interval,
  exerciseType: text,
  metricsSummary: MetricsSummaryShape.nullish(),
  createTime: instant.nullish(),
  updateTime: instant.nullish(),
})

const RestingMetadataShape = z.object({ calculationMethod: text })
const RestingHeartRateShape = z.object({
  date: calendarDate,
  beatsPerMinute: figure,
  dailyRestingHeartRateMetadata: RestingMetadataShape.nullish().catch(undefined),
})
const VariabilityShape = z.object({ date: calendarDate, averageHeartRateVariabilityMilliseconds: figure })
const OxygenShape = z.object({ date: calendarDate, averagePercentage: figure })
const RespiratoryRateShape = z.object({ date: calendarDate, breathsPerMinute: figure })
const TemperatureShape = z.object({
  date: calendarDate,
  nightlyTemperatureCelsius: figure,
  baselineTemperatureCelsius: figure,
})

const SampleTimeShape = z.object({ physicalTime: instant, utcOffset: utcOffset.nullish().catch(undefined) })
const WeightShape = z.object({ sampleTime: SampleTimeShape, weightGrams: figure })
const BodyFatShape = z.object({ sampleTime: SampleTimeShape, percentage: figure })

const CivilTimeShape = z.object({ date: calendarDate })
const StepsShape = z.object({ countSum: figure })
const DistanceShape = z.object({ millimetersSum: figure })
const CaloriesShape = z.object({ kcalSum: figure })
const ActiveEnergyShape = z.object({ kcalSum: figure })

/** The user's zone. Figures of a date are of days there. */
export const GoogleSettingsSchema = z.object({ timeZone: text, utcOffset: utcOffset.nullish().catch(undefined) })
export const GoogleIdentitySchema = z.object({
  healthUserId: z.union([z.int().positive().transform(String), opaqueId]),
})

const GoogleSleepSchema = z.object({ name: pointId, dataSource, sleep: SleepShape })
const GoogleExerciseSchema = z.object({ name: pointId, dataSource, exercise: ExerciseShape })

/** What the data points of a date have, by the type of data. */
const DAILY_POINTS = {
  "daily-resting-heart-rate": z.object({ dataSource, dailyRestingHeartRate: RestingHeartRateShape }),
  "daily-heart-rate-variability": z.object({ dataSource, dailyHeartRateVariability: VariabilityShape }),
  "daily-oxygen-saturation": z.object({ dataSource, dailyOxygenSaturation: OxygenShape }),
  "daily-respiratory-rate": z.object({ dataSource, dailyRespiratoryRate: RespiratoryRateShape }),
  "daily-sleep-temperature-derivations": z.object({ dataSource, dailySleepTemperatureDerivations: TemperatureShape }),
} as const
export type DailyType = keyof typeof DAILY_POINTS

/** What sums of a civil day have, by the type of data. */
const ROLL_UPS = {
  steps: z.object({ civilStartTime: CivilTimeShape, steps: StepsShape }),
  distance: z.object({ civilStartTime: CivilTimeShape, distance: DistanceShape }),
  "total-calories": z.object({ civilStartTime: CivilTimeShape, totalCalories: CaloriesShape }),
  "active-energy-burned": z.object({ civilStartTime: CivilTimeShape, activeEnergyBurned: ActiveEnergyShape }),
} as const
export type RollUpType = keyof typeof ROLL_UPS

/** The documents of a sleep, as they are joined. */
export const SleepDocumentsSchema = z.object({
  sleep: GoogleSleepSchema,
  "daily-respiratory-rate": DAILY_POINTS["daily-respiratory-rate"].optional(),
})
export const ExerciseDocumentsSchema = z.object({ exercise: GoogleExerciseSchema })
/** The points of a date, and its main sleep without stages. */
export const RecoveryDocumentsSchema = z.object({
  date: z.iso.date(),
  "daily-resting-heart-rate": DAILY_POINTS["daily-resting-heart-rate"].optional(),
  "daily-heart-rate-variability": DAILY_POINTS["daily-heart-rate-variability"].optional(),
  "daily-oxygen-saturation": DAILY_POINTS["daily-oxygen-saturation"].optional(),
  "daily-sleep-temperature-derivations": DAILY_POINTS["daily-sleep-temperature-derivations"].optional(),
  sleep: z.object({ name: pointId }).optional(),
})
export const CycleDocumentsSchema = z.object({
  date: z.iso.date(),
  settings: GoogleSettingsSchema,
  steps: ROLL_UPS.steps.optional(),
  distance: ROLL_UPS.distance.optional(),
  "total-calories": ROLL_UPS["total-calories"].optional(),
  "active-energy-burned": ROLL_UPS["active-energy-burned"].optional(),
})

/** When a sample was measured, whatever its other fields are. */
export const GoogleSampleTimeSchema = z
  .object({ sampleTime: z.object({ physicalTime: instant }) })
  .transform(({ sampleTime }) => sampleTime.physicalTime)

/** Samples, by the type of data. */
export const GoogleWeightSchema = z.object({ dataSource, weight: WeightShape })
export const GoogleBodyFatSchema = z.object({ dataSource, bodyFat: BodyFatShape })

/**
 * A page. Its points are parsed one by one, so that one wrong point does not cost the others. An empty page may name a next one, and one
 * without any is an empty object: other objects are no pages.
 */
const PageShape = z.looseObject({ dataPoints: z.array(z.custom<Json>()).optional(), nextPageToken: pageToken })
const RollUpPageShape = z.looseObject({
  rollupDataPoints: z.array(z.custom<Json>()).optional(),
  nextPageToken: pageToken,
})
export const GooglePageSchema = PageShape.superRefine(isPage("dataPoints"))
export const GoogleRollUpPageSchema = RollUpPageShape.superRefine(isPage("rollupDataPoints"))

function isPage(list: string) {
  return (page: object, context: z.RefinementCtx): void => {
    const fields = Object.keys(page)
    if (fields.length > 0 && !fields.includes(list) && !fields.includes("nextPageToken"))
      context.addIssue({ code: "custom", path: [list], message: "not a page" })
  }
}

/** What tells when something was, whatever its other fields are. */
export const GoogleTimesSchema = z.object({
  interval: z.object({
    startTime: instant.optional().catch(undefined),
    endTime: instant.optional().catch(undefined),
    startUtcOffset: utcOffset.optional().catch(undefined),
    endUtcOffset: utcOffset.optional().catch(undefined),
  }),
})
export const GoogleDateSchema = z.object({ date: calendarDate }).transform(({ date }) => date)
export const GoogleCivilDateSchema = z
  .object({ civilStartTime: CivilTimeShape })
  .transform(({ civilStartTime: { date } }) => date)
export const GoogleSourceSchema = z.object({ dataSource })

/** The shapes that are read, by the names of Google's description. A check compares the names of their fields. */
export const GOOGLE_SHAPES: Readonly<Record<string, z.ZodObject>> = {
  Date: DateShape,
  Device: DeviceShape,
  Application: ApplicationShape,
  DataSource: DataSourceShape,
  SessionTimeInterval: IntervalShape,
  SleepStage: SleepStageShape,
  StageSummary: StageSummaryShape,
  SleepSummary: SleepSummaryShape,
  SleepMetadata: SleepMetadataShape,
  Sleep: SleepShape,
  MetricsSummary: MetricsSummaryShape,
  Exercise: ExerciseShape,
  DailyRestingHeartRateMetadata: RestingMetadataShape,
  DailyRestingHeartRate: RestingHeartRateShape,
  DailyHeartRateVariability: VariabilityShape,
  DailyOxygenSaturation: OxygenShape,
  DailyRespiratoryRate: RespiratoryRateShape,
  DailySleepTemperatureDerivations: TemperatureShape,
  ObservationSampleTime: SampleTimeShape,
  Weight: WeightShape,
  BodyFat: BodyFatShape,
  CivilDateTime: CivilTimeShape,
  StepsRollupValue: StepsShape,
  DistanceRollupValue: DistanceShape,
  TotalCaloriesRollupValue: CaloriesShape,
  ActiveEnergyBurnedRollupValue: ActiveEnergyShape,
  Settings: GoogleSettingsSchema,
  Identity: GoogleIdentitySchema,
  DataPoint: z.object({
    ...GoogleSleepSchema.shape,
    ...GoogleExerciseSchema.shape,
    ...Object.assign({}, ...Object.values(DAILY_POINTS).map(({ shape }) => shape)),
    ...GoogleWeightSchema.shape,
    ...GoogleBodyFatSchema.shape,
  }),
  DailyRollupDataPoint: z.object(Object.assign({}, ...Object.values(ROLL_UPS).map(({ shape }) => shape))),
  ListDataPointsResponse: PageShape,
  DailyRollUpDataPointsResponse: RollUpPageShape,
}

export type GoogleDataSource = z.infer<typeof dataSource>
export type GoogleSleep = z.infer<typeof SleepShape>
export type SleepDocuments = z.infer<typeof SleepDocumentsSchema>
export type ExerciseDocuments = z.infer<typeof ExerciseDocumentsSchema>
export type RecoveryDocuments = z.infer<typeof RecoveryDocumentsSchema>
export type CycleDocuments = z.infer<typeof CycleDocumentsSchema>
