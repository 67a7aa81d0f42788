// What a person notes about their days in a vendor's app: a vendor's API and its archives have different forms of it.
import type {
  CycleData,
  HrvMethod,
  ProfileData,
  RecoveryData,
  ScoreState,
  SleepData,
  SleepStages,
  WorkoutData,
} from "@restwell/client"
import type { ProviderError } from "./errors.ts"
import type { SampleSet } from "./series.ts"

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

/** Any JSON value, as a vendor sent it. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** A field that cannot be read or cannot be true. It is missing in its record, which is used without it. */
export interface LeftOutField {
  /** Path in the vendor's record, or in the normalised one where they are not named apart. */
  readonly field: string
  /** What is wrong with it, never its value. */
  readonly reason: string
}

/** Fields of every normalised record beside its data. */
interface RecordEnvelope {
  /** The vendor's own id, the key of all later updates. */
  readonly providerId: string
  /** When the vendor last changed it. An older version never replaces a newer one. */
  readonly updatedAt: Date
  readonly scoreState: ScoreState
  /** Ids of the vendor's other documents that it is made of. Events name it by some of them. */
  readonly partIds?: readonly string[]
  /** The device or app that measured it, where the source collects from several, as Apple Health does. */
  readonly device?: string
  /** False if assistants must not get it, by the terms of where it comes from. */
  readonly assistants?: false
  /** Fields of the payload that are missing here, because they are wrong. */
  readonly leftOut?: readonly LeftOutField[]
  /** The vendor's payload, kept as it was sent. */
  readonly raw: Json
}

/** Records with times: UTC instants, and the offset where it happened. */
interface TimedEnvelope extends RecordEnvelope {
  readonly startedAt: Date
  /** Minutes east of UTC. */
  readonly utcOffsetMinutes: number
  /** At the start and at the end, minutes east of UTC, where the vendor gives both. */
  readonly startUtcOffsetMinutes?: number
  readonly endUtcOffsetMinutes?: number
}

export const SLEEP_PHASES = ["awake", "light", "deep", "rem"] as const
export type SleepPhase = (typeof SLEEP_PHASES)[number]

/** A sleep's course from its start on, one phase for each interval, null where none is known. The last interval may be shorter. */
export interface SleepCourse {
  readonly intervalMs: number
  readonly phases: readonly (SleepPhase | null)[]
}

/** Parts of a sleep need, milliseconds. */
export interface SleepNeedParts {
  /** What the person needs without the other parts. */
  readonly baselineMs: number
  /** For sleep that was missed in the nights before. */
  readonly debtMs: number
  /** For the strain of the day before. */
  readonly strainMs: number
  /** What naps took off. Zero or negative. */
  readonly napMs: number
}

/** Of a whole sleep. */
export interface SleepHeartRate {
  /** Beats per minute. */
  readonly mean?: number
  readonly lowest?: number
  /** When the lowest was first measured, epoch milliseconds. */
  readonly lowestAtMs?: number
}

export interface NormalizedSleep extends TimedEnvelope {
  readonly kind: "sleep"
  readonly endedAt: Date
  /** The cycle it belongs to, where the vendor has cycles. */
  readonly cycleProviderId?: string
  readonly data: SleepData
  /** Similarity of the sleep times of the last days, percent 0-100. */
  readonly consistencyPercent?: number
  /** How much sleep the vendor says that the person needed, milliseconds. */
  readonly needMs?: number
  /** What the need is made of, where the vendor gives it. The sum is `needMs`. */
  readonly needParts?: SleepNeedParts
  /** Where the vendor gives it. */
  readonly course?: SleepCourse
  /** Of a device that finds no REM sleep, in place of `data.stages`, milliseconds. */
  readonly stagesWithoutRem?: Omit<SleepStages, "remMs">
  /** Time asleep, milliseconds, of a device that finds no stages. With stages it is their sum. */
  readonly asleepMs?: number
  /** The vendor's own figures. Without them, they are computed from samples. */
  readonly heartRate?: SleepHeartRate
  /** Values within the sleep. They are stored apart, and change and end with it. */
  readonly samples?: readonly SampleSet[]
}

/** A recovery has no time or zone. Its date is the date of its sleep, derived where both are stored. */
export interface NormalizedRecovery extends RecordEnvelope {
  readonly kind: "recovery"
  readonly sleepProviderId?: string
  readonly cycleProviderId?: string
  /** Used for the date when sleep and cycle are unknown. */
  readonly createdAt: Date
  /** Without the date and without `metrics.skinTemp`, which needs the nights before. */
  readonly data: Omit<RecoveryData, "date">
  /** Skin temperature as measured, degrees Celsius. */
  readonly skinTempCelsius?: number
  /** Deviation of the skin temperature from the person's baseline as the vendor computes it, degrees Celsius. It replaces ours. */
  readonly skinTempDeviationCelsius?: number
  /** How `data.metrics.hrv` was computed, where it is not as usual for the source. */
  readonly hrvMethod?: HrvMethod
}

