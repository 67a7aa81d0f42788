import type { TrendDay } from "@restwell/client"
import { Area, LinePath } from "@visx/shape"
import type { Bucket } from "../trends/buckets.ts"
import type { Figure } from "../trends/figures.ts"
import { meanOf } from "../trends/means.ts"
import { YAxis } from "./axes.tsx"
import { Chart, type Plot } from "./chart.tsx"
import { spanOf, yScaleOf } from "./layout.ts"
import { meanText } from "./mean-text.ts"
import { MissingMark } from "./missing-mark.tsx"

const MOST_DOTS = 100

export interface LineChartProps {
  readonly title: string
  readonly description: string
  /** A figure as people read it, without its unit. */
  readonly text: (value: number) => string
  readonly unit: string
  readonly buckets: readonly Bucket[]
  readonly figureOf: (day: TrendDay) => Figure
  /** The person's own usual range of a day. */
  readonly bandOf?: (day: TrendDay) => TrendDay["hrv_band"]
  /** Classes of the line, the dots, and the legend's mark. */
  readonly color: { readonly stroke: string; readonly fill: string; readonly background: string }
}

interface Point {
  readonly bucket: Bucket
  readonly mean: ReturnType<typeof meanOf>
  readonly band: TrendDay["hrv_band"]
}

/** The course of a measurement, over the range that is usual for the person. */
export function LineChart(props: LineChartProps) {
  const { title, description, unit, text, buckets, bandOf, color } = props
  const points = buckets.map(
    (bucket): Point => ({
      bucket,
      mean: meanOf(bucket.days, props.figureOf),
      // The range of a week or a month is that of its last day.
      band: bandOf ? (bucket.days.map(bandOf).findLast((band) => band !== null) ?? null) : null,
    }),
  )
  const byKey = new Map(points.map((point) => [point.bucket.key, point]))
  const valueText = (bucket: Bucket): string => {
    const mean = byKey.get(bucket.key)?.mean
    return mean ? meanText(mean, bucket, (value) => `${text(value)} ${unit}`) : ""
  }
  const bandText = (bucket: Bucket): string => {
    const band = byKey.get(bucket.key)?.band
    return band ? `${text(band.low)} to ${text(band.high)} ${unit}` : "not known yet"
  }
  return (
    <Chart
      title={title}
      description={description}
      buckets={buckets}
      missingOf={(bucket) => byKey.get(bucket.key)?.mean.missing ?? null}
      readOut={(bucket) => `${bucket.label}: ${valueText(bucket)}${bandOf ? `, usual range ${bandText(bucket)}` : ""}`}
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
}: {
  points: readonly Point[]
  plot: Plot
  color: LineChartProps["color"]
  text: LineChartProps["text"]
}) {
  const values = points.flatMap(({ mean, band }) => [
    ...(mean.value === null ? [] : [mean.value]),
    ...(band ? [band.low, band.high] : []),
  ])
  const y = yScaleOf(...spanOf(values))
  const centerOf = ({ bucket }: Point): number => x(bucket.key).center
  const known = points.flatMap((point) => (point.mean.value === null ? [] : [{ ...point, value: point.mean.value }]))
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
      {points.length <= MOST_DOTS &&
        known.map((point) => (
          <circle
            key={point.bucket.key}
            cx={centerOf(point)}
            cy={y(point.value)}
            r={point.bucket === active ? 5 : points.length > 40 ? 1.5 : 3}
            className={color.fill}
          />
        ))}
      {points.map(
        ({ bucket, mean }) =>
          mean.missing !== null && (
            <MissingMark key={bucket.key} x={x(bucket.key).center} missing={mean.missing} width={x(bucket.key).width} />
          ),
      )}
    </>
  )
}
