/* Section 6 of the statistics: how one thing goes with another. */
import { correlation, median, quantile, ranks, sum } from "./arithmetic.ts"
import { circularMean } from "./clock.ts"
import { verdictOf } from "./compare.ts"
import type { DailyValue } from "./daily-values.ts"
import { differenceOf } from "./difference.ts"
import { NORMAL_QUANTILE, normalTail } from "./distributions.ts"
import { type Expected, NumberFigure } from "./figure.ts"
import { centred, type Dated, memoryOf } from "./memory.ts"
import type { Metric } from "./metrics.ts"
import { changeOf, type Days, figureOf, intervalOf, isWithin, meanOf, newestPart, onALine } from "./part.ts"

/** A metric with every value of it. */
export interface Measure {
  readonly metric: Metric
  readonly all: readonly DailyValue[]
}

export interface RelateQuestion {
  readonly outcome: Measure
  readonly lag: number
  /** The dates of the outcome. */
  readonly days: Days
}

/** What one factor shows, before false discoveries are counted. */
export interface Relation {
  readonly factor: Metric
  readonly n: number
  /** Undefined without enough data for a test. */
  readonly chance: number | undefined
  readonly verdict: string
  readonly figures: Record<string, Expected>
}

const HALF_WINDOW = 14
const FEWEST_PAIRS = 20
const FEWEST_OF_A_SIDE = 8

/** Equal differences of decimal numbers are equal: the last digits of a double are noise, and would break ties of ranks. */
const withoutNoise = (value: number): number => Math.round(value * 1e8) / 1e8

/** The values minus the median of the 29 dates around each. */
export const detrended = (values: readonly DailyValue[]): DailyValue[] =>
  values.map((each) => {
    const around = values.filter(({ day }) => Math.abs(day - each.day) <= HALF_WINDOW)
    return { ...each, value: withoutNoise(each.value - (median(around.map(({ value }) => value)) ?? 0)) }
  })

/** Pearson's correlation of the ranks. Null where one side is constant. */
export const spearman = (one: readonly number[], other: readonly number[]): number | null =>
  correlation(ranks(one), ranks(other))

interface Pair {
  /** Of the outcome. */
  readonly day: number
  readonly outcome: number
  readonly factor: number
}

/** An outcome's values with those of a factor `lag` days earlier. */
function pairsOf(outcome: readonly DailyValue[], factor: readonly DailyValue[], { lag, days }: RelateQuestion): Pair[] {
  const factorOn = new Map(factor.map(({ day, value }) => [day, value]))
  return outcome
    .filter((each) => isWithin(days, each))
    .flatMap(({ day, value }) => {
      const known = factorOn.get(day - lag)
      return known === undefined ? [] : [{ day, outcome: value, factor: known }]
    })
}

export function relationOf(question: RelateQuestion, factor: Measure): Relation {
  return factor.metric.kind === "yes_no" ? answersRelation(question, factor) : numbersRelation(question, factor)
}

/** The series, also beyond the range. Clock times lie around the mean of the range. */
function lineOf({ metric, all }: Measure, days: Days, lag: number): DailyValue[] {
  const range = { first: days.first - lag, last: days.last - lag }
  const whole = newestPart(metric, all)
  const minutes = whole.filter((each) => isWithin(range, each)).map(({ value }) => value)
  return onALine(metric, whole, circularMean(minutes) ?? 0)
}

function numbersRelation(question: RelateQuestion, factor: Measure): Relation {
  const { outcome, days, lag } = question
  const lines = { outcome: lineOf(outcome, days, 0), factor: lineOf(factor, days, lag) }
  const plain = pairsOf(lines.outcome, lines.factor, question)
  const pairs = pairsOf(detrended(lines.outcome), detrended(lines.factor), question)
  const rho = spearman(
    pairs.map((pair) => pair.outcome),
    pairs.map((pair) => pair.factor),
  )
  const isEnough = pairs.length >= FEWEST_PAIRS
  const test = isEnough && rho !== null ? fisher(pairs, rho) : undefined
  return {
    factor: factor.metric,
    n: pairs.length,
    chance: isEnough ? (test?.chance ?? 1) : undefined,
    verdict: !isEnough ? "not_enough_data" : !test ? "no_clear_relation" : signOf(test.interval),
    figures: {
      n: pairs.length,
      rho: rho === null ? null : new NumberFigure(rho, 2),
      interval: test ? test.interval.map((limit) => new NumberFigure(limit, 2)) : null,
      groups: thirdsOf(outcome.metric, factor.metric, plain),
    },
  }
}

