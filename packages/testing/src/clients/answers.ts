/** The example answers of the OpenAPI description, and the same records where values are unknown. */
import {
  CycleResponseSchema,
  ProfileResponseSchema,
  RecoveryResponseSchema,
  SleepResponseSchema,
  SummaryResponseSchema,
  WorkoutResponseSchema,
} from "@restwell/client"
import { HEALTH_EXAMPLES } from "@restwell/server/health-examples"
import {
  COMPARE_EXAMPLE,
  DAY_EXAMPLE,
  RELATE_EXAMPLES,
  SIGNS_EXAMPLE,
  SPORTS_EXAMPLE,
  TREND_EXAMPLE,
} from "@restwell/server/insight-examples"

export const RESET = "2026-12-01T00:00:00.000Z"

/** The headers of an answer after which `remaining` of 1,000 requests are left. */
export const quotaHeaders = (remaining: number) => ({
  "x-ratelimit-limit": "1000",
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-reset": RESET,
})

export const SUMMARY = SummaryResponseSchema.parse(HEALTH_EXAMPLES.summary.value)
export const SLEEP = SleepResponseSchema.parse(HEALTH_EXAMPLES.sleep.value)
export const RECOVERY = RecoveryResponseSchema.parse(HEALTH_EXAMPLES.recovery.value)
export const WORKOUTS = WorkoutResponseSchema.parse(HEALTH_EXAMPLES.workout.value)
export const CYCLES = CycleResponseSchema.parse(HEALTH_EXAMPLES.cycle.value)
export const PROFILE = ProfileResponseSchema.parse(HEALTH_EXAMPLES.profile.value)

/** A night without consistency, which the vendor computes only after some nights. */
export const SLEEP_WITHOUT_CONSISTENCY = SleepResponseSchema.parse({
  ...SLEEP,
  records: SLEEP.records.map((record) => ({ ...record, score: { ...record.score, consistency: null } })),
})

/** A recovery whose score the vendor has not computed yet. */
export const PENDING_RECOVERY = RecoveryResponseSchema.parse({
  ...RECOVERY,
  records: RECOVERY.records.map(({ cycle_id, date, source, device, chosen_because }) => ({
    cycle_id,
    date,
    source,
    device,
    chosen_because,
    hrv_method: null,
    contributors: [],
    score_state: "pending",
    score: null,
    hrv: null,
    resting_heart_rate: null,
    spo2: null,
    skin_temp_celsius: null,
    skin_temp_deviation_celsius: null,
  })),
})

export const WORKOUTS_WITHOUT_ZONES = WorkoutResponseSchema.parse({
  ...WORKOUTS,
  records: WORKOUTS.records.map((record) => ({ ...record, zones: null })),
})

export const NO_CYCLES = CycleResponseSchema.parse({
  ...CYCLES,
  records: [],
  count: 0,
  empty_reason: "no_data_in_range",
  missing: [],
})

export const PROFILE_WITHOUT_EMAIL = ProfileResponseSchema.parse({
  ...PROFILE,
  profile: { ...PROFILE.profile, email: null },
})

/** The example answers of the statistics, by path. */
export const INSIGHTS = {
  "/api/v1/trend": TREND_EXAMPLE,
  "/api/v1/compare": COMPARE_EXAMPLE,
  "/api/v1/relate": RELATE_EXAMPLES["yes_no"]?.value,
  "/api/v1/sports": SPORTS_EXAMPLE,
  "/api/v1/signs": SIGNS_EXAMPLE,
  "/api/v1/day": DAY_EXAMPLE,
} as const
