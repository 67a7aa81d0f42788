import type { ChoiceReason } from "@restwell/client"
import type { Candidate, HealthFact } from "../store/health-fact.ts"
import type { SourcePreferences } from "../store/source-preferences.ts"
import { candidateOf } from "./candidate.ts"
import { completeOf } from "./complete.ts"
import { placeIn } from "./preferences.ts"
import { compareRanks, type Rank, reasonFor } from "./rank.ts"
import { type ActivityCandidate, sameActivities } from "./same-activity.ts"

/** A record, and why its source answers. Null if another source does. */
export interface Choice<Fact> {
  readonly fact: Fact
  readonly because: ChoiceReason | null
}

/**
 * Chooses which records answer. Of main sleeps, recoveries and cycles one source answers for each date. Naps and workouts are chosen by
 * activity: one of the records that overlap. Nothing is merged and nothing is added up.
 * @param candidates of the sources that may answer, in any order. The records of the dates around belong to them, because naps and
 * workouts that overlap may have different dates.
 * @returns why each candidate's source answers, in the same order. Null for a candidate that is not chosen.
 */
export function choose(candidates: readonly Candidate[], preferences: SourcePreferences): (ChoiceReason | null)[] {
  const reasons = new Map<Candidate, ChoiceReason>()
  const rankOf = ranksBy(preferences)
  for (const ofKind of byKind(candidates).values()) {
    for (const ofDate of ofKind.byDate.values()) chooseSourceOfDate(ofDate, rankOf, reasons)
    chooseActivities(ofKind.activities, rankOf, reasons)
  }
  return candidates.map((candidate) => reasons.get(candidate) ?? null)
}

interface OfKind {
  readonly byDate: Map<string, Candidate[]>
  readonly activities: ActivityCandidate[]
}

function byKind(candidates: readonly Candidate[]): ReadonlyMap<Candidate["kind"], OfKind> {
  const kinds = new Map<Candidate["kind"], OfKind>()
  for (const candidate of candidates) {
    const ofKind: OfKind = kinds.get(candidate.kind) ?? { byDate: new Map(), activities: [] }
    kinds.set(candidate.kind, ofKind)
    if (isActivity(candidate)) {
      ofKind.activities.push(candidate)
      continue
    }
    const ofDate = ofKind.byDate.get(candidate.date)
    if (ofDate) ofDate.push(candidate)
    else ofKind.byDate.set(candidate.date, [candidate])
  }
  return kinds
}

/** The same for whole records. Records of one source all answer: comparing 90 nights would take as long as presenting them. */
export function chooseSources<Fact extends HealthFact>(
  facts: readonly Fact[],
  preferences: SourcePreferences,
): Choice<Fact>[] {
  if (facts.every(({ provider }) => provider === facts[0]?.provider))
    return facts.map((fact) => ({ fact, because: "only_one" }))
  const reasons = choose(facts.map(candidateOf), preferences)
  return facts.map((fact, index) => ({ fact, because: reasons[index] ?? null }))
}

const isActivity = (candidate: Candidate): candidate is ActivityCandidate => candidate.activity !== null

type RankOf = (candidate: Candidate, isComplete: boolean) => Rank

function ranksBy({ order, choices }: SourcePreferences): RankOf {
  const chosen = new Map(choices.map(({ type, date, provider }) => [`${type} ${date}`, provider]))
  return ({ kind, date, provider, fromArchive }, isComplete) => ({
    isPersonsChoice: chosen.size > 0 && chosen.get(`${kind} ${date}`) === provider,
    place: placeIn(order[kind], provider),
    isComplete,
    isDirect: !fromArchive,
    provider,
  })
}

/** One source answers with all of its records. It is as complete and direct as the best of them. */
function chooseSourceOfDate(
  candidates: readonly Candidate[],
  rankOf: RankOf,
  reasons: Map<Candidate, ChoiceReason>,
): void {
  const isComplete = completeOf(candidates)
  const ranks: Rank[] = []
  for (const candidate of candidates) {
    const rank = rankOf(candidate, isComplete(candidate))
    const place = ranks.findIndex(({ provider }) => provider === rank.provider)
    const best = ranks[place]
    if (!best) ranks.push(rank)
    else if (compareRanks(rank, best) < 0) ranks[place] = rank
  }
  ranks.sort(compareRanks)
  const [winner, runnerUp] = ranks
  if (!winner) return
  const because = reasonFor(winner, runnerUp)
  for (const candidate of candidates) if (candidate.provider === winner.provider) reasons.set(candidate, because)
}

/** From the best rank to the worst, an activity is chosen unless another source's record of it already is. */
function chooseActivities(
  activities: readonly ActivityCandidate[],
  rankOf: RankOf,
  reasons: Map<Candidate, ChoiceReason>,
): void {
  const isComplete = completeOf(activities)
  const same = sameActivities(activities)
  const ranks = new Map(activities.map((activity) => [activity, rankOf(activity, isComplete(activity))]))
  const rank = (activity: ActivityCandidate): Rank => ranks.get(activity) ?? rankOf(activity, isComplete(activity))
  const inOrder = activities.toSorted(
    (one, other) =>
      compareRanks(rank(one), rank(other)) ||
      one.activity.startMs - other.activity.startMs ||
      (one.activity.providerId < other.activity.providerId ? -1 : 1),
  )
  for (const activity of inOrder) {
    const others = same.get(activity) ?? []
    if (others.some((other) => reasons.has(other))) continue
    const beaten = others.map(rank).filter((other) => compareRanks(rank(activity), other) < 0)
    reasons.set(activity, reasonFor(rank(activity), beaten.toSorted(compareRanks)[0]))
  }
}
