// The one record of each kind, flat, with every figure once: vendors write it, it is stored, exported and imported, and answers are made of it.
import { type ProfileData, ScoreStateSchema } from "@restwell/client"
import { z } from "zod"
import type { ProviderError } from "./errors.ts"
import type { LeftOut, SampleSet } from "./series.ts"
import { isStorableText } from "./storable.ts"
import type { SleepVersions, Unread } from "./unread.ts"
import type { Withheld } from "./withheld.ts"

/** Kinds of record that have dates. The profile has none. */
export const RECORD_KINDS = ["sleep", "recovery", "workout", "cycle"] as const
export type RecordKind = (typeof RECORD_KINDS)[number]

/**
 * The name of a device or app as names are compared: without letters' forms, case, accents, and characters that nobody sees.
 * @see https://www.unicode.org/reports/tr31/#NFKC_Modifications
 */
export const originName = (name: string): string =>
  name
    .normalize("NFKD")
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{C}\p{M}]/gu, "")
    .toLowerCase()

/** Strava's terms of June 2026: assistants get nothing of what it gave. So it is no part of the sums of a day either. */
export const isOfStrava = (device: string): boolean => originName(device).includes("strava")

/** The origin of a copy whose app is none of a source here. It is a copy whatever the person has. */
export const OTHER_SOURCE = "other"

/** Any JSON value, as a vendor sent it. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** A field that cannot be read or cannot be true. It is missing in its record, which is used without it. */
export interface LeftOutField {
  /** Path in the vendor's record, or in the normalised one where they are not named apart. */
  readonly field: string
  /** What is wrong with it, never its value. */
  readonly reason: string
}

const CANNOT_BE_STORED = { error: "a character that cannot be stored" }
const id = z.string().min(1).max(200).refine(isStorableText, CANNOT_BE_STORED)
/** Milliseconds since the epoch. */
const instantMs = z.number()
/** Minutes east of UTC. */
const utcOffset = z.int().min(-720).max(840)
const amount = z.number().nonnegative()
const text = z.string().max(500).refine(isStorableText, CANNOT_BE_STORED)

/** A part of a vendor's score, by the vendor's own name in snake case. */
const ContributorSchema = z
  .object({
    name: id,
    value: z.number(),
    /** Null for points from 0 to 100. */
    unit: z.literal("%").nullable(),
  })
  .readonly()
export type NormalizedContributor = z.infer<typeof ContributorSchema>

/**
 * `updatedMs` of a record without a time of its change: of two versions the one that is read later is newer. Another time of the record would
 * be a wrong version once it is corrected.
 */
export const NO_TIME_OF_CHANGE_MS = Date.UTC(2000, 0, 1)

/** Fields of every record. */
const common = {
  /** The vendor's own id, the key of all later updates. */
  providerId: id,
  /** When the vendor last changed it. An older version never replaces a newer one. */
  updatedMs: instantMs,
  scoreState: ScoreStateSchema,
  /** Ids of the vendor's other documents that it is made of. Events name it by some of them. */
  partIds: z.array(id).max(20).readonly().exactOptional(),
  /** The device or app that measured it, where the source collects from several, as Apple Health does. */
  device: id.exactOptional(),
  /**
   * The source whose app or device measured it, where another source has a copy, or `OTHER_SOURCE`. It answers only where nothing else has
   * the date, if that source is one of the person's.
   */
  copyOf: id.exactOptional(),
  /** False if assistants must not get it, by the terms of where it comes from. */
  assistants: z.literal(false).exactOptional(),
  /** What the vendor says that the score is made of. */
  contributors: z.array(ContributorSchema).max(40).readonly().exactOptional(),
  /** Fields of the payload that are missing here, because they are wrong. */
  leftOut: z
    .array(z.object({ field: text, reason: text }).readonly())
    .max(100)
    .readonly()
    .exactOptional(),
}

