import type { DisplayPreferences } from "@restwell/client"
import { scaleLinear } from "@visx/scale"
import { formatClock } from "../format/preferred.ts"
import { MARGIN } from "./layout.ts"

export type Clock = DisplayPreferences["clock"]
/** A part of a day, minutes after a local midnight. */
export interface TimeRange {
  readonly start: number
  readonly end: number
}

/** Height of the axis with its clock times. */
export const AXIS = 24
const HOUR = 60
/** Width of a clock time with its margin. */
const TICK_WIDTH = 48
const TICK_STEPS = [HOUR, 2 * HOUR, 3 * HOUR, 4 * HOUR, 6 * HOUR]

/** Returns the scale from minutes to pixels. */
export const timeScaleOf = ({ start, end }: TimeRange, width: number) =>
  scaleLinear({ domain: [start, end], range: [MARGIN.left, Math.max(width - MARGIN.right, MARGIN.left)] })
export type TimeScale = (minutes: number) => number

/** Where the cursor is. */
export const TimeCursor = ({ x, floor }: { x: number; floor: number }) => (
  <line x1={x} x2={x} y1={0} y2={floor} className="stroke-line-strong" strokeDasharray="3 3" />
)

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
  const capacity = Math.max(Math.floor((width - MARGIN.left) / TICK_WIDTH), 1)
  const step = TICK_STEPS.find((each) => (end - start) / each <= capacity) ?? 12 * HOUR
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
