import type { Candidate, Figure, HealthFact } from "../store/health-fact.ts"

/** What a record is chosen by, where the whole record was read. */
export function candidateOf(fact: HealthFact): Candidate {
  const { kind, provider, fromArchive, date, figures } = fact
  return { kind, provider, fromArchive, date, figures, activity: activityOf(fact) }
}

export const hasFigure = ({ figures }: Candidate, figure: Figure): boolean => figures.includes(figure)

/** The same text for a candidate and its whole record. The records that a source answers a date with have one in common. */
export const candidateKey = ({ provider, kind, date, activity }: Candidate): string =>
  activity ? `${provider} ${kind} ${activity.providerId}` : `${provider} ${kind} ${date}`

function activityOf(fact: HealthFact): Candidate["activity"] {
  if (fact.kind !== "workout" && !(fact.kind === "sleep" && fact.isNap)) return null
  const { providerId, startMs, endMs } = fact
  return { providerId, startMs, endMs }
}
