import type { Candidate } from "../store/stored-record.ts"

/**
 * Returns which of a date's records of one type have all main figures: a sleep with stages, a recovery with score, HRV and resting heart
 * rate, a cycle with strain. Where no source has a strain, a cycle with calories. Workouts have no main figure.
 */
export function completeOf(candidates: readonly Candidate[]): (candidate: Candidate) => boolean {
  const hasStrain = candidates.some(({ figures }) => figures.includes("strain"))
  return ({ kind, figures }) => {
    switch (kind) {
      case "sleep":
        return figures.includes("stages")
      case "recovery":
        return figures.includes("score") && figures.includes("hrv") && figures.includes("resting_heart_rate")
      case "cycle":
        return figures.includes(hasStrain ? "strain" : "calories")
      case "workout":
        return true
    }
  }
}
