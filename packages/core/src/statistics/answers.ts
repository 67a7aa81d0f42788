import type { ValueKind } from "./clock-times.ts"
import { centreOf } from "./describe.ts"
import {
  type DifferenceVerdict,
  differenceVerdict,
  type Interval,
  intervalAround,
  probabilityOf,
} from "./difference.ts"
import { autocorrelationOf, meanOf, sumOf } from "./moments.ts"
import {
  FEWEST_PAIRS_FOR_WEEK,
  jointSize,
  type Pair,
  type Prepared,
  pairsOf,
  WEEK_DEGREES,
  withoutWeek,
} from "./pairs.ts"
import { type Series, valuesOf } from "./series.ts"

/** Fewer dates with one of the answers are too few for an interval. */
const FEWEST_DATES = 8
/** Below this sum of squares the answers hardly differ, or differ only by weekday. */
const FEWEST_SQUARES = 1
/** Slope and mean. */
const ESTIMATED = 2

/** Dates with one answer. */
export interface Answered {
  readonly n: number
  /** Mean outcome. Null without dates. */
  readonly mean: number | null
  /** Standard deviation of the outcome. Null also for a single date. */
  readonly sd: number | null
}

interface Effect {
  /** Yes minus no, of the outcome without its running median and its week. Null where the answers do not differ. */
  readonly difference: number | null
  /** 95 %. Null where nothing can be claimed. */
  readonly interval: Interval | null
  readonly verdict: DifferenceVerdict
  /** Probability of such a difference without a relation. Null without enough data. */
  readonly probability: number | null
  /** Whether the pattern of the week was taken out. */
  readonly isWeekless: boolean
  /** Whether the answer follows from the weekday, so that the two cannot be told apart. */
  readonly isOfWeekday: boolean
}

export interface AnswerRelation extends Effect {
  readonly kind: "yes_no"
  /** Dates with an answer and an outcome. */
  readonly n: number
  /** Dates with an outcome and without an answer. */
  readonly unanswered: number
  readonly yes: Answered
  readonly no: Answered
}

/** How a yes or no goes with the outcome. @param lag days from the answer to the outcome */
export function relateAnswers(answers: Series, outcome: Prepared, lag: number): AnswerRelation {
  const pairs = pairsOf(answers, outcome.values, lag)
  return {
    kind: "yes_no",
    n: pairs.length,
    unanswered: outcome.values.length - pairs.length,
    yes: answeredOf(outcome.kind, pairs, true),
    no: answeredOf(outcome.kind, pairs, false),
    ...effectOf(pairsOf(answers, outcome.detrended.series, lag)),
  }
}

function answeredOf(kind: ValueKind, pairs: readonly Pair[], isYes: boolean): Answered {
  const outcomes = pairs.filter(({ factor }) => factor > 0 === isYes).map(({ outcome }) => outcome)
  return { n: outcomes.length, ...(outcomes.length === 0 ? { mean: null, sd: null } : centreOf(kind, outcomes)) }
}

/**
 * Least squares of the outcome on the answer, 1 or 0, both without their week, on the effective size of both together. Yes and no alternate,
 * so the memory of the outcome alone would make the interval wider than it is.
 * @see Bartlett 1935; Pyper and Peterman 1998, Can. J. Fish. Aquat. Sci. 55:2127
 */
function effectOf(pairs: readonly Pair[]): Effect {
  const n = pairs.length
  const isWeekless = n >= FEWEST_PAIRS_FOR_WEEK
  const adjust = isWeekless ? withoutWeek : withoutMean
  const factors = adjust(pairs.map(({ day, factor }) => ({ day, value: factor })))
  const outcomes = adjust(pairs.map(({ day, outcome }) => ({ day, value: outcome })))
  const squares = sumOfProducts(factors, factors)
  const yes = pairs.filter(({ factor }) => factor > 0).length
  const isOfWeekday = isWeekless && squares < FEWEST_SQUARES && Math.min(yes, n - yes) >= FEWEST_DATES
  const difference = squares < FEWEST_SQUARES ? null : sumOfProducts(factors, outcomes) / squares
  const common = { difference, isWeekless, isOfWeekday } as const
  if (difference === null || Math.min(yes, n - yes) < FEWEST_DATES)
    return { ...common, interval: null, probability: null, verdict: "not_enough_data" }
  const size = jointSize(n, autocorrelationOf(factors), autocorrelationOf(outcomes))
  const degrees = size - ESTIMATED - (isWeekless ? WEEK_DEGREES : 0)
  if (degrees < 1) return { ...common, interval: null, probability: 1, verdict: "no_clear_difference" }
  const residuals = sumOf(outcomes.map(({ value }, index) => (value - difference * (factors[index]?.value ?? 0)) ** 2))
  const certainty = { standardError: Math.sqrt(residuals / (degrees * squares)), degrees }
  const interval = intervalAround(difference, certainty)
  return {
    ...common,
    interval,
    verdict: differenceVerdict(interval),
    probability: probabilityOf(difference, certainty),
  }
}

function withoutMean(series: Series): Series {
  if (series.length === 0) return series
  const mean = meanOf(valuesOf(series))
  return series.map(({ day, value }) => ({ day, value: value - mean }))
}

/** @param ones of the same days as `others` */
const sumOfProducts = (ones: Series, others: Series): number =>
  sumOf(ones.map(({ value }, index) => value * (others[index]?.value ?? 0)))
