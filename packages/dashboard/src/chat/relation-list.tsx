import type { ChartedMetric, FoundRelation, RelationsResponse } from "@restwell/client"
import { Legend } from "../charts/legend.tsx"
import { figure, NONE, plural } from "../format/number.ts"
import { providerName } from "../format/provider-name.ts"
import { datesText } from "./dates-text.ts"
import { FigureFrame } from "./figure-frame.tsx"
import { colorOf } from "./metric-color.ts"
import { changeText } from "./metric-text.ts"
import { NOT_A_CAUSE } from "./not-a-cause.ts"
import { certaintyText } from "./relation-groups.ts"
import { type Row, RowChart } from "./row-chart.tsx"
import { isClear, lagText, relationsSentence, rhoText } from "./sentences.ts"

/** With more rows the view would be higher than chats allow. The others are in the table. */
const MOST_ROWS = 5

interface RelationListProps {
  readonly answer: RelationsResponse
  readonly outcome: ChartedMetric
  readonly factors: readonly ChartedMetric[]
  readonly url: string
}

/** Rank correlations of many factors with one outcome, clear ones first. */
export function RelationList({ answer, outcome, factors, url }: RelationListProps) {
  const titles = new Map(factors.map(({ id, title }) => [id, title]))
  const titleOf = ({ factor }: FoundRelation): string => titles.get(factor) ?? factor
  const correlations = answer.relations.filter(({ rho }) => typeof rho === "number")
  const drawn = correlations.slice(0, MOST_ROWS)
  const leftOut = answer.relations.length - drawn.length
  const color = colorOf(outcome.id)
  const title = `What goes with ${outcome.title.toLowerCase()}`
  const inTable = leftOut === 0 ? [] : [`The table has ${plural(leftOut, "more factor")}.`]
  return (
    <FigureFrame
      title={title}
      subtitle={`${datesText(answer.period)}${lagText(answer.lag)}, ${providerName(answer.source.provider)}`}
      sentence={relationsSentence(answer)}
      notes={[...answer.notes, ...(drawn.length > 0 ? inTable : []), NOT_A_CAUSE]}
      url={url}
      table={
        answer.relations.length > 0
          ? {
              caption: title,
              headers: ["Factor", "Relation", "95 % interval", "Dates"],
              rows: answer.relations.map((found) => [
                `${titleOf(found)}${isClear(found.verdict) ? ", clear" : ""}`,
                strengthText(outcome, found),
                certaintyText(outcome, found),
                figure(found.n),
              ]),
            }
          : undefined
      }
    >
      {drawn.length > 0 && (
        <>
          <RowChart
            title={title}
            hint="rank correlation, from −1 to +1, with its 95 % interval"
            rows={drawn.map((found) => rowOf(titleOf(found), found))}
            color={color}
            tickText={rhoText}
            reference={0}
          />
          <Legend
            entries={[
              { label: "clear", color: color.background },
              { label: "not clear, hollow", color: "border-2 border-muted" },
            ]}
            missing={new Set()}
          />
        </>
      )}
    </FigureFrame>
  )
}

const rowOf = (title: string, { rho = null, interval, n, verdict }: FoundRelation): Row => ({
  label: `${title}, ${plural(n, "date")}`,
  value: rho,
  range: interval,
  figure: rho === null ? NONE : rhoText(rho),
  text: `${rho === null ? "no data" : rhoText(rho)}, ${isClear(verdict) ? "clear" : "not clear"}`,
  isClear: isClear(verdict),
})

function strengthText(outcome: ChartedMetric, { rho, difference, verdict }: FoundRelation): string {
  if (verdict === "not_enough_data") return "not enough data"
  if (typeof rho === "number") return rhoText(rho)
  return typeof difference === "number" ? `${changeText(outcome, difference)} with yes` : "no data"
}
