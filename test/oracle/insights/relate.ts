/* Section 6 of the statistics: how one thing goes with another. */
import { correlation, mean, median, quantile, ranks, sum } from "./arithmetic.ts"
import { circularMean } from "./clock.ts"
import { verdictOf } from "./compare.ts"
import type { DailyValue } from "./daily-values.ts"
import type { Difference } from "./difference.ts"
import { NORMAL_QUANTILE, normalTail, studentQuantile, studentTail } from "./distributions.ts"
import { type Expected, NumberFigure } from "./figure.ts"
import { centred, type Dated, memoryOf } from "./memory.ts"
import type { Metric } from "./metrics.ts"
import { changeOf, type Days, deviationOf, figureOf, intervalOf, isWithin, meanOf, onALine, spreadOf } from "./part.ts"

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

/** Figures that are computed from others. */
const WHOLES: Readonly<Record<string, readonly string[]>> = {
  recovery_score: ["hrv", "resting_heart_rate", "lowest_heart_rate", "night_heart_rate", "sleep_performance"],
  resting_heart_rate: ["lowest_heart_rate", "night_heart_rate"],
  night_heart_rate: ["lowest_heart_rate"],
  asleep: ["deep", "rem", "light", "awake", "in_bed", "sleep_debt", "sleep_performance"],
  in_bed: ["deep", "rem", "light", "awake"],
  sleep_efficiency: ["asleep", "awake", "in_bed"],
  sleep_debt: ["sleep_need"],
  sleep_performance: ["sleep_debt", "sleep_need"],
  midsleep: ["wake_time", "bedtime"],
  workout: ["zone_1_hours", "zone_2_hours", "zone_3_hours", "zone_4_hours", "zone_5_hours"],
}

export const isPart = (one: string, other: string): boolean =>
  Object.entries(WHOLES).some(
    ([whole, parts]) => (one === whole && parts.includes(other)) || (other === whole && parts.includes(one)),
  )

const BEHAVIOUR = [
  ..."strain calories steps bedtime wake_time last_workout_end nap workout workout_count distance".split(" "),
  ..."zone_1_hours zone_2_hours zone_3_hours zone_4_hours zone_5_hours".split(" "),
  ..."workout_max_heart_rate first_workout_start floors exercise_minutes stress".split(" "),
]

/** 0: what the person does, 1: other figures, 2: parts of the outcome. */
export const blockOf = (outcome: string, { id, kind }: Metric): 0 | 1 | 2 => {
  if (isPart(outcome, id)) return 2
  return kind === "yes_no" || BEHAVIOUR.includes(id) ? 0 : 1
}

/** What one factor shows, before false discoveries are counted. */
export interface Relation {
  readonly factor: Metric
  readonly n: number
  /** Undefined without enough data for a test. */
  readonly chance: number | undefined
  readonly verdict: string
  readonly figures: Record<string, Expected>
  /** Dates with yes, of a yes or no. */
  readonly yesCount?: number
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

/** 1970-01-01 was a Thursday. */
const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7
const FEWEST_FOR_WEEK = 28
const DEGREES_OF_WEEK = 6

/** The values minus the mean of the values of the same weekday. */
export const weekless = (values: readonly Dated[]): Dated[] =>
  values.map((each) => {
    const same = values.filter(({ day }) => weekdayOf(day) === weekdayOf(each.day)).map(({ value }) => value)
    return { day: each.day, value: withoutNoise(each.value - (mean(same) ?? 0)) }
  })

/** How many independent pairs two series with memory are worth. Bartlett (1935); Pyper and Peterman (1998). */
const worthOf = (pairs: number, one: readonly Dated[], other: readonly Dated[]): number => {
  const product = memoryOf([centred(one)]) * memoryOf([centred(other)])
  return Math.min(pairs, (pairs * (1 - product)) / (1 + product))
}

interface Pair {
  /** Of the outcome. */
  readonly day: number
  readonly outcome: number
  readonly factor: number
}

/** An outcome's values with those of a factor `lag` days earlier. */
function pairsOf(outcome: readonly Dated[], factor: readonly Dated[], { lag, days }: RelateQuestion): Pair[] {
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
  const whole = all
  const minutes = whole.filter((each) => isWithin(range, each)).map(({ value }) => value)
  return onALine(metric, whole, circularMean(minutes) ?? 0)
}

function numbersRelation(question: RelateQuestion, factor: Measure): Relation {
  const { outcome, days, lag } = question
  const lines = { outcome: lineOf(outcome, days, 0), factor: lineOf(factor, days, lag) }
  const plain = pairsOf(lines.outcome, lines.factor, question)
  const isOfWeek = plain.length >= FEWEST_FOR_WEEK
  const within = (values: readonly Dated[], back: number) =>
    values.filter((each) => isWithin({ first: days.first - back, last: days.last - back }, each))
  const sides = [within(detrended(lines.outcome), 0), within(detrended(lines.factor), lag)]
  const [one = [], other = []] = isOfWeek ? sides.map(weekless) : sides
  const pairs = pairsOf(one, other, question)
  const rho = spearman(
    pairs.map((pair) => pair.outcome),
    pairs.map((pair) => pair.factor),
  )
  const isEnough = pairs.length >= FEWEST_PAIRS
  const size = worthOf(pairs.length, one, other) - (isOfWeek ? DEGREES_OF_WEEK : 0)
  const test = isEnough && rho !== null ? fisher(size, rho) : undefined
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
function fisher(size: number, rho: number): { interval: readonly [number, number]; chance: number } | undefined {
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
      ...centreOf(
        outcome,
        third.map((pair) => pair.outcome),
      ),
    }))
}

