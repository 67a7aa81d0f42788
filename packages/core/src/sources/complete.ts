import type { HealthFact } from "../store/stored-record.ts"

/**
 * Returns which of a date's facts of one type have all main figures: a sleep with stages, a recovery with score, HRV and resting heart
 * rate, a cycle with strain. Where no source has a strain, a cycle with calories. Workouts have no main figure.
 */
export function completeOf(facts: readonly HealthFact[]): (fact: HealthFact) => boolean {
  const hasStrain = facts.some((fact) => fact.kind === "cycle" && fact.detail.data.strain !== undefined)
  return (fact) => {
    switch (fact.kind) {
      case "sleep":
        return fact.detail.data.stages !== undefined
      case "recovery": {
        const { score, metrics } = fact.detail.data
        return score !== undefined && metrics?.hrv !== undefined && metrics.restingHeartRate !== undefined
      }
      case "cycle": {
        const { strain, metrics } = fact.detail.data
        return hasStrain ? strain !== undefined : metrics?.calories !== undefined
      }
      case "workout":
        return true
    }
  }
}
