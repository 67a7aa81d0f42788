import { z } from "zod"
import { date, hours, instant, localInstant, value, wholeValue } from "./fields.ts"
import { HealthQuerySchema, SOURCE_VALUES } from "./query.ts"
import { SERIES_TYPES } from "./series.ts"
import {
  EmptyReasonSchema,
  HrvMethodSchema,
  MissingSchema,
  noteOfKey,
  OWN_SOURCE,
  recordSource,
  ScoreStateSchema,
  SourceSchema,
  SourcesSchema,
} from "./source.ts"

/** Types of records, each with fields that a source has or lacks. */
export const DELIVERED_TYPES = ["sleep", "recovery", "workout", "cycle", "profile"] as const

/** The body of every type that is a list of records. */
const recordsOf = <RecordSchema extends z.ZodType>(record: RecordSchema) =>
  z.object({
    records: z.array(record).meta({ description: "Newest first" }),
    count: z.int().meta({ description: "The number of records", example: 1 }),
    empty_reason: EmptyReasonSchema,
    empty_note: z.string().optional().meta({
      description: "Only for assistants, where `records` is empty and more is known: why, in a sentence",
      example: "before your data begin (2025-08-01)",
    }),
    ...noteOfKey,
    missing: MissingSchema,
    source: SourceSchema,
    sources: SourcesSchema,
  })

/** A list of any type with `fields`: each record has these fields alone. */
export const PartialListResponseSchema = recordsOf(z.record(z.string(), z.unknown())).meta({
  id: "PartialListResponse",
  description: "With `fields`: the list of the type, and each record has these fields alone",
})

/** A part of a score, as the vendor gives it. */
const ContributorSchema = z
  .object({
    name: z.string().meta({ description: "The vendor's name for it, in snake case", example: "hrv_balance" }),
    value: z.number().meta({ description: "How good it was, or how much", example: 76 }),
    unit: z.string().nullable().meta({
      description: "Null for points from 0 to 100, % for percentages, h for hours",
      example: null,
    }),
  })
  .meta({ id: "Contributor" })
export type Contributor = z.infer<typeof ContributorSchema>

const contributors = (whose: string) =>
  z.array(ContributorSchema).meta({
    description: `What the vendor says that its score is made of: ${whose}. How much each part counts is the vendor's own. Empty where the vendor gives no parts, and a part without a value is absent`,
  })

/** Times that a sleep and a whole night have, and figures that they have. */
const sleepTimes = {
  date: date("The local date of waking"),
  start: instant("When the sleep began", "2026-11-18T22:31:05.120Z"),
  end: instant("When the sleep ended", "2026-11-19T06:30:44.870Z"),
  start_local: localInstant("When the sleep began", "2026-11-18T23:31:05+01:00"),
  end_local: localInstant("When the sleep ended", "2026-11-19T07:30:44+01:00"),
  duration_hours: hours("Time in bed, asleep and awake", 7.99).unwrap(),
  asleep_hours: hours(
    "Time asleep: light, deep and REM sleep. Null if the device gives neither stages nor the time asleep",
    7.46,
  ),
  need_hours: hours(
    "Sleep that the person needed, as the vendor computes it. Null until scored, and from a vendor without a need (Oura)",
    8.12,
  ),
} as const
const sleepFigures = {
  score_state: ScoreStateSchema,
  score: z.object({
    performance: value("Sleep performance: time asleep / sleep need, percent", 92),
    efficiency: value("Time asleep / time in bed, percent", 93.3),
    consistency: value("Sleep consistency: similarity of the sleep times of the last days, percent", 81),
  }),
  stages: z.object({
    light_hours: hours("Light sleep", 3.85),
    deep_hours: hours("Deep (slow-wave) sleep", 1.67),
    rem_hours: hours("REM sleep", 1.94),
    awake_hours: hours("Awake inside the sleep period", 0.53),
  }),
  respiratory_rate: value("Breaths per minute", 14.6),
  times_awake: wholeValue("How often the person woke in the sleep, as the vendor counts it (WHOOP: disturbances)", 9),
  latency_minutes: value("From going to bed to falling asleep, minutes, as the vendor measures it", 9.5),
  contributors: contributors("Oura's, Garmin's and Polar's parts of the sleep score, and WHOOP's of the sleep need"),
} as const

