import type { TrendDay } from "@restwell/client"
import { figure } from "../format/number.ts"
import type { Bucket } from "../trends/buckets.ts"
import type { Figure } from "../trends/figures.ts"
import { meanOf } from "../trends/means.ts"
import { YAxis } from "./axes.tsx"
import { Chart, type Plot } from "./chart.tsx"
import { FLOOR, yScaleOf } from "./layout.ts"
import type { LegendEntry } from "./legend.tsx"
import { meanText } from "./mean-text.ts"
import { MissingMark } from "./missing-mark.tsx"

export interface ColumnChartProps {
  readonly title: string
  readonly description: string
  readonly buckets: readonly Bucket[]
  readonly figureOf: (day: TrendDay) => Figure
  readonly text: (value: number) => string
  /** A fill's class. */
  readonly fillOf: (value: number) => string
  /** The scale's lines; the first is zero, the last the most there can be. */
  readonly ticks: readonly number[]
  readonly legend: readonly LegendEntry[]
}

/** A score of known bounds, a column each. */
export function ColumnChart(props: ColumnChartProps) {
  const { title, buckets, figureOf, text } = props
  const cell = (bucket: Bucket): string => meanText(meanOf(bucket.days, figureOf), bucket, text)
  return (
    <Chart
      title={title}
      description={props.description}
      buckets={buckets}
      missingOf={(bucket) => meanOf(bucket.days, figureOf).missing}
      readOut={(bucket) => `${bucket.label}: ${cell(bucket)}`}
      columns={[{ header: title, cell }]}
      legend={props.legend}
    >
      {(plot) => <Columns {...props} plot={plot} />}
    </Chart>
  )
}

function Columns({ buckets, figureOf, fillOf, ticks, plot: { x, width, active } }: ColumnChartProps & { plot: Plot }) {
  const y = yScaleOf(0, ticks.at(-1) ?? 1, false)
  return (
    <>
      <YAxis scale={y} width={width} text={(value) => figure(value)} ticks={ticks} />
      {buckets.map((bucket) => {
        const { value, missing } = meanOf(bucket.days, figureOf)
        const place = x(bucket.key)
        if (value === null)
          return <MissingMark key={bucket.key} x={place.center} missing={missing} width={place.width} />
        return (
          <rect
            key={bucket.key}
            x={place.left}
            y={y(value)}
            width={place.width}
            height={Math.max(FLOOR - y(value), 1)}
            rx={Math.min(3, place.width / 3)}
            className={`${fillOf(value)} ${active && active !== bucket ? "opacity-45" : ""}`}
          />
        )
      })}
    </>
  )
}
