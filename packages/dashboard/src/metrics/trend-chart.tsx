import { type ChartedMetric, type ChartOf, type MetricId, round, type TrendResponse } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { plotted, plural, spreadAround, tickTextOf, valueText } from "@restwell/client/figures"
import { DAY_MS } from "@restwell/client/time-units"
import { LinePath } from "@visx/shape"
import type { ReactNode } from "react"
import { CursorLine, XAxis, YAxis } from "../charts/axes.tsx"
import { nearestOf, paddedRange, type XScale, xScaleOf, type YScale, yScaleOf } from "../charts/layout.ts"
import { type LegendEntry, MissingMark } from "../charts/legend.tsx"
import { ValueLine } from "../charts/line.tsx"
import { ReadableChart } from "../charts/readable-chart.tsx"
import { HEIGHT } from "../charts/sizes.ts"
import { dateInYearOf, fullDate } from "../format/date.ts"
import type { Missing } from "../format/number.ts"
import { type Bucket, bucketsOf, type Grain, grainOf } from "../trends/days.ts"
import { datesIn } from "./answer-text.ts"
import { colorOf, ticksOf } from "./metric-chart.ts"

interface Day {
  readonly date: string
  readonly value: number | null
}

/** A date with its value, or a week or a month with the mean of its values. */
interface ValueBucket extends Bucket<Day> {
  /** Null without a value. */
  readonly value: number | null
  readonly count: number
}

export interface TrendBuckets {
  readonly grain: Grain
  readonly buckets: readonly ValueBucket[]
}

/**
 * The values of a trend over its period, oldest first. Dates before the first value of a long period are left out.
 * @param firstWeekday of a week that the answer did not group: 0 for Monday to 6 for Sunday
 */
export function trendBuckets({ metric, answer }: ChartOf<"trend">, firstWeekday = 0): TrendBuckets {
  const points = new Map((answer.points ?? []).map(([date, value]) => [date, plotted(metric, value, answer.mean)]))
  const dates = datesIn(answer.period)
  const firstDate = answer.points?.[0]?.[0]
  const isLong = grainOf(dates.length) !== "day"
  const drawn = isLong && firstDate !== undefined ? dates.filter((date) => date >= firstDate) : dates
  const groups = new Map(answer.groups?.map((group) => [group.group, group]))
  const grouped = grainOfGroups(groups)
  const grain = grouped ?? grainOf(drawn.length)
  const days = drawn.map((date) => ({ date, value: points.get(date) ?? null }))
  const bucketOf = (bucket: Bucket<Day>): ValueBucket => {
    const group = groups.get(groupName(bucket.key, grain))
    return group
      ? { ...bucket, count: group.n, value: plotted(metric, group.mean, answer.mean) }
      : withMean(metric, bucket)
  }
  return { grain, buckets: bucketsOf(days, grain, grouped === undefined ? firstWeekday : 0).map(bucketOf) }
}

/** The answer's own groups by week or month are drawn as they are. */
function grainOfGroups(groups: ReadonlyMap<string, unknown>): Grain | undefined {
  const [name] = groups.keys()
  if (name === undefined || !/^\d/.test(name)) return undefined
  return name.includes("W") ? "week" : "month"
}

/** The name that an answer gives to a week or a month. @param key its first date */
function groupName(key: string, grain: Grain): string {
  if (grain !== "week") return key.slice(0, 7)
  const thursday = addDays(key, 3)
  const year = thursday.slice(0, 4)
  const week = Math.floor((dayOf(thursday) - dayOf(`${year}-01-01`)) / 7) + 1
  return `${year}-W${String(week).padStart(2, "0")}`
}

/** The mean is rounded as those of answers are. */
function withMean({ kind, decimals }: ChartedMetric, bucket: Bucket<Day>): ValueBucket {
  const values = bucket.days.flatMap(({ value }) => (value === null ? [] : [value]))
  const count = values.length
  if (count === 0) return { ...bucket, count, value: null }
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  return { ...bucket, count, value: round(mean, kind === "clock" ? 0 : decimals) }
}

const MEAN_TEXTS: Readonly<Record<Grain, string>> = {
  day: "one value a day",
  week: "weekly means",
  month: "monthly means",
}

/** "Fri, Nov 20, 2026", "Week of Mon, Nov 16, 2026" */
export const bucketLabel = ({ days, label }: ValueBucket): string =>
  days.length === 1 && days[0] ? fullDate(days[0].date) : label

/** "64 ms", "64 ms, mean of 6 of 7 days" */
export function bucketText(metric: ChartedMetric, { value, count, days }: ValueBucket): string {
  if (value === null) return "no data"
  return `${valueText(metric, value)}${days.length > 1 ? `, mean of ${count} of ${days.length} days` : ""}`
}

/** Days of the answer's slope. */
const SLOPE_DAYS = 30

const dayOf = (date: string): number => Date.parse(date) / DAY_MS

/** A trend is drawn only where the answer says that there is one. */
const hasTrendLine = ({ verdict }: Pick<TrendResponse, "verdict">): boolean =>
  verdict === "rising" || verdict === "falling"

