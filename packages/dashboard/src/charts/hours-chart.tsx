import { figure, formatClock } from "@restwell/client/figures"
import { type Clock, CursorLine, TimeAxis, type TimeRange, type TimeScale, timeScaleOf } from "./axes.tsx"
import {
  curveHeightOf,
  drawingHeight,
  type Hours,
  hoursTitle,
  type Moment,
  markedStep,
  momentsOf,
  type Span,
  STEP_MINUTES,
  textClassOf,
} from "./hours.ts"
import { Hypnogram, PhaseRows } from "./hypnogram.tsx"
import { CurveLine } from "./line.tsx"
import { phaseLabel } from "./phases.ts"
import { ReadableChart } from "./readable-chart.tsx"
import { AXIS } from "./sizes.ts"

/** "Deep, heart rate 52 bpm, lowest 48, HRV 61 ms" */
const momentText = ({ step, stretch, workout, values }: Moment, hours: Hours): string =>
  [
    ...(stretch ? [phaseLabel(stretch)] : []),
    ...hours.curves.map((curve, index) => {
      const { name, unit, mark } = curve
      // A curve without any value keeps the place of one that loads. That nothing was measured is not known yet.
      if (curve.values.length === 0) return `${name} loads`
      const value = values[index] ?? null
      if (value === null) return `no ${name}`
      const isOther = mark && markedStep(hours, curve) === step && figure(mark.value) !== figure(value)
      return `${name} ${figure(value)} ${unit}${isOther ? `, lowest ${figure(mark.value)}` : ""}`
    }),
    ...(workout ? [workout.label] : []),
  ].join(", ")

/** The step that is read first: the marked one, or else the newest with a value. */
function restingStep(hours: Hours): number {
  const [marked] = hours.curves.flatMap((curve) => markedStep(hours, curve) ?? [])
  return marked ?? hours.curves[0]?.values.findLastIndex((value) => value !== null) ?? 0
}

interface DrawingProps {
  readonly hours: Hours
  readonly clock: Clock
}

/** Some hours on one axis of local clock times. A night without curves has its phases alone. */
export default function HoursDrawing({ hours, clock }: DrawingProps) {
  const { curves, stretches = [], start, end } = hours
  return curves.length > 0 ? (
    <HoursChart hours={hours} clock={clock} />
  ) : (
    <Hypnogram start={start} end={end} stretches={stretches} clock={clock} />
  )
}

function HoursChart({ hours, clock }: DrawingProps) {
  const { start, stepMinutes = STEP_MINUTES, curves, stretches = [], workouts = [] } = hours
  const moments = momentsOf(hours)
  const hasPhases = stretches.length > 0
  const isAlone = curves.length === 1 && !hasPhases
  const curveHeight = curveHeightOf(hours)
  const phasesTop = curves.length * curveHeight
  const height = drawingHeight(hours)
  const floor = height - AXIS
  const middleOf = (step: number) => start + (step + 0.5) * stepMinutes
  return (
    <ReadableChart
      title={hoursTitle(hours)}
      items={moments}
      describe={(moment) => `${formatClock(moment.from, clock)}: ${momentText(moment, hours)}`}
      height={height}
      restingIndex={restingStep(hours)}
      textClass={textClassOf(hours)}
      nearest={({ x, width }) => {
        const step = Math.floor((timeScaleOf(hours, width).invert(x) - start) / stepMinutes)
        return Math.min(Math.max(step, 0), moments.length - 1)
      }}
    >
      {({ width, active }) => {
        const x = timeScaleOf(hours, width)
        return (
          <>
            <Shades spans={workouts} range={hours} x={x} floor={floor} />
            {active && <CursorLine x={x(middleOf(active.step))} top={0} floor={floor} />}
            {curves.map((curve, index) => (
              <CurveLine
                key={curve.name}
                curve={curve}
                minutesAt={middleOf}
                x={x}
                top={index * curveHeight}
                height={curveHeight}
                width={width}
                isNamed={!isAlone}
                activeStep={active?.step}
              />
            ))}
            {hasPhases && (
              <g transform={`translate(0 ${phasesTop})`}>
                <PhaseRows stretches={stretches} active={active?.stretch} x={x} width={width} />
              </g>
            )}
            <TimeAxis range={hours} x={x} width={width} floor={floor} clock={clock} />
          </>
        )
      }}
    </ReadableChart>
  )
}

interface ShadesProps {
  readonly spans: readonly Span[]
  readonly range: TimeRange
  readonly x: TimeScale
  readonly floor: number
}

/** Workouts, as bands behind the curves. */
const Shades = ({ spans, range: { start, end }, x, floor }: ShadesProps) => (
  <g>
    {spans.map(({ from, to }) => {
      const [left, right] = [x(Math.max(from, start)), x(Math.min(to, end))]
      return (
        right > left && (
          <rect key={from} x={left} width={right - left} y={0} height={floor} className="fill-strain/20" />
        )
      )
    })}
  </g>
)
