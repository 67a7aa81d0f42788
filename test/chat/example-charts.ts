/** Charts of every kind with made-up figures, for the tests of the view. */
import type { Chart, ChartOf, Figure } from "@restwell/client"
import {
  ALCOHOL,
  ASLEEP,
  BEDTIME,
  bedtimeOn,
  byWeekday,
  dateBefore,
  FROM,
  HRV,
  LAST_DATE,
  metric,
  noise,
  RISING,
  round,
  trendChart,
  URL_OF_CHART,
} from "./example-trends.ts"

const RECOVERY = metric("recovery_score", "Recovery", "%")
const STRAIN = metric("strain", "Strain", null)

const side = (lastDaysAgo: number, days: number, mean: Figure) => ({
  start_date: dateBefore(lastDaysAgo + days - 1),
  end_date: dateBefore(lastDaysAgo),
  days,
  n: days - 1,
  missing: 1,
  mean,
  median: mean,
  sd: 6.4,
})

const pointsAround = (lastDaysAgo: number, days: number, mean: number): [string, Figure][] =>
  Array.from({ length: days }, (_, index) => [dateBefore(lastDaysAgo + index), round(mean + 11 * noise(index + mean))])

const COMPARISON: ChartOf<"comparison"> = {
  kind: "comparison",
  url: URL_OF_CHART,
  metric: HRV,
  points: { period: pointsAround(0, 28, 66.1), with: pointsAround(28, 28, 61.9) },
  answer: {
    ...FROM,
    metric: "hrv",
    unit: "ms",
    period: side(0, 28, 66.1),
    with: side(28, 28, 61.9),
    difference: 4.2,
    interval: [0.9, 7.5],
    effect_size: 0.66,
    verdict: "higher",
    comparable: true,
    method: "rmssd",
  },
}

const PERIOD = { start_date: dateBefore(179), end_date: LAST_DATE, days: 180 }

const BY_STRAIN: Chart = {
  kind: "relation",
  url: URL_OF_CHART,
  outcome: RECOVERY,
  factors: [STRAIN],
  answer: {
    ...FROM,
    outcome: "recovery_score",
    factor: "strain",
    lag: 1,
    period: PERIOD,
    n: 171,
    rho: -0.31,
    interval: [-0.45, -0.16],
    verdict: "negative",
    groups: [
      { from: 4.1, to: 9.8, n: 57, mean: 66.4, sd: 15.1 },
      { from: 9.9, to: 13.2, n: 57, mean: 61.2, sd: 14.2 },
      { from: 13.3, to: 19.7, n: 57, mean: 54.9, sd: 16.8 },
    ],
    part_of_outcome: false,
  },
}

const BY_ALCOHOL: Chart = {
  kind: "relation",
  url: URL_OF_CHART,
  outcome: RECOVERY,
  factors: [ALCOHOL],
  answer: {
    ...FROM,
    outcome: "recovery_score",
    factor: "journal:alcohol",
    lag: 0,
    period: PERIOD,
    n: 150,
    unanswered: 21,
    yes: { n: 41, mean: 52.3, sd: 15.9 },
    no: { n: 109, mean: 63.1, sd: 14.6 },
    difference: -10.2,
    interval: [-14.6, -5.8],
    verdict: "lower",
    part_of_outcome: false,
  },
}

/** A difference that is small beside the spread of the outcome. */
export const UNCLEAR: ChartOf<"relation"> = {
  kind: "relation",
  url: URL_OF_CHART,
  outcome: ASLEEP,
  factors: [ALCOHOL],
  answer: {
    ...FROM,
    outcome: "asleep",
    factor: "journal:alcohol",
    lag: 0,
    period: PERIOD,
    n: 150,
    unanswered: 21,
    yes: { n: 41, mean: 7.49, sd: 0.83 },
    no: { n: 109, mean: 7.48, sd: 0.79 },
    difference: 0.012,
    interval: [-0.271, 0.295],
    verdict: "no_clear_difference",
    part_of_outcome: false,
  },
}

