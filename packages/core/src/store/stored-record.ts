import type { CycleData, RecoveryData, ScoreState, SleepData, WorkoutData } from "@restwell/client"
import {
  known,
  type NormalizedRecord,
  type SleepCourse,
  type SleepNeedParts,
  type ZoneDurations,
} from "@restwell/providers"

/** What the store keeps of each kind beside the columns: the normalised data, and what the answers need beyond it. */
interface StoredParts {
  /** Ids of the vendor's other documents that the record is made of. */
  readonly partIds?: readonly string[]
}
/** UTC offsets where the vendor tells both, minutes east. */
interface StoredOffsets extends StoredParts {
  readonly startUtcOffsetMinutes?: number
  readonly endUtcOffsetMinutes?: number
}
export interface StoredSleep extends StoredOffsets {
  readonly data: SleepData
  readonly consistencyPercent?: number
  readonly course?: SleepCourse
  /** Sleep that the person needed, milliseconds. */
  readonly needMs?: number
  readonly needParts?: SleepNeedParts
}
export interface StoredRecovery extends StoredParts {
  readonly data: Omit<RecoveryData, "date">
  readonly skinTempCelsius?: number
  /** The vendor's own deviation. `skinTempDeviation` of the fact has it. */
  readonly skinTempDeviationCelsius?: number
  /** The recovery's own time where neither its sleep nor its cycle is known, ISO 8601. */
  readonly createdAt: string
}
export interface StoredWorkout extends StoredOffsets {
  readonly data: WorkoutData
  readonly zones?: ZoneDurations
  readonly countsAsWorkout: boolean
}
export interface StoredCycle extends StoredOffsets {
  readonly data: Omit<CycleData, "date">
  readonly steps?: number
  /** Kilocalories beyond rest. */
  readonly activeCalories?: number
  readonly distanceMeters?: number
}
export type StoredDetail = StoredSleep | StoredRecovery | StoredWorkout | StoredCycle

interface Fact<Kind extends string, Detail> {
  readonly kind: Kind
  /** The source it came from. */
  readonly provider: string
  /** True if an archive brought it, and not the vendor. */
  readonly fromArchive: boolean
  readonly date: string
  readonly figures: Figures
  readonly scoreState: ScoreState
  /** Degrees Celsius from the baseline of the nights before. Recoveries only. */
  readonly skinTempDeviation: number | null
  readonly detail: Detail
}
/** A fact with times. */
interface TimedFact<Kind extends string, Detail> extends Fact<Kind, Detail> {
  /** Minutes east of UTC. */
  readonly utcOffsetMinutes: number
}
export type SleepFact = TimedFact<"sleep", StoredSleep>
export interface RecoveryFact extends Fact<"recovery", StoredRecovery> {
  /** The vendor's id of its cycle. Null where there is none. */
  readonly cycleProviderId: string | null
}
export type WorkoutFact = TimedFact<"workout", StoredWorkout>
export type CycleFact = TimedFact<"cycle", StoredCycle>
/** A stored record as an answer needs it. */
export type HealthFact = SleepFact | RecoveryFact | WorkoutFact | CycleFact

/** Names of the figures that a record has, each with a comma behind it. The database derives them from its detail. */
type Figures = string

/** What a record may have that sources are chosen by. */
export type Figure = "nap" | "stages" | "score" | "hrv" | "resting_heart_rate" | "strain" | "calories"

/** What a record is chosen by among those of several sources. */
export interface Candidate {
  readonly kind: HealthFact["kind"]
  readonly provider: string
  readonly fromArchive: boolean
  readonly date: string
  readonly figures: Figures
  /** Null for records that one source answers with for the whole date. */
  readonly activity: Activity | null
}

/** A nap or a workout. These are chosen one by one. */
export interface Activity {
  readonly providerId: string
  /** Milliseconds since the epoch. */
  readonly startMs: number
  readonly endMs: number
}

/** One answer of the journal. */
export interface JournalFact {
  readonly provider: string
  readonly date: string
  readonly factor: string
  readonly question: string
  readonly answer: boolean | null
}

/** The part of a normalised record that has no column of its own. */
export function detailOf(record: NormalizedRecord): StoredDetail {
  switch (record.kind) {
    case "sleep": {
      const { data, consistencyPercent, needMs, needParts, course } = record
      const figures = { consistencyPercent, needMs, needParts, course }
      return { data, ...known({ ...figures, ...partsOf(record), ...offsetsOf(record) }) }
    }
    case "recovery": {
      const { data, createdAt, skinTempCelsius, skinTempDeviationCelsius } = record
      const temperatures = { skinTempCelsius, skinTempDeviationCelsius }
      return { data, createdAt: createdAt.toISOString(), ...known({ ...temperatures, ...partsOf(record) }) }
    }
    case "workout": {
      const { data, countsAsWorkout, zones } = record
      return { data, countsAsWorkout, ...known({ zones, ...partsOf(record), ...offsetsOf(record) }) }
    }
    case "cycle": {
      const { data, steps, activeCalories, distanceMeters } = record
      return { data, ...known({ steps, activeCalories, distanceMeters, ...partsOf(record), ...offsetsOf(record) }) }
    }
  }
}

const partsOf = ({ partIds }: NormalizedRecord) => ({ partIds })

const offsetsOf = ({
  startUtcOffsetMinutes,
  endUtcOffsetMinutes,
}: Exclude<NormalizedRecord, { kind: "recovery" }>) => ({
  startUtcOffsetMinutes,
  endUtcOffsetMinutes,
})
