import type { ChartedMetric, ChartOf, FoundRelation, RelationsResponse } from "@restwell/client"
import {
  answerRelationSentence,
  certaintyText,
  factorText,
  figure,
  figureText,
  groupsOf,
  inSentence,
  isClear,
  lagText,
  NOT_A_CAUSE,
  numberRelationSentence,
  plural,
  relationsSentence,
  rhoText,
  type SingleRelation,
  spreadCell,
  strengthText,
  tickTextOf,
} from "@restwell/client/figures"
import { Legend } from "../charts/legend.tsx"
import { providerName } from "../format/provider-name.ts"
import { datesText, groupRows, RHO_REACH, relationRow } from "../metrics/answer-text.ts"
import { colorOf, ticksOf } from "../metrics/metric-chart.ts"
import { RowChart } from "../metrics/row-chart.tsx"
import { FigureFrame } from "./figure-frame.tsx"

/** With more rows the view would be higher than chats allow. The others are in the table. */
const MOST_ROWS = 5

interface RelationListProps {
  readonly answer: RelationsResponse
  readonly outcome: ChartedMetric
  readonly factors: readonly ChartedMetric[]
  readonly url: string
}

/** Rank correlations of many factors with one outcome, clear ones first. */
function RelationList({ answer, outcome, factors, url }: RelationListProps) {
  const titles = new Map(factors.map(({ id, title }) => [id, title]))
  const titleOf = (found: FoundRelation): string => factorText(titles.get(found.factor) ?? found.factor, found)
  // Factors that are parts of the outcome come last in the answer, also clear ones.
  const correlations = answer.relations
    .filter(({ rho }) => typeof rho === "number")
    .toSorted((one, other) => Number(isClear(other.verdict)) - Number(isClear(one.verdict)))
  const drawn = correlations.slice(0, MOST_ROWS)
  const clearAnswers = answer.relations.filter(({ rho, verdict }) => typeof rho !== "number" && isClear(verdict))
  const leftOut = answer.relations.length - drawn.length - clearAnswers.length
  const color = colorOf(outcome.id)
  const title = `What affects your ${inSentence(outcome.title)}`
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
      {clearAnswers.length > 0 && (
        <ul className="mb-1.5 tabular-nums">
          {clearAnswers.map((found) => (
            <li key={found.factor}>
              {titleOf(found)}: {strengthText(outcome, found)}, clear
            </li>
          ))}
        </ul>
      )}
      {drawn.length > 0 && (
        <>
          <RowChart
            title={title}
            hint="rank correlation, from −1 to +1, with its 95 % interval"
            rows={drawn.map((found) => relationRow(titleOf(found), found))}
            color={color}
            tickText={rhoText}
            reference={0}
            reach={RHO_REACH}
          />
          <Legend
            entries={[
              { label: "clear", color: color.background },
              { label: "no clear link", color: "border-2 border-muted" },
            ]}
            missing={new Set()}
          />
        </>
      )}
    </FigureFrame>
  )
}

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
  const rows = groupRows(outcome, groups, isClear(answer.verdict))
  const color = colorOf(outcome.id)
  const title = `${outcome.title} and ${inSentence(factor.title)}`
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
              headers: [factor.title, `Mean ${inSentence(outcome.title)}`, "Spread", "Dates"],
              rows: groups.map(({ label, mean, sd, n }) => [
                label,
                figureText(outcome, mean),
                spreadCell(outcome, sd),
                figure(n),
              ]),
            }
          : undefined
      }
    >
      {known.length > 0 && (
        <>
          <RowChart
            title={title}
            hint={`mean ${inSentence(outcome.title)} and standard deviation of each group`}
            rows={rows}
            color={color}
            tickText={tickTextOf(outcome)}
            ticks={(scale, count) => ticksOf(outcome, scale, count)}
          />
          <Legend
            entries={[
              isClear(answer.verdict)
                ? { label: "mean and standard deviation", color: color.background }
                : { label: "mean and standard deviation, no clear link", color: "border-2 border-muted" },
            ]}
            missing={new Set()}
          />
        </>
      )}
    </FigureFrame>
  )
}
