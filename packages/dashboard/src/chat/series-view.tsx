import { type ChartOf, SUM_TYPES } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import {
  capitalized,
  clockText,
  figureText,
  formatClock,
  minutesText,
  plural,
  tickTextOf,
} from "@restwell/client/figures"
import { DAY_MINUTES, HOUR_MINUTES } from "@restwell/client/time-units"
import { scaleLinear } from "@visx/scale"
import { Area } from "@visx/shape"
import { CursorLine, TimeAxis, YAxis } from "../charts/axes.tsx"
import { Hypnogram } from "../charts/hypnogram.tsx"
import { nearestOf, paddedRange, yScaleOf } from "../charts/layout.ts"
import { ValueLine } from "../charts/line.tsx"
import { SLEEP_PHASES, type Stretch } from "../charts/phases.ts"
import { ReadableChart } from "../charts/readable-chart.tsx"
import { FLOOR, HEIGHT, MARGIN } from "../charts/sizes.ts"
import { daysBetween, fullDate, tickDate } from "../format/date.ts"
import { providerName } from "../format/provider-name.ts"
import { datesText } from "../metrics/answer-text.ts"
import { colorOf, ticksOf } from "../metrics/metric-chart.ts"
import { FigureFrame, type TableContent } from "./figure-frame.tsx"

type SeriesChart = ChartOf<"series">
type Point = SeriesChart["points"][number]

/** What a point is, and how many minutes it lasts. A single value has no length. */
const STEPS = {
  "15m": { minutes: 15, each: "quarter hour" },
  "1h": { minutes: HOUR_MINUTES, each: "hour" },
  "1d": { minutes: DAY_MINUTES, each: "day" },
  raw: { minutes: 0, each: "value" },
} as const

const dateOf = (time: string): string => time.slice(0, 10)

/** Minutes after the midnight at which a first date begins. */
function minutesAfter(first: string, time: string): number {
  const clock = time.slice(11, 16)
  const ofDay = clock === "" ? 0 : Number(clock.slice(0, 2)) * HOUR_MINUTES + Number(clock.slice(3))
  return daysBetween(dateOf(first), dateOf(time)) * DAY_MINUTES + ofDay
}

/** Values within the day, values of dates, or the stages of a night. */
export const SeriesView = ({ chart }: { chart: SeriesChart }) =>
  chart.segments.length > 0 ? <StagesView chart={chart} /> : <PointsView chart={chart} />

function PointsView({ chart }: { chart: SeriesChart }) {
  const { metric, points, resolution, method, notes, url } = chart
  const isRate = points.some(({ low }) => low !== undefined)
  const name = SUM_TYPES.includes(metric.id) ? "Sum" : isRate ? "Mean" : "Value"
  return (
    <FigureFrame
      title={metric.title}
      subtitle={[
        datesOf(chart),
        ...(resolution === "raw" ? [] : [`by ${STEPS[resolution].each}`]),
        ...(method === null ? [] : [method.toUpperCase()]),
        providerName(chart.source),
      ].join(", ")}
      sentence={sentenceOf(chart)}
      notes={notes}
      url={url}
      table={{
        caption: metric.title,
        headers: ["Time", name, ...(isRate ? ["Lowest", "Highest"] : [])],
        rows: points.map((point) => [
          timeText(chart, point.time),
          ...[point.value, ...(isRate ? [point.low, point.high] : [])].map((value) =>
            figureText(metric, value ?? null),
          ),
        ]),
      }}
    >
      <PointsDrawing chart={chart} />
    </FigureFrame>
  )
}

function datesOf({ points, segments }: SeriesChart): string {
  const times = [...points.map(({ time }) => time), ...segments.map(({ start }) => start)].map(dateOf)
  return datesText({ start_date: times[0] ?? "", end_date: times.at(-1) ?? "" })
}

/** "02:00" of a chart of one date, else "Mar 10, 02:00", and for a day "Tue, Mar 10, 2026". */
function timeText({ points, metric: { clock = "24h" } }: SeriesChart, time: string): string {
  const isOneDate = points.every((point) => dateOf(point.time) === dateOf(time))
  const written = time.slice(11, 16)
  if (written === "") return fullDate(time)
  // The hours after 24:00 of a date whose clocks change are on no clock.
  const ofClock = written < "24:00" ? clockText(written, clock) : written
  if (time.endsWith("Z")) return `${tickDate(dateOf(time))}, ${ofClock} UTC`
  return isOneDate ? ofClock : `${tickDate(dateOf(time))}, ${ofClock}`
}