const FACTORS = [
  "Strain",
  "Time asleep",
  "Bedtime",
  "Energy burned",
  "Steps",
  "Sleep consistency",
  "Respiratory rate",
  "Time in workouts",
  "Deep sleep",
]

const RHOS = [-0.41, 0.36, -0.22, 0.11, -0.08, 0.07, 0.05, -0.03, 0.01]
const around = (rho: number): [number, number] => [rho - 0.15, rho + 0.15]

const BY_ALL: Chart = {
  kind: "relation",
  url: URL_OF_CHART,
  outcome: RECOVERY,
  factors: [...FACTORS.map((title, index) => metric(`factor_${index}`, title, null)), ALCOHOL],
  answer: {
    ...FROM,
    outcome: "recovery_score",
    lag: 0,
    period: PERIOD,
    tried: 10,
    false_discovery_rate: 0.1,
    relations: [
      {
        factor: "journal:alcohol",
        kind: "yes_no",
        n: 150,
        yes_n: 38,
        difference: -10.2,
        interval: [-14.6, -5.8],
        verdict: "lower",
        part_of_outcome: false,
      },
      ...FACTORS.map((_, index) => ({
        factor: `factor_${index}`,
        kind: "number" as const,
        n: 171 - index,
        rho: RHOS[index] ?? null,
        interval: around(RHOS[index] ?? 0),
        part_of_outcome: false,
        verdict:
          index > 2 ? ("no_clear_relation" as const) : index === 1 ? ("positive" as const) : ("negative" as const),
      })),
    ],
  },
}

const NIGHT = {
  score_state: "scored",
  source: "oura",
  ...{ start_minutes: -41, end_minutes: 418, start_time: "23:19", end_time: "06:58" },
  duration_hours: 7.65,
  asleep_hours: 7.02,
  need_hours: 8.1,
  performance: 87,
  deep_hours: 1.42,
  rem_hours: 1.75,
  light_hours: 3.85,
  awake_hours: 0.63,
} as const

const PHASES = ["light", "deep", "light", "rem", "light", "deep", "awake", "light", "rem", "light", "rem"] as const
const COURSE = {
  interval_minutes: 5,
  phases: Array.from({ length: 92 }, (_, index) => PHASES[Math.floor(index / 8.5)] ?? "light"),
}

export const NO_POINTS = trendChart({ has: () => false })
export const ONE_POINT = trendChart({ has: (daysAgo) => daysAgo === 30 })
export const GAPS = trendChart({
  has: (daysAgo) => daysAgo % 11 > 2 && (daysAgo < 40 || daysAgo > 52),
  answer: { notes: ["Heart rate variability for 2026-11-21 is not scored yet, so it is left out."] },
})
export const NINETY_POINTS = trendChart({ answer: RISING })

const pad = (value: number): string => String(value).padStart(2, "0")

interface SeriesExample extends Partial<ChartOf<"series">> {
  readonly times: readonly string[]
  readonly valueAt: (index: number) => number
  /** How far the lowest and the highest value are from the mean. */
  readonly reach?: number
}

function seriesChart({ times, valueAt, reach, ...given }: SeriesExample): ChartOf<"series"> {
  const points = times.map((time, index) => {
    const value = round(valueAt(index))
    return { time, value, ...(reach !== undefined && { low: value - reach, high: value + 2 * reach }) }
  })
  const of = { ...metric("heart_rate", "Heart rate", "bpm"), clock: "24h" as const }
  const answer = { metric: of, source: "oura", resolution: "1h" as const, method: null, segments: [], notes: [] }
  return { kind: "series", url: URL_OF_CHART, points, ...answer, ...given }
}

const hoursOf = (date: string, last = 23) => Array.from({ length: last + 1 }, (_, hour) => `${date}T${pad(hour)}:00`)
const heartRateAt = (hour: number): number => 58 + 30 * Math.max(0, Math.sin(((hour % 24) - 6) / 5)) + 4 * noise(hour)
const STEPS = { ...metric("steps", "Steps", null), decimals: 0 }

