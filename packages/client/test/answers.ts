/** One response body of each type. */
import type { CycleResponse } from "../src/rest/cycle.ts"
import type { ProfileResponse } from "../src/rest/profile.ts"
import type { RecoveryResponse } from "../src/rest/recovery.ts"
import type { SleepResponse } from "../src/rest/sleep.ts"
import type { Source } from "../src/rest/source.ts"
import type { SummaryResponse } from "../src/rest/summary.ts"
import type { WorkoutResponse } from "../src/rest/workout.ts"

export const RESET = "2026-12-01T00:00:00.000Z"

/** Quota headers with `remaining` of 1,000 requests left. */
export const quotaHeaders = (remaining: number) => ({
  "x-ratelimit-limit": "1000",
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-reset": RESET,
})

const source: Source = { provider: "whoop", status: "ok", last_synced_at: "2026-11-20T07:02:11.000Z" }

export const SLEEP: SleepResponse = {
  records: [
    {
      id: "whoop-5f0c2c0e",
      date: "2026-11-19",
      start: "2026-11-18T22:31:05.120Z",
      end: "2026-11-19T06:30:44.870Z",
      duration_hours: 7.99,
      is_nap: false,
      score_state: "scored",
      score: { performance: 92, efficiency: 93.3, consistency: null },
      stages: { light_hours: 3.85, deep_hours: 1.67, rem_hours: 1.94, awake_hours: 0.53 },
      respiratory_rate: 14.6,
    },
  ],
  count: 1,
  empty_reason: null,
  source,
}

export const RECOVERY: RecoveryResponse = {
  records: [
    {
      cycle_id: "whoop-1001",
      date: "2026-11-19",
      score_state: "pending",
      score: null,
      hrv: null,
      resting_heart_rate: null,
      spo2: null,
      skin_temp_celsius: null,
      skin_temp_deviation_celsius: null,
    },
  ],
  count: 1,
  empty_reason: null,
  source,
}

export const WORKOUTS: WorkoutResponse = {
  records: [
    {
      id: "whoop-ecfc6a15",
      date: "2026-11-19",
      start: "2026-11-19T16:02:10.000Z",
      end: "2026-11-19T16:53:40.000Z",
      duration_hours: 0.86,
      sport_type: "running",
      score_state: "scored",
      strain: 11.4,
      average_heart_rate: 142,
      max_heart_rate: 171,
      calories: 613,
      distance_meters: 9120.4,
      zones: null,
    },
  ],
  count: 1,
  empty_reason: null,
  source,
}

export const CYCLES: CycleResponse = { records: [], count: 0, empty_reason: "no_data_in_range", source }

export const PROFILE: ProfileResponse = {
  profile: { first_name: "Ada", last_name: "Berg", email: null },
  body: { height_meters: 1.74, weight_kilograms: 66.5, max_heart_rate: 191 },
  source,
}

export const SUMMARY: SummaryResponse = {
  period: { start: "2026-11-13T23:00:00.000Z", end: "2026-11-20T23:00:00.000Z", days: 7 },
  sleep: { average_duration_hours: 7.61, average_performance: 84.1, average_efficiency: 92.7, night_count: 7 },
  recovery: { average_score: 63.4, average_hrv: 61.8, average_rhr: 52.3, day_count: 7 },
  strain: { total: 78.3, average_daily: 11.2, workout_count: 4, cycle_count: 7, includes_open_cycle: true },
  source,
}
