import type { AnswerRelationResponse, Metric, NumberRelationResponse } from "@restwell/client"
import { Link } from "wouter"
import { datesText } from "../chat/dates-text.ts"
import { colorOf } from "../chat/metric-color.ts"
import { figureText, plotted, tickText } from "../chat/metric-text.ts"
import { type Row, RowChart } from "../chat/row-chart.tsx"
import { answerRelationSentence, isClear, lagText, numberRelationSentence } from "../chat/sentences.ts"
import { ticksOf } from "../chat/value-ticks.ts"
import { figure, plural } from "../format/number.ts"
import { InsightPanel } from "./insight-panel.tsx"

interface OneRelationProps {
  readonly answer: NumberRelationResponse | AnswerRelationResponse
  readonly outcome: Metric
  readonly factor: Metric
  /** The page about all factors. */
  readonly allHref: string
}

/** The mean outcome of each group of dates: thirds of the factor, or its yes and no. */
export function OneRelation({ answer, outcome, factor, allHref }: OneRelationProps) {
  const groups = "groups" in answer ? thirdsOf(answer, factor) : answersOf(answer)
  const near = groups.find(({ mean }) => mean !== null)?.mean ?? null
  const rows = groups.map(
    ({ label, n, mean }): Row => ({
      label: `${label}, ${plural(n, "date")}`,
      value: mean === null ? null : plotted(outcome, mean, near),
      figure: figureText(outcome, mean),
      text: `mean ${outcome.title.toLowerCase()} ${figureText(outcome, mean)}`,
      isClear: isClear(answer.verdict),
    }),
  )
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

interface Group {
  readonly label: string
  readonly n: number
  readonly mean: string | number | null
}

const thirdsOf = ({ groups }: NumberRelationResponse, factor: Metric): readonly Group[] =>
  groups.map(({ from, to, n, mean }) => ({
    label: `${factor.title} ${figureText(factor, from)} to ${figureText(factor, to)}`,
    n,
    mean,
  }))

const answersOf = ({ yes, no }: AnswerRelationResponse): readonly Group[] => [
  { label: "Yes", ...yes },
  { label: "No", ...no },
]
