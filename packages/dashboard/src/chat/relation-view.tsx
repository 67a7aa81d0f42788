import type { AnswerRelationResponse, ChartedMetric, ChartOf, NumberRelationResponse } from "@restwell/client"
import { Legend } from "../charts/legend.tsx"
import { plural } from "../format/number.ts"
import { providerName } from "../format/provider-name.ts"
import { datesText } from "./dates-text.ts"
import { FigureFrame } from "./figure-frame.tsx"
import { colorOf } from "./metric-color.ts"
import { figureText, plotted, tickText } from "./metric-text.ts"
import { NOT_A_CAUSE } from "./not-a-cause.ts"
import { RelationList } from "./relation-list.tsx"
import { type Row, RowChart } from "./row-chart.tsx"
import { answerRelationSentence, isClear, lagText, numberRelationSentence } from "./sentences.ts"
import { ticksOf } from "./value-ticks.ts"

type OneRelation = NumberRelationResponse | AnswerRelationResponse

/** How one factor, or each of all factors, goes with an outcome. */
export function RelationView({ chart }: { chart: ChartOf<"relation"> }) {
  const { answer, outcome, factors, url } = chart
  const [factor] = factors
  if ("relations" in answer) return <RelationList answer={answer} outcome={outcome} factors={factors} url={url} />
  return factor && <RelationOfOne answer={answer} outcome={outcome} factor={factor} url={url} />
}

interface RelationOfOneProps {
  readonly answer: OneRelation
  readonly outcome: ChartedMetric
  readonly factor: ChartedMetric
  readonly url: string
}

/** The mean outcome of each group of dates. */
function RelationOfOne({ answer, outcome, factor, url }: RelationOfOneProps) {
  const groups = "groups" in answer ? thirdsOf(answer, factor) : answersOf(answer)
  const known = groups.flatMap(({ mean }) => (mean === null ? [] : [mean]))
  const near = known[0] ?? null
  const rows = groups.map(
    ({ label, n, mean }): Row => ({
      label: `${label}, ${plural(n, "date")}`,
      value: mean === null ? null : plotted(outcome, mean, near),
      figure: figureText(outcome, mean),
      text: `mean ${outcome.title.toLowerCase()} ${figureText(outcome, mean)}`,
      isClear: isClear(answer.verdict),
    }),
  )
  const color = colorOf(outcome.id)
  const title = `${outcome.title} and ${factor.title.toLowerCase()}`
  return (
    <FigureFrame
      title={title}
      subtitle={`${datesText(answer.period)}${lagText(answer.lag)}, ${providerName(answer.source.provider)}`}
      sentence={
        "groups" in answer ? numberRelationSentence(outcome, factor, answer) : answerRelationSentence(outcome, answer)
      }
      notes={[...answer.notes, NOT_A_CAUSE]}
      url={url}
      table={
        known.length > 0
          ? {
              caption: title,
              headers: [factor.title, `Mean ${outcome.title.toLowerCase()}`, "Dates"],
              rows: groups.map(({ label, mean, n }) => [label, figureText(outcome, mean), String(n)] as const),
            }
          : undefined
      }
    >
      {known.length > 0 && (
        <>
          <RowChart
            title={title}
            hint={`mean ${outcome.title.toLowerCase()} of each group`}
            rows={rows}
            color={color}
            tickText={(value) => tickText(outcome, value)}
            ticks={(scale, count) => ticksOf(outcome, scale, count)}
          />
          <Legend
            entries={[{ label: `mean ${outcome.title.toLowerCase()}`, color: color.background }]}
            missing={new Set()}
          />
        </>
      )}
    </FigureFrame>
  )
}

interface Group {
  readonly label: string
  readonly n: number
  readonly mean: string | number | null
}

const thirdsOf = ({ groups }: NumberRelationResponse, factor: ChartedMetric): readonly Group[] =>
  groups.map(({ from, to, n, mean }) => ({
    label: `${factor.title} ${figureText(factor, from)} to ${figureText(factor, to)}`,
    n,
    mean,
  }))

const answersOf = ({ yes, no }: AnswerRelationResponse): readonly Group[] => [
  { label: "Yes", ...yes },
  { label: "No", ...no },
]
