import type { FoundRelation, InsightsPage, Metric, TrendResponse } from "@restwell/client"
import {
  answerRelationSentence,
  differenceText,
  figure,
  figureText,
  groupsOf,
  inSentence,
  isClear,
  lagText,
  numberRelationSentence,
  ofSource,
  type SingleRelation,
  spreadCell,
  tickTextOf,
} from "@restwell/client/figures"
import { Link } from "wouter"
import { ChartPanel, textTable } from "../charts/chart-panel.tsx"
import { datesText, groupRows } from "../metrics/answer-text.ts"
import { colorOf, ticksOf } from "../metrics/metric-chart.ts"
import { RowChart } from "../metrics/row-chart.tsx"
import { FindingPanels } from "./finding-panels.tsx"
import { factorTitle, findingText } from "./finding-text.ts"
import { groupFindings, type Pairing } from "./findings.ts"
import { IntervalMark, type Reach, reachOf } from "./interval-mark.tsx"
import { AnswerSentence, Notes } from "./notes.tsx"

interface RelationProps {
  readonly answer: ReturnedPage
  /** The page about a factor, or about all. */
  readonly hrefOf: (factor: string | undefined) => string
}

/** An answer about an outcome that has values. */
export type ReturnedPage = Omit<InsightsPage, "trend"> & { readonly trend: TrendResponse }

/** What an outcome goes with: the answers of one lag or of both, and the spread of the outcome. */
export function AllRelations({ answer, pairing, hrefOf }: RelationProps & { readonly pairing: Pairing }) {
  const outcome = answer.metrics.find(({ id }) => id === answer.outcome)
  if (!outcome) return null
  return (
    <FindingPanels
      found={groupFindings(answer.relations, pairing)}
      outcome={outcome}
      metrics={answer.metrics}
      spread={answer.trend.sd}
      period={answer.trend.period}
      hrefOf={hrefOf}
    />
  )
}

/** How one factor goes with an outcome. */
export function OneFactor({ answer: { metrics, relations, trend, outcome: id }, hrefOf }: RelationProps) {
  const outcome = metrics.find((metric) => metric.id === id)
  const [answer] = relations
  if (!outcome || !answer || "relations" in answer) return null
  return (
    <OneRelation
      answer={answer}
      outcome={ofSource(outcome, trend.source.provider)}
      metrics={metrics}
      spread={trend.sd}
      allHref={hrefOf(undefined)}
    />
  )
}

interface OneRelationProps {
  readonly answer: SingleRelation
  readonly outcome: Metric
  readonly metrics: readonly Metric[]
  /** The standard deviation of the outcome. */
  readonly spread: number | null
  /** The page about all factors. */
  readonly allHref: string
}

/** The relation as a sentence, its interval, and the mean outcome of each group of dates: thirds of the factor, or its yes and no. */
function OneRelation({ answer, outcome, metrics, spread, allHref }: OneRelationProps) {
  const factor = metricOf(answer.factor, metrics)
  const found = { ...foundOf(answer, factor), lag: answer.lag }
  const reach = reachOf(spread, [found])
  const groups = groupsOf(answer, factor)
  const hasMeans = groups.some(({ mean }) => mean !== null)
  const title = `${outcome.title} and ${inSentence(factor.title)}${lagText(answer.lag)}`
  const mean = `mean ${inSentence(outcome.title)}`
  return (
    <ChartPanel
      title={title}
      description={
        <AnswerSentence>{`${datesText(answer.period)}: ${sentenceOf(answer, { outcome, factor, metrics })}`}</AnswerSentence>
      }
      footer={<Notes notes={answer.notes} period={answer.period} />}
      table={
        hasMeans
          ? textTable(
              factor.title,
              [`Mean ${inSentence(outcome.title)}`, "Spread", "Days"],
              groups.map(({ label, mean, sd, n }) => ({
                key: label,
                label,
                cells: [figureText(outcome, mean), spreadCell(outcome, sd), figure(n)],
              })),
            )
          : undefined
      }
    >
      {answer.interval !== null && (
        <>
          <IntervalMark found={found} outcome={outcome} reach={reach} />
          <AxisEnds isDifference={"yes" in answer} outcome={outcome} reach={reach} />
        </>
      )}
      {hasMeans && (
        <RowChart
          title={title}
          hint={`${mean} and standard deviation of each group`}
          rows={groupRows(outcome, groups, isClear(answer.verdict))}
          color={colorOf(outcome.id)}
          tickText={tickTextOf(outcome)}
          ticks={(scale, count) => ticksOf(outcome, scale, count)}
        />
      )}
      <p className="mt-3 text-sm text-muted">
        One factor was tested here. Testing many factors turns up some by chance.{" "}
        <Link href={allHref} className="text-accent underline underline-offset-2">
          Test all factors
        </Link>
        , which allows for that.
      </p>
    </ChartPanel>
  )
}

function AxisEnds({ isDifference, outcome, reach }: { isDifference: boolean; outcome: Metric; reach: Reach }) {
  const end = differenceText(outcome, reach.difference)
  const [low, high] = isDifference ? [`\u2212${end}`, `+${end}`] : ["\u22121", "+1"]
  return (
    <p aria-hidden="true" className="mb-4 flex justify-between text-[0.6875rem] text-muted tabular-nums">
      <span>{low}</span>
      <span>{isDifference ? "no difference" : "no correlation"}</span>
      <span>{high}</span>
    </p>
  )
}

function metricOf(factor: string, metrics: readonly Metric[]): Metric {
  const known = metrics.find(({ id }) => id === factor)
  if (known) return known
  const title = factorTitle(factor, metrics)
  return {
    id: factor,
    title,
    unit: null,
    better: "neither",
    decimals: 2,
    kind: "yes_no",
    sources: [],
    first_date: null,
    last_date: null,
    n: 0,
  }
}

/** The answer about one factor as a row of the list of all. */
function foundOf(answer: SingleRelation, { kind }: Metric): FoundRelation {
  const { factor, n, interval, verdict, part_of_outcome } = answer
  const common = { factor, kind, n, interval, verdict, part_of_outcome }
  return "rho" in answer
    ? { ...common, rho: answer.rho }
    : { ...common, yes_n: answer.yes.n, difference: answer.difference }
}

interface Words {
  readonly outcome: Metric
  readonly factor: Metric
  readonly metrics: readonly Metric[]
}

/** A clear link has the sentence of the list. Without one the sentence says why. */
function sentenceOf(answer: SingleRelation, { outcome, factor, metrics }: Words): string {
  if (isClear(answer.verdict)) {
    const found = { ...foundOf(answer, factor), lag: answer.lag }
    const { lead, middle, strong, rest, small } = findingText(found, outcome, metrics)
    return `${lead} ${middle} ${strong}${rest} ${small}.`
  }
  return "groups" in answer ? numberRelationSentence(outcome, factor, answer) : answerRelationSentence(outcome, answer)
}
