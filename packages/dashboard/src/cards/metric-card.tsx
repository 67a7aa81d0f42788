import type { Metric } from "@restwell/client"
import { useTrend } from "../api/insights.ts"
import { type ChartFrame, ChartPanel } from "../charts/chart-panel.tsx"
import { Legend } from "../charts/legend.tsx"
import { Loaded, Skeleton } from "../components/notice.tsx"
import { bucketLabel, bucketText, TrendDrawing, trendBuckets, trendLegend } from "../metrics/trend-chart.tsx"
import type { CardView } from "./card-view.ts"

interface MetricCardProps {
  readonly metric: Metric
  readonly view: CardView
  readonly frame: ChartFrame
}

/** A card of a metric that has no chart of its own: a line through its values. */
export function MetricCard({ metric, view: { dates, version }, frame }: MetricCardProps) {
  const trend = useTrend({ metric: metric.id, ...dates, points: true }, version)
  return (
    <Loaded query={trend} skeleton={<Skeleton className="h-110" label={`Loading ${metric.title}`} />}>
      {(answer) => {
        const chart = { kind: "trend" as const, url: "", metric, answer }
        const drawn = trendBuckets(chart)
        const rows = drawn.buckets.map((bucket) => ({ ...bucket, label: bucketLabel(bucket) })).toReversed()
        return (
          <ChartPanel
            {...frame}
            title={metric.title}
            table={{ rows, columns: [{ header: metric.title, cell: (bucket) => bucketText(metric, bucket) }] }}
          >
            <TrendDrawing chart={chart} drawn={drawn} />
            <Legend
              entries={trendLegend(chart, drawn)}
              missing={new Set(drawn.buckets.map(({ value }) => (value === null ? ("none" as const) : null)))}
            />
          </ChartPanel>
        )
      }}
    </Loaded>
  )
}
