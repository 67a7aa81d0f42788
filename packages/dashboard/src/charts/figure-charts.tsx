import type { TrendDay } from "@restwell/client"
import { figure, markText } from "@restwell/client/figures"
import { Area } from "@visx/shape"
import type { Bucket } from "../trends/days.ts"
import { FIGURES, type Figure, MAX_STRAIN, type Mean, meanOf, meanText } from "../trends/figures.ts"
import { recoveryFill, recoveryScale, scoreAndBand } from "../trends/recovery-band.ts"
import { YAxis } from "./axes.tsx"
import { Chart, type Plot } from "./chart.tsx"
import type { ChartFrame } from "./chart-panel.tsx"
import { dimming, paddedRange, yScaleOf } from "./layout.ts"
import type { LegendEntry } from "./legend.tsx"
import { type LinePoint, ValueLine } from "./line.tsx"
import { FLOOR, HEIGHT, MARGIN } from "./sizes.ts"

interface LineChartProps {
  readonly title: string
  readonly frame: ChartFrame
  /** A value as text, without its unit. */
  readonly text: (value: number) => string
  /** A mark of the axis as text. */
  readonly tick: (value: number, ticks: readonly number[]) => string
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
export function LineChart({ title, frame, unit, text, tick, buckets, figureOf, bandOf, color }: LineChartProps) {
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
      {(plot) => <Line points={points} plot={plot} color={color} tick={tick} />}
    </Chart>
  )
}

function Line({
  points,
  plot: { x, width, described },
  color,
  tick,
}: Pick<LineChartProps, "color" | "tick"> & { points: readonly Point[]; plot: Plot }) {
  const values = points.flatMap(({ mean, band }) => [
    ...(mean.value === null ? [] : [mean.value]),
    ...(band ? [band.low, band.high] : []),
  ])
  const y = yScaleOf(...paddedRange(values), false)
  const centerOf = ({ bucket }: Pick<Point, "bucket">): number => x(bucket.key).center
  const placed = ({ bucket: { key }, mean: { value, source } }: Point): LinePoint => ({
    key,
    x: x(key).center,
    y: value === null ? null : y(value),
    source,
  })
  return (
    <>
      <YAxis scale={y} width={width} text={tick} />
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

/** Opacity of the value of a day in progress, and the class of its mark in the legend. */
const OPEN_OPACITY = 0.4
const OPEN_CLASS = "opacity-40"

const opacityOf = ({ isOpen }: Mean): number | undefined => (isOpen ? OPEN_OPACITY : undefined)

/** Names the paler mark of today. @param color the class of finished days */
const openLegend = (
  buckets: readonly Bucket[],
  figureOf: (day: TrendDay) => Figure,
  color = "bg-muted",
): readonly LegendEntry[] =>
  buckets.some(({ days }) => meanOf(days, figureOf).isOpen)
    ? [{ label: "today so far", color: `${color} ${OPEN_CLASS}` }]
    : []

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
      legend={[...legend, ...openLegend(buckets, figureOf, legend[0]?.color)]}
    >
      {(plot) => <Columns {...props} plot={plot} />}
    </Chart>
  )
}

function Columns({ buckets, figureOf, fillOf, ticks, plot: { x, width, active } }: ColumnChartProps & { plot: Plot }) {
  const y = yScaleOf(0, ticks.at(-1) ?? 1, false)
  return (
    <>
      <YAxis scale={y} width={width} text={markText} ticks={ticks} />
      {buckets.map((bucket) => {
        const mean = meanOf(bucket.days, figureOf)
        const { value, source } = mean
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
            fillOpacity={opacityOf(mean)}
            className={`${fillOf(value, source)} ${dimming(bucket, active)}`}
          />
        )
      })}
    </>
  )
}

const STRAIN_TICKS = [0, 7, 14, MAX_STRAIN]

const recoveryIn = (bucket: Bucket) => meanOf(bucket.days, FIGURES.recovery)
const strainIn = (bucket: Bucket) => meanOf(bucket.days, FIGURES.strain)
const recoveryText = (bucket: Bucket): string => meanText(recoveryIn(bucket), bucket, scoreAndBand)
const strainText = (bucket: Bucket): string => meanText(strainIn(bucket), bucket, (strain) => figure(strain, 1))

/** A point per bucket: recovery on the horizontal axis, strain on the vertical one. */
export function StrainRecoveryChart({ buckets, frame }: { buckets: readonly Bucket[]; frame: ChartFrame }) {
  const { legend, ticks, unit } = recoveryScale(buckets.map((bucket) => recoveryIn(bucket).source))
  return (
    <Chart
      {...frame}
      title="Strain against recovery"
      buckets={buckets}
      describe={(bucket) => `${bucket.label}: recovery ${recoveryText(bucket)}, strain ${strainText(bucket)}`}
      columns={[
        { header: "Recovery", cell: recoveryText },
        { header: "Strain", cell: strainText },
      ]}
      legend={[...legend, ...openLegend(buckets, FIGURES.strain)]}
      positions={(width) => buckets.map((bucket) => positionOf(bucket, width))}
    >
      {(plot) => <Points buckets={buckets} ticks={ticks.map((tick) => [tick, `${tick} ${unit}`.trim()])} plot={plot} />}
    </Chart>
  )
}

const y = yScaleOf(0, MAX_STRAIN, false)
const xOf = (recovery: number, width: number): number =>
  MARGIN.left + (recovery / 100) * (width - MARGIN.left - MARGIN.right - 10)

function positionOf(bucket: Bucket, width: number): readonly [number, number] | null {
  const recovery = recoveryIn(bucket).value
  const strain = strainIn(bucket).value
  return recovery === null || strain === null ? null : [xOf(recovery, width), y(strain)]
}

interface PointsProps {
  readonly buckets: readonly Bucket[]
  /** Recoveries, and their texts. */
  readonly ticks: readonly (readonly [recovery: number, text: string])[]
  readonly plot: Plot
}

function Points({ buckets, ticks, plot: { width, described } }: PointsProps) {
  return (
    <>
      <YAxis scale={y} width={width} text={markText} ticks={STRAIN_TICKS} />
      {ticks.map(([recovery, text]) => (
        <g key={recovery} transform={`translate(${xOf(recovery, width)} 0)`}>
          <line y1={MARGIN.top} y2={FLOOR} className="stroke-line" />
          <text y={HEIGHT - 6} textAnchor="middle" className="fill-muted text-[11px]">
            {text}
          </text>
        </g>
      ))}
      {buckets.map((bucket) => {
        const position = positionOf(bucket, width)
        const { value: recovery, source } = recoveryIn(bucket)
        if (!position || recovery === null) return null
        const isOutlined = bucket === described
        return (
          <circle
            key={bucket.key}
            cx={position[0]}
            cy={position[1]}
            r={isOutlined ? 6 : 4}
            strokeWidth={2}
            fillOpacity={opacityOf(strainIn(bucket))}
            className={`${recoveryFill(recovery, source)} ${isOutlined ? "stroke-text" : "stroke-surface"}`}
          />
        )
      })}
    </>
  )
}
