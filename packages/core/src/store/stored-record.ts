import type { CycleData, RecoveryData, ScoreState, SleepData, WorkoutData } from "@restwell/client"
import type { NormalizedRecord, ZoneDurations } from "@restwell/providers"

/** What the store keeps of each kind beside the columns: the normalised data, and what the answers need beyond it. */
export interface StoredSleep {
  readonly data: SleepData
  readonly consistencyPercent?: number
}
export interface StoredRecovery {
  readonly data: Omit<RecoveryData, "date">
  readonly skinTempCelsius?: number
  /** The vendor's own deviation, where it has one. */
  readonly skinTempDeviationCelsius?: number
  /** The recovery's own time where neither its sleep nor its cycle is known, ISO 8601. */
  readonly createdAt: string
}
export interface StoredWorkout {
  readonly data: WorkoutData
  readonly zones?: ZoneDurations
  readonly countsAsWorkout: boolean
}
export interface StoredCycle {
  readonly data: Omit<CycleData, "date">
  readonly steps?: number
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
  readonly scoreState: ScoreState
  /** Degrees Celsius from the baseline of the nights before. Recoveries only. */
  readonly skinTempDeviation: number | null
  readonly detail: Detail
}
export type SleepFact = Fact<"sleep", StoredSleep>
export interface RecoveryFact extends Fact<"recovery", StoredRecovery> {
  /** The vendor's id of its cycle. Null where there is none. */
  readonly cycleProviderId: string | null
}
export type WorkoutFact = Fact<"workout", StoredWorkout>
export type CycleFact = Fact<"cycle", StoredCycle>
/** A stored record as an answer needs it. */
export type HealthFact = SleepFact | RecoveryFact | WorkoutFact | CycleFact

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
    case "sleep":
      return {
        data: record.data,
        ...(record.consistencyPercent !== undefined && { consistencyPercent: record.consistencyPercent }),
      }
    case "recovery":
      return {
        data: record.data,
        createdAt: record.createdAt.toISOString(),
        ...(record.skinTempCelsius !== undefined && { skinTempCelsius: record.skinTempCelsius }),
      }
    case "workout":
      return {
        data: record.data,
        countsAsWorkout: record.countsAsWorkout,
        ...(record.zones && { zones: record.zones }),
      }
    case "cycle":
      return { data: record.data }
  }
}