/** The Theil-Sen line through the medians of dates and values; undefined where the answer calls nothing a trend. */
function trendLine({ metric, answer }: ChartOf<"trend">): ((date: string) => number) | undefined {
  const { slope_per_30_days: slope, median, mean, points } = answer
  const middle = points?.[Math.floor(points.length / 2)]
  if (!hasTrendLine(answer) || slope === null || median === null || !middle) return undefined
  const height = plotted(metric, median, mean)
  return (date) => height + ((dayOf(date) - dayOf(middle[0])) * slope) / SLOPE_DAYS
}

/**
 * The usual range of the newest value, from the first of the values behind it on. It is no range of weeks or months, nor of the dates
 * before.
 */
function usualOf({ metric, answer }: ChartOf<"trend">, { grain, buckets }: TrendBuckets) {
  const { usual, latest, points, mean } = answer
  if (!usual || !latest || grain !== "day") return undefined
  const dates = (points ?? []).map(([date]) => date).filter((date) => date <= latest.date)
  return {
    low: plotted(metric, usual.low, mean),
    high: plotted(metric, usual.high, mean),
    from: dates.at(-usual.n - 1) ?? buckets[0]?.key ?? latest.date,
    to: latest.date,
    name: `usual range on ${dateInYearOf(latest.date, answer.period.end_date)}, of ${plural(usual.n, "value")} before it`,
  }
}

/** What the line, the band and the dashes are. */
export function trendLegend(chart: ChartOf<"trend">, drawn: TrendBuckets): readonly LegendEntry[] {
  const { metric, answer } = chart
  const usual = usualOf(chart, drawn)
  return [
    { label: metric.title, color: colorOf(metric.id).background },
    ...(usual ? [{ label: usual.name, color: "bg-band", shape: "band" as const }] : []),
    ...(hasTrendLine(answer) ? [{ label: "trend", color: "border-text", shape: "dashes" as const }] : []),
  ]
}

interface TrendDrawingProps {
  readonly chart: ChartOf<"trend">
  readonly drawn: TrendBuckets
  /** What can be done with a chosen bucket. */
  readonly actionOf?: (bucket: ValueBucket) => ReactNode
}

/** A line through the values of each date, over the usual range. */
export function TrendDrawing({ chart, drawn, actionOf }: TrendDrawingProps) {
  const { buckets, grain } = drawn
  const { metric } = chart
  return (
    <ReadableChart
      title={metric.title}
      items={buckets}
      describe={(bucket) => `${bucketLabel(bucket)}: ${bucketText(metric, bucket)}`}
      height={HEIGHT}
      hint={MEAN_TEXTS[grain]}
      {...(actionOf && { actionOf })}
      nearest={({ x: pointer, y, width }) => {
        const x = xScaleOf(buckets, width)
        return nearestOf(
          buckets.map(({ key }) => [x(key).center, y]),
          pointer,
          y,
        )
      }}
    >
      {({ width, active }) => <Plot chart={chart} drawn={drawn} width={width} active={active} />}
    </ReadableChart>
  )
}

/** Their line joins the values, and a date without one is nothing missing. */
export const MEASURED_NOW_AND_THEN = ["weight", "body_fat"] as const satisfies MetricId[]

const isMeasuredNowAndThen = ({ id }: ChartedMetric): boolean => MEASURED_NOW_AND_THEN.some((each) => each === id)

/** The marks that the drawing has for dates without a value. */
export const missingMarks = (metric: ChartedMetric, buckets: readonly ValueBucket[]): ReadonlySet<Missing> =>
  new Set(buckets.some(({ value }) => value === null) && !isMeasuredNowAndThen(metric) ? ["none"] : [])

interface PlotProps extends TrendDrawingProps {
  readonly width: number
  readonly active: ValueBucket | undefined
}

function Plot({ chart, drawn, width, active }: PlotProps) {
  const { metric, answer } = chart
  const { buckets, grain } = drawn
  const x = xScaleOf(buckets, width)
  const usual = usualOf(chart, drawn)
  const values = buckets.flatMap(({ value }) => (value === null ? [] : [value]))
  // Means of weeks differ little: on an axis of their own, a difference of nothing would fill the drawing.
  const center = answer.mean === null || grain === "day" ? null : plotted(metric, answer.mean, answer.mean)
  const spread = spreadAround(metric, center, answer.sd) ?? []
  const isSparse = isMeasuredNowAndThen(metric)
  const y = yScaleOf(...paddedRange([...values, ...spread, ...(usual ? [usual.low, usual.high] : [])]), false)
  return (
    <>
      {usual && (
        <rect
          x={x(usual.from).left}
          width={Math.max(x(usual.to).left + x(usual.to).width - x(usual.from).left, 0)}
          y={y(usual.high)}
          height={Math.max(y(usual.low) - y(usual.high), 1)}
          className="fill-band"
        />
      )}
      <YAxis scale={y} width={width} text={tickTextOf(metric)} ticks={ticksOf(metric, y, 4)} />
      {active && <CursorLine x={x(active.key).center} />}
      <ValueLine
        points={(isSparse ? buckets.filter(({ value }) => value !== null) : buckets).map(({ key, value }) => ({
          key,
          x: x(key).center,
          y: value === null ? null : y(value),
        }))}
        color={colorOf(metric.id)}
        activeKey={active?.key}
      />
      <Trend chart={chart} buckets={buckets} x={x} y={y} />
      {buckets.map(
        ({ key, value }) =>
          value === null &&
          !isSparse && <MissingMark key={key} x={x(key).center} missing="none" width={x(key).width} />,
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
