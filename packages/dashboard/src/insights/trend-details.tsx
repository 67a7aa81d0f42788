import type { ChartedMetric, CompareResponse, Metric, PeriodFigure, TrendResponse } from "@restwell/client"
import {
  capitalized,
  comparisonSentence,
  type DateGroup,
  figure,
  figureText,
  firstWeekday,
  inSentence,
  isClear,
  spreadCell,
  tickTextOf,
  trendSentence,
} from "@restwell/client/figures"
import type { ReactNode } from "react"
import { usePreferences } from "../api/preferences.ts"
import { ChartPanel, type ChartText, textTable } from "../charts/chart-panel.tsx"
import { Legend } from "../charts/legend.tsx"
import { OpenDays } from "../charts/open-days.tsx"
import { sourceWords } from "../components/only-source.tsx"
import { datesText, groupRows, shortDatesText } from "../metrics/answer-text.ts"
import { colorOf, ticksOf } from "../metrics/metric-chart.ts"
import { RowChart } from "../metrics/row-chart.tsx"
import {
  bucketLabel,
  bucketText,
  missingMarks,
  TrendDrawing,
  trendBuckets,
  trendLegend,
} from "../metrics/trend-chart.tsx"
import { WeekdayChart, weekdaysOf, weekdaysSentence } from "../metrics/weekday-chart.tsx"
import { GRAIN_WORDS } from "../trends/days.ts"
import { DetailsFrame, Headline, StatisticsOf } from "./headline.tsx"
import { AnswerSentence, Notes } from "./notes.tsx"

/** A metric with its answers. All dates have none before them to compare with. */
type TrendDetailsProps = Pick<PeriodFigure, "metric" | "trend" | "comparison">

/** One metric over a period: its trend, the same number of dates before, and its weekdays. */
export function TrendDetails({ metric, trend: answer, comparison }: TrendDetailsProps) {
  const { days } = answer.period
  const from = answer.n === 0 ? undefined : sourceWords(answer)
  return (
    <>
      <TrendPanel
        title={metric.title}
        {...(answer.verdict === "not_enough_data" && {
          description: (
            <AnswerSentence>
              {`${trendSentence(metric, answer)}${from === undefined ? "" : ` ${capitalized(from)}.`}`}
            </AnswerSentence>
          ),
        })}
        headline={<Headline figure={{ metric, trend: answer, comparison }} days={days} name="average" />}
        footer={
          <>
            <DetailsFrame title={metric.title}>
              <StatisticsOf metric={metric} answer={answer} />
            </DetailsFrame>
            <Notes notes={answer.notes} period={answer.period} />
          </>
        }
        metric={metric}
        answer={answer}
      />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        {comparison && <Comparison metric={metric} days={days} answer={comparison} />}
        <Weekdays metric={metric} answer={answer} />
      </div>
    </>
  )
}

interface AnswerProps {
  readonly metric: ChartedMetric
  readonly answer: TrendResponse
}

interface ComparisonProps {
  readonly metric: Metric
  readonly days: number
  readonly answer: CompareResponse
}

function Comparison({ metric, days, answer }: ComparisonProps) {
  const title = `These ${days} days and the ${days} before`
  const periods = [answer.period, answer.with].map((side) => ({
    ...side,
    label: datesText(side),
    short: shortDatesText(side),
  }))
  const hasValues = answer.period.n + answer.with.n > 0
  const from = sourceWords(answer)
  return (
    <ChartPanel
      title={title}
      description={`The average of each${from === undefined ? "" : ` ${from}`}, and how far its days spread around it.`}
      footer={
        <>
          <DetailsFrame title={title}>
            <p className="tabular-nums">{comparisonSentence(metric, answer)}</p>
          </DetailsFrame>
          <Notes notes={answer.notes} period={answer.period} />
        </>
      }
      table={hasValues ? tableOf(metric, "Period", periods) : undefined}
    >
      {hasValues && (
        <RowChart
          title={title}
          hint="mean and standard deviation"
          rows={groupRows(metric, periods, isClear(answer.verdict))}
          color={colorOf(metric.id)}
          tickText={tickTextOf(metric)}
          ticks={(axis, count) => ticksOf(metric, axis, count)}
        />
      )}
    </ChartPanel>
  )
}

function Weekdays({ metric, answer }: AnswerProps) {
  const { first_weekday: first } = usePreferences()
  const weekdays = weekdaysOf(answer, first)
  const title = "Weekdays"
  return (
    <ChartPanel
      title={title}
      description={<AnswerSentence>{weekdaysSentence(metric, answer)}</AnswerSentence>}
      table={weekdays ? tableOf(metric, "Weekday", weekdays) : undefined}
    >
      {weekdays && <WeekdayChart title={title} metric={metric} weekdays={weekdays} />}
    </ChartPanel>
  )
}

const tableOf = (metric: ChartedMetric, rowHeader: string, groups: readonly DateGroup[]) =>
  textTable(
    rowHeader,
    ["Mean", "Spread", "Values"],
    groups.map(({ label, mean, sd, n }) => ({
      key: label,
      label,
      cells: [figureText(metric, mean), spreadCell(metric, sd), figure(n)],
    })),
  )

interface TrendPanelProps extends Omit<ChartText, "description"> {
  /** @default what one value is: "Daily recovery" */
  readonly description?: ReactNode
  readonly metric: ChartedMetric
  /** With its points. */
  readonly answer: TrendResponse
}

/** The values of a metric over a period, as a line and as a table. */
export function TrendPanel({ metric, answer, description, ...texts }: TrendPanelProps) {
  const { first_weekday: first } = usePreferences()
  const chart = { kind: "trend" as const, url: "", metric, answer }
  const drawn = trendBuckets(chart, firstWeekday(first))
  const { buckets } = drawn
  const from = sourceWords(answer)
  const rows = buckets.toReversed().map((bucket) => ({
    key: bucket.key,
    label: bucketLabel(bucket),
    cells: [bucketText(metric, bucket)],
  }))
  return (
    <ChartPanel
      {...texts}
      description={
        description ?? `${GRAIN_WORDS[drawn.grain]} ${inSentence(metric.title)}${from === undefined ? "" : `, ${from}`}`
      }
      table={answer.n > 0 ? textTable("Date", [metric.title], rows) : undefined}
    >
      {answer.n > 0 && (
        <>
          <TrendDrawing chart={chart} drawn={drawn} actionOf={(bucket) => <OpenDays bucket={bucket} />} />
          <Legend entries={trendLegend(chart, drawn)} missing={missingMarks(metric, buckets)} />
        </>
      )}
    </ChartPanel>
  )
}