/** A night that a device tells in parts. */
export const WholeNightSchema = z.object({ ...sleepTimes, ...sleepFigures }).meta({
  id: "WholeNight",
  description:
    "Only on a sleep that is a part of a night: the whole night, as averages, statistics and the page take it. Sleeps of one source with " +
    "less than two hours between them are parts of one night, if none is a nap. Times are from the first start to the last end, the time " +
    "between parts counts as awake, each such time once in `times_awake`, the latency is that of the first part, and the score that of the " +
    "longest",
})

/** One sleep as the REST endpoint returns it. */
export const SleepRecordSchema = z
  .object({
    id: z.string().meta({ example: "whoop-5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11" }),
    ...sleepTimes,
    is_nap: z.boolean().meta({ description: "True for a nap, false for a night", example: false }),
    ...sleepFigures,
    night: WholeNightSchema.optional(),
    ...recordSource,
  })
  .meta({ id: "SleepRecord" })

/** A sleep, or for a part of a night the whole night. */
export const wholeNightOf = <Sleep extends Pick<SleepRecord, "night">>(
  sleep: Sleep,
): Sleep | (Sleep & NonNullable<Sleep["night"]>) => (sleep.night ? { ...sleep, ...sleep.night } : sleep)

/** How long a person was in bed, as REST has it, and when the night began. */
interface NightLength {
  readonly hours: number
  readonly startMs: number
}

/**
 * Whether a night is the one of its date rather than another one. A date has one night in every figure, chart and text: the longest by the
 * hours in bed that REST has, and of two with equal hours the earlier. Sleeps that are two hours or more apart stay records of their own.
 */
export const isMainNight = (night: NightLength, other: NightLength): boolean =>
  night.hours > other.hours || (night.hours === other.hours && night.startMs < other.startMs)

const lengthOf = ({ duration_hours: hours, start }: Pick<SleepRecord, "duration_hours" | "start">): NightLength => ({
  hours,
  startMs: Date.parse(start),
})

/**
 * The night of the newest date that has one, as a whole, by {@link isMainNight}. Undefined without a night.
 * @param sleeps of some dates, in any order
 */
export function newestNightOf<
  Sleep extends Pick<SleepRecord, "night" | "is_nap" | "date" | "start" | "duration_hours">,
>(sleeps: readonly Sleep[]): ReturnType<typeof wholeNightOf<Sleep>> | undefined {
  const nights = sleeps.filter((sleep) => !sleep.is_nap).map((sleep) => wholeNightOf(sleep))
  const newest = nights.reduce((latest, { date }) => (date > latest ? date : latest), "")
  const ofDate = nights.filter(({ date }) => date === newest)
  const [first, ...others] = ofDate
  return first && others.reduce((main, night) => (isMainNight(lengthOf(night), lengthOf(main)) ? night : main), first)
}

/** The body of `type=sleep`. */
export const SleepResponseSchema = recordsOf(SleepRecordSchema).meta({ id: "SleepResponse" })

export type SleepRecord = z.infer<typeof SleepRecordSchema>
export type SleepResponse = z.infer<typeof SleepResponseSchema>

/** One day's recovery as the REST endpoint returns it. */
export const RecoveryRecordSchema = z
  .object({
    cycle_id: z.string().nullable().meta({
      description:
        "The id of the cycle or day it belongs to; null where the vendor gives cycles ids of their own, and none to this one",
      example: "whoop-1001",
    }),
    date: date("The local date of waking"),
    score_state: ScoreStateSchema,
    score: value("Recovery, percent 0-100", 71),
    hrv: value("Heart rate variability, milliseconds", 64.2),
    hrv_method: HrvMethodSchema,
    resting_heart_rate: wholeValue("Beats per minute", 52),
    spo2: value("Blood oxygen saturation, percent", 96.4),
    skin_temp_celsius: value("Skin temperature as the vendor measured it, degrees Celsius", 33.9),
    skin_temp_deviation_celsius: value(
      "Deviation from the person's usual temperature, degrees Celsius: as the vendor computes it, or from the mean of the previous 30 " +
        "scored nights of the same source; null with fewer than 5",
      0.2,
    ),
    contributors: contributors("Oura's of the readiness, Garmin's of the training readiness"),
    ...recordSource,
  })
  .meta({ id: "RecoveryRecord" })

/** The body of `type=recovery`. */
export const RecoveryResponseSchema = recordsOf(RecoveryRecordSchema).meta({ id: "RecoveryResponse" })

export type RecoveryRecord = z.infer<typeof RecoveryRecordSchema>
export type RecoveryResponse = z.infer<typeof RecoveryResponseSchema>

