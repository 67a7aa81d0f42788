/** The rows that the simulated Withings sends. Instants are seconds. */

/** A night or a nap. */
export interface WireWithingsSleep {
  readonly id: number
  readonly timezone: string
  /** 16 a tracker, 32 a mat under the mattress. */
  readonly model: number
  readonly model_id: number
  readonly hash_deviceid: string
  readonly startdate: number
  readonly enddate: number
  readonly date: string
  readonly created: number
  readonly modified: number
  readonly completed?: boolean
  readonly data: Readonly<Record<string, number | null>> | readonly []
}

export interface WireWithingsWorkout {
  readonly id: number
  readonly category: number
  readonly timezone: string
  readonly model: number | null
  readonly attrib: number
  readonly startdate: number
  readonly enddate: number
  readonly date: string
  readonly modified: number
  readonly deviceid: string | null
  readonly data: Readonly<Record<string, number | null>> | readonly []
}

export interface WireWithingsActivity {
  readonly date: string
  readonly timezone: string
  readonly modified: number
  /** 1 Withings, 18 what another app gave to it. */
  readonly brand: number
  readonly is_tracker: boolean
  readonly deviceid: null
  readonly hash_deviceid: string | null
  readonly model: string | null
  readonly steps: number
  readonly distance: number
  readonly elevation: number
  readonly calories: number
  readonly totalcalories: number
  readonly hr_average?: number
  readonly hr_min?: number
  readonly hr_max?: number
}

export interface WireMeasure {
  readonly value: number
  readonly type: number
  readonly unit: number
  readonly algo: number
  readonly fm: number
}

export interface WireMeasureGroup {
  readonly grpid: number
  /** 0 a device, 1 a device that does not know whose it is, 2 typed. */
  readonly attrib: number
  readonly date: number
  readonly created: number
  readonly modified: number
  /** 1 measured, 2 a goal. */
  readonly category: number
  readonly deviceid: string | null
  readonly hash_deviceid: string | null
  readonly measures: readonly WireMeasure[]
  readonly comment: string | null
}

/** A part of a night with one stage. */
export interface WireSegment {
  readonly startdate: number
  readonly enddate: number
  /** 0 awake, 1 light, 2 deep, 3 REM, 5 unspecified. */
  readonly state: number
  readonly model: string
  readonly model_id: number
  readonly hash_deviceid: string
  readonly hr: Readonly<Record<string, number>> | readonly []
  readonly rr: Readonly<Record<string, number>> | readonly []
  readonly rmssd: Readonly<Record<string, number>> | readonly []
}

/** All rows of a person that the vendor has at a moment, newest first. */
export interface WithingsRecords {
  readonly sleep: readonly WireWithingsSleep[]
  readonly workouts: readonly WireWithingsWorkout[]
  readonly activity: readonly WireWithingsActivity[]
  readonly measures: readonly WireMeasureGroup[]
}
