// The method of relations before the week was taken out, to measure beside the one that answers now.

import { certaintyByWelch, differenceVerdict, intervalAround } from "../../src/statistics/difference.ts"
import { autocorrelationOf, meanOf, NORMAL_975 } from "../../src/statistics/moments.ts"
import { type Pair, pairsOf, prepare, rankCorrelation } from "../../src/statistics/pairs.ts"
import { type Series, valuesOf } from "../../src/statistics/series.ts"
import type { RelateQuestion } from "./questions.ts"

const FEWEST_PAIRS = 20
const FEWEST_ANSWERS = 8
const NOTHING = { verdict: "not_enough_data", interval: null }

export function formerRelate({ factor, outcome, period }: RelateQuestion) {
  const { detrended } = prepare(outcome, period, 0)
  if (factor.kind === "yes_no") return formerAnswers(pairsOf(factor.history, detrended.series, 0))
  return formerNumbers(pairsOf(prepare(factor, period, 0).detrended.series, detrended.series, 0))
}

const sideOf = (pairs: readonly Pair[], side: "factor" | "outcome"): Series =>
  pairs.map((pair) => ({ day: pair.day, value: pair[side] }))

function formerNumbers(pairs: readonly Pair[]) {
  const [factors, outcomes] = [sideOf(pairs, "factor"), sideOf(pairs, "outcome")]
  const rho = rankCorrelation(valuesOf(factors), valuesOf(outcomes))
  if (pairs.length < FEWEST_PAIRS || rho === null) return NOTHING
  const memory = autocorrelationOf(factors) * autocorrelationOf(outcomes)
  const size = (pairs.length * (1 - memory)) / (1 + memory)
  const reach = NORMAL_975 * Math.sqrt((1 + rho ** 2 / 2) / (size - 3))
  const interval = { low: Math.tanh(Math.atanh(rho) - reach), high: Math.tanh(Math.atanh(rho) + reach) }
  return { verdict: interval.low > 0 ? "positive" : interval.high < 0 ? "negative" : "no_clear_relation", interval }
}

/** Welch's t, with the memory of all dates around the means of their answers. */
function formerAnswers(pairs: readonly Pair[]) {
  const [yes, no] = [1, 0].map((answer) =>
    sideOf(
      pairs.filter(({ factor }) => factor === answer),
      "outcome",
    ),
  )
  if (!yes || !no || Math.min(yes.length, no.length) < FEWEST_ANSWERS) return NOTHING
  const around = [yes, no].flatMap((side) => {
    const mean = meanOf(valuesOf(side))
    return side.map(({ day, value }) => ({ day, value: value - mean }))
  })
  const memory = autocorrelationOf(around.toSorted((one, other) => one.day - other.day))
  const certainty = certaintyByWelch(yes, no, memory)
  const interval = intervalAround(meanOf(valuesOf(yes)) - meanOf(valuesOf(no)), certainty)
  return { verdict: differenceVerdict(interval), interval }
}
