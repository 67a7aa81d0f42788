import type { TrendDay } from "@restwell/client"
import type { ReactNode } from "react"
import { figure } from "../format/number.ts"
import type { Bucket } from "../trends/buckets.ts"
import type { Figure } from "../trends/figures.ts"
import { meanOf } from "../trends/means.ts"
import { YAxis } from "./axes.tsx"
import { Chart } from "./chart.tsx"
import type { Plot } from "./chart-props.ts"
import { dimming, FLOOR, yScaleOf } from "./layout.ts"
import type { LegendEntry } from "./legend.tsx"
import { meanText } from "./mean-text.ts"

interface ColumnChartProps {
  readonly title: string
  readonly description: string
  readonly buckets: readonly Bucket[]
  readonly figureOf: (day: TrendDay) => Figure
  readonly text: (value: number, source: string | null) => string
  /** Fill class of a value. */
  readonly fillOf: (value: number, source: string | null) => string
  /** Lines of the scale, from zero to the maximum. */
  readonly ticks: readonly number[]
  readonly legend: readonly LegendEntry[]
  readonly footer?: ReactNode
}

/** A column per bucket, for a score with a fixed scale. */
export function ColumnChart(props: ColumnChartProps) {
  const { title, description, buckets, figureOf, text, legend, footer } = props
  const cell = (bucket: Bucket): string => meanText(meanOf(bucket.days, figureOf), bucket, text)
  return (
    <Chart
      title={title}
      description={description}
      buckets={buckets}
      missingIn={(bucket) => meanOf(bucket.days, figureOf).missing}
      sourceIn={(bucket) => meanOf(bucket.days, figureOf).source}
      describe={(bucket) => `${bucket.label}: ${cell(bucket)}`}
      columns={[{ header: title, cell }]}
      legend={legend}
      footer={footer}
    >
      {(plot) => <Columns {...props} plot={plot} />}
    </Chart>
  )
}

function Columns({ buckets, figureOf, fillOf, ticks, plot: { x, width, active } }: ColumnChartProps & { plot: Plot }) {
  const y = yScaleOf(0, ticks.at(-1) ?? 1, false)
  return (
    <>
      <YAxis scale={y} width={width} text={figure} ticks={ticks} />
      {buckets.map((bucket) => {
        const { value, source } = meanOf(bucket.days, figureOf)
        if (value === null) return null
        const column = x(bucket.key)
        return (
          <rect
            key={bucket.key}
            x={column.left}
            y={y(value)}
            width={column.width}
            height={Math.max(FLOOR - y(value), 1)}
            rx={Math.min(3, column.width / 3)}
            className={`${fillOf(value, source)} ${dimming(bucket, active)}`}
          />
        )
      })}
    </>
  )
}
