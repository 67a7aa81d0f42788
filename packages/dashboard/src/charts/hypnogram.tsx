import { minutesText } from "@restwell/client/figures"
import { type Clock, TimeAxis, type TimeRange, type TimeScale, timeScaleOf } from "./axes.tsx"
import {
  HYPNOGRAM_TITLE,
  PHASES_HEIGHT,
  phaseLabel,
  ROW,
  SLEEP_PHASES,
  type Stretch,
  stretchTimes,
  TOP,
} from "./phases.ts"
import { ReadableChart } from "./readable-chart.tsx"
import { AXIS, MARGIN } from "./sizes.ts"

const BAR = 18

const rowOf = (stretch: Stretch) => SLEEP_PHASES.findIndex(({ phase }) => phase === stretch.phase)
const barTop = (stretch: Stretch): number => TOP + rowOf(stretch) * ROW + (ROW - BAR) / 2

const describeIn = (clock: Clock) => (stretch: Stretch) =>
  `${stretchTimes(stretch, clock)}: ${phaseLabel(stretch)}, ${minutesText(stretch.to - stretch.from)}`

/** The night, minutes after the local midnight of its date. */
export interface HypnogramProps extends TimeRange {
  readonly stretches: readonly Stretch[]
  /** @default 24h */
  readonly clock?: Clock
  /** Text while no phase is selected. @default "Phases over time" */
  readonly hint?: string
}

/** The phases of one night: a row per phase, over local clock times. */
export function Hypnogram({ stretches, start, end, clock = "24h", hint = "Phases over time" }: HypnogramProps) {
  const range = { start, end }
  return (
    <ReadableChart
      title={HYPNOGRAM_TITLE}
      items={stretches}
      itemName="phase"
      describe={describeIn(clock)}
      height={PHASES_HEIGHT + AXIS}
      hint={hint}
      textClass="mb-1 min-h-5 text-sm"
      nearest={({ x: pointerX, width }) => {
        const found = stretches.findIndex(({ to }) => pointerX < timeScaleOf(range, width)(to))
        return found === -1 ? stretches.length - 1 : found
      }}
    >
      {({ width, active }) => {
        const x = timeScaleOf(range, width)
        return (
          <>
            <PhaseRows stretches={stretches} active={active} x={x} width={width} />
            <TimeAxis range={range} x={x} width={width} floor={PHASES_HEIGHT} clock={clock} />
          </>
        )
      }}
    </ReadableChart>
  )
}

interface PhaseRowsProps {
  readonly stretches: readonly Stretch[]
  /** The stretch under the cursor. */
  readonly active: Stretch | undefined
  readonly x: TimeScale
  readonly width: number
}

/** A row per phase, with a bar for each stretch in it. */
export const PhaseRows = ({ width, ...bars }: PhaseRowsProps) => (
  <>
    <Rows width={width} />
    <Bars {...bars} />
  </>
)

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

const Bars = ({ stretches, active, x }: Omit<PhaseRowsProps, "width">) => (
  <g>
    {stretches.map((stretch, index) => {
      const next = stretches[index + 1]
      if (next?.from !== stretch.to) return null
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