const signOf = ([low, high]: readonly [number, number]): string =>
  low > 0 ? "positive" : high < 0 ? "negative" : "no_clear_relation"

/** Fisher's z with the variance of Bonett and Wright (2000), Psychometrika 65:23, on the effective size. */
function fisher(
  pairs: readonly Pair[],
  rho: number,
): { interval: readonly [number, number]; chance: number } | undefined {
  const memory = (side: readonly Dated[]) => memoryOf([centred(side)])
  const product =
    memory(pairs.map(({ day, outcome }) => ({ day, value: outcome }))) *
    memory(pairs.map(({ day, factor }) => ({ day, value: factor })))
  const size = Math.min(pairs.length, (pairs.length * (1 - product)) / (1 + product))
  if (size <= 3) return undefined
  const error = Math.sqrt((1 + rho ** 2 / 2) / (size - 3))
  const z = Math.atanh(rho)
  const half = NORMAL_QUANTILE * error
  return { interval: [Math.tanh(z - half), Math.tanh(z + half)], chance: normalTail(z / error) }
}

/** Low, middle and high values of the factor, with what the outcome was. Equal values stay together, so that a third may be empty. */
function thirdsOf(outcome: Metric, factor: Metric, pairs: readonly Pair[]): Expected[] {
  const values = pairs.map((pair) => pair.factor)
  const [low = 0, high = 0] = [1 / 3, 2 / 3].map((share) => quantile(values, share) ?? 0)
  const thirds = [
    pairs.filter((pair) => pair.factor <= low),
    pairs.filter((pair) => pair.factor > low && pair.factor <= high),
    pairs.filter((pair) => pair.factor > high),
  ]
  return thirds
    .filter((third) => third.length > 0)
    .map((third) => ({
      from: figureOf(factor, Math.min(...third.map((pair) => pair.factor))),
      to: figureOf(factor, Math.max(...third.map((pair) => pair.factor))),
      n: third.length,
      mean: figureOf(
        outcome,
        meanOf(
          outcome,
          third.map((pair) => pair.outcome),
        ),
      ),
    }))
}

function answersRelation(question: RelateQuestion, factor: Measure): Relation {
  const { outcome, days, lag } = question
  const line = lineOf(outcome, days, 0)
  const answers = lineOf(factor, days, lag)
  const plain = pairsOf(line, answers, question)
  const sides = [1, 0].map((answer) =>
    pairsOf(detrended(line), answers, question)
      .filter((pair) => pair.factor === answer)
      .map((pair) => ({ day: pair.day, value: pair.outcome })),
  )
  const [yes = [], no = []] = sides
  const isEnough = Math.min(yes.length, no.length) >= FEWEST_OF_A_SIDE
  const found = differenceOf(yes, no, { areMixed: true })
  const side = (answer: number): Expected => {
    const values = plain.filter((pair) => pair.factor === answer).map((pair) => pair.outcome)
    return { n: values.length, mean: figureOf(outcome.metric, meanOf(outcome.metric, values)) }
  }
  return {
    factor: factor.metric,
    n: plain.length,
    chance: isEnough ? found?.chance : undefined,
    verdict: isEnough && found ? verdictOf(found) : "not_enough_data",
    figures: {
      n: plain.length,
      unanswered: line.filter((each) => isWithin(days, each)).length - plain.length,
      yes: side(1),
      no: side(0),
      difference: changeOf(outcome.metric, found?.difference ?? null),
      interval: intervalOf(outcome.metric, isEnough && found ? found.interval : null),
    },
  }
}

/** Benjamini and Yekutieli (2001), Ann. Stat. 29:1165: the largest k with p(k) at most 0.1 k / (m (1 + 1/2 + ... + 1/m)). */
export function discoveries(relations: readonly Relation[]): Relation[] {
  const tried = relations.flatMap((relation) =>
    relation.chance === undefined ? [] : [{ relation, chance: relation.chance }],
  )
  const surestFirst = tried.sort((one, other) => one.chance - other.chance)
  const harmonic = sum(surestFirst.map((_, index) => 1 / (index + 1)))
  const limit = (index: number) => (0.1 * (index + 1)) / (surestFirst.length * harmonic)
  const last = surestFirst.findLastIndex(({ chance }, index) => chance <= limit(index))
  return surestFirst.slice(0, last + 1).map(({ relation }) => relation)
}
