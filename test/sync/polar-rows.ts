// Rows of Polar that tests change and store.
import type { WireDay, WireExercise, WireNight, WireRecharge } from "@restwell/simulator"

/** Seven hours and twenty-one minutes: 26 awake, 85 REM, 240 light, 90 deep. */
export const NIGHT: WireNight = {
  polar_user: "https://www.polaraccesslink.com/v3/users/1",
  date: "2026-11-20",
  sleep_start_time: "2026-11-19T23:41:00+02:00",
  sleep_end_time: "2026-11-20T07:02:00+02:00",
  device_id: "ABCD1234",
  continuity: 2.6,
  continuity_class: 3,
  light_sleep: 14_400,
  deep_sleep: 5_400,
  rem_sleep: 5_100,
  unrecognized_sleep_stage: 0,
  sleep_score: 74,
  group_duration_score: 62,
  group_solidity_score: 81,
  group_regeneration_score: 70.5,
  total_interruption_duration: 1_560,
  sleep_charge: 3,
  sleep_goal: 28_800,
  sleep_rating: 0,
  sleep_cycles: 4,
  hypnogram: { "23:41": 0, "23:51": 2, "00:51": 4, "02:21": 1, "03:46": 3, "06:46": 0 },
  heart_rate_samples: { "23:46": 61, "23:51": 0, "00:01": 48, "06:56": 55 },
}

export const DAY: WireDay = {
  start_time: "2026-11-19T00:00:00",
  end_time: "2026-11-19T23:59:59",
  active_duration: "PT2H",
  inactive_duration: "PT9H",
  daily_activity: 80,
  calories: 2_410,
  active_calories: 720,
  steps: 9_876,
  distance_from_steps: 7_012.5,
  inactivity_alert_count: 0,
}

export const EXERCISE: WireExercise = {
  id: "q1W2e3",
  upload_time: "2026-11-19T18:00:00Z",
  polar_user: NIGHT.polar_user,
  device: "Polar Vantage V3",
  start_time: "2026-11-19T17:05:00",
  start_time_utc_offset: 330,
  duration: "PT1H2M3.500S",
  calories: 540,
  heart_rate: { average: 138, maximum: 171 },
  sport: "RUNNING",
  detailed_sport_info: "ROAD_RUNNING",
  has_route: false,
  training_load_pro: { date: "2026-11-19", "cardio-load": 88.4, "user-rpe": "RPE_NONE" },
  heart_rate_zones: [10, 20, 15, 10, 5].map((minutes, index) => ({
    index: index + 1,
    "lower-limit": 90,
    "upper-limit": 110,
    "in-zone": `PT${minutes}M`,
  })),
}

export const RECHARGE: WireRecharge = {
  polar_user: NIGHT.polar_user,
  date: "2026-11-20",
  heart_rate_avg: 52,
  beat_to_beat_avg: 1_150,
  heart_rate_variability_avg: 61,
  breathing_rate_avg: 14.1,
  nightly_recharge_status: 4,
  ans_charge: 1.2,
  ans_charge_status: 3,
}
