import type { CompareResponse, Metric } from "@restwell/client"
import { metricNamed } from "@restwell/client/figures"
import { expect, test } from "vitest"
import { NO_DAY } from "../../test/no-day.ts"
import { missingText, usualWords } from "./figures.tsx"
import { weekFigure, weekSentence, worthKnowing } from "./sentence.ts"

const METRICS = {
  asleep: { title: "Time asleep", unit: "h", decimals: 2 },
  recovery_score: { title: "Recovery", unit: "%", decimals: 1 },
} as const

type Verdict = CompareResponse["verdict"]

function figureOf(id: keyof typeof METRICS, verdict: Verdict, difference: number, mean: number | null, effect = 0.5) {
  const metric: Metric = {
    id,
    better: "higher",
    kind: "number",
    sources: ["whoop"],
    first_date: null,
    last_date: null,
    n: 90,
    ...METRICS[id],
  }
  const side = { start_date: "2026-11-17", end_date: "2026-11-23", days: 7, n: mean === null ? 0 : 7, missing: 0 }
  const source = { provider: "whoop", status: "ok", last_synced_at: null } as const
  return weekFigure(metric, {
    metric: id,
    unit: metric.unit,
    period: { ...side, mean, median: mean, sd: 1 },
    with: { ...side, mean: mean === null ? null : mean - difference, median: null, sd: 1 },
    difference,
    interval: null,
    effect_size: effect,
    verdict,
    comparable: true,
    source,
    method: null,
    notes: [],
    sources: [source],
  })
}

const metricWith = (id: "resting_heart_rate"): Metric => ({
  ...metricNamed(id),
  sources: ["whoop"],
  first_date: null,
  last_date: null,
  n: 90,
})

const PREFERENCES = { units: "metric", clock: "24h", first_weekday: "monday" } as const

const none = "no_clear_difference"

test.each([
  [
    "higher",
    "higher",
    "A good week: you slept 31 minutes more and your recovery was 6 points higher than the week before.",
  ],
  ["higher", none, "A good week: you slept 31 minutes more than the week before, and your recovery averaged 76 %."],
  [
    "lower",
    "higher",
    "A mixed week: you slept 31 minutes less and your recovery was 6 points higher than the week before.",
  ],
  [
    none,
    "lower",
    "A harder week: your recovery was 6 points lower than the week before, and you slept 7 h 41 min a night.",
  ],
  [
    none,
    none,
    "Nothing changed clearly from the week before: you slept 7 h 41 min a night and your recovery averaged 76 %.",
  ],
] as const)("asleep %s, recovery %s", (asleep, recovery, sentence) => {
  const signOf = (verdict: Verdict) => (verdict === "lower" ? -1 : 1)
  const figures = [
    figureOf("asleep", asleep, signOf(asleep) * 0.52, 7.68),
    figureOf("recovery_score", recovery, signOf(recovery) * 6.2, 76.1),
  ]
  expect(weekSentence(figures, PREFERENCES)).toBe(sentence)
})

test("a small difference that is not clear is none, and a week without a night has no figures", () => {
  expect(weekSentence([figureOf("asleep", none, 0.02, 7.5, 0.1)], PREFERENCES)).toBe(
    "Nothing changed clearly from the week before: you slept 7 h 30 min a night.",
  )
  expect(weekSentence([figureOf("asleep", "not_enough_data", 0, null)], PREFERENCES)).toBe(
    "No night of this week has figures yet.",
  )
})

test("a week in which another figure changed is none in which nothing changed", () => {
  const asleep = figureOf("asleep", none, 0.02, 7.5, 0.1)
  const other = { ...figureOf("recovery_score", "higher", 3, 60), metric: metricWith("resting_heart_rate") }
  expect(weekSentence([asleep, other], PREFERENCES)).toBe(
    "You slept 7 h 30 min a night. Clearly changed from the week before: resting heart rate 3 bpm higher.",
  )
  expect(weekSentence([figureOf("asleep", "higher", 0.52, 7.68), other], PREFERENCES)).toBe(
    "A good week: you slept 31 minutes more than the week before. Also clearly changed: resting heart rate 3 bpm higher.",
  )
})

test("a bedtime is later than usual, and a figure is above it", () => {
  const [bedtime, hrv] = [metricNamed("bedtime"), metricNamed("hrv")]
  expect(usualWords(bedtime, "higher")).toBe(", so later than usual")
  expect(usualWords(bedtime, "lower")).toBe(", so earlier than usual")
  expect(usualWords(hrv, "higher")).toBe(", so above usual")
  expect(usualWords(hrv, "no_clear_difference")).toBe("")
})

test("what is missing today may still come", () => {
  expect(missingText("none", true)).toBe("not here yet")
  expect(missingText("none", false)).toBe("no data")
  expect(missingText("pending", true)).toBe("not scored yet")
})

const strained = (date: string, source: string, sport: string, strain: number) => ({
  ...NO_DAY,
  date,
  workouts: [
    {
      source,
      id: `${source}-${date}`,
      sport_type: sport,
      score_state: "scored" as const,
      start: `${date}T10:00:00.000Z`,
      start_local: `${date}T10:00:00+00:00`,
      start_minutes: 600,
      duration_hours: 1,
      strain,
      average_heart_rate: null,
      max_heart_rate: null,
      calories: null,
      distance_meters: null,
      device: null,
    },
  ],
})

test("the hardest workout is of the source with most strains: a load of 35 is no more than a strain of 18.9 of 21", () => {
  const days = [
    strained("2026-11-23", "whoop", "running", 18.9),
    strained("2026-11-24", "whoop", "cycling", 9.1),
    strained("2026-11-25", "intervals", "walking", 35),
  ]
  expect(worthKnowing(days, [])).toEqual(["3 workouts, 3 h 00 min. The hardest: running on Monday, strain 18.9."])
})
