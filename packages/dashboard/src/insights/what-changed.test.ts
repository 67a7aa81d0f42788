import type { CompareResponse, Figure, Metric } from "@restwell/client"
import { comparedOf, metricNamed } from "@restwell/client/figures"
import { expect, test } from "vitest"
import { changedSentence } from "./what-changed.tsx"

type Verdict = CompareResponse["verdict"]

function figureOf(
  id:
    | "hrv"
    | "asleep"
    | "bedtime"
    | "resting_heart_rate"
    | "strain"
    | "respiratory_rate"
    | "steps"
    | "skin_temp_deviation",
  verdict: Verdict,
  difference: number | null,
  [mean, before]: readonly Figure[] = [],
) {
  const metric: Metric = { ...metricNamed(id), sources: ["whoop"], first_date: null, last_date: null, n: 90 }
  const side = {
    start_date: "2026-10-25",
    end_date: "2026-11-23",
    days: 30,
    n: 30,
    missing: 0,
    median: null,
    sd: 5,
  }
  const source = { provider: "whoop", status: "ok", last_synced_at: null } as const
  const answer: CompareResponse = {
    metric: id,
    unit: metric.unit,
    period: { ...side, mean: mean ?? null },
    with: { ...side, mean: before ?? null },
    difference,
    interval: null,
    effect_size: 0.3,
    verdict,
    comparable: true,
    source,
    method: null,
    notes: [],
    sources: [source],
  }
  return { metric, answer }
}

const METRIC = { units: "metric" } as const

test("what changed clearly is named with its size, and nothing else", () => {
  expect(
    changedSentence(
      [
        figureOf("resting_heart_rate", "higher", 3.1),
        figureOf("hrv", "no_clear_difference", -4.2),
        figureOf("bedtime", "lower", -24),
      ],
      30,
      METRIC,
    ),
  ).toBe("Resting heart rate 3 bpm higher, bedtime 24 minutes earlier than in the 30 days before.")
  expect(changedSentence([figureOf("hrv", "no_clear_difference", -4.2)], 30, METRIC)).toBe(
    "Nothing changed clearly in these 30 days.",
  )
  expect(changedSentence([figureOf("hrv", "not_enough_data", null)], 7, METRIC)).toBe(
    "Too few values to compare with the 7 days before.",
  )
})

test("a difference is a figure, and a word only where it is clear", () => {
  const wordsOf = ({ metric, answer }: ReturnType<typeof figureOf>) => comparedOf(metric, answer, METRIC).words
  expect(wordsOf(figureOf("hrv", "no_clear_difference", -4.2))).toBe("\u22124 ms")
  expect(wordsOf(figureOf("resting_heart_rate", "no_clear_difference", 0.4))).toBe("+0.4 bpm")
  expect(wordsOf(figureOf("hrv", "no_clear_difference", 0))).toBe("\u00b10 ms")
  expect(wordsOf(figureOf("asleep", "no_clear_difference", 0.2))).toBe("+12 minutes")
  expect(wordsOf(figureOf("resting_heart_rate", "higher", 3.1))).toBe("3 bpm higher")
})

test("a difference is the true one, with a decimal more where the rounded averages beside it differ by something else", () => {
  const wordsOf = (...given: Parameters<typeof figureOf>) => {
    const { metric, answer } = figureOf(...given)
    return comparedOf(metric, answer, METRIC).words
  }
  expect(wordsOf("hrv", "no_clear_difference", 1.5, [79.5, 78])).toBe("+2 ms")
  expect(wordsOf("hrv", "no_clear_difference", 1.46, [79.5, 78])).toBe("+1.5 ms")
  expect(wordsOf("hrv", "higher", 5.6, [66.4, 60.8])).toBe("5.6 ms higher")
  expect(wordsOf("hrv", "higher", 5.6, [66.6, 61])).toBe("6 ms higher")
  expect(wordsOf("hrv", "no_clear_difference", 0.2, [79.6, 79.4])).toBe("+0.2 ms")
  expect(wordsOf("resting_heart_rate", "higher", 0.6, [47.4, 46.8])).toBe("0.6 bpm higher")
  expect(wordsOf("resting_heart_rate", "no_clear_difference", -0.02, [46.5, 46.5])).toBe("\u00b10 bpm")
  // Its averages are "−0.1 °C" and "about zero".
  expect(wordsOf("skin_temp_deviation", "no_clear_difference", -0.02, [-0.06, -0.04])).toBe("\u00b10 °C")
  expect(wordsOf("skin_temp_deviation", "no_clear_difference", -0.3, [-0.26, 0.04])).toBe("\u22120.3 °C")
  expect(wordsOf("strain", "no_clear_difference", 0.003, [12.3, 12.3])).toBe("\u00b10")
  expect(wordsOf("steps", "no_clear_difference", -562.6, [8929.6, 9492.2])).toBe("\u2212562")
  expect(wordsOf("steps", "no_clear_difference", -12.6, [8929.4, 8942.0])).toBe("\u221213")
  expect(wordsOf("steps", "no_clear_difference", -12.6, [8929.6, 8942.2])).toBe("\u221212.6")
})

test("a difference of times is that of the two times beside it", () => {
  const wordsOf = (...given: Parameters<typeof figureOf>) => {
    const { metric, answer } = figureOf(...given)
    return comparedOf(metric, answer, METRIC).words
  }
  expect(wordsOf("bedtime", "no_clear_difference", -22.6, ["22:44", "23:06"])).toBe("\u221222 minutes")
  expect(wordsOf("bedtime", "higher", 59.6, ["00:20", "23:20"])).toBe("1 h 00 min later")
  expect(wordsOf("asleep", "no_clear_difference", 0.17, [7.52, 7.36])).toBe("+9 minutes")
  expect(wordsOf("asleep", "lower", -0.5, [7.5, 8.01])).toBe("31 minutes less")
  expect(wordsOf("bedtime", "no_clear_difference", -0.4, ["23:06", "23:06"])).toBe("\u00b10 minutes")
  expect(wordsOf("bedtime", "lower", -0.4, ["23:06", "23:06"])).toBe("less than a minute earlier")
  // Without averages beside it.
  expect(wordsOf("bedtime", "higher", 22.6)).toBe("23 minutes later")
})
