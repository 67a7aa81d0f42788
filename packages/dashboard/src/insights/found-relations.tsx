import type { FoundRelation, Metric, RelationsResponse } from "@restwell/client"
import { Link } from "wouter"
import { Legend } from "../charts/legend.tsx"
import { datesText } from "../chat/dates-text.ts"
import { colorOf } from "../chat/metric-color.ts"
import { changeText } from "../chat/metric-text.ts"
import { certaintyText } from "../chat/relation-groups.ts"
import { type Row, RowChart } from "../chat/row-chart.tsx"
import { isClear, lagText, relationsSentence, rhoText } from "../chat/sentences.ts"
import { figure, plural } from "../format/number.ts"
import { InsightPanel } from "./insight-panel.tsx"

/** Rows of the chart. The table has all. */
const MOST_ROWS = 12

interface FoundRelationsProps {
  readonly answer: RelationsResponse
  readonly outcome: Metric
  readonly metrics: readonly Metric[]
  /** The page about a factor. */
  readonly hrefOf: (factor: string) => string
}

/** Every factor that was tried, clear ones first. */
export function FoundRelations({ answer, outcome, metrics, hrefOf }: FoundRelationsProps) {
  const { relations, tried, notes, period, lag } = answer
  const titleOf = ({ factor }: FoundRelation): string => metrics.find(({ id }) => id === factor)?.title ?? factor
  const tested = relations.filter(({ verdict }) => verdict !== "not_enough_data")
  const correlations = tested.filter(({ rho }) => typeof rho === "number")
  const drawn = correlations.slice(0, MOST_ROWS)
  const clear = tested.filter(({ verdict }) => isClear(verdict))
  const color = colorOf(outcome.id)
  const title = `${outcome.title} and ${plural(tried, "factor")}${lagText(lag)}`
  return (
    <InsightPanel
      title={title}
      sentence={`${datesText(period)}: ${relationsSentence(answer)}`}
      notes={notes}
      table={
        relations.length === 0
          ? undefined
          : {
              rowHeader: "Factor",
              headers: ["Relation", "95 % interval", "Verdict", "Dates"],
              rows: relations.map((found) => ({
                key: found.factor,
                label: titleOf(found),
                cells: [
                  strengthText(outcome, found),
                  certaintyText(outcome, found),
                  found.verdict.replaceAll("_", " "),
                  figure(found.n),
                ],
              })),
            }
      }
    >
      {clear.length > 0 && (
        <ul className="mb-4 flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {clear.map((found) => (
            <li key={found.factor}>
              <Link href={hrefOf(found.factor)} className="text-accent underline underline-offset-2">
                {titleOf(found)}
              </Link>{" "}
              <span className="text-muted tabular-nums">{strengthText(outcome, found)}</span>
            </li>
          ))}
        </ul>
      )}
      {drawn.length > 0 && (
        <>
          <RowChart
            title={title}
            hint={`rank correlation, \u22121 to +1, with its 95 % interval${correlations.length > drawn.length ? `. The table has ${figure(correlations.length - drawn.length)} more` : ""}`}
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
    </InsightPanel>
  )
}

const rowOf = (title: string, { rho = null, interval, n, verdict }: FoundRelation): Row => ({
  label: `${title}, ${plural(n, "date")}`,
  value: rho,
  range: interval,
  figure: rho === null ? "" : rhoText(rho),
  text: `${rho === null ? "no data" : rhoText(rho)}, ${isClear(verdict) ? "clear" : "not clear"}`,
  isClear: isClear(verdict),
})

function strengthText(outcome: Metric, { rho, difference }: FoundRelation): string {
  if (typeof rho === "number") return rhoText(rho)
  return typeof difference === "number" ? `${changeText(outcome, difference)} with yes` : "none"
}
