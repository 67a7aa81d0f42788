/** The rows that the simulated Polar sends. */

/** A night. Values by the local clock have keys without a date. */
export interface WireNight {
  readonly polar_user: string
  /** Local date of waking. */
  readonly date: string
  readonly sleep_start_time: string
  readonly sleep_end_time: string
  readonly device_id: string
  readonly continuity: number
  readonly continuity_class: number
  readonly light_sleep: number
  readonly deep_sleep: number
  readonly rem_sleep: number
  readonly unrecognized_sleep_stage: number
  /** Zero without a score. */
  readonly sleep_score: number
  readonly total_interruption_duration: number
  readonly sleep_charge: number
  readonly sleep_goal: number
  readonly sleep_rating: number
  readonly sleep_cycles: number
  readonly group_duration_score: number
  readonly group_solidity_score: number
  readonly group_regeneration_score: number
  readonly hypnogram: Readonly<Record<string, number>>
  readonly heart_rate_samples: Readonly<Record<string, number>>
}

export interface WireRecharge {
  readonly polar_user: string
  readonly date: string
  readonly heart_rate_avg: number
  readonly beat_to_beat_avg: number
  /** Zero without a value. */
  readonly heart_rate_variability_avg: number
  readonly breathing_rate_avg: number
  readonly nightly_recharge_status: number
  readonly ans_charge: number
  readonly ans_charge_status: number
}

export interface WireTemperature {
  readonly sleep_date: string
  readonly sleep_time_skin_temperature_celsius: number
  readonly deviation_from_baseline_celsius: number
}

/** A day. Its date is in its start alone, which has no offset. */
export interface WireDay {
  readonly start_time: string
  readonly end_time: string
  readonly active_duration: string
  readonly inactive_duration: string
  readonly daily_activity: number
  readonly calories: number
  readonly active_calories: number
  readonly steps: number
  readonly distance_from_steps: number
  readonly inactivity_alert_count: number
}

export interface WireExercise {
  readonly id: string
  readonly upload_time: string
  readonly polar_user: string
  readonly device: string
  readonly start_time: string
  readonly start_time_utc_offset: number
  readonly duration: string
  readonly calories: number
  readonly distance?: number
  readonly heart_rate: { readonly average: number; readonly maximum: number }
  readonly sport: string
  readonly detailed_sport_info: string
  readonly has_route: boolean
  readonly training_load_pro: { readonly date: string; readonly "cardio-load": number; readonly "user-rpe": string }
  readonly heart_rate_zones: readonly PolarZone[]
}

interface PolarZone {
  readonly index: number
  readonly "lower-limit": number
  readonly "upper-limit": number
  readonly "in-zone": string
}

/** All rows of a person that the vendor has at a moment, oldest first, whether it serves them or not. */
export interface PolarRecords {
  readonly nights: readonly WireNight[]
  readonly recharges: readonly WireRecharge[]
  readonly temperatures: readonly WireTemperature[]
  readonly days: readonly WireDay[]
  readonly exercises: readonly WireExercise[]
}
