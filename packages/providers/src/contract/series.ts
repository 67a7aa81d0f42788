// Values within the day: samples of a heart rate, steps of a minute, stages of a night, a weight.
import type { HrvMethod, SeriesType } from "@restwell/client"

/** The order in which devices of a collector count where several measured the same. */
export const DEVICE_KINDS = ["watch", "phone", "app", "copy"] as const
export type DeviceKind = (typeof DEVICE_KINDS)[number]

/** One value. */
export interface Sample {
  /** When it was measured, or when the time that it is for begins. Epoch milliseconds. */
  readonly atMs: number
  /** In the unit of its type. Of `sleep_stages`, the index in SLEEP_STAGES. */
  readonly value: number
  /** How long the value is for, milliseconds. Absent for a moment. */
  readonly durationMs?: number
  /** Minutes east of UTC, where the vendor gives the local clock. */
  readonly utcOffsetMinutes?: number
}

/** Samples of one type, in any order. */
export interface SampleSet {
  readonly type: SeriesType
  /** Of `hrv`, how it was computed. */
  readonly method?: HrvMethod
  /** The device or app that a collector names. */
  readonly device?: string
  /** What the device is, where its name does not say it. */
  readonly kind?: DeviceKind
  readonly samples: readonly Sample[]
  /** Samples that cannot be true. */
  readonly leftOut?: readonly LeftOut[]
}

/** A part of the time, its end excluded. */
export interface SampleWindow {
  readonly from: Date
  readonly to: Date
}

/** A type of samples that a vendor delivers. */
export interface SeriesCoverage {
  readonly type: SeriesType
  /** Path in the vendor's record, or its derivation. */
  readonly source: string
  /** Of `hrv`, how it was computed. */
  readonly method?: HrvMethod
  /** What the values mean, where those of other vendors mean something else: a part of a sentence. */
  readonly meaning?: string
}

/** Samples that cannot be used, or records that a vendor hides or copied, counted by reason and day. A reason has no value. */
export interface LeftOut {
  readonly type: SeriesType | "workout" | "sleep"
  /** UTC day, YYYY-MM-DD. Absent where the time itself is wrong. */
  readonly day?: string
  readonly reason: string
  readonly count: number
}
