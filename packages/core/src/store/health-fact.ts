import type { ScoreState } from "@restwell/client"
import type { StoredCycle, StoredRecovery, StoredSleep, StoredWorkout } from "./stored-record.ts"

interface Fact<Kind extends string, Detail> {
  readonly kind: Kind
  readonly date: string
  readonly scoreState: ScoreState
  /** Degrees Celsius from the baseline of the nights before. Recoveries only. */
  readonly skinTempDeviation: number | null
  readonly detail: Detail
}
export type SleepFact = Fact<"sleep", StoredSleep>
export type RecoveryFact = Fact<"recovery", StoredRecovery>
export type WorkoutFact = Fact<"workout", StoredWorkout>
export type CycleFact = Fact<"cycle", StoredCycle>
/** A stored record as an answer needs it. */
export type HealthFact = SleepFact | RecoveryFact | WorkoutFact | CycleFact

type KindOf<Fact, Kind> = Extract<Fact, { readonly kind: Kind }>

/** The facts of one kind. */
export const factsOfKind = <Each extends { readonly kind: string }, Kind extends Each["kind"]>(
  facts: readonly Each[],
  kind: Kind,
): KindOf<Each, Kind>[] => facts.filter((fact): fact is KindOf<Each, Kind> => fact.kind === kind)
