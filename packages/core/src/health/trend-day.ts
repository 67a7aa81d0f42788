import type { TrendDay } from "@restwell/client"
import { hoursOf, toHours } from "../rounding/round.ts"
import type { TrendFact } from "../store/read-trend-rows.ts"
import { presentCycle, presentRecovery, presentSleep, presentWorkout } from "./present.ts"
import { asleepMsOf } from "./time-asleep.ts"
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
  const naps = sleeps.filter(({ detail }) => detail.data.isNap)
  const recovery = facts.findLast((fact) => fact.kind === "recovery")
  const cycle = facts.findLast((fact) => fact.kind === "cycle")
  const workouts = facts.filter((fact) => fact.kind === "workout").filter(({ detail }) => detail.countsAsWorkout)
  return {
    date,
    sleep: nightOf(sleeps, hasCourse),
    naps: naps.map(napOf),
    nap_hours: naps.length > 0 ? hoursOf(naps.reduce((sum, { detail }) => sum + detail.data.durationMs, 0)) : null,
    recovery: recovery ? recoveryOf(recovery) : null,
    strain: cycle ? strainOf(cycle) : null,
    workouts: workouts.map(workoutOf),
  }
}

/** The longest sleep that is not a nap. Of two equally long ones, the earlier. */
function nightOf(sleeps: readonly OfKind<"sleep">[], hasCourse: boolean): TrendDay["sleep"] {
  const nights = sleeps.filter(({ detail }) => !detail.data.isNap)
  const [longest] = nights.toSorted((one, other) => other.detail.data.durationMs - one.detail.data.durationMs)
  if (!longest) return null
  const { id: _, date: __, is_nap: ___, stages, score, ...figures } = presentSleep(longest)
  return {
    ...figures,
    start_minutes: minutesOf(longest, figures.start),
    end_minutes: minutesOf(longest, figures.end),
    ...stages,
    ...score,
    course: hasCourse ? courseOf(longest) : null,
  }
}

function napOf(fact: OfKind<"sleep">): TrendDay["naps"][number] {
  const { source, score_state, start, end, duration_hours } = presentSleep(fact)
  const { stages } = fact.detail.data
  return {
    source,
    score_state,
    start_minutes: minutesOf(fact, start),
    end_minutes: minutesOf(fact, end),
    duration_hours,
    asleep_hours: toHours(asleepMsOf(stages)),
  }
}

function courseOf({ detail: { course } }: OfKind<"sleep">): NonNullable<TrendDay["sleep"]>["course"] {
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
  return { ...figures, start_minutes: minutesOf(fact, figures.start) }
}

/** Minutes from the midnight at which the record's date begins, in the record's own offset. */
function minutesOf({ date, utcOffsetMinutes }: TrendFact, instant: string): number {
  const localMs = Date.parse(instant) + utcOffsetMinutes * MINUTE_MS
  const midnightMs = Date.parse(`${date}T00:00:00Z`)
  return Math.floor((localMs - midnightMs) / MINUTE_MS)
}
