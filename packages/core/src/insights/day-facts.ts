import type { CycleFact, HealthFact, RecoveryFact, SleepFact, WorkoutFact } from "../store/health-fact.ts"

/** What a person's chosen records say about one date. */
export interface DayFacts {
  /** The longest sleep that is not a nap. Of two equally long ones, the earlier. */
  readonly night: SleepFact | undefined
  readonly naps: readonly SleepFact[]
  readonly recovery: RecoveryFact | undefined
  readonly cycle: CycleFact | undefined
  /** Without rest that a vendor lists as a workout. */
  readonly workouts: readonly WorkoutFact[]
}

/** Sorts the chosen facts of a date by kind. A fact that is given twice counts once. @param facts oldest first */
export function dayFactsOf(facts: readonly HealthFact[]): DayFacts {
  let [night, recovery, cycle]: [SleepFact?, RecoveryFact?, CycleFact?] = []
  const naps: SleepFact[] = []
  const workouts: WorkoutFact[] = []
  for (const fact of facts)
    switch (fact.kind) {
      case "sleep":
        if (fact.isNap) addOnce(naps, fact)
        else if (night === undefined || isMainNight(fact, night)) night = fact
        break
      case "recovery":
        recovery = fact
        break
      case "cycle":
        cycle = fact
        break
      case "workout":
        if (fact.countsAsWorkout) addOnce(workouts, fact)
    }
  return { night, naps, recovery, cycle, workouts }
}

const isMainNight = (sleep: SleepFact, other: SleepFact): boolean =>
  sleep.durationMs > other.durationMs || (sleep.durationMs === other.durationMs && sleep.startMs < other.startMs)

function addOnce<Fact extends HealthFact>(facts: Fact[], fact: Fact): void {
  if (!facts.some(({ provider, providerId }) => provider === fact.provider && providerId === fact.providerId))
    facts.push(fact)
}