/** Fields of records with times: UTC instants, and the offset where it happened. */
const timed = {
  ...common,
  startMs: instantMs,
  utcOffsetMinutes: utcOffset,
  /** At the start and at the end, where the vendor gives both. */
  startUtcOffsetMinutes: utcOffset.exactOptional(),
  endUtcOffsetMinutes: utcOffset.exactOptional(),
}

const heartRates = {
  averageHeartRateBpm: z.number().exactOptional(),
  maxHeartRateBpm: z.number().exactOptional(),
}

export const SLEEP_PHASES = ["awake", "light", "deep", "rem"] as const
export type SleepPhase = (typeof SLEEP_PHASES)[number]

/** A sleep's course from its start on, one phase for each interval, null where none is known. The last interval may be shorter. */
const SleepCourseSchema = z
  .object({
    intervalMs: z.number().positive(),
    phases: z.array(z.enum(SLEEP_PHASES).nullable()).max(3_000).readonly(),
  })
  .readonly()
export type SleepCourse = z.infer<typeof SleepCourseSchema>

/** Parts of a sleep need. */
const SleepNeedPartsSchema = z
  .object({
    /** What the person needs without the other parts. */
    baselineMs: z.number(),
    /** For sleep that was missed in the nights before. */
    debtMs: z.number(),
    /** For the strain of the day before. */
    strainMs: z.number(),
    /** What naps took off. Zero or negative. */
    napMs: z.number(),
  })
  .readonly()
export type SleepNeedParts = z.infer<typeof SleepNeedPartsSchema>

/** Time in each stage. All or none, but for REM sleep, which some devices do not find. */
const SleepStagesSchema = z
  .object({
    lightMs: z.number(),
    deepMs: z.number(),
    remMs: z.number().exactOptional(),
    awakeMs: z.number(),
  })
  .readonly()
export type KnownStages = z.infer<typeof SleepStagesSchema>

/** True where nothing told the offset, so that the times are those of UTC. A later reading may know it. */
const isOffsetUnknown = z.literal(true).exactOptional()

/** A night or a nap. */
const SleepSchema = z.object({
  kind: z.literal("sleep"),
  ...timed,
  endMs: instantMs,
  isOffsetUnknown,
  /** The cycle it belongs to, where the vendor has cycles. */
  cycleProviderId: id.exactOptional(),
  isNap: z.boolean(),
  /** Time in bed. */
  durationMs: z.number(),
  /** The vendor's score of the sleep, 0-100. */
  scorePercent: z.number().exactOptional(),
  /** Time asleep of the time in bed, 0-100. */
  efficiencyPercent: z.number().exactOptional(),
  /** Similarity of the sleep times of the last days, 0-100. */
  consistencyPercent: z.number().exactOptional(),
  /** Breaths. */
  respiratoryRatePerMinute: z.number().exactOptional(),
  /** How often the person woke, as the vendor counts it. */
  timesAwake: z.number().exactOptional(),
  /** From going to bed to falling asleep, as the vendor measures it. */
  latencyMs: z.number().exactOptional(),
  /** How much sleep the vendor says that the person needed. */
  needMs: amount.exactOptional(),
  /** What the need is made of, where the vendor gives it. The sum is `needMs`. */
  needParts: SleepNeedPartsSchema.exactOptional(),
  stages: SleepStagesSchema.exactOptional(),
  /** Time asleep, of a device that finds no stages. With stages it is their sum. */
  asleepMs: amount.exactOptional(),
  /** Where the vendor gives it. */
  course: SleepCourseSchema.exactOptional(),
  /** The vendor's own heart rates. Without them, they are computed from samples. */
  averageHeartRateBpm: z.number().exactOptional(),
  lowestHeartRateBpm: z.number().exactOptional(),
  /** When the lowest was first measured, milliseconds since the epoch. */
  lowestHeartRateAtMs: z.int().exactOptional(),
})

