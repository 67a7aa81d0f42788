import type { ChartedMetric, Metric, TrendResponse } from "@restwell/client"
import { useComparison, useTrend } from "../api/insights.ts"
import { Legend } from "../charts/legend.tsx"
import { datesText } from "../chat/dates-text.ts"
import { colorOf } from "../chat/metric-color.ts"
import { figureText, plotted, tickText } from "../chat/metric-text.ts"
import { type Row, RowChart } from "../chat/row-chart.tsx"
import { comparisonSentence } from "../chat/sentences.ts"
import { bucketLabel, bucketText, MEAN_TEXTS, trendBuckets } from "../chat/trend-buckets.ts"
import { TrendDrawing } from "../chat/trend-drawing.tsx"
import { ticksOf } from "../chat/value-ticks.ts"
import { Loaded } from "../components/loaded.tsx"
import { Skeleton } from "../components/skeleton.tsx"
import { figure, plural } from "../format/number.ts"
import { InsightPanel } from "./insight-panel.tsx"
import { trendVerdict } from "./trend-verdict.ts"

interface TrendDetailsProps {
  readonly metric: Metric
  /** The number of dates that end today, or all from the first value on. */
  readonly days: number | "all"
  readonly version: string
}

/** One metric over a period: its trend, the same number of dates before, and its weekdays. */
export function TrendDetails({ metric, days, version }: TrendDetailsProps) {
  const range = days === "all" ? { start_date: metric.first_date ?? undefined } : { days }
  const trend = useTrend({ metric: metric.id, ...range, by: "weekday", points: true }, version)
  return (
    <Loaded query={trend} skeleton={<Skeleton className="h-95" label="Loading the trend" />}>
      {(answer) => (
        <div
          aria-busy={trend.isPlaceholderData}
          className={`flex flex-col gap-4 ${trend.isPlaceholderData ? "opacity-60" : ""}`}
        >
          <TrendPanel metric={metric} answer={answer} />
          <div className="grid items-start gap-4 xl:grid-cols-2">
            {days !== "all" && <Comparison metric={metric} days={days} version={version} />}
            <Weekdays metric={metric} answer={answer} />
          </div>
        </div>
      )}
    </Loaded>
  )
}

interface AnswerProps {
  readonly metric: ChartedMetric
  readonly answer: TrendResponse
}

function TrendPanel({ metric, answer }: AnswerProps) {
  const chart = { kind: "trend" as const, url: "", metric, answer }
  const { grain, buckets } = trendBuckets(chart)
  const rows = buckets.toReversed().map((bucket) => ({
    key: bucket.key,
    label: bucketLabel(bucket),
    cells: [bucketText(metric, bucket)],
  }))
  const hasUsual = answer.usual !== null
  return (
    <InsightPanel
      title={metric.title}
      sentence={trendVerdict(metric, answer)}
      notes={answer.notes}
      table={answer.n > 0 ? { rowHeader: "Date", headers: [metric.title], rows } : undefined}
    >
      {answer.n > 0 && (
        <>
          <TrendDrawing chart={chart} buckets={buckets} hint={MEAN_TEXTS[grain]} />
          <Legend
            entries={[
              { label: metric.title, color: colorOf(metric.id).background },
              ...(hasUsual ? [{ label: "your usual range", color: "bg-band", shape: "band" as const }] : []),
            ]}
            missing={new Set(buckets.map(({ value }) => (value === null ? ("none" as const) : null)))}
          />
        </>
      )}
    </InsightPanel>
  )
}

function Comparison({ metric, days, version }: { metric: Metric; days: number; version: string }) {
  const comparison = useComparison({ metric: metric.id, days }, version)
  const title = `These ${days} days and the ${days} before`
  return (
    <Loaded query={comparison} skeleton={<Skeleton className="h-60" label="Loading the comparison" />}>
      {(answer) => {
        const sides = [answer.period, answer.with]
        return (
          <MeansPanel
            metric={metric}
            title={title}
            sentence={comparisonSentence(metric, answer)}
            notes={answer.notes}
            rowHeader="Period"
            groups={sides.map((side) => ({ ...side, label: datesText(side) }))}
            isClear={answer.verdict === "higher" || answer.verdict === "lower"}
          />
        )
      }}
    </Loaded>
  )
}

const WEEKDAYS: Readonly<Record<string, string>> = {
  monday: "Monday",
  tuesday: "Tuesday",
  wednesday: "Wednesday",
  thursday: "Thursday",
  friday: "Friday",
  saturday: "Saturday",
  sunday: "Sunday",
}

function Weekdays({ metric, answer: { groups, n } }: AnswerProps) {
  const ofWeek = (groups ?? []).map((each) => ({ ...each, label: WEEKDAYS[each.group] ?? each.group }))
  return (
    <MeansPanel
      metric={metric}
      title="Weekdays"
      sentence={n === 0 ? "No values in this period." : "The mean of each weekday. Differences were not tested."}
      rowHeader="Weekday"
      groups={ofWeek}
      isClear={false}
    />
  )
}

interface MeansPanelProps {
  readonly metric: ChartedMetric
  readonly title: string
  readonly sentence: string
  readonly notes?: readonly string[]
  readonly rowHeader: string
  readonly groups: readonly {
    readonly label: string
    readonly n: number
    readonly mean: string | number | null
    readonly sd: number | null
  }[]
  /** Whether the difference is clear. */
  readonly isClear: boolean
}

/** The means of some groups of dates, each with its standard deviation. */
function MeansPanel({ metric, title, sentence, notes, rowHeader, groups, isClear }: MeansPanelProps) {
  const near = groups.find(({ mean }) => mean !== null)?.mean ?? null
  const rows = groups.map(({ label, n, mean, sd }): Row => {
    const value = mean === null ? null : plotted(metric, mean, near)
    return {
      label: `${label}, ${plural(n, "value")}`,
      value,
      range: value === null || sd === null ? null : [value - sd, value + sd],
      figure: figureText(metric, mean),
      text: `mean ${figureText(metric, mean)}`,
      isClear,
    }
  })
  const table = groups.map(({ label, n, mean }) => ({
    key: label,
    label,
    cells: [figureText(metric, mean), figure(n)],
  }))
  return (
    <InsightPanel
      title={title}
      sentence={sentence}
      {...(notes && { notes })}
      table={near === null ? undefined : { rowHeader, headers: ["Mean", "Values"], rows: table }}
    >
      {near !== null && (
        <RowChart
          title={title}
          hint="mean and standard deviation"
          rows={rows}
          color={colorOf(metric.id)}
          tickText={(value) => tickText(metric, value)}
          ticks={(axis, count) => ticksOf(metric, axis, count)}
        />
      )}
    </InsightPanel>
  )
}
