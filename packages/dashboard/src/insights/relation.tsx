import {
  type FoundRelation,
  isClear,
  type Metric,
  type MetricId,
  type RelateResponse,
  type RelationsResponse,
} from "@restwell/client"
import { Link } from "wouter"
import { useRelation } from "../api/insights.ts"
import { Legend } from "../charts/legend.tsx"
import { Loaded, Notice, Skeleton } from "../components/notice.tsx"
import { figure, plural } from "../format/number.ts"
import {
  answerRelationSentence,
  certaintyText,
  datesText,
  factorText,
  groupRows,
  groupsOf,
  lagText,
  numberRelationSentence,
  RHO_REACH,
  relationRow,
  relationsSentence,
  rhoText,
  type SingleRelation,
  spreadCell,
} from "../metrics/answer-text.ts"
import { changeText, colorOf, figureText, ticksOf, tickText } from "../metrics/metric-text.ts"
import { RowChart } from "../metrics/row-chart.tsx"
import type { TrendDays } from "../trends/days.ts"
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

/** Every factor that was tried: what the person does first, parts of the outcome last, and in each the clear ones first. */
function FoundRelations({ answer, outcome, metrics, hrefOf }: FoundRelationsProps) {
  const { relations, tried, notes, period, lag } = answer
  const titleOf = (found: FoundRelation): string =>
    factorText(metrics.find(({ id }) => id === found.factor)?.title ?? found.factor, found)
  const tested = relations.filter(({ verdict }) => verdict !== "not_enough_data")
  const correlations = tested.filter(({ rho }) => typeof rho === "number")
  const drawn = correlations.slice(0, MOST_ROWS)
  const clear = tested.filter(({ verdict, part_of_outcome: isPart }) => isClear(verdict) && !isPart)
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
            rows={drawn.map((found) => relationRow(titleOf(found), found))}
            color={color}
            tickText={rhoText}
            reference={0}
            reach={RHO_REACH}
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

function strengthText(outcome: Metric, { rho, difference }: FoundRelation): string {
  if (typeof rho === "number") return rhoText(rho)
  return typeof difference === "number" ? `${changeText(outcome, difference)} with yes` : "none"
}

interface OneRelationProps {
  readonly answer: SingleRelation
  readonly outcome: Metric
  readonly factor: Metric
  /** The page about all factors. */
  readonly allHref: string
}

/** The mean outcome of each group of dates: thirds of the factor, or its yes and no. */
function OneRelation({ answer, outcome, factor, allHref }: OneRelationProps) {
  const groups = groupsOf(answer, factor)
  const near = groups.find(({ mean }) => mean !== null)?.mean ?? null
  const rows = groupRows(outcome, groups, isClear(answer.verdict))
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
              headers: [meanHeader, "Spread", "Dates"],
              rows: groups.map(({ label, mean, sd, n }) => ({
                key: label,
                label,
                cells: [figureText(outcome, mean), spreadCell(outcome, sd), figure(n)],
              })),
            }
      }
    >
      {near !== null && (
        <RowChart
          title={title}
          hint={`${meanHeader.toLowerCase()} and standard deviation of each group`}
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

/** Most dates of one answer. */
const MOST_DAYS = 4_000

interface RelationProps {
  readonly metrics: readonly Metric[]
  readonly outcome: MetricId
  /** Undefined for all factors. */
  readonly factor: string | undefined
  readonly lag: 0 | 1
  readonly days: TrendDays
  readonly version: string
  /** The page about a factor, or about all. */
  readonly hrefOf: (factor: string | undefined) => string
}

/** How one factor, or each of all, goes with an outcome. */
export function Relation({ metrics, outcome, factor, lag, days, version, hrefOf }: RelationProps) {
  const relation = useRelation({ outcome, factor, lag, days: days === "all" ? MOST_DAYS : days }, version)
  const answerOf = (answer: RelateResponse) => {
    const outcomeMetric = metrics.find(({ id }) => id === answer.outcome)
    const factorMetric = "factor" in answer ? metrics.find(({ id }) => id === answer.factor) : undefined
    if (!outcomeMetric) return null
    if ("relations" in answer)
      return <FoundRelations answer={answer} outcome={outcomeMetric} metrics={metrics} hrefOf={hrefOf} />
    if (!factorMetric) return <Notice title="There is no such factor">Choose one of the list above.</Notice>
    return <OneRelation answer={answer} outcome={outcomeMetric} factor={factorMetric} allHref={hrefOf(undefined)} />
  }
  return (
    <Loaded query={relation} skeleton={<Skeleton className="h-95" label="Computing relations" />}>
      {(answer) => (
        <div aria-busy={relation.isPlaceholderData} className={relation.isPlaceholderData ? "opacity-60" : ""}>
          {answerOf(answer)}
        </div>
      )}
    </Loaded>
  )
}