/** The readiness of a date. It has no time or zone: its date is the date of its sleep, derived where both are stored. */
const RecoverySchema = z.object({
  kind: z.literal("recovery"),
  ...common,
  sleepProviderId: id.exactOptional(),
  cycleProviderId: id.exactOptional(),
  /** Used for the date when sleep and cycle are unknown. */
  createdMs: instantMs,
  /** The vendor's score, 0-100. */
  scorePercent: z.number().exactOptional(),
  /** Heart rate variability. */
  hrvMs: z.number().exactOptional(),
  /** How it was computed, where it is not as usual for the source. */
  hrvMethod: z.enum(["rmssd", "sdnn"]).exactOptional(),
  restingHeartRateBpm: z.number().exactOptional(),
  /** Time asleep of the night, from a source that gives no times of it and so has no sleep. */
  asleepMs: amount.exactOptional(),
  /** Blood oxygen saturation. */
  spo2Percent: z.number().exactOptional(),
  /** Skin temperature as measured. */
  skinTempCelsius: z.number().exactOptional(),
  /** Deviation from the person's baseline as the vendor computes it. Without it, it is computed from the nights before. */
  skinTempDeviationCelsius: z.number().exactOptional(),
})

/** Time in each heart rate zone. */
const ZoneDurationsSchema = z
  .object({ zone0Ms: amount, zone1Ms: amount, zone2Ms: amount, zone3Ms: amount, zone4Ms: amount, zone5Ms: amount })
  .readonly()
export type ZoneDurations = z.infer<typeof ZoneDurationsSchema>

const WorkoutSchema = z.object({
  kind: z.literal("workout"),
  ...timed,
  endMs: instantMs,
  durationMs: z.number(),
  /** One of NORMALIZED_SPORT_TYPES, or the vendor's own lower-case name. */
  sportType: z.string(),
  /** On the vendor's own scale. */
  strain: z.number().exactOptional(),
  ...heartRates,
  energyKcal: z.number().exactOptional(),
  distanceMeters: z.number().exactOptional(),
  zones: ZoneDurationsSchema.exactOptional(),
  /** False for rest that a vendor lists as a workout, such as sauna. It is listed and not counted. */
  countsAsWorkout: z.boolean(),
  /** The record of the same workout at the source that the vendor has it from, by its id as in `garmin-20000000001`. */
  sameAs: z.string().exactOptional(),
})

/** A day of a vendor. Its date is that of its main sleep. */
const CycleSchema = z.object({
  kind: z.literal("cycle"),
  ...timed,
  /** Null while the cycle is open. */
  endMs: instantMs.nullable(),
  isOffsetUnknown,
  /** On the vendor's own scale. */
  strain: z.number().exactOptional(),
  ...heartRates,
  /** All energy burned, at rest too. */
  energyKcal: z.number().exactOptional(),
  /** Energy burned beyond rest. `energyKcal` includes it. */
  activeEnergyKcal: amount.exactOptional(),
  /** Energy burned at rest, where `energyKcal` is its sum with the energy beyond rest. */
  restingEnergyKcal: amount.exactOptional(),
  steps: amount.exactOptional(),
  distanceMeters: amount.exactOptional(),
})

/** Each kind of record, from which its type, its stored form, its export and its import derive. */
export const RECORD_SCHEMAS = {
  sleep: SleepSchema,
  recovery: RecoverySchema,
  workout: WorkoutSchema,
  cycle: CycleSchema,
} as const satisfies Readonly<Record<RecordKind, z.ZodObject>>

/** A record as it was read. The payload is kept as it was sent. */
type Normalized<Schema extends z.ZodType> = Readonly<z.infer<Schema>> & {
  readonly raw: Json
  /** Present where the offset is of the time of reading: what was stored at an earlier reading stays. */
  readonly keepsFirstOffset?: true
}

