import type { ChartedMetric, TrendResponse } from "@restwell/client"
import { usePreferences } from "../api/preferences.ts"
import { ChartPanel, type ChartText, textTable } from "../charts/chart-panel.tsx"
import { Legend } from "../charts/legend.tsx"
import { firstWeekday } from "../format/preferred.ts"
import { bucketLabel, bucketText, TrendDrawing, trendBuckets, trendLegend } from "../metrics/trend-chart.tsx"

interface TrendPanelProps extends ChartText {
  readonly metric: ChartedMetric
  /** With its points. */
  readonly answer: TrendResponse
}

/** The values of a metric over a period, as a line and as a table. */
export function TrendPanel({ metric, answer, ...texts }: TrendPanelProps) {
  const { first_weekday: first } = usePreferences()
  const chart = { kind: "trend" as const, url: "", metric, answer }
  const drawn = trendBuckets(chart, firstWeekday(first))
  const { buckets } = drawn
  const rows = buckets.toReversed().map((bucket) => ({
    key: bucket.key,
    label: bucketLabel(bucket),
    cells: [bucketText(metric, bucket)],
  }))
  return (
    <ChartPanel {...texts} table={answer.n > 0 ? textTable("Date", [metric.title], rows) : undefined}>
      {answer.n > 0 && (
        <>
          <TrendDrawing chart={chart} drawn={drawn} />
          <Legend
            entries={trendLegend(chart, drawn)}
            missing={new Set(buckets.map(({ value }) => (value === null ? ("none" as const) : null)))}
          />
        </>
      )}
    </ChartPanel>
  )
}
