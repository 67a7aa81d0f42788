import type { ChartedMetric, DisplayPreferences, TrendResponse } from "@restwell/client"
import {
  capitalized,
  type DateGroup,
  differingWeekdays,
  drawnGroups,
  figureText,
  meanText,
  plural,
  shortText,
  tickTextOf,
  weekdaysFrom,
} from "@restwell/client/figures"
import { YAxis } from "../charts/axes.tsx"
import { nearestOf, paddedRange, type XScale, xScaleOf, type YScale, yScaleOf } from "../charts/layout.ts"
import { Legend, MissingMark } from "../charts/legend.tsx"
import { ReadableChart } from "../charts/readable-chart.tsx"
import { FLOOR, HEIGHT } from "../charts/sizes.ts"
import { colorOf, ticksOf } from "./metric-chart.ts"

/** Every weekday with its values. Null where an answer is not grouped by weekday. */
export function weekdaysOf(
  { groups }: Pick<TrendResponse, "groups">,
  first: DisplayPreferences["first_weekday"] = "monday",
): readonly DateGroup[] | null {
  const weekdays: readonly string[] = weekdaysFrom(first)
  if (!groups?.some(({ group }) => weekdays.includes(group))) return null
  return weekdays.map((weekday) => {
    const label = capitalized(weekday)
    const found = groups.find(({ group }) => group === weekday)
    return found ? { ...found, label } : { label, n: 0, mean: null, sd: null }
  })
}

/** "From 61.0 ms on Mondays to 68.2 ms on Saturdays, 86 values. No weekday clearly differs from the others." */
export function weekdaysSentence(metric: ChartedMetric, answer: TrendResponse): string {
  const known = drawnGroups(metric, weekdaysOf(answer) ?? []).flatMap(({ value, ...weekday }) =>
    value === null ? [] : [{ ...weekday, value }],
  )
  const sorted = known.toSorted((one, other) => one.value - other.value)
  const [lowest, highest] = [sorted[0], sorted.at(-1)]
  if (!lowest || !highest) return "No values in this period."
  const on = ({ mean, label }: DateGroup): string => `${figureText(metric, mean)} on ${label}s`
  const range = lowest === highest ? on(lowest) : `From ${on(lowest)} to ${on(highest)}`
  return `${range}, ${plural(answer.n, "value")}. ${differingWeekdays(metric, answer)}`
}

interface WeekdayChartProps {
  readonly title: string
  readonly metric: ChartedMetric
  readonly weekdays: readonly DateGroup[]
}

/** A second line of texts below the axis. */
const VALUES = 16

/** A bar for each weekday. It has no zero, because of most metrics, as of clock times, zero is far away or means nothing. */
export function WeekdayChart({ title, metric, weekdays }: WeekdayChartProps) {
  const bars = drawnGroups(metric, weekdays).map((bar) => ({ ...bar, key: bar.label }))
  const color = colorOf(metric.id)
  const isShare = metric.kind === "yes_no"
  return (
    <>
      <ReadableChart
        title={title}
        items={bars}
        itemName="weekday"
        describe={(bar) => `${bar.label}: ${meanText(metric, bar)}, ${plural(bar.n, "value")}`}
        height={HEIGHT + VALUES}
        hint={isShare ? "share of yes of each weekday" : "mean and standard deviation of each weekday"}
        nearest={({ x: pointer, y, width }) => {
          const x = xScaleOf(bars, width)
          return nearestOf(
            bars.map(({ key }) => [x(key).center, y]),
            pointer,
            y,
          )
        }}
      >
        {({ width, active }) => <Bars metric={metric} bars={bars} width={width} activeKey={active?.key} />}
      </ReadableChart>
      <Legend
        entries={
          isShare
            ? [{ label: "share of yes", color: color.background }]
            : [
                { label: "mean", color: color.background },
                { label: "standard deviation, paler", color: `${color.background} opacity-40`, shape: "band" },
              ]
        }
        missing={new Set(bars.map(({ value }) => (value === null ? ("none" as const) : null)))}
      />
    </>
  )
}

type Bar = ReturnType<typeof drawnGroups<DateGroup>>[number] & { readonly key: string }

interface BarsProps {
  readonly metric: ChartedMetric
  readonly bars: readonly Bar[]
  readonly width: number
  readonly activeKey: string | undefined
}

function Bars({ metric, bars, width, activeKey }: BarsProps) {
  const x = xScaleOf(bars, width)
  const drawn = bars.flatMap(({ value, range }) => [...(value === null ? [] : [value]), ...(range ?? [])])
  const y = metric.kind === "yes_no" ? yScaleOf(0, 1, false) : yScaleOf(...paddedRange(drawn), false)
  return (
    <>
      <YAxis scale={y} width={width} text={tickTextOf(metric)} ticks={ticksOf(metric, y, 4)} />
      {bars.map((bar) => (
        <g key={bar.key} className={activeKey !== undefined && activeKey !== bar.key ? "opacity-45" : ""}>
          <BarMarks metric={metric} bar={bar} x={x} y={y} />
          <text x={x(bar.key).center} y={HEIGHT - 6} textAnchor="middle" className="fill-muted text-[11px]">
            {bar.label.slice(0, 3)}
          </text>
          <text
            x={x(bar.key).center}
            y={HEIGHT - 6 + VALUES}
            textAnchor="middle"
            className="fill-text text-[11px] tabular-nums"
          >
            {bar.value === null ? "" : shortText(metric, bar.value)}
          </text>
        </g>
      ))}
    </>
  )
}

const MEAN_HEIGHT = 3

function BarMarks({
  metric,
  bar: { key, value, range },
  x,
  y,
}: { bar: Bar; x: XScale; y: YScale } & Pick<BarsProps, "metric">) {
  const { left, center, width } = x(key)
  const { fill } = colorOf(metric.id)
  if (value === null) return <MissingMark x={center} missing="none" width={width} />
  if (metric.kind === "yes_no")
    return <rect x={left} width={width} y={y(value)} height={Math.max(FLOOR - y(value), 1)} rx={3} className={fill} />
  return (
    <>
      {range && (
        <rect
          x={left}
          width={width}
          y={y(range[1])}
          height={Math.max(y(range[0]) - y(range[1]), 1)}
          rx={3}
          fillOpacity={0.3}
          className={fill}
        />
      )}
      <rect x={left} width={width} y={y(value) - MEAN_HEIGHT / 2} height={MEAN_HEIGHT} className={fill} />
    </>
  )
}
