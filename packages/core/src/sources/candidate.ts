import type { Candidate, Figure, HealthFact } from "../store/stored-record.ts"

/** What a record is chosen by, where the whole record was read. The column `figures` says the same. */
export function candidateOf(fact: HealthFact): Candidate {
  const { kind, provider, fromArchive, date, detail } = fact
  const isActivity = fact.kind === "sleep" || fact.kind === "workout"
  return {
    kind,
    provider,
    fromArchive,
    date,
    providerId: detail.data.providerId,
    figures: figuresOf(fact),
    startMs: isActivity ? Date.parse(fact.detail.data.start) : 0,
    endMs: isActivity ? Date.parse(fact.detail.data.end) : 0,
  }
}

function figuresOf(fact: HealthFact): readonly Figure[] {
  switch (fact.kind) {
    case "sleep": {
      const { isNap, stages } = fact.detail.data
      return named({ nap: isNap || undefined, stages })
    }
    case "recovery": {
      const { score, metrics } = fact.detail.data
      return named({ score, hrv: metrics?.hrv, resting_heart_rate: metrics?.restingHeartRate })
    }
    case "cycle": {
      const { strain, metrics } = fact.detail.data
      return named({ strain, calories: metrics?.calories })
    }
    case "workout":
      return []
  }
}

const FIGURES: readonly Figure[] = ["nap", "stages", "score", "hrv", "resting_heart_rate", "strain", "calories"]

const named = (values: Partial<Readonly<Record<Figure, unknown>>>): readonly Figure[] =>
  FIGURES.filter((figure) => values[figure] !== undefined)
