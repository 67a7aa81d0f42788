import { capitalized, figure, formatClock } from "@restwell/client/figures"
import { AXIS, type Clock, CursorLine, TimeAxis, type TimeRange, type TimeScale, timeScaleOf } from "./axes.tsx"
import { HYPNOGRAM_TITLE, PHASES_HEIGHT, PhaseRows, phaseLabel, type Stretch } from "./hypnogram.tsx"
import { type Curve, CurveLine } from "./line.tsx"
import { ReadableChart } from "./readable-chart.tsx"

/** The usual length of a step of the curves. It has the phase in which it begins. */
export const STEP_MINUTES = 5
const CURVE_HEIGHT = 92
const ONLY_CURVE_HEIGHT = 140

/** A named part of the time, as a workout. Minutes after a local midnight. */
export interface Span {
  readonly from: number
  readonly to: number
  readonly label: string
}

/** Some hours: curves, over the phases of a night or with workouts shaded. */
export interface Hours extends TimeRange {
  /** @default STEP_MINUTES */
  readonly stepMinutes?: number
  readonly curves: readonly Curve[]
  readonly stretches?: readonly Stretch[]
  readonly workouts?: readonly Span[]
}

/** A step of the hours, and the value of each curve. */
export interface Moment {
  readonly step: number
  /** Minutes after a local midnight. */
  readonly from: number
  readonly stretch: Stretch | undefined
  readonly workout: Span | undefined
  readonly values: readonly (number | null)[]
}

export const momentsOf = ({ start, end, stepMinutes = STEP_MINUTES, curves, stretches, workouts }: Hours): Moment[] =>
  Array.from({ length: Math.max(Math.ceil((end - start) / stepMinutes), 1) }, (_, step) => {
    const from = start + step * stepMinutes
    return {
      step,
      from,
      stretch: stretches?.find((stretch) => from >= stretch.from && from < stretch.to),
      workout: workouts?.find((workout) => from + stepMinutes > workout.from && from < workout.to),
      values: curves.map(({ values }) => values[step] ?? null),
    }
  })

/** "Sleep phases, heart rate and HRV" */
export function hoursTitle({ stretches = [], curves }: Hours): string {
  const names = [...(stretches.length > 0 ? [HYPNOGRAM_TITLE] : []), ...curves.map(({ name }) => name)]
  const last = names.length > 1 ? ` and ${names.pop()}` : ""
  return capitalized(names.join(", ") + last)
}

/** "Deep, heart rate 52 bpm, HRV 61 ms" */
const momentText = ({ stretch, workout, values }: Moment, curves: readonly Curve[]): string =>
  [
    ...(stretch ? [phaseLabel(stretch)] : []),
    ...curves.map(({ name, unit }, index) => {
      const value = values[index] ?? null
      return value === null ? `no ${name}` : `${name} ${figure(value)} ${unit}`
    }),
    ...(workout ? [workout.label] : []),
  ].join(", ")

/** The step that is read first: the marked one, or else the newest with a value. */
function restingStep({ start, stepMinutes = STEP_MINUTES, curves }: Hours): number {
  const marked = curves.find(({ mark }) => mark)?.mark
  if (marked) return Math.floor((marked.minutes - start) / stepMinutes)
  return curves[0]?.values.findLastIndex((value) => value !== null) ?? 0
}

/** Curves on one axis of local clock times. */
export function HoursChart({ clock, ...hours }: Hours & { readonly clock: Clock }) {
  const { start, stepMinutes = STEP_MINUTES, curves, stretches = [], workouts = [] } = hours
  const moments = momentsOf(hours)
  const hasPhases = stretches.length > 0
  const isAlone = curves.length === 1 && !hasPhases
  const curveHeight = isAlone ? ONLY_CURVE_HEIGHT : CURVE_HEIGHT
  const phasesTop = curves.length * curveHeight
  const floor = phasesTop + (hasPhases ? PHASES_HEIGHT : 0)
  const middleOf = (step: number) => start + (step + 0.5) * stepMinutes
  return (
    <ReadableChart
      title={hoursTitle(hours)}
      items={moments}
      describe={(moment) => `${formatClock(moment.from, clock)}: ${momentText(moment, curves)}`}
      height={floor + AXIS}
      restingIndex={restingStep(hours)}
      textClass="mb-1 min-h-10 text-sm sm:min-h-5"
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