/** Mean and standard deviation of the outcome. */
const centreOf = (outcome: Metric, values: readonly number[]): Record<string, Expected> => ({
  mean: figureOf(outcome, meanOf(outcome, values)),
  sd: spreadOf(outcome, deviationOf(outcome, values)),
})

function answersRelation(question: RelateQuestion, factor: Measure): Relation {
  const { outcome, days, lag } = question
  const line = lineOf(outcome, days, 0)
  const answers = lineOf(factor, days, lag)
  const plain = pairsOf(line, answers, question)
  const pairs = pairsOf(detrended(line), answers, question)
  const yes = plain.filter((pair) => pair.factor === 1).length
  const found = leastSquares(pairs)
  const isEnough = Math.min(yes, plain.length - yes) >= FEWEST_OF_A_SIDE
  const side = (answer: number): Expected => {
    const values = plain.filter((pair) => pair.factor === answer).map((pair) => pair.outcome)
    return { n: values.length, ...centreOf(outcome.metric, values) }
  }
  return {
    factor: factor.metric,
    n: plain.length,
    chance: isEnough && found ? (found.test?.chance ?? 1) : undefined,
    yesCount: yes,
    verdict: !isEnough || !found ? "not_enough_data" : found.test ? verdictOf(found.test) : "no_clear_difference",
    figures: {
      n: plain.length,
      unanswered: line.filter((each) => isWithin(days, each)).length - plain.length,
      yes: side(1),
      no: side(0),
      difference: changeOf(outcome.metric, found?.difference ?? null),
      interval: intervalOf(outcome.metric, isEnough ? (found?.test?.interval ?? null) : null),
    },
  }
}

interface Fitted {
  readonly difference: number
  /** Undefined where so little is independent that nothing can be said. */
  readonly test: Difference | undefined
}

/** The line through the outcomes of no and yes, both without their week. Undefined where the answers do not differ within weekdays. */
export function leastSquares(pairs: readonly Pair[]): Fitted | undefined {
  const isOfWeek = pairs.length >= FEWEST_FOR_WEEK
  const adjusted = (values: readonly Dated[]) => (isOfWeek ? weekless(values) : centred(values))
  const answers = adjusted(pairs.map(({ day, factor }) => ({ day, value: factor })))
  const outcomes = adjusted(pairs.map(({ day, outcome }) => ({ day, value: outcome })))
  const squares = sum(answers.map(({ value }) => value ** 2))
  if (squares < 1) return undefined
  const difference = sum(answers.map(({ value }, index) => value * (outcomes[index]?.value ?? 0))) / squares
  const rest = sum(answers.map(({ value }, index) => ((outcomes[index]?.value ?? 0) - difference * value) ** 2))
  const size = worthOf(pairs.length, answers, outcomes)
  const degrees = size - 2 - (isOfWeek ? DEGREES_OF_WEEK : 0)
  if (degrees < 1) return { difference, test: undefined }
  const error = Math.sqrt(((rest / pairs.length) * (size / degrees)) / ((squares * size) / pairs.length))
  const half = error === 0 ? 0 : studentQuantile(degrees) * error
  const chance = error === 0 ? (difference === 0 ? 1 : 0) : studentTail(difference / error, degrees)
  return { difference, test: { difference, interval: [difference - half, difference + half], chance } }
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