/** Time in each heart rate zone, milliseconds. */
export interface ZoneDurations {
  readonly zone0Ms: number
  readonly zone1Ms: number
  readonly zone2Ms: number
  readonly zone3Ms: number
  readonly zone4Ms: number
  readonly zone5Ms: number
}

export interface NormalizedWorkout extends TimedEnvelope {
  readonly kind: "workout"
  readonly endedAt: Date
  readonly data: WorkoutData
  readonly zones?: ZoneDurations
  /** False for rest that a vendor lists as a workout, such as sauna. It is listed and not counted. */
  readonly countsAsWorkout: boolean
}

export interface NormalizedCycle extends TimedEnvelope {
  readonly kind: "cycle"
  /** Null while the cycle is open. */
  readonly endedAt: Date | null
  /** Without the date, which is the date of its main sleep. */
  readonly data: Omit<CycleData, "date">
  readonly steps?: number
  /** Energy burned beyond rest, kilocalories. `data.metrics.calories` includes it. */
  readonly activeCalories?: number
  /** Energy burned at rest, kilocalories, where `data.metrics.calories` is its sum with the energy beyond rest. */
  readonly restingCalories?: number
  readonly distanceMeters?: number
}

export type NormalizedRecord = NormalizedSleep | NormalizedRecovery | NormalizedWorkout | NormalizedCycle

export interface NormalizedProfile {
  /** The vendor's events name the person by its `providerId`. */
  readonly data: ProfileData
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
  /** Opaque; absent on the last page. */
  readonly nextCursor?: string
}

/** Records of one kind that started before `to` and did not end before `from`. A bound may be left out. */
export interface PageRequest {
  readonly kind: RecordKind
  readonly from?: Date
  readonly to?: Date
  /** `nextCursor` of the page before. Kind, bounds and limit stay the same. */
  readonly cursor?: string
  /** Most records on the page. @default the vendor's maximum */
  readonly limit?: number
  /** Collections that are not asked now. Records lack their parts. @default none */
  readonly without?: readonly string[]
}

/** One record, by its id. */
export interface RecordRequest {
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
  /** Path in the normalised record: `data.metrics.hrv`. */
  readonly field: string
  /** Path in the vendor's record, or its derivation. */
  readonly source: string
  /** Unit of the normalised value, where it has one. */
  readonly unit?: string
  /** The vendor's method, where vendors differ. */
  readonly method?: string
}

/** An entry of a journal that a vendor's API has. Notes beside it are never read. */
export interface JournalEntry {
  /** The vendor's own id. */
  readonly providerId: string
  /** Local date of the waking that it belongs to, YYYY-MM-DD. */
  readonly date: string
  readonly at: Date
  /** Minutes east of UTC. */
  readonly utcOffsetMinutes: number
  /** In the vendor's or the person's words. */
  readonly question: string
  /** The canonical name of the topic, such as `alcohol`. */
  readonly factor: string
  readonly answer: boolean
  /** True for topics that are not stored. */
  readonly isPrivate: boolean
}

/** Local dates of waking, both included, YYYY-MM-DD. */
export interface JournalWindow {
  readonly from: string
  readonly to: string
}

/** All entries of a window. */
export interface JournalRead {
  readonly entries: readonly JournalEntry[]
}

/** All samples of a window that are not parts of records. */
export interface SampleRead {
  /** One set for each type that the vendor delivers in this way, even without samples. */
  readonly sets: readonly SampleSet[]
}

/**
 * How each source computes HRV.
 * @see https://developer.whoop.com/api, field hrv_rmssd_milli
 * @see https://cloud.ouraring.com/v2/docs, field average_hrv
 * @see https://developer.apple.com/documentation/healthkit/hkquantitytypeidentifier/heartratevariabilitysdnn
 */
const HRV_METHODS: ReadonlyMap<string, HrvMethod> = new Map([
  ["apple_health", "sdnn"],
  ["garmin", "rmssd"],
  ["google_health", "rmssd"],
  ["oura", "rmssd"],
  ["polar", "rmssd"],
  ["whoop", "rmssd"],
  ["withings", "rmssd"],
])

/** Returns null for an unknown source. */
export const hrvMethodOf = (provider: string): HrvMethod | null => HRV_METHODS.get(provider) ?? null
