// The phases and the stages of a night, without their drawing.
import type { TrendDay } from "@restwell/client"
import { formatClock } from "@restwell/client/figures"
import type { Clock } from "./axes.tsx"

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

/** Height of the row of a phase, and above the first one. */
export const ROW = 30
export const TOP = 4
/** Height of the rows of phases. */
export const PHASES_HEIGHT = TOP + SLEEP_PHASES.length * ROW

export const phaseLabel = (stretch: Stretch): string =>
  SLEEP_PHASES.find(({ phase }) => phase === stretch.phase)?.label ?? stretch.phase

export const stretchTimes = ({ from, to }: Pick<Stretch, "from" | "to">, clock: Clock = "24h"): string =>
  `${formatClock(from, clock)} to ${formatClock(to, clock)}`