/** Stages from 23:20 on, and of a nap on the date before. */
const STAGES = [
  { start: "2026-11-20T14:02", minutes: 32, stage: "light" as const },
  ...PHASES.map((stage, index) => {
    const minutes = -40 + index * 42
    const [date, ofDay] = minutes < 0 ? ["2026-11-20", minutes + 1440] : [LAST_DATE, minutes]
    return { start: `${date}T${pad(Math.floor(ofDay / 60))}:${pad(ofDay % 60)}`, minutes: 42, stage }
  }),
]

/** Every chart, by the name of its screenshot. */
export const EXAMPLE_CHARTS = {
  "trend-0-points": NO_POINTS,
  "trend-1-point": ONE_POINT,
  "trend-gaps": GAPS,
  "trend-90-points": NINETY_POINTS,
  "trend-10-years": trendChart({
    days: 3650,
    has: (daysAgo) => daysAgo < 3000 && daysAgo % 9 > 0,
    valueOn: (daysAgo) => round(64 - daysAgo * 0.004 + 5 * noise(Math.floor(daysAgo / 40)) + 7 * noise(daysAgo)),
    answer: { ...RISING, slope_per_30_days: 0.1, interval: [0.1, 0.2] },
  }),
  "trend-400-days-from-sunday": { ...trendChart({ days: 400 }), first_weekday: "sunday" },
  "trend-bedtimes": trendChart({ days: 30, of: BEDTIME, valueOn: bedtimeOn, answer: { mean: "23:48" } }),
  "trend-bedtimes-12h": trendChart({
    days: 30,
    of: { ...BEDTIME, clock: "12h" },
    valueOn: bedtimeOn,
    answer: { mean: "23:48" },
  }),
  "trend-asleep": trendChart({
    days: 30,
    of: ASLEEP,
    valueOn: (daysAgo) => 7.49 + Math.round(90 * noise(daysAgo)) / 100,
    answer: { mean: 7.49, usual: { low: 6.9, high: 8.02, n: 20 } },
  }),
  "weekdays-hrv": trendChart({ answer: { ...RISING, groups: byWeekday([61, 62.4, 63.1, 63.9, 66.2, 68.2, 64], 6.1) } }),
  "weekdays-asleep": trendChart({
    of: ASLEEP,
    valueOn: () => 7.3,
    answer: { groups: byWeekday([7.1, 7.12, 7.02, 7.2, 7.31, 8.1, 7.49], 0.8) },
  }),
  "weekdays-bedtimes": trendChart({
    of: BEDTIME,
    valueOn: bedtimeOn,
    answer: { groups: byWeekday(["23:31", "23:40", "23:35", "23:50", "00:41", "01:02", "23:20"], 38) },
  }),
  "weekdays-bedtimes-12h": {
    ...trendChart({
      of: { ...BEDTIME, clock: "12h" },
      valueOn: bedtimeOn,
      answer: { groups: byWeekday(["23:31", "23:40", "23:35", "23:50", "00:41", "01:02", "23:20"], 38) },
    }),
    first_weekday: "sunday",
  },
  "weekdays-alcohol": trendChart({
    of: ALCOHOL,
    valueOn: (daysAgo) => daysAgo % 2,
    answer: { mean: 0.32, groups: byWeekday([0.08, 0.17, 0.08, 0.31, 0.58, 0.77, 0.25], 0.4) },
  }),
  "trend-by-month": trendChart({
    answer: {
      groups: [
        { group: "2026-08", n: 8, mean: 60.1, sd: 5.9 },
        { group: "2026-09", n: 30, mean: 61.2, sd: 6.3 },
        { group: "2026-10", n: 31, mean: 62.9, sd: 6 },
        { group: "2026-11", n: 21, mean: 63.4, sd: 5.7 },
      ],
    },
  }),
  comparison: COMPARISON,
  "comparison-without-points": { ...COMPARISON, points: null },
  "relation-strain": BY_STRAIN,
  "relation-alcohol": BY_ALCOHOL,
  "relation-unclear": UNCLEAR,
  "relation-all": BY_ALL,
  "night-phases": { kind: "night", url: URL_OF_CHART, date: LAST_DATE, night: { ...NIGHT, course: COURSE } },
  "night-stages": {
    kind: "night",
    url: URL_OF_CHART,
    date: LAST_DATE,
    night: { ...NIGHT, source: "whoop", course: null },
  },
  "night-12h": {
    kind: "night",
    url: URL_OF_CHART,
    date: LAST_DATE,
    clock: "12h",
    night: { ...NIGHT, course: COURSE },
  },
  "night-pending": {
    kind: "night",
    url: URL_OF_CHART,
    date: LAST_DATE,
    night: {
      ...NIGHT,
      score_state: "pending",
      asleep_hours: null,
      need_hours: null,
      performance: null,
      deep_hours: null,
      rem_hours: null,
      light_hours: null,
      awake_hours: null,
      course: null,
    },
  },
  "series-day": seriesChart({ times: hoursOf(LAST_DATE), valueAt: heartRateAt, reach: 6 }),
  "series-quarters-12h": seriesChart({
    times: hoursOf(LAST_DATE)
      .flatMap((hour) => ["00", "15", "30", "45"].map((minutes) => `${hour.slice(0, 14)}${minutes}`))
      .filter((_, index) => index < 30 || index > 50),
    valueAt: (index) => heartRateAt(index / 4),
    reach: 3,
    resolution: "15m",
    metric: { ...metric("heart_rate", "Heart rate", "bpm"), clock: "12h" },
  }),
  "series-25-hours": seriesChart({
    times: [...hoursOf(LAST_DATE), `${LAST_DATE}T24:00`],
    valueAt: heartRateAt,
    reach: 6,
    notes: [`Clocks change on ${LAST_DATE}: its times count from its midnight, and it ends at 25:00.`],
  }),
  "series-four-dates": seriesChart({
    times: [3, 2, 1, 0].flatMap((daysAgo) => hoursOf(dateBefore(daysAgo), daysAgo === 0 ? 9 : 23)),
    valueAt: heartRateAt,
    reach: 6,
  }),
  "series-steps": seriesChart({
    times: hoursOf(LAST_DATE).slice(7),
    valueAt: (index) => Math.round(900 * Math.abs(noise(index))),
    metric: STEPS,
  }),
  "series-steps-by-day": seriesChart({
    times: Array.from({ length: 60 }, (_, index) => dateBefore(59 - index)),
    valueAt: (index) => Math.round(8000 + 3000 * noise(index)),
    resolution: "1d",
    metric: STEPS,
  }),
  "series-weights": seriesChart({
    times: [80, 61, 60, 33, 12, 3, 0].map((daysAgo) => `${dateBefore(daysAgo)}T06:1${daysAgo % 10}Z`),
    valueAt: (index) => 72.4 - index * 0.3 + noise(index) / 2,
    resolution: "raw",
    source: "withings",
    metric: metric("weight", "Weight", "kg"),
  }),
  "series-one-value": seriesChart({
    times: [`${LAST_DATE}T06:12Z`],
    valueAt: () => 72.4,
    resolution: "raw",
    metric: metric("weight", "Weight", "kg"),
  }),
  "series-stages": seriesChart({
    times: [],
    valueAt: () => 0,
    resolution: "raw",
    metric: metric("sleep_stages", "Sleep stages", null),
    segments: STAGES,
  }),
  "night-missing": { kind: "night", url: URL_OF_CHART, date: LAST_DATE, night: null },
} satisfies Readonly<Record<string, Chart>>

/** The result of a tool that carries a chart. */
export const resultWith = (chart: Chart, text = "Rising: +1.8 ms in 30 days.") => ({
  content: [{ type: "text" as const, text }],
  structuredContent: {},
  _meta: { "restwell/chart": chart },
})