const zone = (number: number, example: number) => hours(`Time in heart rate zone ${number}`, example).unwrap()

/** Time in each heart rate zone. */
export const WorkoutZonesSchema = z
  .object({
    zone_0_hours: zone(0, 0.02),
    zone_1_hours: zone(1, 0.11),
    zone_2_hours: zone(2, 0.36),
    zone_3_hours: zone(3, 0.28),
    zone_4_hours: zone(4, 0.09),
    zone_5_hours: zone(5, 0),
  })
  .meta({ id: "WorkoutZones" })

/** One workout as the REST endpoint returns it. */
export const WorkoutRecordSchema = z
  .object({
    id: z.string().meta({ example: "whoop-ecfc6a15-4661-442f-a9a4-f160dd7afae8" }),
    date: date("The local date of its start"),
    start: instant("When it began", "2026-11-19T16:02:10.000Z"),
    end: instant("When it ended", "2026-11-19T16:53:40.000Z"),
    start_local: localInstant("When it began", "2026-11-19T17:02:10+01:00"),
    end_local: localInstant("When it ended", "2026-11-19T17:53:40+01:00"),
    duration_hours: hours("Duration", 0.86).unwrap(),
    sport_type: z.string().meta({
      description:
        "running, cycling, swimming, strength, yoga, hiit, walking or other; any other sport keeps the vendor's name, as in ice-hockey",
      example: "running",
    }),
    score_state: ScoreStateSchema,
    strain: value("Strain (WHOOP: 0-21, logarithmic)", 11.4),
    average_heart_rate: wholeValue("Beats per minute", 142),
    max_heart_rate: wholeValue("Beats per minute", 171),
    calories: wholeValue("Energy burned, kilocalories", 613),
    distance_meters: value("Distance, metres", 9120.4),
    pace_seconds_per_km: wholeValue(
      "Duration by distance, seconds a kilometre, of running and walking with a distance. Null for other sports",
      339,
    ),
    time_zone_offset_minutes: z.int().meta({ description: "Minutes east of UTC where it began", example: 60 }),
    zones: WorkoutZonesSchema.nullable().meta({ description: "Time in each heart rate zone, hours" }),
    contributors: contributors("no vendor gives any yet"),
    ...recordSource,
  })
  .meta({ id: "WorkoutRecord" })

/** The body of `type=workout`. */
export const WorkoutResponseSchema = recordsOf(WorkoutRecordSchema).meta({ id: "WorkoutResponse" })

export type WorkoutZones = z.infer<typeof WorkoutZonesSchema>
export type WorkoutRecord = z.infer<typeof WorkoutRecordSchema>
export type WorkoutResponse = z.infer<typeof WorkoutResponseSchema>

/** One physiological cycle as the REST endpoint returns it. */
export const CycleRecordSchema = z
  .object({
    id: z.string().meta({ example: "whoop-1001" }),
    date: date(
      "The local date of waking from its main sleep. Without a main sleep, the local date 12 hours after its start",
    ),
    start: instant("When it began", "2026-11-18T22:31:05.120Z"),
    end: instant("When it ended; null while it is open", "2026-11-19T22:12:40.000Z").nullable(),
    start_local: localInstant("When it began", "2026-11-18T23:31:05+01:00"),
    end_local: localInstant("When it ended; null while it is open", "2026-11-19T23:12:40+01:00").nullable(),
    score_state: ScoreStateSchema,
    strain: value("Strain (WHOOP: 0-21, logarithmic). While the cycle is open, the strain so far", 13.7),
    calories: wholeValue("Energy burned, kilocalories", 2481),
    average_heart_rate: wholeValue("Beats per minute", 66),
    max_heart_rate: wholeValue("Beats per minute", 171),
    steps: wholeValue("Steps; null where the source counts none", 8342),
    active_calories: wholeValue("Energy burned beyond rest, kilocalories; `calories` includes it", 612),
    distance_meters: value("Distance of the day, metres (Oura: the equivalent walking distance)", 6204.5),
    contributors: contributors("Oura's of the activity score"),
    ...recordSource,
  })
  .meta({ id: "CycleRecord" })

/** The body of `type=cycle`. */
export const CycleResponseSchema = recordsOf(CycleRecordSchema).meta({ id: "CycleResponse" })

export type CycleRecord = z.infer<typeof CycleRecordSchema>
export type CycleResponse = z.infer<typeof CycleResponseSchema>