/** "Lowest 44 bpm at 03:00, highest 131 bpm at 17:00. 24 hours have values." */
function sentenceOf(chart: SeriesChart): string {
  const { metric, points, resolution } = chart
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return "No values in this period."
  const at = (value: number, { time }: Point): string =>
    `${figureText(metric, value)} ${preposition} ${timeText(chart, time)}`
  const preposition = resolution === "1d" ? "on" : "at"
  if (resolution === "raw")
    return first === last ? `${at(first.value, first)}.` : `From ${at(first.value, first)} to ${at(last.value, last)}.`
  const counted = `${plural(points.length, STEPS[resolution].each)} with values.`
  const lowest = points.reduce((one, other) => ((other.low ?? other.value) < (one.low ?? one.value) ? other : one))
  const highest = points.reduce((one, other) => ((other.high ?? other.value) > (one.high ?? one.value) ? other : one))
  if (!SUM_TYPES.includes(metric.id))
    return `Lowest ${at(lowest.low ?? lowest.value, lowest)}, highest ${at(highest.high ?? highest.value, highest)}. ${counted}`
  const total = points.reduce((sum, { value }) => sum + value, 0)
  return `${figureText(metric, total)} in all, most ${at(highest.value, highest)}. ${counted}`
}

/** Steps without a value that a line spans. */
const MOST_SPANNED = 2

/** Points whose distance is usual. Single values are always joined. */
function runsOf<Placed extends { readonly at: number }>(points: readonly Placed[], step: number): Placed[][] {
  const runs: Placed[][] = []
  for (const point of points) {
    const last = runs.at(-1)
    const before = last?.at(-1)
    if (last && before && (step === 0 || point.at - before.at <= step * MOST_SPANNED)) last.push(point)
    else runs.push([point])
  }
  return runs
}

/** Columns from zero of what adds up; a line of the others, above the range of each step. */
function PointsDrawing({ chart }: { chart: SeriesChart }) {
  const { metric, points, resolution } = chart
  const { minutes: step, each } = STEPS[resolution]
  const first = points[0]?.time ?? ""
  const placed = points.map((point, index) => {
    const at = minutesAfter(first, point.time)
    return { ...point, key: String(index), at, middle: at + step / 2 }
  })
  const isSum = SUM_TYPES.includes(metric.id)
  // A single value has no length, and its date is around it.
  const margin = step === 0 ? DAY_MINUTES / 2 : 0
  const runs = isSum ? [] : runsOf(placed, step)
  const range = { start: (placed[0]?.at ?? 0) - margin, end: (placed.at(-1)?.at ?? 0) + step + margin }
  const x = (width: number) =>
    scaleLinear({ domain: [range.start, range.end], range: [MARGIN.left, Math.max(width - MARGIN.right, MARGIN.left)] })
  const values = points.flatMap(({ value, low = value, high = value }) => [low, high])
  const y = isSum ? yScaleOf(0, Math.max(...values, 1)) : yScaleOf(...paddedRange(values), false)
  const color = colorOf(metric.id)
  const textOf = ({ low, high, ...point }: Point): string => {
    const spread =
      low === undefined || high === undefined ? "" : `, ${figureText(metric, low)} to ${figureText(metric, high)}`
    return `${timeText(chart, point.time)}: ${figureText(metric, point.value)}${spread}`
  }
  return (
    <ReadableChart
      title={metric.title}
      items={placed}
      describe={textOf}
      height={HEIGHT}
      hint={isSum ? `sum of each ${each}` : step === 0 ? "each value" : `mean of each ${each}, lowest to highest paler`}
      nearest={({ x: pointer, width }) =>
        nearestOf(
          placed.map(({ middle }) => [x(width)(middle), 0]),
          pointer,
          0,
        )
      }
    >
      {({ width, active }) => (
        <>
          <YAxis scale={y} width={width} text={tickTextOf(metric)} ticks={ticksOf(metric, y, 4)} />
          {active && <CursorLine x={x(width)(active.middle)} />}
          {isSum &&
            placed.map((point) => (
              <rect
                key={point.key}
                x={x(width)(point.at + step * 0.1)}
                width={Math.max(x(width)(point.at + step * 0.9) - x(width)(point.at + step * 0.1), 1)}
                y={y(point.value)}
                height={Math.max(FLOOR - y(point.value), 1)}
                rx={2}
                className={`${color.fill} ${active && active !== point ? "opacity-45" : ""}`}
              />
            ))}
          {runs.map((run) => (
            <Area
              key={run[0]?.key}
              data={run}
              x={({ middle }) => x(width)(middle)}
              y0={({ low, value }) => y(low ?? value)}
              y1={({ high, value }) => y(high ?? value)}
              fillOpacity={0.2}
              className={color.fill}
            />
          ))}
          <ValueLine
            points={runs.flatMap((run) => [
              ...run.map(({ key, middle, value }) => ({ key, x: x(width)(middle), y: y(value) })),
              { key: `after ${run.at(-1)?.key}`, x: 0, y: null },
            ])}
            color={color}
            activeKey={active?.key}
          />
          <Times chart={chart} range={range} x={x(width)} width={width} />
        </>
      )}
    </ReadableChart>
  )
}

