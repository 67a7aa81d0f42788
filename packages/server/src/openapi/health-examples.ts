import type {
  CycleResponse,
  HealthType,
  JournalResponse,
  PointSeries,
  ProfileResponse,
  RecoveryResponse,
  SleepResponse,
  Source,
  SourcesResponse,
  StageSeries,
  SummaryResponse,
  WorkoutResponse,
} from "@restwell/client"

const source: Source = { provider: "whoop", status: "ok", last_synced_at: "2026-11-20T07:02:11.000Z" }
const sources = { source, sources: [source] }
const recordSource = { source: "whoop", device: null, chosen_because: "only_one" } as const

/** A list with one record. */
const onlyRecord = <Body>(record: Body) => ({
  records: [record],
  count: 1,
  empty_reason: null,
  missing: [],
  ...sources,
})

const summary: SummaryResponse = {
  period: {
    start: "2026-11-13T23:00:00.000Z",
    end: "2026-11-20T23:00:00.000Z",
    start_date: "2026-11-14",
    end_date: "2026-11-20",
    days: 7,
  },
  sleep: {
    average_duration_hours: 7.61,
    average_asleep_hours: 7.05,
    average_need_hours: 8.02,
    average_light_hours: 3.72,
    average_deep_hours: 1.58,
    average_rem_hours: 1.75,
    average_awake_hours: 0.55,
    average_performance: 84.1,
    average_efficiency: 92.7,
    night_count: 7,
    source: "whoop",
  },
  recovery: {
    average_score: 63.4,
    average_hrv: 61.8,
    average_rhr: 52.3,
    day_count: 7,
    source: "whoop",
    hrv_method: "rmssd",
  },
  strain: {
    total: 78.3,
    average_daily: 11.2,
    workout_count: 4,
    cycle_count: 7,
    includes_open_cycle: true,
    source: "whoop",
  },
  missing: [],
  ...sources,
}

export const SLEEP_EXAMPLE: SleepResponse = onlyRecord({
  id: "whoop-5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11",
  date: "2026-11-19",
  start: "2026-11-18T22:31:05.120Z",
  end: "2026-11-19T06:30:44.870Z",
  start_local: "2026-11-18T23:31:05+01:00",
  end_local: "2026-11-19T07:30:44+01:00",
  duration_hours: 7.99,
  asleep_hours: 7.46,
  need_hours: 8.12,
  is_nap: false,
  score_state: "scored",
  score: { performance: 92, efficiency: 93.3, consistency: 81 },
  stages: { light_hours: 3.85, deep_hours: 1.67, rem_hours: 1.94, awake_hours: 0.53 },
  respiratory_rate: 14.6,
  times_awake: 9,
  latency_minutes: null,
  contributors: [
    { name: "need_baseline", value: 7.67, unit: "h" },
    { name: "need_from_sleep_debt", value: 0.33, unit: "h" },
    { name: "need_from_recent_strain", value: 0.12, unit: "h" },
    { name: "need_from_recent_nap", value: 0, unit: "h" },
  ],
  ...recordSource,
})

export const RECOVERY_EXAMPLE: RecoveryResponse = onlyRecord({
  cycle_id: "whoop-1001",
  date: "2026-11-19",
  score_state: "scored",
  score: 71,
  hrv: 64.2,
  hrv_method: "rmssd",
  resting_heart_rate: 52,
  spo2: 96.4,
  skin_temp_celsius: 33.9,
  skin_temp_deviation_celsius: 0.2,
  contributors: [],
  ...recordSource,
})

export const WORKOUT_EXAMPLE: WorkoutResponse = onlyRecord({
  id: "whoop-ecfc6a15-4661-442f-a9a4-f160dd7afae8",
  date: "2026-11-19",
  start: "2026-11-19T16:02:10.000Z",
  end: "2026-11-19T16:53:40.000Z",
  start_local: "2026-11-19T17:02:10+01:00",
  end_local: "2026-11-19T17:53:40+01:00",
  duration_hours: 0.86,
  sport_type: "running",
  score_state: "scored",
  strain: 11.4,
  average_heart_rate: 142,
  max_heart_rate: 171,
  calories: 613,
  distance_meters: 9120.4,
  pace_seconds_per_km: 339,
  time_zone_offset_minutes: 60,
  zones: {
    zone_0_hours: 0.02,
    zone_1_hours: 0.11,
    zone_2_hours: 0.36,
    zone_3_hours: 0.28,
    zone_4_hours: 0.09,
    zone_5_hours: 0,
  },
  contributors: [],
  ...recordSource,
})

