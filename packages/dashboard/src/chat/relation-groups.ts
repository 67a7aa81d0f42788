import type { AnswerRelationResponse, ChartedMetric, FoundRelation, NumberRelationResponse } from "@restwell/client"
import { plural } from "../format/number.ts"
import { figureText, intervalText, plotted } from "./metric-text.ts"
import type { Row } from "./row-chart.tsx"
import { isClear, rhoText } from "./sentences.ts"

export type SingleRelation = NumberRelationResponse | AnswerRelationResponse

/** Dates on which the factor was alike, and the mean outcome of them. */
export interface RelationGroup {
  readonly label: string
  readonly n: number
  readonly mean: string | number | null
}

/** Thirds of a number or clock time, yes and no of a factor of the journal. */
export const groupsOf = (answer: SingleRelation, factor: ChartedMetric): readonly RelationGroup[] =>
  "groups" in answer ? thirdsOf(answer, factor) : answersOf(answer)

/** A row of the chart for each group. Clock times are drawn near the first known one. */
export function groupRows(
  groups: readonly RelationGroup[],
  outcome: ChartedMetric,
  verdict: SingleRelation["verdict"],
): Row[] {
  const near = groups.find(({ mean }) => mean !== null)?.mean ?? null
  return groups.map(({ label, n, mean }) => ({
    label: `${label}, ${plural(n, "date")}`,
    value: mean === null ? null : plotted(outcome, mean, near),
    figure: figureText(outcome, mean),
    text: `mean ${outcome.title.toLowerCase()} ${figureText(outcome, mean)}`,
    isClear: isClear(verdict),
  }))
}

/** The interval of one of many relations. */
export function certaintyText(outcome: ChartedMetric, { rho, interval }: FoundRelation): string {
  if (interval === null) return "none"
  return typeof rho === "number"
    ? `${rhoText(interval[0])} to ${rhoText(interval[1])}`
    : intervalText(outcome, interval)
}

const thirdsOf = ({ groups }: NumberRelationResponse, factor: ChartedMetric): readonly RelationGroup[] =>
  groups.map(({ from, to, n, mean }) => ({
    label: `${factor.title} ${figureText(factor, from)} to ${figureText(factor, to)}`,
    n,
    mean,
  }))

const answersOf = ({ yes, no }: AnswerRelationResponse): readonly RelationGroup[] => [
  { label: "Yes", ...yes },
  { label: "No", ...no },
]
