import type { Candidate } from "../store/health-fact.ts"
import { hasFigure } from "./candidate.ts"

/**
 * Returns which of a date's records of one type have all main figures: a sleep with stages, a recovery with score, HRV and resting heart
 * rate, a cycle with strain. Where no source has a strain, a cycle with calories. Workouts have no main figure.
 */
export function completeOf(candidates: readonly Candidate[]): (candidate: Candidate) => boolean {
  const hasStrain = candidates.some((candidate) => hasFigure(candidate, "strain"))
  return (candidate) => {
    switch (candidate.kind) {
      case "sleep":
        return hasFigure(candidate, "stages")
      case "recovery":
        return (
          hasFigure(candidate, "score") && hasFigure(candidate, "hrv") && hasFigure(candidate, "resting_heart_rate")
        )
      case "cycle":
        return hasFigure(candidate, hasStrain ? "strain" : "calories")
      case "workout":
        return true
    }
  }
}
