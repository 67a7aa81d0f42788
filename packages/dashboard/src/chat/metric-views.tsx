import { type ChartedMetric, type ChartOf, type ComparedPeriod, DEFAULT_PREFERENCES } from "@restwell/client"
import {
  comparisonSentence,
  type DateGroup,
  figure,
  figureText,
  firstWeekday,
  meanText,
  plotted,
  plural,
  spreadAround,
  spreadCell,
  tickTextOf,
  trendSentence,
} from "@restwell/client/figures"
import { Legend } from "../charts/legend.tsx"
import { providerName } from "../format/provider-name.ts"
import { datesText } from "../metrics/answer-text.ts"
import { colorOf, ticksOf } from "../metrics/metric-chart.ts"
import { type Row, RowChart } from "../metrics/row-chart.tsx"
import {
  bucketLabel,
  bucketText,
  missingMarks,
  TrendDrawing,
  trendBuckets,
  trendLegend,
} from "../metrics/trend-chart.tsx"
import { WeekdayChart, weekdaysOf, weekdaysSentence } from "../metrics/weekday-chart.tsx"
import { FigureFrame } from "./figure-frame.tsx"

/** What a question about a metric shows: its weekdays where it was asked by weekday, else its values over the period. */
export function TrendView({ chart }: { chart: ChartOf<"trend"> }) {
  const weekdays = weekdaysOf(chart.answer, chart.first_weekday)
  return weekdays ? <WeekdaysView chart={chart} weekdays={weekdays} /> : <CourseView chart={chart} />
}

const subtitleOf = ({ metric, answer: { period, source, n, mean } }: ChartOf<"trend">): string =>
  `${datesText(period)}, ${providerName(source.provider)}${n > 0 ? `, mean ${figureText(metric, mean)}` : ""}`

function WeekdaysView({ chart, weekdays }: { chart: ChartOf<"trend">; weekdays: readonly DateGroup[] }) {
  const { metric, answer, url } = chart
  const title = `${metric.title} by weekday`
  return (
    <FigureFrame
      title={title}
      subtitle={subtitleOf(chart)}
      sentence={weekdaysSentence(metric, answer)}
      notes={[`Over the period: ${trendSentence(metric, answer)}`, ...answer.notes]}
      url={url}
      table={{
        caption: title,
        headers: ["Weekday", "Mean", "Spread", "Values"],
        rows: weekdays.map(({ label, mean, sd, n }) => [
          label,
          figureText(metric, mean),
          spreadCell(metric, sd),
          figure(n),
        ]),
      }}
    >
      <WeekdayChart title={title} metric={metric} weekdays={weekdays} />
    </FigureFrame>
  )
}

/** The values over a period, with the usual range of the newest one and, where there is one, the trend. */
function CourseView({ chart }: { chart: ChartOf<"trend"> }) {
  const { metric, answer, url } = chart
  const drawn = trendBuckets(chart, firstWeekday(chart.first_weekday ?? DEFAULT_PREFERENCES.first_weekday))
  const { buckets } = drawn
  const hasValues = buckets.some(({ value }) => value !== null)
  const rows = buckets.toReversed().map((bucket): [string, string] => [bucketLabel(bucket), bucketText(metric, bucket)])
  return (
    <FigureFrame
      title={metric.title}
      subtitle={subtitleOf(chart)}
      sentence={trendSentence(metric, answer)}
      notes={answer.notes}
      url={url}
      table={hasValues ? { caption: metric.title, headers: ["Date", metric.title], rows } : undefined}
    >
      {hasValues && (
        <>
          <TrendDrawing chart={chart} drawn={drawn} />
          <Legend entries={trendLegend(chart, drawn)} missing={missingMarks(metric, buckets)} />
        </>
      )}
    </FigureFrame>
  )
}

type Points = NonNullable<ChartOf<"comparison">["points"]>["period"]

/** Two periods of one metric: their means, spreads and values. */
export function ComparisonView({ chart: { metric, answer, points, url } }: { chart: ChartOf<"comparison"> }) {
  const { period, with: other, source, verdict } = answer
  const near = period.mean ?? other.mean
  const isClear = verdict === "higher" || verdict === "lower"
  const row = (side: ComparedPeriod, values: Points | undefined): Row => {
    const value = side.mean === null ? null : plotted(metric, side.mean, near)
    return {
      label: datesText(side),
      value,
      range: spreadAround(metric, value, side.sd),
      points: (values ?? []).map(([date, point]) => [date, plotted(metric, point, near)] as const),
      figure: figureText(metric, side.mean),
      text: sideText(metric, side),
      isClear,
    }
  }
  const rows = [row(period, points?.period), row(other, points?.with)]
  const color = colorOf(metric.id)
  return (
    <FigureFrame
      title={metric.title}
      subtitle={`${datesText(period)} compared with ${datesText(other)}, ${providerName(source.provider)}`}
      sentence={comparisonSentence(metric, answer)}
      notes={answer.notes}
      url={url}
      table={period.n + other.n > 0 ? tableOf(metric, [period, other]) : undefined}
    >
      {period.n + other.n > 0 && (
        <>
          <RowChart
            title={metric.title}
            hint="mean and standard deviation of each period"
            rows={rows}
            color={color}
            tickText={tickTextOf(metric)}
            ticks={(scale, count) => ticksOf(metric, scale, count)}
          />
          <Legend
            entries={[
              { label: "mean and standard deviation", color: color.background },
              ...(points ? [{ label: "single values, paler", color: `${color.background} opacity-40` }] : []),
            ]}
            missing={new Set()}
          />
        </>
      )}
    </FigureFrame>
  )
}

function sideText(metric: ChartedMetric, side: ComparedPeriod): string {
  const { mean, n, missing } = side
  if (mean === null) return "no data"
  return `${meanText(metric, side)}, ${plural(n, "value")}${missing > 0 ? `, ${missing} missing` : ""}`
}

const tableOf = (metric: ChartedMetric, sides: readonly ComparedPeriod[]) => ({
  caption: metric.title,
  headers: ["Period", "Mean", "Median", "Spread", "Values"] as const,
  rows: sides.map((side): [string, string, string, string, string] => [
    datesText(side),
    figureText(metric, side.mean),
    figureText(metric, side.median),
    spreadCell(metric, side.sd),
    `${side.n} of ${side.n + side.missing}`,
  ]),
})
