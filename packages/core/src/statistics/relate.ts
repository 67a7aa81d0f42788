import { isBehaviour } from "@restwell/client/figures"
import type { DateRange } from "../base/calendar.ts"
import { type AnswerRelation, relateAnswers } from "./answers.ts"
import { placed, type ValueKind } from "./clock-times.ts"
import { centreOf } from "./describe.ts"
import { dependentDiscoveryLimit, type Interval, isDiscovery, type RelationVerdict, sideOf } from "./difference.ts"
import { arePartsOfOneAnother } from "./metrics.ts"
import { ascending, NORMAL_975, normalTwoSided, quantileOf } from "./moments.ts"
import {
  FEWEST_PAIRS_FOR_WEEK,
  jointSize,
  type Measured,
  type Pair,
  type Prepared,
  pairsOf,
  prepare,
  rankCorrelation,
  WEEK_DEGREES,
} from "./pairs.ts"
import { between, dayOf } from "./series.ts"

interface RelateQuestion {
  readonly outcome: Measured
  /** Dates of the outcome. */
  readonly period: DateRange
  /** The factor of a date goes with the outcome of this many days later. */
  readonly lag: 0 | 1
}

/** A relation as one of many is tested: without what it looks like. */
export type TestedRelation = NumberRelation | AnswerRelation

/** Numbers and clock times with the outcome by thirds of the factor. */
export type Relation = (NumberRelation & { readonly groups: readonly Third[] }) | AnswerRelation

interface Sides {
  readonly factor: Measured
  readonly outcome: Prepared
  readonly period: DateRange
  readonly lag: number
}

/** How one factor goes with the outcome. Nothing is rounded. */
export function relate({ outcome, factor, period, lag }: RelateQuestion & { readonly factor: Measured }): Relation {
  const sides = { factor, outcome: prepare(outcome, period, 0), period, lag }
  if (factor.kind === "yes_no") return answersOf(sides)
  const prepared = prepare(factor, period, lag)
  return { ...relateNumbers(prepared, sides), groups: thirdsOf(prepared, sides) }
}

const relationOf = (sides: Sides): TestedRelation =>
  sides.factor.kind === "yes_no"
    ? answersOf(sides)
    : relateNumbers(prepare(sides.factor, sides.period, sides.lag), sides)

/** Answers have no drift to take out. */
const answersOf = ({ factor: { history }, outcome, period, lag }: Sides): AnswerRelation =>
  relateAnswers(between(history, dayOf(period.from) - lag, dayOf(period.to) - lag), outcome, lag)

interface NamedRelation {
  readonly factor: string
  readonly isPart: boolean
  readonly relation: TestedRelation
}

export interface Relations {
  /** Factors with enough data for a test, without parts of the outcome. */
  readonly tried: number
  /** What the person does first, then other figures, then parts of the outcome. In each the clear ones first, and of those the surest. */
  readonly relations: readonly NamedRelation[]
}

/**
 * How each of many factors goes with the outcome. The verdicts together keep a false discovery rate of 10 %. Parts of the outcome go with it
 * by definition, so they do not count.
 */
export function relateAll(question: RelateQuestion & { readonly factors: Iterable<Measured> }): Relations {
  const { period, lag } = question
  const outcome = prepare(question.outcome, period, 0)
  // One factor at a time, so that the series of all are never in memory together.
  const all = Iterator.from(question.factors)
    .filter(({ id }) => id !== question.outcome.id)
    .map((factor) => ({
      factor: factor.id,
      isPart: arePartsOfOneAnother(question.outcome.id, factor.id),
      relation: relationOf({ outcome, factor, period, lag }),
    }))
    .toArray()
  const probabilities = all.flatMap(({ isPart, relation }) => (isPart ? [] : (relation.probability ?? [])))
  const limit = dependentDiscoveryLimit(probabilities)
  const relations = all
    .map((each) => (each.isPart ? each : { ...each, relation: testedAmongAll(each.relation, limit) }))
    .toSorted((one, other) => placeOf(one) - placeOf(other))
  return { tried: probabilities.length, relations }
}

/** A relation above the limit is not clear, although its own interval may leave zero out. */
function testedAmongAll(relation: TestedRelation, limit: number | null): TestedRelation {
  const { probability } = relation
  if (probability === null || isDiscovery(probability, limit)) return relation
  return relation.kind === "yes_no"
    ? { ...relation, verdict: "no_clear_difference" }
    : { ...relation, verdict: "no_clear_relation" }
}

const UNCLEAR: readonly string[] = ["no_clear_relation", "no_clear_difference"]

