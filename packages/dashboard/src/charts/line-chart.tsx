import type { TrendDay } from "@restwell/client"
import { Area, LinePath } from "@visx/shape"
import type { Bucket } from "../trends/buckets.ts"
import type { Figure } from "../trends/figures.ts"
import { type Mean, meanOf } from "../trends/means.ts"
import { YAxis } from "./axes.tsx"
import { Chart, type Plot } from "./chart.tsx"
import { paddedRange, yScaleOf } from "./layout.ts"
import { meanText } from "./mean-text.ts"

/** With more points, the dots would cover the line. */
const MAX_DOTS = 100

interface LineChartProps {
  readonly title: string
  readonly description: string
  /** A value as text, without its unit. */
  readonly text: (value: number) => string
  readonly unit: string
  readonly buckets: readonly Bucket[]
  readonly figureOf: (day: TrendDay) => Figure
  /** The person's usual range on a day. */
  readonly bandOf?: (day: TrendDay) => TrendDay["hrv_band"]
  /** Classes of the line, the dots and the legend's mark. */
  readonly color: { readonly stroke: string; readonly fill: string; readonly background: string }
}

interface Point {
  readonly bucket: Bucket
  readonly mean: Mean
  readonly band: TrendDay["hrv_band"]
}

/** A line over the person's usual range, for a measurement. */
export function LineChart({ title, description, unit, text, buckets, figureOf, bandOf, color }: LineChartProps) {
  const meanIn = (bucket: Bucket): Mean => meanOf(bucket.days, figureOf)
  // A week or a month has the range of its last day.
  const bandIn = ({ days }: Bucket) => (bandOf ? (days.map(bandOf).findLast((band) => band !== null) ?? null) : null)
  const valueText = (bucket: Bucket): string => meanText(meanIn(bucket), bucket, (value) => `${text(value)} ${unit}`)
  const bandText = (bucket: Bucket): string => {
    const band = bandIn(bucket)
    return band ? `${text(band.low)} to ${text(band.high)} ${unit}` : "not available yet"
  }
  const points = buckets.map((bucket): Point => ({ bucket, mean: meanIn(bucket), band: bandIn(bucket) }))
  return (
    <Chart
      title={title}
      description={description}
      buckets={buckets}
      missingIn={(bucket) => meanIn(bucket).missing}
      describe={(bucket) => `${bucket.label}: ${valueText(bucket)}${bandOf ? `, usual range ${bandText(bucket)}` : ""}`}
      columns={[{ header: title, cell: valueText }, ...(bandOf ? [{ header: "Usual range", cell: bandText }] : [])]}
      legend={[
        { label: title, color: color.background },
        ...(bandOf ? [{ label: "your usual range", color: "bg-band", shape: "band" as const }] : []),
      ]}
    >
      {(plot) => <Line points={points} plot={plot} color={color} text={text} />}
    </Chart>
  )
}

function Line({
  points,
  plot: { x, width, active },
  color,
  text,
}: Pick<LineChartProps, "color" | "text"> & { points: readonly Point[]; plot: Plot }) {
  const values = points.flatMap(({ mean, band }) => [
    ...(mean.value === null ? [] : [mean.value]),
    ...(band ? [band.low, band.high] : []),
  ])
  const y = yScaleOf(...paddedRange(values))
  const centerOf = ({ bucket }: Point): number => x(bucket.key).center
  return (
    <>
      <YAxis scale={y} width={width} text={text} />
      <Area
        data={[...points]}
        x={centerOf}
        y0={({ band }) => y(band?.low ?? 0)}
        y1={({ band }) => y(band?.high ?? 0)}
        defined={({ band }) => band !== null}
        className="fill-band"
      />
      <LinePath
        data={[...points]}
        x={centerOf}
        y={({ mean }) => y(mean.value ?? 0)}
        defined={({ mean }) => mean.value !== null}
        className={color.stroke}
        strokeWidth={2}
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      {points.length <= MAX_DOTS &&
        points.map(
          (point) =>
            point.mean.value !== null && (
              <circle
                key={point.bucket.key}
                cx={centerOf(point)}
                cy={y(point.mean.value)}
                r={point.bucket === active ? 5 : points.length > 40 ? 1.5 : 3}
                className={color.fill}
              />
            ),
        )}
    </>
  )
}
