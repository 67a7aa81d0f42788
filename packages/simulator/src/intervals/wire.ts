/** The rows that the simulated intervals.icu sends. */

/** A day. A value is null where the watch has none. */
export interface WireWellness {
  /** Local date. */
  readonly id: string
  readonly updated: string
  readonly sleepSecs: number | null
  readonly sleepScore: number | null
  readonly restingHR: number | null
  readonly hrv: number | null
  readonly hrvSDNN: number | null
  readonly spO2: number | null
  readonly steps: number | null
  readonly weight: number | null
  readonly tempWeight: boolean
  readonly tempRestingHR: boolean
  readonly comments: string | null
  readonly menstrualPhase: string | null
  readonly ctl: number
  readonly atl: number
  readonly sportInfo: readonly object[]
}

/** An activity, or what is left of one that Strava hides. */
export interface WireActivity {
  readonly id: string
  readonly start_date_local: string
  readonly source: string
  readonly _note?: string
  readonly type?: string
  readonly name?: string
  readonly start_date?: string
  readonly timezone?: string
  readonly elapsed_time?: number
  readonly moving_time?: number
  readonly distance?: number | null
  readonly calories?: number | null
  readonly average_heartrate?: number | null
  readonly max_heartrate?: number | null
  readonly icu_training_load?: number | null
  readonly device_name?: string | null
  readonly external_id?: string | null
}

/** All rows of a person that the vendor has at a moment. */
export interface IntervalsRecords {
  /** Oldest first. */
  readonly wellness: readonly WireWellness[]
  /** Newest first. */
  readonly activities: readonly WireActivity[]
}