export type NormalizedSleep = Normalized<typeof SleepSchema> & {
  /** Values within the sleep. They are stored apart, and change and end with it. */
  readonly samples?: readonly SampleSet[]
}
export type NormalizedRecovery = Normalized<typeof RecoverySchema>
export type NormalizedWorkout = Normalized<typeof WorkoutSchema>
export type NormalizedCycle = Normalized<typeof CycleSchema>
export type NormalizedRecord = NormalizedSleep | NormalizedRecovery | NormalizedWorkout | NormalizedCycle

export interface NormalizedProfile {
  /** The vendor's events name the person by its `providerId`. */
  readonly data: ProfileData
  /** The vendor does not tell whose account it is. `providerId` is then of the key alone, and another key may be the same person's. */
  readonly isUnnamed?: true
  readonly raw: Json
}

/** When a record is of: its local date, or an instant of that date where the payload has no zone. */
export type Occurrence = { readonly date: string } | { readonly instant: Date }

/** A record that cannot be read, stored or true. It is kept, and the other records of its page are used. */
export interface RejectedRecord {
  readonly kind: RecordKind
  /** The vendor's id in its documented form. Null where there is none. */
  readonly providerId: string | null
  /** What the payload tells of its date by the rule of its kind. Null where it tells nothing. */
  readonly occurred: Occurrence | null
  /** The field and what is wrong with it, never its value. */
  readonly reason: string
  /** The payload with storable text. */
  readonly raw: Json
}

/** A collection that gave nothing. Its records, or its parts of records, are unknown: neither missing nor deleted. */
export interface FailedCollection {
  readonly collection: string
  readonly error: ProviderError
}

export interface Page {
  readonly records: readonly NormalizedRecord[]
  readonly rejected: readonly RejectedRecord[]
  /** Collections that gave nothing, although others of the page did. Absent if none failed. */
  readonly failed?: readonly FailedCollection[]
  /** What the vendor has of the range and hides, counted. Absent where it hides nothing of the kind, or a page is of one record. */
  readonly leftOut?: readonly LeftOut[]
  /** The vendor serves nothing older, whatever it once had: what is stored of before stays. Absent where it serves all it has. */
  readonly listedFrom?: Date
  readonly unread?: Unread
  /** Opaque; absent on the last page. */
  readonly nextCursor?: string
}

/** Records of one kind that started before `to` and did not end before `from`. A bound may be left out. */
export interface PageRequest extends Withheld {
  readonly kind: RecordKind
  readonly from?: Date
  readonly to?: Date
  /** `nextCursor` of the page before. Kind, bounds and limit stay the same. */
  readonly cursor?: string
  /** Most records on the page. @default the vendor's maximum */
  readonly limit?: number
  /** Collections that are not asked now. Records lack their parts. @default none */
  readonly without?: readonly string[]
  readonly sleepVersions?: SleepVersions
}

/** One record, by its id. */
export interface RecordRequest extends Withheld {
  readonly kind: RecordKind
  readonly providerId: string
  /** `partIds` that the record had. Each is read by its id, because a list may leave one out. @default none */
  readonly partIds?: readonly string[]
  /** Collections that are not asked now. @default none */
  readonly without?: readonly string[]
}

/** A record that was read without some of its collections, and the payload that is stored of it. */
export interface Rejoin {
  readonly raw: Json
  readonly stored: Json
  /** Collections whose parts of the stored payload stay. */
  readonly kept: readonly string[]
}

/** One field that a vendor delivers, with its source and meaning. */
export interface FieldCoverage {
  readonly kind: RecordKind | "profile"
  /** Path in the normalised record: `hrvMs`. */
  readonly field: string
  /** Path in the vendor's record, or its derivation. */
  readonly source: string
  /** Unit of the normalised value, where it has one. */
  readonly unit?: string
  /** The vendor's method, where vendors differ. */
  readonly method?: string
}

/** The least and the most that a normalised field can be. Both are possible. */
export interface Bound {
  readonly kind: RecordKind | "profile"
  /** Path in the normalised record, for example `hrvMs`. */
  readonly field: string
  readonly least: number
  readonly most: number
  readonly unit: string
  /** Where the bounds come from. */
  readonly source: string
}
