import { autocorrelationOf } from "./autocorrelation.ts"
import { seriesOf } from "./columns.ts"
import { centreOf } from "./describe.ts"
import { certaintyByWelch, differenceVerdict, intervalAround } from "./difference.ts"
import { meanOf } from "./moments.ts"
import { type Measured, type Pairs, pairsOf } from "./pairs.ts"
import type { Sides } from "./relate-numbers.ts"
import type { Series } from "./series.ts"
import { valuesOf } from "./series.ts"
import { studentTwoSided } from "./student-t.ts"
import type { DifferenceVerdict, Interval } from "./verdict.ts"

const FEWEST_DATES = 8

/** Dates with one answer. */
export interface Answered {
  readonly n: number
  /** Mean outcome. Null without dates. */
  readonly mean: number | null
}

export interface AnswerRelation {
  readonly kind: "yes_no"
  /** Dates with an answer and an outcome. */
  readonly n: number
  /** Dates with an outcome and without an answer. */
  readonly unanswered: number
  readonly yes: Answered
  readonly no: Answered
  /** Yes minus no, of the outcome without its running median. Null where one of the answers was never given. */
  readonly difference: number | null
  /** 95 %. Null without enough data. */
  readonly interval: Interval | null
  readonly verdict: DifferenceVerdict
  /** Probability of such a difference without a relation. Null without enough data. */
  readonly probability: number | null
}

/** How a yes or no goes with the outcome. */
export function relateAnswers({ factor, outcome, lag }: Sides): AnswerRelation {
  const pairs = pairsOf(factor.values, outcome.values, lag)
  const detrended = pairsOf(factor.values, outcome.detrended, lag)
  return {
    kind: "yes_no",
    n: pairs.days.length,
    unanswered: outcome.values.days.length - pairs.days.length,
    yes: answeredOf(outcome, outcomesOf(pairs, true)),
    no: answeredOf(outcome, outcomesOf(pairs, false)),
    ...differenceOf(outcomesOf(detrended, true), outcomesOf(detrended, false)),
  }
}

const outcomesOf = ({ days, factor, outcome }: Pairs, isYes: boolean): Series =>
  seriesOf({ days, values: outcome.values }).filter((_, index) => (factor.values[index] ?? 0) > 0 === isYes)

const answeredOf = ({ kind }: Measured, series: Series): Answered => ({
  n: series.length,
  mean: series.length === 0 ? null : centreOf(kind, valuesOf(series)).mean,
})

function differenceOf(
  yes: Series,
  no: Series,
): Pick<AnswerRelation, "difference" | "interval" | "verdict" | "probability"> {
  if (yes.length === 0 || no.length === 0)
    return { difference: null, interval: null, verdict: "not_enough_data", probability: null }
  const difference = meanOf(valuesOf(yes)) - meanOf(valuesOf(no))
  if (yes.length < FEWEST_DATES || no.length < FEWEST_DATES)
    return { difference, interval: null, verdict: "not_enough_data", probability: null }
  const certainty = certaintyByWelch(yes, no, autocorrelationOf(aroundOwnMeans(yes, no)))
  const interval = intervalAround(difference, certainty)
  return {
    difference,
    interval,
    verdict: differenceVerdict(interval),
    probability: studentTwoSided(difference / (certainty.standardError || Number.MIN_VALUE), certainty.degrees),
  }
}

/** Answers alternate, so the memory is that of all dates: each value around the mean of its answer, in the order of the days. */
function aroundOwnMeans(yes: Series, no: Series): Series {
  return [yes, no]
    .flatMap((side) => {
      const mean = meanOf(valuesOf(side))
      return side.map(({ day, value }) => ({ day, value: value - mean }))
    })
    .toSorted((one, other) => one.day - other.day)
}
