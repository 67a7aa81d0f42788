import type { HrvMethod, ScoreState } from "@restwell/client"
import { hrvMethodOf, type KnownStages, type ZoneDurations } from "@restwell/providers"

interface Fact<Kind extends string> {
  readonly kind: Kind
  /** The source it came from. */
  readonly provider: string
  readonly providerId: string
  /** True if an archive brought it, and not the vendor. */
  readonly fromArchive: boolean
  readonly date: string
  readonly figures: Figures
  readonly scoreState: ScoreState
  /** The device or app that a collector names. Null for other sources. */
  readonly device: string | null
  /** Minutes east of UTC. */
  readonly utcOffsetMinutes: number
}
/** A fact with times, milliseconds since the epoch, and the UTC offsets of both where the vendor gives them. */
interface TimedFact<Kind extends string> extends Fact<Kind> {
  readonly startMs: number
  readonly endMs: number
  readonly startUtcOffsetMinutes: number | null
  readonly endUtcOffsetMinutes: number | null
}

/** Beats per minute of a whole sleep, and when the lowest was first measured, milliseconds since the epoch. */
export interface SleepHeartRate {
  readonly mean?: number
  readonly lowest?: number
  readonly lowestAtMs?: number
}

/** Scores and shares are percent. */
export interface SleepFact extends TimedFact<"sleep"> {
  readonly isNap: boolean
  /** Time in bed, milliseconds. */
  readonly durationMs: number
  readonly score: number | null
  readonly efficiency: number | null
  readonly consistency: number | null
  /** Breaths per minute. */
  readonly respiratoryRate: number | null
  /** Sleep that the person needed, milliseconds. */
  readonly needMs: number | null
  readonly stages: KnownStages | null
  /** Time asleep where there are no stages, milliseconds. */
  readonly asleepMs: number | null
  /** The vendor's own figures. */
  readonly heartRate: SleepHeartRate | null
}

export interface RecoveryFact extends Fact<"recovery"> {
  /** Of its sleep or cycle. Null where neither is known. */
  readonly startMs: number | null
  /** The vendor's id of its cycle. Null where there is none. */
  readonly cycleProviderId: string | null
  readonly score: number | null
  /** Milliseconds. */
  readonly hrv: number | null
  /** Where it is not as usual for the source. */
  readonly hrvMethod: HrvMethod | null
  /** Beats per minute. */
  readonly restingHeartRate: number | null
  /** Percent. */
  readonly spo2: number | null
  readonly skinTempCelsius: number | null
  /** Degrees Celsius from the baseline of the nights before. */
  readonly skinTempDeviation: number | null
}

/** How a recovery's HRV was computed. Null without one. */
export const methodOfHrv = ({ provider, hrv, hrvMethod }: Pick<RecoveryFact, "provider" | "hrv" | "hrvMethod">) =>
  hrv === null ? null : (hrvMethod ?? hrvMethodOf(provider))

interface Effort {
  /** On the vendor's own scale. */
  readonly strain: number | null
  /** Kilocalories. */
  readonly calories: number | null
  /** Beats per minute. */
  readonly averageHeartRate: number | null
  readonly maxHeartRate: number | null
}

export interface WorkoutFact extends TimedFact<"workout">, Effort {
  /** False for rest that a vendor lists as a workout. */
  readonly countsAsWorkout: boolean
  readonly durationMs: number
  readonly sportType: string
  /** Metres. */
  readonly distance: number | null
  readonly zones: ZoneDurations | null
}

export interface CycleFact extends Omit<TimedFact<"cycle">, "endMs">, Effort {
  /** Null while the cycle is open. */
  readonly endMs: number | null
  readonly steps: number | null
  /** Kilocalories beyond rest. */
  readonly activeCalories: number | null
  readonly distanceMeters: number | null
}

/** A stored record as answers and statistics need it, in the form that `restwell.fact_of` writes. */
export type HealthFact = SleepFact | RecoveryFact | WorkoutFact | CycleFact

/** Names of the figures that a record has, each with a comma behind it. The database derives them. */
type Figures = string

/** What a record may have that sources are chosen by. */
export type Figure = "nap" | "page_only" | "stages" | "score" | "hrv" | "resting_heart_rate" | "strain" | "calories"

/** What a record is chosen by among those of several sources, in the form that `restwell.candidate_of` writes. */
export interface Candidate {
  readonly kind: HealthFact["kind"]
  readonly provider: string
  readonly fromArchive: boolean
  readonly date: string
  readonly figures: Figures
  /** True for a cycle that is open, or whose score is pending. */
  readonly isAwaited: boolean
  /** What main sleeps are put together to nights by. Null for other records. */
  readonly night: CandidateNight | null
  /** Null for records that one source answers with for the whole date. */
  readonly activity: Activity | null
}

/** Milliseconds since the epoch. */
export interface Span {
  readonly startMs: number
  readonly endMs: number
}

/** A main sleep. */
export interface CandidateNight extends Span {
  readonly device: string | null
  /** Time asleep, milliseconds. Null where it is unknown. */
  readonly asleepMs: number | null
  readonly isPending: boolean
}

/** A nap or a workout. These are chosen one by one. */
export interface Activity extends Span {
  readonly providerId: string
}

/** One answer of the journal. The provider of the person's own is `OWN_SOURCE`. */
export interface JournalFact {
  readonly provider: string
  readonly date: string
  readonly factor: string
  readonly question: string
  readonly answer: boolean | null
  /** A number that was entered with it. Null without one. */
  readonly value: number | null
  /** False for a vendor's answer to what the person answered too. */
  readonly isChosen: boolean
}

/** The facts of a JSON array of `record.fact`. */
export function parseFacts(text: string): HealthFact[] {
  return JSON.parse(text)
}

/** The fact of one `record.fact`. */
export function parseFact(text: string): HealthFact {
  return JSON.parse(text)
}

/** The candidates of a JSON array of `record.candidate`. */
export function parseCandidates(text: string): Candidate[] {
  return JSON.parse(text)
}
