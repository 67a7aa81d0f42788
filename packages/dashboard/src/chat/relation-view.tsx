import type { ChartedMetric, ChartOf } from "@restwell/client"
import { Legend } from "../charts/legend.tsx"
import { providerName } from "../format/provider-name.ts"
import { datesText } from "./dates-text.ts"
import { FigureFrame } from "./figure-frame.tsx"
import { colorOf } from "./metric-color.ts"
import { figureText, tickText } from "./metric-text.ts"
import { NOT_A_CAUSE } from "./not-a-cause.ts"
import { groupRows, groupsOf, type SingleRelation } from "./relation-groups.ts"
import { RelationList } from "./relation-list.tsx"
import { RowChart } from "./row-chart.tsx"
import { answerRelationSentence, lagText, numberRelationSentence } from "./sentences.ts"
import { ticksOf } from "./value-ticks.ts"

/** How one factor, or each of all factors, goes with an outcome. */
export function RelationView({ chart }: { chart: ChartOf<"relation"> }) {
  const { answer, outcome, factors, url } = chart
  const [factor] = factors
  if ("relations" in answer) return <RelationList answer={answer} outcome={outcome} factors={factors} url={url} />
  return factor && <RelationOfOne answer={answer} outcome={outcome} factor={factor} url={url} />
}

interface RelationOfOneProps {
  readonly answer: SingleRelation
  readonly outcome: ChartedMetric
  readonly factor: ChartedMetric
  readonly url: string
}

/** The mean outcome of each group of dates. */
function RelationOfOne({ answer, outcome, factor, url }: RelationOfOneProps) {
  const groups = groupsOf(answer, factor)
  const known = groups.flatMap(({ mean }) => (mean === null ? [] : [mean]))
  const rows = groupRows(groups, outcome, answer.verdict)
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
