// Some hours with their values, without their drawing.
import { capitalized } from "@restwell/client/figures"
import type { TimeRange } from "./axes.tsx"
import type { Curve } from "./line.tsx"
import { HYPNOGRAM_TITLE, PHASES_HEIGHT, type Stretch } from "./phases.ts"
import { AXIS } from "./sizes.ts"

/** The usual length of a step of the curves. It has the phase in which it begins. */
export const STEP_MINUTES = 5

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

/** The step of a curve's marked value. Undefined without one. */
export const markedStep = ({ start, stepMinutes = STEP_MINUTES }: Hours, { mark }: Curve): number | undefined =>
  mark && Math.floor((mark.minutes - start) / stepMinutes)

/** "Sleep phases, heart rate and HRV" */
export function hoursTitle({ stretches = [], curves }: Hours): string {
  const names = [...(stretches.length > 0 ? [HYPNOGRAM_TITLE] : []), ...curves.map(({ name }) => name)]
  const last = names.length > 1 ? ` and ${names.pop()}` : ""
  return capitalized(names.join(", ") + last)
}

const CURVE_HEIGHT = 92
const ONLY_CURVE_HEIGHT = 140

/** Height of one of the curves. */
export const curveHeightOf = ({ stretches = [], curves }: Hours): number =>
  curves.length === 1 && stretches.length === 0 ? ONLY_CURVE_HEIGHT : CURVE_HEIGHT

/** Height of the drawing with its axis. */
export const drawingHeight = (hours: Hours): number =>
  hours.curves.length * curveHeightOf(hours) + (hours.stretches?.length ? PHASES_HEIGHT : 0) + AXIS

/** Classes of the line of text above the drawing. */
export const textClassOf = ({ curves }: Hours): string =>
  curves.length > 0 ? "mb-1 min-h-10 text-sm sm:min-h-5" : "mb-1 min-h-5 text-sm"
