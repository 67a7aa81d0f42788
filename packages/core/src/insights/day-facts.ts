import type { CycleFact, HealthFact, RecoveryFact, SleepFact, WorkoutFact } from "../store/stored-record.ts"

/** A chosen fact, and the clock where it happened. */
export type LocatedFact = HealthFact & {
  /** Minutes east of UTC. */
  readonly utcOffsetMinutes: number
}
type Located<Fact extends HealthFact> = LocatedFact & Fact

/** What a person's chosen records say about one date. */
export interface DayFacts {
  /** The longest sleep that is not a nap. Of two equally long ones, the earlier. */
  readonly night: Located<SleepFact> | undefined
  readonly naps: readonly Located<SleepFact>[]
  readonly recovery: Located<RecoveryFact> | undefined
  readonly cycle: Located<CycleFact> | undefined
  /** Without rest that a vendor lists as a workout. */
  readonly workouts: readonly Located<WorkoutFact>[]
}

/** Sorts the chosen facts of a date by kind. A fact that is given twice counts once. @param facts at least one, oldest first */
export function dayFactsOf(facts: readonly LocatedFact[]): DayFacts {
  const once =
    facts.length < 2 ? facts : [...new Map(facts.map((fact) => [`${fact.kind} ${fact.detail.data.id}`, fact])).values()]
  const sleeps = once.filter((fact) => fact.kind === "sleep")
  const [night] = sleeps
    .filter(({ detail }) => !detail.data.isNap)
    .toSorted(
      (one, other) =>
        other.detail.data.durationMs - one.detail.data.durationMs ||
        Date.parse(one.detail.data.start) - Date.parse(other.detail.data.start),
    )
  return {
    night,
    naps: sleeps.filter(({ detail }) => detail.data.isNap),
    recovery: once.findLast((fact) => fact.kind === "recovery"),
    cycle: once.findLast((fact) => fact.kind === "cycle"),
    workouts: once.filter((fact) => fact.kind === "workout").filter(({ detail }) => detail.countsAsWorkout),
  }
}
