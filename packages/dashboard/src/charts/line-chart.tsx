import type { TrendDay } from "@restwell/client"
import { Area, LinePath } from "@visx/shape"
import type { ReactNode } from "react"
import type { Bucket } from "../trends/buckets.ts"
import type { Figure } from "../trends/figures.ts"
import { type Mean, meanOf } from "../trends/means.ts"
import { YAxis } from "./axes.tsx"
import { Chart } from "./chart.tsx"
import type { Plot } from "./chart-props.ts"
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
  readonly footer?: ReactNode
}

interface Point {
  readonly bucket: Bucket
  readonly mean: Mean
  readonly band: TrendDay["hrv_band"]
}

/** A line over the person's usual range, for a measurement. */
export function LineChart({
  title,
  description,
  unit,
  text,
  buckets,
  figureOf,
  bandOf,
  color,
  footer,
}: LineChartProps) {
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
      footer={footer}
      buckets={buckets}
      missingIn={(bucket) => meanIn(bucket).missing}
      sourceIn={(bucket) => meanIn(bucket).source}
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
  const centerOf = ({ bucket }: Pick<Point, "bucket">): number => x(bucket.key).center
  return (
    <>
      <YAxis scale={y} width={width} text={text} />
      {bandRunsOf(points).map((run) => (
        <Area
          key={run[0].bucket.key}
          data={run}
          x={centerOf}
          y0={({ band }) => y(band.low)}
          y1={({ band }) => y(band.high)}
          className="fill-band"
        />
      ))}
      {runsOf(points).map((run) => (
        <LinePath
          key={run[0].bucket.key}
          data={run}
          x={centerOf}
          y={({ mean }) => y(mean.value)}
          className={color.stroke}
          strokeWidth={2}
          strokeLinejoin="round"
          strokeLinecap="round"
        />
      ))}
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

type Run<Kind> = [Kind, ...Kind[]]

type KnownPoint = Point & { readonly mean: Extract<Mean, { missing: null }> }

/** The lines between the points. A line ends before a missing value, and before a value of another source. */
function runsOf(points: readonly Point[]): Run<KnownPoint>[] {
  const runs: Run<KnownPoint>[] = []
  let last: KnownPoint | undefined
  for (const { mean, ...rest } of points) {
    const point = mean.missing === null ? { ...rest, mean } : undefined
    if (point && last?.mean.source === point.mean.source) runs.at(-1)?.push(point)
    else if (point) runs.push([point])
    last = point
  }
  return runs
}

type BandPoint = Point & { readonly band: NonNullable<Point["band"]> }

/** The areas of the usual range. Days without a value continue the range of the source before. */
function bandRunsOf(points: readonly Point[]): Run<BandPoint>[] {
  const runs: Run<BandPoint>[] = []
  let source: string | null = null
  let isOpen = false
  for (const { band, ...point } of points) {
    const isOther = point.mean.source !== null && point.mean.source !== source
    if (isOther) source = point.mean.source
    if (band && isOpen && !isOther) runs.at(-1)?.push({ ...point, band })
    else if (band) runs.push([{ ...point, band }])
    isOpen = band !== null
  }
  return runs
}
