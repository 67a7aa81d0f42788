import type { ChartOf } from "@restwell/client"
import { LinePath } from "@visx/shape"
import { XAxis, YAxis } from "../charts/axes.tsx"
import { FLOOR, HEIGHT, MARGIN, paddedRange, type XScale, xScaleOf, type YScale, yScaleOf } from "../charts/layout.ts"
import { MissingMark } from "../charts/missing-mark.tsx"
import { colorOf } from "./metric-color.ts"
import { plotted, tickText } from "./metric-text.ts"
import { ReadableChart } from "./readable-chart.tsx"
import { bucketLabel, bucketText, type ValueBucket } from "./trend-buckets.ts"
import { trendLine } from "./trend-line.ts"
import { ticksOf } from "./value-ticks.ts"

/** With more values, dots of full size would cover the line. */
const MOST_LARGE_DOTS = 40

interface TrendDrawingProps {
  readonly chart: ChartOf<"trend">
  readonly buckets: readonly ValueBucket[]
  readonly hint: string
}

/** A line through the values of each date, over the usual range. */
export function TrendDrawing({ chart, buckets, hint }: TrendDrawingProps) {
  const { metric } = chart
  return (
    <ReadableChart
      title={metric.title}
      items={buckets}
      describe={(bucket) => `${bucketLabel(bucket)}: ${bucketText(metric, bucket)}`}
      height={HEIGHT}
      hint={hint}
      nearest={({ x, width }) => nearestOf(buckets, xScaleOf(buckets, width), x)}
    >
      {({ width, active }) => <Plot chart={chart} buckets={buckets} width={width} active={active} />}
    </ReadableChart>
  )
}

function nearestOf(buckets: readonly ValueBucket[], x: XScale, pointer: number): number {
  const distances = buckets.map(({ key }) => Math.abs(x(key).center - pointer))
  return distances.indexOf(Math.min(...distances))
}

interface PlotProps extends Pick<TrendDrawingProps, "chart" | "buckets"> {
  readonly width: number
  readonly active: ValueBucket | undefined
}

function Plot({ chart, buckets, width, active }: PlotProps) {
  const { metric, answer } = chart
  const x = xScaleOf(buckets, width)
  const usual = answer.usual && {
    low: plotted(metric, answer.usual.low, answer.mean),
    high: plotted(metric, answer.usual.high, answer.mean),
  }
  const values = buckets.flatMap(({ value }) => (value === null ? [] : [value]))
  const y = yScaleOf(...paddedRange([...values, ...(usual ? [usual.low, usual.high] : [])]), false)
  return (
    <>
      {usual && (
        <rect
          x={MARGIN.left}
          width={Math.max(width - MARGIN.left - MARGIN.right, 0)}
          y={y(usual.high)}
          height={Math.max(y(usual.low) - y(usual.high), 1)}
          className="fill-band"
        />
      )}
      <YAxis scale={y} width={width} text={(value) => tickText(metric, value)} ticks={ticksOf(metric, y, 4)} />
      {active && (
        <line
          x1={x(active.key).center}
          x2={x(active.key).center}
          y1={MARGIN.top}
          y2={FLOOR}
          className="stroke-line-strong"
          strokeDasharray="3 3"
        />
      )}
      <Values metricId={metric.id} buckets={buckets} x={x} y={y} active={active} />
      <Trend chart={chart} buckets={buckets} x={x} y={y} />
      {buckets.map(
        ({ key, value }) =>
          value === null && <MissingMark key={key} x={x(key).center} missing="none" width={x(key).width} />,
      )}
      <XAxis buckets={buckets} x={x} width={width} />
    </>
  )
}

interface Scales {
  readonly buckets: readonly ValueBucket[]
  readonly x: XScale
  readonly y: YScale
}

function Values({ metricId, buckets, x, y, active }: Scales & { metricId: string; active: ValueBucket | undefined }) {
  const color = colorOf(metricId)
  const runs = runsOf(buckets)
  // A value without neighbours has no line, so its dot must be large enough by itself.
  const alone = new Set(runs.flatMap((run) => (run.length === 1 && run[0] ? [run[0].key] : [])))
  const sizeOf = ({ key }: ValueBucket): number => (buckets.length > MOST_LARGE_DOTS && !alone.has(key) ? 1.5 : 3)
  return (
    <>
      {runs.map((run) => (
        <LinePath
          key={run[0]?.key}
          data={run}
          x={({ key }) => x(key).center}
          y={({ value }) => y(value)}
          className={color.stroke}
          strokeWidth={2}
          strokeLinejoin="round"
          strokeLinecap="round"
        />
      ))}
      {buckets.map(
        (bucket) =>
          bucket.value !== null && (
            <circle
              key={bucket.key}
              cx={x(bucket.key).center}
              cy={y(bucket.value)}
              r={bucket === active ? 5 : sizeOf(bucket)}
              className={color.fill}
            />
          ),
      )}
    </>
  )
}

function Trend({ chart, buckets, x, y }: Scales & { chart: ChartOf<"trend"> }) {
  const line = trendLine(chart)
  const ends = [buckets[0], buckets.at(-1)].flatMap((bucket) => (bucket ? [bucket] : []))
  if (!line) return null
  return (
    <LinePath
      data={ends}
      x={({ key }) => x(key).center}
      y={({ days, key }) => y(line(days[0]?.date ?? key))}
      className="stroke-text"
      strokeWidth={1.5}
      strokeDasharray="5 4"
    />
  )
}

type KnownBucket = ValueBucket & { readonly value: number }

/** The lines between the values. A line ends before a missing value. */
function runsOf(buckets: readonly ValueBucket[]): KnownBucket[][] {
  const runs: KnownBucket[][] = [[]]
  for (const { value, ...bucket } of buckets) {
    if (value === null) runs.push([])
    else runs.at(-1)?.push({ ...bucket, value })
  }
  return runs.filter(({ length }) => length > 0)
}
