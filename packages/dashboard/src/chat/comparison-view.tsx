import type { ChartedMetric, ChartOf, ComparedPeriod } from "@restwell/client"
import { Legend } from "../charts/legend.tsx"
import { plural } from "../format/number.ts"
import { providerName } from "../format/provider-name.ts"
import { datesText } from "./dates-text.ts"
import { FigureFrame } from "./figure-frame.tsx"
import { colorOf } from "./metric-color.ts"
import { figureText, plotted, spreadText, tickText } from "./metric-text.ts"
import { type Row, RowChart } from "./row-chart.tsx"
import { comparisonSentence } from "./sentences.ts"
import { ticksOf } from "./value-ticks.ts"

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
      range: value === null || side.sd === null ? null : [value - side.sd, value + side.sd],
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
            tickText={(value) => tickText(metric, value)}
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

function sideText(metric: ChartedMetric, { mean, sd, n, missing }: ComparedPeriod): string {
  if (mean === null) return "no data"
  const spread = sd === null ? "" : `, standard deviation ${spreadText(metric, sd)}`
  return `mean ${figureText(metric, mean)}${spread}, ${plural(n, "value")}${missing > 0 ? `, ${missing} missing` : ""}`
}

const tableOf = (metric: ChartedMetric, sides: readonly ComparedPeriod[]) => ({
  caption: metric.title,
  headers: ["Period", "Mean", "Median", "Spread", "Values"] as const,
  rows: sides.map((side): [string, string, string, string, string] => [
    datesText(side),
    figureText(metric, side.mean),
    figureText(metric, side.median),
    side.sd === null ? figureText(metric, null) : spreadText(metric, side.sd),
    `${side.n} of ${side.n + side.missing}`,
  ]),
})
