import type {
  CompareResponse,
  DayResponse,
  MetricsResponse,
  RelateResponse,
  SignsResponse,
  Source,
  SportsResponse,
  TrendResponse,
} from "@restwell/client"
import { MEANS_NOTE, THIRDS_NOTE, WEEK_NOTE } from "@restwell/core"
import { CYCLE_EXAMPLE, JOURNAL_EXAMPLE, RECOVERY_EXAMPLE, SLEEP_EXAMPLE, WORKOUT_EXAMPLE } from "./health-examples.ts"

const source: Source = { provider: "whoop", status: "ok", last_synced_at: "2026-11-20T07:02:11.000Z" }
const sources = { source, sources: [source] }
const period = { start_date: "2026-08-23", end_date: "2026-11-20", days: 90 }

export const METRICS_EXAMPLE: MetricsResponse = {
  metrics: [
    {
      id: "hrv",
      title: "Heart rate variability",
      unit: "ms",
      better: "higher",
      decimals: 1,
      kind: "number",
      sources: ["whoop"],
      first_date: "2024-01-03",
      last_date: "2026-11-20",
      n: 1038,
    },
  ],
  count: 1,
  ...sources,
}

export const TREND_EXAMPLE: TrendResponse = {
  metric: "hrv",
  unit: "ms",
  period,
  method: "rmssd",
  n: 86,
  missing: 4,
  mean: 64.1,
  median: 64.6,
  sd: 8.3,
  sum: null,
  above: null,
  below: null,
  streaks: null,
  p25: 58.7,
  p75: 69.4,
  highest: [{ date: "2026-11-12", value: 83.1 }],
  lowest: [{ date: "2026-09-06", value: 41.8 }],
  latest: { date: "2026-11-20", value: 71.2 },
  usual: { low: 58.9, high: 73.8, n: 30 },
  slope_per_30_days: 1.82,
  interval: [0.42, 3.18],
  verdict: "rising",
  first_third: { n: 28, mean: 61.9 },
  last_third: { n: 28, mean: 66.4 },
  extras: null,
  groups: null,
  weekday_of: null,
  points: null,
  notes: ["2026-09-11 has no heart rate variability, so it is left out."],
  ...sources,
}

export const COMPARE_EXAMPLE: CompareResponse = {
  metric: "asleep",
  unit: "h",
  period: {
    start_date: "2026-10-24",
    end_date: "2026-11-20",
    days: 28,
    n: 28,
    missing: 0,
    mean: 7.41,
    median: 7.5,
    sd: 0.7,
  },
  with: {
    start_date: "2026-09-26",
    end_date: "2026-10-23",
    days: 28,
    n: 27,
    missing: 1,
    mean: 6.98,
    median: 7.02,
    sd: 0.8,
  },
  difference: 0.43,
  interval: [0.04, 0.82],
  effect_size: 0.56,
  verdict: "higher",
  comparable: true,
  method: null,
  notes: [],
  ...sources,
}

/** By the kind of the factor. */
export const RELATE_EXAMPLES: Readonly<Record<string, { summary: string; value: RelateResponse }>> = {
  number: {
    summary: "factor=strain&lag=1",
    value: {
      outcome: "hrv",
      factor: "strain",
      lag: 1,
      period,
      n: 85,
      rho: -0.38,
      interval: [-0.56, -0.16],
      verdict: "negative",
      groups: [
        { from: 4.1, to: 9.8, n: 29, mean: 67.2, sd: 7.9 },
        { from: 9.9, to: 13.4, n: 28, mean: 64.5, sd: 8.1 },
        { from: 13.5, to: 19.2, n: 28, mean: 60.3, sd: 7.6 },
      ],
      part_of_outcome: false,
      notes: [WEEK_NOTE, THIRDS_NOTE],
      ...sources,
    },
  },
  yes_no: {
    summary: "factor=journal:alcohol",
    value: {
      outcome: "hrv",
      factor: "journal:alcohol",
      lag: 0,
      period,
      n: 78,
      unanswered: 8,
      yes: { n: 21, mean: 57.9, sd: 8.4 },
      no: { n: 57, mean: 66.3, sd: 7.2 },
      difference: -8.21,
      interval: [-12.4, -4.02],
      verdict: "lower",
      part_of_outcome: false,
      notes: [WEEK_NOTE, MEANS_NOTE],
      ...sources,
    },
  },
  all: {
    summary: "without a factor",
    value: {
      outcome: "hrv",
      lag: 0,
      period,
      tried: 25,
      false_discovery_rate: 0.1,
      relations: [
        {
          factor: "journal:alcohol",
          kind: "yes_no",
          n: 78,
          yes_n: 21,
          difference: -8.21,
          interval: [-12.4, -4.02],
          verdict: "lower",
          part_of_outcome: false,
        },
        {
          factor: "bedtime",
          kind: "clock",
          n: 86,
          rho: -0.09,
          interval: [-0.3, 0.13],
          verdict: "no_clear_relation",
          part_of_outcome: false,
        },
        {
          factor: "recovery_score",
          kind: "number",
          n: 86,
          rho: 0.81,
          interval: [0.7, 0.88],
          verdict: "positive",
          part_of_outcome: true,
        },
      ],
      notes: [WEEK_NOTE],
      ...sources,
    },
  },
}

export const SPORTS_EXAMPLE: SportsResponse = {
  period: { start_date: "2025-11-21", end_date: "2026-11-20", days: 365 },
  sports: [
    {
      sport_type: "running",
      count: 41,
      hours: 33.2,
      distance_meters: 318420.5,
      calories: 22140,
      average_strain: 10.7,
      average_heart_rate: 139.4,
      longest: { date: "2026-09-12", id: "whoop-ecfc6a15-4661-442f-a9a4-f160dd7afae8", hours: 2.31 },
      farthest: { date: "2026-09-12", id: "whoop-ecfc6a15-4661-442f-a9a4-f160dd7afae8", distance_meters: 24310.2 },
      last_date: "2026-11-19",
      next_day_recovery: { n: 38, mean: 61.3, source: "whoop" },
    },
  ],
  count: 1,
  ...sources,
}

export const SIGNS_EXAMPLE: SignsResponse = {
  records: [
    {
      date: "2026-11-20",
      figures: [
        {
          metric: "resting_heart_rate",
          value: 61,
          unit: "bpm",
          usual: { low: 50.2, high: 54.6, n: 30 },
          direction: "above",
          mornings: 2,
        },
      ],
    },
  ],
  count: 1,
  checked: ["resting_heart_rate", "hrv", "respiratory_rate", "skin_temp_deviation"],
  ...sources,
}

export const DAY_EXAMPLE: DayResponse = {
  date: "2026-11-19",
  today: "2026-11-20",
  oldest_date: "2024-01-03",
  newest_date: "2026-11-20",
  awaited: [],
  ended: null,
  sleep: SLEEP_EXAMPLE,
  recovery: RECOVERY_EXAMPLE,
  cycle: CYCLE_EXAMPLE,
  workout: WORKOUT_EXAMPLE,
  journal: JOURNAL_EXAMPLE,
  figures: [
    {
      metric: "resting_heart_rate",
      unit: "bpm",
      source: "whoop",
      value: 52,
      missing: null,
      usual: { low: 50.2, high: 54.6, n: 30 },
      position: "within",
      latest: null,
    },
  ],
  figures_date: "2026-11-19",
  signs: [],
  best: null,
  rows: [],
  ...sources,
}
