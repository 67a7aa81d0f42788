import type { CycleData, RecoveryData, SleepData, WorkoutData } from "@restwell/client"
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
