import type { DisplayPreferences } from "@restwell/client"
import { formatClock } from "@restwell/client/figures"
import { HOUR_MINUTES } from "@restwell/client/time-units"
import { scaleLinear } from "@visx/scale"
import type { Bucket } from "../trends/days.ts"
import type { XScale, YScale } from "./layout.ts"
import { AXIS, FLOOR, HEIGHT, MARGIN } from "./sizes.ts"

/** Width of a date with its margin. */
const DATE_WIDTH = 64

/** Horizontal grid lines with their values. */
export const YAxis = ({
  scale,
  width,
  text,
  ticks = scale.ticks(4),
}: {
  scale: YScale
  width: number
  text: (value: number, ticks: readonly number[]) => string
  ticks?: readonly number[]
}) => (
  <g>
    {ticks.map((value) => (
      <g key={value} transform={`translate(0 ${scale(value)})`}>
        <line x1={MARGIN.left} x2={width - MARGIN.right} className="stroke-line" />
        <text x={MARGIN.left - 8} dy="0.32em" textAnchor="end" className="fill-muted text-[11px] tabular-nums">
          {text(value, ticks)}
        </text>
      </g>
    ))}
  </g>
)

/** As many dates as fit, always including the newest. */
export function XAxis({
  buckets,
  x,
  width,
}: {
  buckets: readonly Pick<Bucket, "key" | "tick">[]
  x: XScale
  width: number
}) {
  const capacity = Math.max(Math.floor((width - MARGIN.left) / DATE_WIDTH), 1)
  const step = Math.ceil(buckets.length / capacity)
  const labelled = buckets.filter((_, index) => (buckets.length - 1 - index) % step === 0)
  return (
    <g>
      <line x1={MARGIN.left} x2={width - MARGIN.right} y1={FLOOR} y2={FLOOR} className="stroke-line-strong" />
      {labelled.map(({ key, tick }, index) => (
        <text
          key={key}
          x={index === labelled.length - 1 ? Math.min(x(key).center, width - 18) : x(key).center}
          y={HEIGHT - 6}
          textAnchor="middle"
          className="fill-muted text-[11px]"
        >
          {tick}
        </text>
      ))}
    </g>
  )
}

/** Where the cursor is. */
export const CursorLine = ({ x, top = MARGIN.top, floor = FLOOR }: { x: number; top?: number; floor?: number }) => (
  <line x1={x} x2={x} y1={top} y2={floor} className="stroke-line-strong" strokeDasharray="3 3" />
)

/** Points at the value that the text above the chart describes while the cursor is elsewhere. */
export const DescribedMark = ({ x }: { x: number }) => (
  <path d={`M${x - 4} 0h8l-4 5z`} className="fill-muted print:hidden" />
)

export type Clock = DisplayPreferences["clock"]

/** A part of a day, minutes after a local midnight. */
export interface TimeRange {
  readonly start: number
  readonly end: number
}

/** Width of a clock time with its margin. */
const TIME_WIDTH = 48
const TICK_STEPS = [HOUR_MINUTES, 2 * HOUR_MINUTES, 3 * HOUR_MINUTES, 4 * HOUR_MINUTES, 6 * HOUR_MINUTES]

/** Returns the scale from minutes to pixels. */
export const timeScaleOf = ({ start, end }: TimeRange, width: number) =>
  scaleLinear({ domain: [start, end], range: [MARGIN.left, Math.max(width - MARGIN.right, MARGIN.left)] })

export type TimeScale = (minutes: number) => number

interface TimeAxisProps {
  readonly range: TimeRange
  readonly x: TimeScale
  readonly width: number
  /** Bottom of the drawing above it. */
  readonly floor: number
  readonly clock: Clock
}

/** As many full hours as fit. */
export function TimeAxis({ range: { start, end }, x, width, floor, clock }: TimeAxisProps) {
  const capacity = Math.max(Math.floor((width - MARGIN.left) / TIME_WIDTH), 1)
  const step = TICK_STEPS.find((each) => (end - start) / each <= capacity) ?? 12 * HOUR_MINUTES
  const firstTick = Math.ceil(start / step) * step
  const ticks = Array.from(
    { length: Math.max(Math.floor((end - firstTick) / step) + 1, 0) },
    (_, index) => firstTick + index * step,
  )
  return (
    <g>
      <line x1={MARGIN.left} x2={width - MARGIN.right} y1={floor} y2={floor} className="stroke-line-strong" />
      {ticks.map((minutes) => (
        <g key={minutes} transform={`translate(${x(minutes)} 0)`}>
          <line y1={floor} y2={floor + 4} className="stroke-line-strong" />
          <text y={floor + AXIS - 6} textAnchor="middle" className="fill-muted text-[11px] tabular-nums">
            {formatClock(minutes, clock).replace(":00 ", " ")}
          </text>
        </g>
      ))}
    </g>
  )
}