/** One answer of the person's journal. */
export const JournalRecordSchema = z
  .object({
    date: date("The local date of waking that the answer belongs to"),
    factor: z.string().meta({
      description: "The canonical name of the topic, the same for every wording of the question",
      example: "alcohol",
    }),
    question: z.string().meta({ description: "As the vendor asked it", example: "Have any alcoholic drinks?" }),
    answer: z.boolean().nullable().meta({
      description:
        "Null when it was asked and not answered. A question that was not asked has no record: that is not a no",
      example: true,
    }),
    value: z.number().nullable().meta({ description: "A number that was answered; null without one", example: null }),
    source: z
      .string()
      .meta({ description: "The vendor of the answer, or `restwell` for what the person entered", example: "whoop" }),
    chosen: z.boolean().optional().meta({
      description: "With `source=all` only: false for a vendor's answer to a factor that the person answered too",
      example: true,
    }),
  })
  .meta({ id: "JournalRecord" })

/** The body of `GET /api/v1/journal`. */
export const JournalResponseSchema = recordsOf(JournalRecordSchema).meta({ id: "JournalResponse" })

const JOURNAL_SOURCES = [...SOURCE_VALUES, OWN_SOURCE] as const
const journalSource = z.enum(JOURNAL_SOURCES, { error: `must be one of ${JOURNAL_SOURCES.join(", ")}` }).meta({
  description:
    "Read one source alone: a vendor, or `restwell` for what the person entered. `all`: every source's answers, each with `chosen`. " +
    "Without it, a vendor's answer to what the person answered too is left out",
  example: "restwell",
})

/** What one source brings. */
const DeliveringSourceSchema = z.object({
  provider: SourceSchema.shape.provider,
  display_name: z.string().meta({ description: "The name of the source for people", example: "Garmin" }),
  status: SourceSchema.shape.status,
  types: z.array(z.enum(DELIVERED_TYPES)).meta({
    description: "Values of `type` on /api/v1/health that the source has records of",
    example: ["sleep", "recovery"],
  }),
  fields: z
    .array(
      z.object({
        type: z.enum(DELIVERED_TYPES).meta({ description: "The type of the field", example: "recovery" }),
        field: z
          .string()
          .meta({ description: "The field. A nested one has the name of its column in CSV", example: "hrv" }),
        unit: z
          .string()
          .nullable()
          .meta({ description: "Null for texts, instants and scales of a vendor", example: "ms" }),
        method: z.string().nullable().meta({
          description: "How the source gets it, where sources differ",
          example: "RMSSD, mean of a night",
        }),
      }),
    )
    .meta({ description: "Fields that the source fills where it has the value. The others are null" }),
  series: z
    .array(
      z.object({
        type: z.enum(SERIES_TYPES).meta({ description: "A value of `type` on /api/v1/series", example: "heart_rate" }),
        unit: z.string().meta({ example: "bpm" }),
        method: HrvMethodSchema,
      }),
    )
    .meta({ description: "Values within the day, and weight and the like" }),
})

/** The body of `GET /api/v1/sources`. */
export const SourcesResponseSchema = z
  .object({
    sources: z.array(DeliveringSourceSchema).meta({ description: "In the person's order for sleep" }),
    count: z.int().meta({ description: "The number of sources", example: 1 }),
  })
  .meta({ id: "SourcesResponse" })

export type SourcesResponse = z.infer<typeof SourcesResponseSchema>

/** The query of `GET /api/v1/journal` in its text form: the range as for the health data. */
export const JournalQuerySchema = HealthQuerySchema.omit({ type: true, sport: true }).extend({
  source: journalSource.optional(),
})

export type JournalRecord = z.infer<typeof JournalRecordSchema>
export type JournalResponse = z.infer<typeof JournalResponseSchema>
export type JournalQuery = z.infer<typeof JournalQuerySchema>

const text = (description: string, example: string) => z.string().nullable().meta({ description, example })

/** The body of `type=profile`. */
export const ProfileResponseSchema = z
  .object({
    profile: z.object({
      first_name: text("Given name at the vendor", "Ada"),
      last_name: text("Family name at the vendor", "Berg"),
      email: text("Email address at the vendor", "ada@example.com"),
    }),
    body: z.object({
      height_meters: value("Height, metres", 1.74),
      weight_kilograms: value("Weight, kilograms", 66.5),
      max_heart_rate: wholeValue("Beats per minute", 191),
    }),
    source: SourceSchema,
    sources: SourcesSchema,
  })
  .meta({ id: "ProfileResponse" })

export type ProfileResponse = z.infer<typeof ProfileResponseSchema>
