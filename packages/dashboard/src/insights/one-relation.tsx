import type { Metric } from "@restwell/client"
import { Link } from "wouter"
import { datesText } from "../chat/dates-text.ts"
import { colorOf } from "../chat/metric-color.ts"
import { figureText, tickText } from "../chat/metric-text.ts"
import { groupRows, groupsOf, type SingleRelation } from "../chat/relation-groups.ts"
import { RowChart } from "../chat/row-chart.tsx"
import { answerRelationSentence, lagText, numberRelationSentence } from "../chat/sentences.ts"
import { ticksOf } from "../chat/value-ticks.ts"
import { figure } from "../format/number.ts"
import { InsightPanel } from "./insight-panel.tsx"

interface OneRelationProps {
  readonly answer: SingleRelation
  readonly outcome: Metric
  readonly factor: Metric
  /** The page about all factors. */
  readonly allHref: string
}

/** The mean outcome of each group of dates: thirds of the factor, or its yes and no. */
export function OneRelation({ answer, outcome, factor, allHref }: OneRelationProps) {
  const groups = groupsOf(answer, factor)
  const near = groups.find(({ mean }) => mean !== null)?.mean ?? null
  const rows = groupRows(groups, outcome, answer.verdict)
  const title = `${outcome.title} and ${factor.title.toLowerCase()}${lagText(answer.lag)}`
  const meanHeader = `Mean ${outcome.title.toLowerCase()}`
  const sentence =
    "groups" in answer ? numberRelationSentence(outcome, factor, answer) : answerRelationSentence(outcome, answer)
  return (
    <InsightPanel
      title={title}
      sentence={`${datesText(answer.period)}: ${sentence}`}
      notes={answer.notes}
      table={
        near === null
          ? undefined
          : {
              rowHeader: factor.title,
              headers: [meanHeader, "Dates"],
              rows: groups.map(({ label, mean, n }) => ({
                key: label,
                label,
                cells: [figureText(outcome, mean), figure(n)],
              })),
            }
      }
    >
      {near !== null && (
        <RowChart
          title={title}
          hint={`${meanHeader.toLowerCase()} of each group`}
          rows={rows}
          color={colorOf(outcome.id)}
          tickText={(value) => tickText(outcome, value)}
          ticks={(scale, count) => ticksOf(outcome, scale, count)}
        />
      )}
      <p className="mt-3 text-sm text-muted">
        One factor was tried here. Who tries many finds some by chance.{" "}
        <Link href={allHref} className="text-accent underline underline-offset-2">
          Try all factors
        </Link>
        , which allows for that.
      </p>
    </InsightPanel>
  )
}
