import { FALSE_DISCOVERY_RATE } from "./false-discovery.ts"
import type { Metric } from "./metric.ts"
import type { Relation, Relations, TestedRelation } from "./relate.ts"
import type { Answered, AnswerRelation } from "./relate-answers.ts"
import { orNull, toChange, toFigure, toInterval, toRatio } from "./rounding.ts"

/** The two metrics of a relation. */
export interface RelatedMetrics {
  readonly outcome: Metric
  readonly factor: Metric
}

/** The statistics of a relation, rounded. */
export const relationFigures = (metrics: RelatedMetrics, relation: Relation) =>
  relation.kind === "yes_no" ? answerFigures(metrics, relation) : numberFigures(metrics, relation)

function numberFigures(
  { outcome, factor }: RelatedMetrics,
  { n, rho, interval, verdict, groups }: Exclude<Relation, AnswerRelation>,
) {
  return {
    n,
    rho: orNull(toRatio, rho),
    interval: toInterval(toRatio, interval),
    verdict,
    groups: groups.map(({ from, to, n: count, mean }) => ({
      from: toFigure(factor, from),
      to: toFigure(factor, to),
      n: count,
      mean: toFigure(outcome, mean),
    })),
  }
}

function answerFigures({ outcome }: RelatedMetrics, relation: AnswerRelation) {
  const change = (value: number): number => toChange(outcome, value)
  const answered = ({ n, mean }: Answered) => ({ n, mean: orNull((known) => toFigure(outcome, known), mean) })
  return {
    n: relation.n,
    unanswered: relation.unanswered,
    yes: answered(relation.yes),
    no: answered(relation.no),
    difference: orNull(change, relation.difference),
    interval: toInterval(change, relation.interval),
    verdict: relation.verdict,
  }
}

/** The statistics of an answer about all factors, rounded. */
export const relationsFigures = (outcome: Metric, { tried, relations }: Relations) => ({
  tried,
  false_discovery_rate: FALSE_DISCOVERY_RATE,
  relations: relations.map(({ factor, relation }) => ({ factor, ...rowFigures(outcome, relation) })),
})

function rowFigures(outcome: Metric, relation: TestedRelation) {
  const { kind, n, interval, verdict } = relation
  if (relation.kind === "yes_no") {
    const change = (value: number): number => toChange(outcome, value)
    return { kind, n, difference: orNull(change, relation.difference), interval: toInterval(change, interval), verdict }
  }
  return { kind, n, rho: orNull(toRatio, relation.rho), interval: toInterval(toRatio, interval), verdict }
}