/** Probabilities are at most 1. */
function placeOf({ factor, isPart, relation: { kind, verdict, probability } }: NamedRelation): number {
  const group = isPart ? 20 : isBehaviour({ id: factor, kind }) ? 0 : 10
  return group + (probability === null ? 4 : probability + (UNCLEAR.includes(verdict) ? 2 : 0))
}

const FEWEST_PAIRS = 20

interface NumberRelation {
  readonly kind: "number" | "clock"
  readonly n: number
  /** Spearman's. Null with fewer than two pairs, and where a side is constant. */
  readonly rho: number | null
  /** 95 %. Null without enough data. */
  readonly interval: Interval | null
  readonly verdict: RelationVerdict
  /** Probability of such a rho without a relation. Null without enough data. */
  readonly probability: number | null
  /** Whether the pattern of the week was taken out of both. */
  readonly isWeekless: boolean
}

/** How a number or a clock time goes with the outcome. */
function relateNumbers(factor: Prepared, { outcome, lag }: Pick<Sides, "outcome" | "lag">): NumberRelation {
  const weekless = pairsOf(factor.weekless.series, outcome.weekless.series, lag)
  const n = weekless.length
  const isWeekless = n >= FEWEST_PAIRS_FOR_WEEK
  const [one, other] = isWeekless ? [factor.weekless, outcome.weekless] : [factor.detrended, outcome.detrended]
  const pairs = isWeekless ? weekless : pairsOf(one.series, other.series, lag)
  const [factors, outcomes] = [pairs.map((pair) => pair.factor), pairs.map((pair) => pair.outcome)]
  const rho = n < 2 ? null : rankCorrelation(factors, outcomes)
  const common = { kind: factor.kind === "clock" ? "clock" : "number", n, rho, isWeekless } as const
  if (n < FEWEST_PAIRS) return { ...common, interval: null, probability: null, verdict: "not_enough_data" }
  const size = jointSize(n, one.memory, other.memory) - (isWeekless ? WEEK_DEGREES : 0)
  // Without a spread, and with so much memory that too few values count, nothing is claimed.
  if (rho === null || size <= FISHER_DEGREES)
    return { ...common, interval: null, probability: 1, verdict: "no_clear_relation" }
  return { ...common, ...certaintyOf(rho, size) }
}

const FISHER_DEGREES = 3

/**
 * Fisher's z with Bonett and Wright's variance.
 * @see Bonett and Wright 2000, Psychometrika 65:23
 * @param size effective number of pairs, above 3
 */
function certaintyOf(rho: number, size: number): Pick<NumberRelation, "interval" | "probability" | "verdict"> {
  const deviation = Math.sqrt((1 + rho ** 2 / 2) / (size - FISHER_DEGREES))
  const z = Math.atanh(rho)
  const interval = { low: Math.tanh(z - NORMAL_975 * deviation), high: Math.tanh(z + NORMAL_975 * deviation) }
  return { interval, probability: normalTwoSided(z / deviation), verdict: verdictOf(interval) }
}

function verdictOf(interval: Interval): RelationVerdict {
  const side = sideOf(interval)
  if (side === null) return "no_clear_relation"
  return side === "above" ? "positive" : "negative"
}

/** Dates on which the factor was low, middling or high. */
interface Third {
  /** Lowest and highest value of the factor. */
  readonly from: number
  readonly to: number
  readonly n: number
  /** Mean outcome. */
  readonly mean: number
  /** Standard deviation of the outcome. Null for a single date. */
  readonly sd: number | null
}

/**
 * The outcome by thirds of the factor, both as they were measured. Cut at the factor's tertiles (type 7). Equal values stay together, so
 * the thirds may differ in size. A third without values is left out.
 */
function thirdsOf(factor: Prepared, { outcome, lag }: Pick<Sides, "outcome" | "lag">): Third[] {
  const pairs = pairsOf(factor.values, outcome.values, lag)
  const sorted = ascending(pairs.map((pair) => pair.factor))
  const [low, high] = [quantileOf(sorted, 1 / 3), quantileOf(sorted, 2 / 3)]
  const thirds = Map.groupBy(pairs, (pair): number => (pair.factor <= low ? 0 : pair.factor <= high ? 1 : 2))
  return [0, 1, 2].flatMap((index) => {
    const third = thirds.get(index)
    return third ? [thirdOf(third, factor.kind, outcome.kind)] : []
  })
}

/** @param pairs at least one */
function thirdOf(pairs: readonly Pair[], kind: ValueKind, outcomeKind: ValueKind): Third {
  const values = pairs.map(({ factor }) => factor)
  const outcomes = pairs.map(({ outcome }) => outcome)
  return {
    from: placed(kind, Math.min(...values)),
    to: placed(kind, Math.max(...values)),
    n: pairs.length,
    ...centreOf(outcomeKind, outcomes),
  }
}
