import type { TrendDay } from "@restwell/client"
import { hoursOf } from "../rounding/round.ts"
import type { TrendFact } from "../store/read-trend-rows.ts"
import { presentCycle, presentRecovery, presentSleep, presentWorkout } from "./present.ts"
import type { Bands } from "./usual-ranges.ts"

const MINUTE_MS = 60_000

type OfKind<Kind extends TrendFact["kind"]> = Extract<TrendFact, { kind: Kind }>

/** One date's row without the bands, which need earlier nights. Figures equal those of the answers. @param facts oldest first */
export function trendDay(
  date: string,
  facts: readonly TrendFact[],
  { hasCourse }: { hasCourse: boolean },
): Omit<TrendDay, keyof Bands> {
  const sleeps = facts.filter((fact) => fact.kind === "sleep")
  const naps = sleeps.filter(({ isNap }) => isNap)
  const recovery = facts.findLast((fact) => fact.kind === "recovery")
  const cycle = facts.findLast((fact) => fact.kind === "cycle")
  const workouts = facts.filter((fact) => fact.kind === "workout").filter(({ countsAsWorkout }) => countsAsWorkout)
  return {
    date,
    sleep: nightOf(sleeps, hasCourse),
    naps: naps.map(napOf),
    nap_hours: naps.length > 0 ? hoursOf(naps.reduce((sum, { durationMs }) => sum + durationMs, 0)) : null,
    recovery: recovery ? recoveryOf(recovery) : null,
    strain: cycle ? strainOf(cycle) : null,
    workouts: workouts.map(workoutOf),
  }
}

/** The longest sleep that is not a nap. Of two equally long ones, the earlier. */
function nightOf(sleeps: readonly OfKind<"sleep">[], hasCourse: boolean): TrendDay["sleep"] {
  const nights = sleeps.filter(({ isNap }) => !isNap)
  const [longest] = nights.toSorted((one, other) => other.durationMs - one.durationMs)
  if (!longest) return null
  const { id: _, date: __, is_nap: ___, stages, score, ...figures } = presentSleep(longest)
  return {
    ...figures,
    start_minutes: minutesOf(longest, longest.startMs),
    end_minutes: minutesOf(longest, longest.endMs),
    ...stages,
    ...score,
    course: hasCourse ? courseOf(longest) : null,
  }
}

function napOf(fact: OfKind<"sleep">): TrendDay["naps"][number] {
  const { source, score_state, duration_hours, asleep_hours } = presentSleep(fact)
  return {
    source,
    score_state,
    start_minutes: minutesOf(fact, fact.startMs),
    end_minutes: minutesOf(fact, fact.endMs),
    duration_hours,
    asleep_hours,
  }
}

function courseOf({ course }: OfKind<"sleep">): NonNullable<TrendDay["sleep"]>["course"] {
  return course ? { interval_minutes: course.intervalMs / MINUTE_MS, phases: [...course.phases] } : null
}

function recoveryOf(fact: OfKind<"recovery">): NonNullable<TrendDay["recovery"]> {
  const { cycle_id: _, date: __, ...figures } = presentRecovery(fact)
  return figures
}

function strainOf(fact: OfKind<"cycle">): NonNullable<TrendDay["strain"]> {
  const { source, score_state, strain, calories, end } = presentCycle(fact)
  return { source, score_state, strain, calories, is_open: end === null }
}

function workoutOf(fact: OfKind<"workout">): TrendDay["workouts"][number] {
  const { date: _, end: __, end_local: ___, zones: ____, ...figures } = presentWorkout(fact)
  return { ...figures, start_minutes: minutesOf(fact, fact.startMs) }
}

/** Minutes from the midnight at which the record's date begins, in the record's own offset. */
function minutesOf({ date, utcOffsetMinutes }: TrendFact, instantMs: number): number {
  const localMs = instantMs + utcOffsetMinutes * MINUTE_MS
  const midnightMs = Date.parse(`${date}T00:00:00Z`)
  return Math.floor((localMs - midnightMs) / MINUTE_MS)
}
