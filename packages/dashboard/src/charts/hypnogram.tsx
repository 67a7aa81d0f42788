import type { DisplayPreferences } from "@restwell/client"
import { scaleLinear } from "@visx/scale"
import { minutesText } from "../format/number.ts"
import { formatClock } from "../format/preferred.ts"
import { SLEEP_PHASES, type Stretch } from "../trends/sleep-phases.ts"
import { MARGIN } from "./layout.ts"
import { ReadableChart } from "./readable-chart.tsx"

export const HYPNOGRAM_TITLE = "Sleep phases"

const ROW = 30
const BAR = 18
const AXIS = 24
const TOP = 4
const FLOOR = TOP + SLEEP_PHASES.length * ROW
const HEIGHT = FLOOR + AXIS
const HOUR = 60
/** Width of a clock time with its margin. */
const TICK_WIDTH = 48
const TICK_STEPS = [HOUR, 2 * HOUR, 3 * HOUR, 4 * HOUR, 6 * HOUR]

const rowOf = (stretch: Stretch) => SLEEP_PHASES.findIndex(({ phase }) => phase === stretch.phase)
const barTop = (stretch: Stretch): number => TOP + rowOf(stretch) * ROW + (ROW - BAR) / 2

export const phaseLabel = (stretch: Stretch): string => SLEEP_PHASES[rowOf(stretch)]?.label ?? stretch.phase
type Clock = DisplayPreferences["clock"]

export const stretchTimes = ({ from, to }: Stretch, clock: Clock = "24h"): string =>
  `${formatClock(from, clock)} to ${formatClock(to, clock)}`
const describeIn = (clock: Clock) => (stretch: Stretch) =>
  `${stretchTimes(stretch, clock)}: ${phaseLabel(stretch)}, ${minutesText(stretch.to - stretch.from)}`

export interface HypnogramProps {
  readonly stretches: readonly Stretch[]
  /** The night, minutes after the local midnight of its date. */
  readonly start: number
  readonly end: number
  /** @default 24h */
  readonly clock?: Clock
}

/** The phases of one night: a row per phase, over local clock times. */
export function Hypnogram({ stretches, start, end, clock = "24h" }: HypnogramProps) {
  const scaleOf = (width: number) =>
    scaleLinear({ domain: [start, end], range: [MARGIN.left, Math.max(width - MARGIN.right, MARGIN.left)] })
  return (
    <ReadableChart
      title={HYPNOGRAM_TITLE}
      items={stretches}
      itemName="phase"
      describe={describeIn(clock)}
      height={HEIGHT}
      hint="Phases of five minutes"
      textClass="mb-1 min-h-5 text-sm"
      nearest={({ x: pointerX, width }) => {
        const found = stretches.findIndex(({ to }) => pointerX < scaleOf(width)(to))
        return found === -1 ? stretches.length - 1 : found
      }}
    >
      {({ width, active }) => {
        const x = scaleOf(width)
        return (
          <>
            <Rows width={width} />
            <TimeAxis start={start} end={end} x={x} width={width} clock={clock} />
            <Bars stretches={stretches} active={active} x={x} />
          </>
        )
      }}
    </ReadableChart>
  )
}

type TimeScale = (minutes: number) => number

const Rows = ({ width }: { width: number }) => (
  <g>
    {SLEEP_PHASES.map(({ phase, label }, row) => (
      <g key={phase} transform={`translate(0 ${TOP + (row + 0.5) * ROW})`}>
        <line x1={MARGIN.left} x2={width - MARGIN.right} className="stroke-line" />
        <text x={MARGIN.left - 8} dy="0.32em" textAnchor="end" className="fill-muted text-[11px]">
          {label}
        </text>
      </g>
    ))}
  </g>
)

interface TimeAxisProps {
  readonly start: number
  readonly end: number
  readonly x: TimeScale
  readonly width: number
  readonly clock: Clock
}

function TimeAxis({ start, end, x, width, clock }: TimeAxisProps) {
  const capacity = Math.max(Math.floor((width - MARGIN.left) / TICK_WIDTH), 1)
  const step = TICK_STEPS.find((each) => (end - start) / each <= capacity) ?? 12 * HOUR
  const firstTick = Math.ceil(start / step) * step
  const ticks = Array.from(
    { length: Math.max(Math.floor((end - firstTick) / step) + 1, 0) },
    (_, index) => firstTick + index * step,
  )
  return (
    <g>
      <line x1={MARGIN.left} x2={width - MARGIN.right} y1={FLOOR} y2={FLOOR} className="stroke-line-strong" />
      {ticks.map((minutes) => (
        <g key={minutes} transform={`translate(${x(minutes)} 0)`}>
          <line y1={FLOOR} y2={FLOOR + 4} className="stroke-line-strong" />
          <text y={HEIGHT - 6} textAnchor="middle" className="fill-muted text-[11px] tabular-nums">
            {formatClock(minutes, clock).replace(":00 ", " ")}
          </text>
        </g>
      ))}
    </g>
  )
}

const Bars = ({
  stretches,
  active,
  x,
}: {
  stretches: readonly Stretch[]
  active: Stretch | undefined
  x: TimeScale
}) => (
  <g>
    {stretches.map((stretch, index) => {
      const next = stretches[index + 1]
      if (!next) return null
      const edges = [barTop(stretch), barTop(next)]
      return (
        <line
          key={stretch.from}
          x1={x(stretch.to)}
          x2={x(stretch.to)}
          y1={Math.min(...edges)}
          y2={Math.max(...edges) + BAR}
          className="stroke-line-strong"
          strokeOpacity={0.6}
        />
      )
    })}
    {stretches.map((stretch) => {
      const width = Math.max(x(stretch.to) - x(stretch.from), 1)
      return (
        <rect
          key={stretch.from}
          x={x(stretch.from)}
          y={barTop(stretch)}
          width={width}
          height={BAR}
          rx={Math.min(3, width / 3)}
          className={`${SLEEP_PHASES[rowOf(stretch)]?.fill} ${active && active !== stretch ? "opacity-45" : ""}`}
        />
      )
    })}
  </g>
)
