import type { TrendDay } from "@restwell/client"
import { Area } from "@visx/shape"
import { figure } from "../format/number.ts"
import type { Bucket } from "../trends/days.ts"
import type { Figure } from "../trends/figures.ts"
import { YAxis } from "./axes.tsx"
import { Chart, type Plot } from "./chart.tsx"
import type { ChartFrame } from "./chart-panel.tsx"
import { dimming, FLOOR, paddedRange, yScaleOf } from "./layout.ts"
import type { LegendEntry } from "./legend.tsx"
import { type LinePoint, ValueLine } from "./line.tsx"
import { type Mean, meanOf, meanText } from "./means.ts"

interface LineChartProps {
  readonly title: string
  readonly frame: ChartFrame
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
export function LineChart({ title, frame, unit, text, buckets, figureOf, bandOf, color }: LineChartProps) {
  const meanIn = (bucket: Bucket): Mean => meanOf(bucket.days, figureOf)
  // A week or a month has the range of its last day, and says so.
  const bandIn = ({ days }: Bucket) => (bandOf ? (days.map(bandOf).findLast((band) => band !== null) ?? null) : null)
  const valueText = (bucket: Bucket): string => meanText(meanIn(bucket), bucket, (value) => `${text(value)} ${unit}`)
  const bandText = (bucket: Bucket): string => {
    const band = bandIn(bucket)
    return band ? `${text(band.low)} to ${text(band.high)} ${unit}` : "not available yet"
  }
  const isByDay = buckets.every(({ days }) => days.length === 1)
  const [bandName, bandHeader] = isByDay
    ? ["usual range", "Usual range"]
    : ["usual range of the last day", "Usual range of the last day"]
  const points = buckets.map((bucket): Point => ({ bucket, mean: meanIn(bucket), band: bandIn(bucket) }))
  return (
    <Chart
      {...frame}
      title={title}
      buckets={buckets}
      missingIn={(bucket) => meanIn(bucket).missing}
      sourceIn={(bucket) => meanIn(bucket).source}
      describe={(bucket) => `${bucket.label}: ${valueText(bucket)}${bandOf ? `, ${bandName} ${bandText(bucket)}` : ""}`}
      columns={[{ header: title, cell: valueText }, ...(bandOf ? [{ header: bandHeader, cell: bandText }] : [])]}
      legend={[
        { label: title, color: color.background },
        ...(bandOf ? [{ label: `your ${bandName}`, color: "bg-band", shape: "band" as const }] : []),
      ]}
    >
      {(plot) => <Line points={points} plot={plot} color={color} text={text} />}
    </Chart>
  )
}

function Line({
  points,
  plot: { x, width, described },
  color,
  text,
}: Pick<LineChartProps, "color" | "text"> & { points: readonly Point[]; plot: Plot }) {
  const values = points.flatMap(({ mean, band }) => [
    ...(mean.value === null ? [] : [mean.value]),
    ...(band ? [band.low, band.high] : []),
  ])
  const y = yScaleOf(...paddedRange(values))
  const centerOf = ({ bucket }: Pick<Point, "bucket">): number => x(bucket.key).center
  const placed = ({ bucket: { key }, mean: { value, source } }: Point): LinePoint => ({
    key,
    x: x(key).center,
    y: value === null ? null : y(value),
    source,
  })
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
      <ValueLine points={points.map(placed)} color={color} activeKey={described?.key} />
    </>
  )
}

type Run<Kind> = [Kind, ...Kind[]]

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

interface ColumnChartProps {
  readonly title: string
  readonly frame: ChartFrame
  readonly buckets: readonly Bucket[]
  readonly figureOf: (day: TrendDay) => Figure
  readonly text: (value: number, source: string | null) => string
  /** Fill class of a value. */
  readonly fillOf: (value: number, source: string | null) => string
  /** Lines of the scale, from zero to the maximum. */
  readonly ticks: readonly number[]
  readonly legend: readonly LegendEntry[]
}

/** A column per bucket, for a score with a fixed scale. */
export function ColumnChart(props: ColumnChartProps) {
  const { title, frame, buckets, figureOf, text, legend } = props
  const cell = (bucket: Bucket): string => meanText(meanOf(bucket.days, figureOf), bucket, text)
  return (
    <Chart
      {...frame}
      title={title}
      buckets={buckets}
      missingIn={(bucket) => meanOf(bucket.days, figureOf).missing}
      sourceIn={(bucket) => meanOf(bucket.days, figureOf).source}
      describe={(bucket) => `${bucket.label}: ${cell(bucket)}`}
      columns={[{ header: title, cell }]}
      legend={legend}
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