interface TimesProps {
  readonly chart: SeriesChart
  readonly range: { readonly start: number; readonly end: number }
  readonly x: (minutes: number) => number
  readonly width: number
}

const DATE_WIDTH = 64

/** Hours of one date; of more, as many dates as fit. */
function Times({ chart: { points, metric, resolution }, range, x, width }: TimesProps) {
  const first = dateOf(points[0]?.time ?? "")
  const days = daysBetween(first, dateOf(points.at(-1)?.time ?? first)) + 1
  if (days === 1 && resolution !== "raw")
    // No text is at the right edge.
    return (
      <TimeAxis
        range={{ ...range, end: range.end - 1 }}
        x={x}
        width={width}
        floor={FLOOR}
        clock={metric.clock ?? "24h"}
      />
    )
  const capacity = Math.max(Math.floor((width - MARGIN.left) / DATE_WIDTH), 1)
  const every = Math.ceil(days / capacity)
  const dates = Array.from({ length: Math.ceil(days / every) }, (_, index) => index * every)
  return (
    <g>
      <line x1={MARGIN.left} x2={width - MARGIN.right} y1={FLOOR} y2={FLOOR} className="stroke-line-strong" />
      {dates.map((day) => (
        <text
          key={day}
          x={Math.min(Math.max(x(day * DAY_MINUTES + DAY_MINUTES / 2), MARGIN.left + 18), width - 18)}
          y={HEIGHT - 6}
          textAnchor="middle"
          className="fill-muted text-[11px]"
        >
          {tickDate(addDays(first, day))}
        </text>
      ))}
    </g>
  )
}

/** Minutes awake that divide one night from another sleep. */
const BETWEEN_NIGHTS = 60
/** A shorter sleep is a nap. */
const SHORTEST_NIGHT = 3 * HOUR_MINUTES

/** The newest night, or else the newest sleep. */
function newestNight(segments: SeriesChart["segments"]) {
  const placed = segments.map((segment) => {
    const from = minutesAfter(segments[0]?.start ?? "", segment.start)
    return { ...segment, from, to: from + segment.minutes }
  })
  const sleeps: (typeof placed)[] = []
  for (const segment of placed) {
    const before = sleeps.at(-1)?.at(-1)
    if (before && segment.from - before.to < BETWEEN_NIGHTS) sleeps.at(-1)?.push(segment)
    else sleeps.push([segment])
  }
  const lengthOf = (sleep: typeof placed) => (sleep.at(-1)?.to ?? 0) - (sleep[0]?.from ?? 0)
  return sleeps.findLast((sleep) => lengthOf(sleep) >= SHORTEST_NIGHT) ?? sleeps.at(-1) ?? []
}

const phaseOf = (stage: string) => SLEEP_PHASES.find(({ phase }) => phase === stage)
const stageLabel = (stage: string): string => phaseOf(stage)?.label ?? capitalized(stage.replaceAll("_", " "))

/** The stages of the newest night. The table has those of all. */
function StagesView({ chart }: { chart: SeriesChart }) {
  const { metric, segments, source, notes, url } = chart
  const clock = metric.clock ?? "24h"
  const night = newestNight(segments)
  const [start, end] = [night[0]?.from ?? 0, night.at(-1)?.to ?? 0]
  const asleep = night.filter(({ stage }) => stage !== "awake" && stage !== "in_bed")
  const stretches = night.flatMap(({ stage, from, to }): Stretch[] => {
    const known = phaseOf(stage)
    return known ? [{ phase: known.phase, from, to }] : []
  })
  const table: TableContent = {
    caption: metric.title,
    headers: ["Start", "Stage", "Duration"],
    rows: segments.map((segment) => [
      `${tickDate(dateOf(segment.start))}, ${clockText(segment.start.slice(11), clock)}`,
      stageLabel(segment.stage),
      minutesText(segment.minutes),
    ]),
  }
  return (
    <FigureFrame
      title={metric.title}
      subtitle={`${datesOf(chart)}, ${providerName(source)}`}
      sentence={`${minutesText(asleep.reduce((sum, { minutes }) => sum + minutes, 0))} asleep from ${formatClock(start, clock)} to ${formatClock(end, clock)} local time.`}
      notes={[...notes, ...(night.length < segments.length ? ["The table has the other sleeps too."] : [])]}
      url={url}
      table={table}
    >
      {stretches.length > 0 && (
        <Hypnogram stretches={stretches} start={start} end={end} clock={clock} hint="Stages over time" />
      )}
    </FigureFrame>
  )
}
