/** Records written by hand, for the tests of the oracle itself. */
import type { WireCycle, WireRecords, WireRecovery, WireSleep, WireWorkout } from "@restwell/simulator"
import type { OracleQuery } from "./days.ts"
import { expectedAnswer } from "./expected-answer.ts"

export const envelope = {
  user_id: 42,
  created_at: "2026-11-19T06:41:12.310Z",
  updated_at: "2026-11-19T06:49:03.001Z",
  score_state: "SCORED",
} as const

/** One night: 7 h 59 min 39.75 s in bed, in Berlin. */
export const night: WireSleep = {
  ...envelope,
  id: "5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11",
  cycle_id: 1001,
  start: "2026-11-18T22:31:05.120Z",
  end: "2026-11-19T06:30:44.870Z",
  timezone_offset: "+01:00",
  nap: false,
  score: {
    stage_summary: {
      total_in_bed_time_milli: 28_779_750,
      total_awake_time_milli: 1_920_000,
      total_no_data_time_milli: 0,
      total_light_sleep_time_milli: 13_859_750,
      total_slow_wave_sleep_time_milli: 6_000_000,
      total_rem_sleep_time_milli: 7_000_000,
      sleep_cycle_count: 4,
      disturbance_count: 9,
    },
    sleep_needed: {
      baseline_milli: 27_600_000,
      need_from_sleep_debt_milli: 1_200_000,
      need_from_recent_strain_milli: 420_000,
      need_from_recent_nap_milli: 0,
    },
    respiratory_rate: 14.65,
    sleep_performance_percentage: 92,
    sleep_consistency_percentage: 81,
    sleep_efficiency_percentage: 93.33,
  },
}

export const nap: WireSleep = {
  ...night,
  id: "nap",
  nap: true,
  start: "2026-11-19T13:00:00.000Z",
  end: "2026-11-19T13:30:00.000Z",
  score_state: "PENDING_SCORE",
  score: null,
}

export const cycle: WireCycle = {
  ...envelope,
  id: 1001,
  start: night.start,
  end: null,
  timezone_offset: "+01:00",
  score: { strain: 13.65, kilojoule: 10_380.504, average_heart_rate: 66, max_heart_rate: 171 },
}

export const recovery: WireRecovery = {
  ...envelope,
  cycle_id: 1001,
  sleep_id: night.id,
  score: {
    user_calibrating: false,
    recovery_score: 71,
    resting_heart_rate: 52.5,
    hrv_rmssd_milli: 64.25,
    spo2_percentage: 96.4,
    skin_temp_celsius: 33.9,
  },
}

export const workout: WireWorkout = {
  ...envelope,
  id: "run",
  start: "2026-11-18T23:30:00.000Z",
  end: "2026-11-19T00:21:30.000Z",
  timezone_offset: "+01:00",
  sport_name: "track-field",
  score: {
    strain: 11.44,
    average_heart_rate: 142,
    max_heart_rate: 171,
    kilojoule: 2564.792,
    percent_recorded: 1,
    distance_meter: 9120.35,
    altitude_gain_meter: null,
    altitude_change_meter: null,
    zone_durations: {
      zone_zero_milli: 72_000,
      zone_one_milli: 396_000,
      zone_two_milli: 1_296_000,
      zone_three_milli: 1_008_000,
      zone_four_milli: 318_000,
      zone_five_milli: 0,
    },
  },
}

export const raw: WireRecords = {
  sleeps: [nap, night],
  cycles: [cycle],
  recoveries: [recovery],
  workouts: [workout],
  profile: { user_id: 42, email: "ada@example.com", first_name: "Ada", last_name: "Berg" },
  body: { height_meter: 1.745, weight_kilogram: 66.55, max_heart_rate: 191 },
}

export const NOON = "2026-11-19T12:00:00Z"
export const answerTo = (query: OracleQuery, records: Partial<WireRecords> = {}, now = NOON) =>
  expectedAnswer({ raw: { ...raw, ...records }, now: new Date(now), query })
