import type { DateRange } from "../calendar/date-range.ts"
import { discoveryLimit } from "./false-discovery.ts"
import { daysOf, type Measured, type Prepared, prepare } from "./pairs.ts"
import { type AnswerRelation, relateAnswers } from "./relate-answers.ts"
import { type NumberRelation, relateNumbers, type Sides, type Third, thirdsOf } from "./relate-numbers.ts"

/** A relation as one of many is tested: without what it looks like. */
export type TestedRelation = NumberRelation | AnswerRelation

/** Numbers and clock times with the outcome by thirds of the factor. */
export type Relation = (NumberRelation & { readonly groups: readonly Third[] }) | AnswerRelation

export interface RelateQuestion {
  readonly outcome: Measured
  /** Dates of the outcome. */
  readonly period: DateRange
  /** The factor of a date goes with the outcome of so many days later. */
  readonly lag: 0 | 1
}

/** How one factor goes with the outcome. Nothing is rounded. */
export function relate(question: RelateQuestion & { readonly factor: Measured }): Relation {
  const sides = sidesOf(question, outcomeOf(question), question.factor)
  const relation = relationOf(sides)
  return relation.kind === "yes_no" ? relation : { ...relation, groups: thirdsOf(sides) }
}

export interface NamedRelation {
  readonly factor: string
  readonly relation: TestedRelation
}

export interface Relations {
  /** Factors with enough data for a test. */
  readonly tried: number
  /** Clear ones first, the surest before the others, then those without a clear relation and those without enough data. */
  readonly relations: readonly NamedRelation[]
}

/** How each of many factors goes with the outcome. The verdicts together keep a false discovery rate of 10 %. */
export function relateAll(question: RelateQuestion & { readonly factors: Iterable<Measured> }): Relations {
  const outcome = outcomeOf(question)
  const all = Iterator.from(question.factors)
    .filter(({ id }) => id !== question.outcome.id)
    .map((factor) => ({ factor: factor.id, relation: relationOf(sidesOf(question, outcome, factor)) }))
    .toArray()
  const probabilities = all.flatMap(({ relation }) => relation.probability ?? [])
  const limit = discoveryLimit(probabilities)
  const relations = all
    .map(({ factor, relation }) => ({ factor, relation: held(relation, limit) }))
    .toSorted((one, other) => placeOf(one.relation) - placeOf(other.relation))
  return { tried: probabilities.length, relations }
}

const outcomeOf = ({ outcome, period }: RelateQuestion): Measured & Prepared => ({
  ...outcome,
  ...prepare(outcome, daysOf(period, 0)),
})

const sidesOf = ({ period, lag }: RelateQuestion, outcome: Sides["outcome"], factor: Measured): Sides => ({
  outcome,
  lag,
  factor: { ...factor, ...prepare(factor, daysOf(period, lag)) },
})

const relationOf = (sides: Sides): TestedRelation =>
  sides.factor.kind === "yes_no" ? relateAnswers(sides) : relateNumbers(sides)

/** A relation above the limit is not clear, although its own interval may leave zero out. */
function held(relation: TestedRelation, limit: number | null): TestedRelation {
  const { probability } = relation
  if (probability === null || (limit !== null && probability <= limit)) return relation
  return relation.kind === "yes_no"
    ? { ...relation, verdict: "no_clear_difference" }
    : { ...relation, verdict: "no_clear_relation" }
}

const UNCLEAR: readonly string[] = ["no_clear_relation", "no_clear_difference"]

/** Probabilities are at most 1. */
function placeOf({ verdict, probability }: TestedRelation): number {
  if (probability === null) return 4
  return probability + (UNCLEAR.includes(verdict) ? 2 : 0)
}
