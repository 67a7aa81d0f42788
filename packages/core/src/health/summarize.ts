import type { SummaryResponse } from "@restwell/client"
import type { CycleFact, HealthFact, RecoveryFact, SleepFact, WorkoutFact } from "../store/stored-record.ts"
import { toHours, toTenth } from "./round.ts"

/** The mean of the known values. Undefined without any, never zero. */
export function meanOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined)
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : undefined
}

/** The figures of a period, without naps and unscored nights. They include and mark an open cycle with a score. DESIGN section 4. */
export function summarize(facts: readonly HealthFact[]): Pick<SummaryResponse, "sleep" | "recovery" | "strain"> {
  const scored = facts.filter((fact) => fact.scoreState === "scored")
  const workouts = facts.filter((fact) => fact.kind === "workout")
  return {
    sleep: summarizeSleep(scored.filter((fact) => fact.kind === "sleep")),
    recovery: summarizeRecovery(scored.filter((fact) => fact.kind === "recovery")),
    strain: summarizeStrain(
      scored.filter((fact) => fact.kind === "cycle"),
      workouts,
    ),
  }
}

function summarizeSleep(scoredSleeps: readonly SleepFact[]): SummaryResponse["sleep"] {
  const nights = scoredSleeps.map((fact) => fact.detail.data).filter((sleep) => !sleep.isNap)
  return {
    average_duration_hours: toHours(meanOf(nights.map((night) => night.durationMs))),
    average_performance: toTenth(meanOf(nights.map((night) => night.score))),
    average_efficiency: toTenth(meanOf(nights.map((night) => night.metrics?.efficiency))),
    night_count: nights.length,
  }
}

function summarizeRecovery(scoredRecoveries: readonly RecoveryFact[]): SummaryResponse["recovery"] {
  const recoveries = scoredRecoveries.map((fact) => fact.detail.data)
  return {
    average_score: toTenth(meanOf(recoveries.map((recovery) => recovery.score))),
    average_hrv: toTenth(meanOf(recoveries.map((recovery) => recovery.metrics?.hrv))),
    average_rhr: toTenth(meanOf(recoveries.map((recovery) => recovery.metrics?.restingHeartRate))),
    day_count: recoveries.length,
  }
}

function summarizeStrain(
  scoredCycles: readonly CycleFact[],
  workouts: readonly WorkoutFact[],
): SummaryResponse["strain"] {
  const cycles = scoredCycles.map((fact) => fact.detail.data)
  const strains = cycles.flatMap((cycle) => (cycle.strain === undefined ? [] : [cycle.strain]))
  const average = meanOf(strains)
  return {
    total: toTenth(average === undefined ? undefined : strains.reduce((sum, strain) => sum + strain, 0)),
    average_daily: toTenth(average),
    workout_count: workouts.filter((fact) => fact.detail.countsAsWorkout).length,
    cycle_count: strains.length,
    includes_open_cycle: cycles.some((cycle) => cycle.strain !== undefined && cycle.end === undefined),
  }
}
