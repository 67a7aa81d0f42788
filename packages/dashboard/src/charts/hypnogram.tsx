import type { TrendDay } from "@restwell/client"
import { formatClock, minutesText } from "@restwell/client/figures"
import { AXIS, type Clock, TimeAxis, type TimeRange, type TimeScale, timeScaleOf } from "./axes.tsx"
import { MARGIN } from "./layout.ts"
import { ReadableChart } from "./readable-chart.tsx"

export type Course = NonNullable<NonNullable<TrendDay["sleep"]>["course"]>
export type Phase = NonNullable<Course["phases"][number]>

/** A stretch of a night in one phase. Times are minutes after the local midnight of the night's date. */
export interface Stretch {
  readonly phase: Phase
  readonly from: number
  readonly to: number
}

/** The phases from the top row to the bottom one, with the classes of their colours. */
export const SLEEP_PHASES = [
  { phase: "awake", label: "Awake", fill: "fill-awake" },
  { phase: "rem", label: "REM", fill: "fill-rem" },
  { phase: "light", label: "Light", fill: "fill-light-sleep" },
  { phase: "deep", label: "Deep", fill: "fill-deep" },
] as const satisfies readonly { phase: Phase; label: string; fill: string }[]

/** Joins neighbouring intervals of the same phase. Time without one has no stretch. The last interval ends with the night. */
export function stretchesOf(course: Course, start: number, end: number): Stretch[] {
  const stretches: Stretch[] = []
  for (const [index, phase] of course.phases.entries()) {
    const from = start + index * course.interval_minutes
    const to = Math.min(from + course.interval_minutes, end)
    const previous = stretches.at(-1)
    if (to <= from) break
    if (phase === null) continue
    if (previous?.phase === phase && previous.to === from) stretches.splice(-1, 1, { ...previous, to })
    else stretches.push({ phase, from, to })
  }
  return stretches
}

/** Sleep stages with the classes of their colours, in the order of charts and legends. */
export const SLEEP_STAGES = [
  { key: "deep_hours", metric: "deep", label: "Deep", color: "bg-deep", fill: "fill-deep" },
  { key: "rem_hours", metric: "rem", label: "REM", color: "bg-rem", fill: "fill-rem" },
  { key: "light_hours", metric: "light", label: "Light", color: "bg-light-sleep", fill: "fill-light-sleep" },
  { key: "awake_hours", metric: "awake", label: "Awake", color: "bg-awake", fill: "fill-awake" },
] as const

export const HYPNOGRAM_TITLE = "Sleep phases"

const ROW = 30
const BAR = 18
const TOP = 4
/** Height of the rows of phases. */
export const PHASES_HEIGHT = TOP + SLEEP_PHASES.length * ROW

const rowOf = (stretch: Stretch) => SLEEP_PHASES.findIndex(({ phase }) => phase === stretch.phase)
const barTop = (stretch: Stretch): number => TOP + rowOf(stretch) * ROW + (ROW - BAR) / 2

export const phaseLabel = (stretch: Stretch): string => SLEEP_PHASES[rowOf(stretch)]?.label ?? stretch.phase

export const stretchTimes = ({ from, to }: Pick<Stretch, "from" | "to">, clock: Clock = "24h"): string =>
  `${formatClock(from, clock)} to ${formatClock(to, clock)}`
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