export const CYCLE_EXAMPLE: CycleResponse = onlyRecord({
  id: "whoop-1001",
  date: "2026-11-19",
  start: "2026-11-18T22:31:05.120Z",
  end: "2026-11-19T22:12:40.000Z",
  start_local: "2026-11-18T23:31:05+01:00",
  end_local: "2026-11-19T23:12:40+01:00",
  score_state: "scored",
  strain: 13.7,
  calories: 2481,
  average_heart_rate: 66,
  max_heart_rate: 171,
  steps: null,
  active_calories: null,
  distance_meters: null,
  contributors: [],
  ...recordSource,
})

const profile: ProfileResponse = {
  profile: { first_name: "Ada", last_name: "Berg", email: "ada@example.com" },
  body: { height_meters: 1.74, weight_kilograms: 66.5, max_heart_rate: 191 },
  ...sources,
}

/** One answer of each type, as `examples` of the description and of the reference. */
export const HEALTH_EXAMPLES: Readonly<Record<HealthType, { summary: string; value: object }>> = {
  summary: { summary: "type=summary", value: summary },
  sleep: { summary: "type=sleep", value: SLEEP_EXAMPLE },
  recovery: { summary: "type=recovery", value: RECOVERY_EXAMPLE },
  workout: { summary: "type=workout", value: WORKOUT_EXAMPLE },
  cycle: { summary: "type=cycle", value: CYCLE_EXAMPLE },
  profile: { summary: "type=profile", value: profile },
}

export const SOURCES_EXAMPLE: SourcesResponse = {
  sources: [
    {
      provider: "whoop",
      display_name: "WHOOP",
      status: "ok",
      types: ["recovery"],
      fields: [{ type: "recovery", field: "hrv", unit: "ms", method: "RMSSD" }],
      series: [],
    },
  ],
  count: 1,
}

export const JOURNAL_EXAMPLE: JournalResponse = onlyRecord({
  date: "2026-11-19",
  factor: "alcohol",
  question: "Have any alcoholic drinks?",
  answer: true,
  value: null,
  source: "whoop",
})

const ring: Source = { provider: "oura", status: "ok", last_synced_at: "2026-11-20T07:02:11.000Z" }
const envelope = { method: null, empty_reason: null, notes: [], source: ring, sources: [ring] }
const day = { start: "2026-11-19T23:00:00.000Z", end: "2026-11-20T23:00:00.000Z" }

const raw: PointSeries = {
  type: "heart_rate",
  unit: "bpm",
  resolution: "raw",
  ...day,
  points: [{ time: "2026-11-20T02:10:00.000Z", value: 52, duration_seconds: 300 }],
  count: 1,
  ...envelope,
}
const hourly: PointSeries = {
  type: "heart_rate",
  unit: "bpm",
  resolution: "1h",
  ...day,
  points: [{ start: "2026-11-20T02:00:00.000Z", n: 12, mean: 52.4, min: 49, max: 58 }],
  count: 1,
  ...envelope,
}
const steps: PointSeries = {
  type: "steps",
  unit: "count",
  resolution: "1d",
  ...day,
  points: [{ start: "2026-11-19T23:00:00.000Z", date: "2026-11-20", n: 310, sum: 8342 }],
  count: 1,
  ...envelope,
}
const stages: StageSeries = {
  type: "sleep_stages",
  unit: "stage",
  resolution: "raw",
  ...day,
  segments: [{ start: "2026-11-19T23:31:00.000Z", end: "2026-11-19T23:46:00.000Z", stage: "light" }],
  count: 1,
  ...envelope,
}

/** One answer of each shape, as `examples` of the description and of the reference. */
export const SERIES_EXAMPLES: Readonly<Record<string, { summary: string; value: PointSeries | StageSeries }>> = {
  raw: { summary: "type=heart_rate&resolution=raw", value: raw },
  rates: { summary: "type=heart_rate&resolution=1h", value: hourly },
  sums: { summary: "type=steps&resolution=1d", value: steps },
  stages: { summary: "type=sleep_stages", value: stages },
}
