import { type ChartedMetric, isClear, type Metric, type TrendResponse } from "@restwell/client"
import { useComparison, useTrend } from "../api/insights.ts"
import { Legend } from "../charts/legend.tsx"
import { Loaded, Skeleton } from "../components/notice.tsx"
import { figure } from "../format/number.ts"
import {
  comparisonSentence,
  type DateGroup,
  datesText,
  groupRows,
  spreadCell,
  trendSentence,
} from "../metrics/answer-text.ts"
import { colorOf, figureText, ticksOf, tickText } from "../metrics/metric-text.ts"
import { RowChart } from "../metrics/row-chart.tsx"
import { bucketLabel, bucketText, TrendDrawing, trendBuckets, trendLegend } from "../metrics/trend-chart.tsx"
import { WeekdayChart, weekdaysOf, weekdaysSentence } from "../metrics/weekday-chart.tsx"
import type { Period } from "../trends/days.ts"
import { InsightPanel } from "./insight-panel.tsx"

interface TrendDetailsProps {
  readonly metric: Metric
  /** All dates are those from the first value on. */
  readonly period: Period
  readonly version: string
}

/** One metric over a period: its trend, the same number of dates before, and its weekdays. */
export function TrendDetails({ metric, period, version }: TrendDetailsProps) {
  const dates = datesOf(metric, period)
  const trend = useTrend({ metric: metric.id, ...dates, by: "weekday", points: true }, version)
  return (
    <Loaded query={trend} skeleton={<Skeleton className="h-95" label="Loading the trend" />}>
      {(answer) => (
        <div
          aria-busy={trend.isPlaceholderData}
          className={`flex flex-col gap-4 ${trend.isPlaceholderData ? "opacity-60" : ""}`}
        >
          <TrendPanel metric={metric} answer={answer} />
          <div className="grid items-start gap-4 xl:grid-cols-2">
            {period !== "all" && (
              <Comparison metric={metric} days={answer.period.days} dates={dates} version={version} />
            )}
            <Weekdays metric={metric} answer={answer} />
          </div>
        </div>
      )}
    </Loaded>
  )
}

/** The dates as parameters of a question. */
function datesOf(metric: Metric, period: Period) {
  if (typeof period === "object") return period
  return period === "all" ? { start_date: metric.first_date ?? undefined } : { days: period }
}

interface AnswerProps {
  readonly metric: ChartedMetric
  readonly answer: TrendResponse
}

function TrendPanel({ metric, answer }: AnswerProps) {
  const chart = { kind: "trend" as const, url: "", metric, answer }
  const drawn = trendBuckets(chart)
  const { buckets } = drawn
  const rows = buckets.toReversed().map((bucket) => ({
    key: bucket.key,
    label: bucketLabel(bucket),
    cells: [bucketText(metric, bucket)],
  }))
  return (
    <InsightPanel
      title={metric.title}
      sentence={trendSentence(metric, answer)}
      notes={answer.notes}
      table={answer.n > 0 ? { rowHeader: "Date", headers: [metric.title], rows } : undefined}
    >
      {answer.n > 0 && (
        <>
          <TrendDrawing chart={chart} drawn={drawn} />
          <Legend
            entries={trendLegend(chart, drawn)}
            missing={new Set(buckets.map(({ value }) => (value === null ? ("none" as const) : null)))}
          />
        </>
      )}
    </InsightPanel>
  )
}

interface ComparisonProps {
  readonly metric: Metric
  readonly days: number
  readonly dates: ReturnType<typeof datesOf>
  readonly version: string
}

function Comparison({ metric, days, dates, version }: ComparisonProps) {
  const comparison = useComparison({ metric: metric.id, ...dates }, version)
  const title = `These ${days} days and the ${days} before`
  return (
    <Loaded query={comparison} skeleton={<Skeleton className="h-60" label="Loading the comparison" />}>
      {(answer) => {
        const periods = [answer.period, answer.with].map((side) => ({ ...side, label: datesText(side) }))
        const hasValues = answer.period.n + answer.with.n > 0
        return (
          <InsightPanel
            title={title}
            sentence={comparisonSentence(metric, answer)}
            notes={answer.notes}
            table={hasValues ? tableOf(metric, "Period", periods) : undefined}
          >
            {hasValues && (
              <RowChart
                title={title}
                hint="mean and standard deviation"
                rows={groupRows(metric, periods, isClear(answer.verdict))}
                color={colorOf(metric.id)}
                tickText={(value) => tickText(metric, value)}
                ticks={(axis, count) => ticksOf(metric, axis, count)}
              />
            )}
          </InsightPanel>
        )
      }}
    </Loaded>
  )
}

function Weekdays({ metric, answer }: AnswerProps) {
  const weekdays = weekdaysOf(answer)
  const title = "Weekdays"
  return (
    <InsightPanel
      title={title}
      sentence={weekdaysSentence(metric, answer)}
      table={weekdays ? tableOf(metric, "Weekday", weekdays) : undefined}
    >
      {weekdays && <WeekdayChart title={title} metric={metric} weekdays={weekdays} />}
    </InsightPanel>
  )
}

const tableOf = (metric: ChartedMetric, rowHeader: string, groups: readonly DateGroup[]) => ({
  rowHeader,
  headers: ["Mean", "Spread", "Values"],
  rows: groups.map(({ label, mean, sd, n }) => ({
    key: label,
    label,
    cells: [figureText(metric, mean), spreadCell(metric, sd), figure(n)],
  })),
})
