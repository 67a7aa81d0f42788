import type { ChoiceReason } from "@restwell/client"
import type { SourcePreferences } from "../store/source-preferences.ts"
import type { HealthFact } from "../store/stored-record.ts"
import { completeOf } from "./complete.ts"
import { placeIn } from "./preferences.ts"
import { compareRanks, type Rank, reasonFor } from "./rank.ts"
import { type Activity, sameActivities, startOf } from "./same-activity.ts"

/** A record, and why its source answers. Null if another source does. */
export interface Choice<Fact> {
  readonly fact: Fact
  readonly because: ChoiceReason | null
}

/**
 * Chooses which records answer. Of main sleeps, recoveries and cycles one source answers for each date. Naps and workouts are chosen by
 * activity: of those that overlap, one. Nothing is merged and nothing is added up.
 * @param facts of the sources that may answer, in any order. The records of the dates around belong to them, because naps and workouts
 * that overlap may have different dates.
 * @returns a choice for each fact, in the same order
 */
export function chooseSources<Fact extends HealthFact>(
  facts: readonly Fact[],
  preferences: SourcePreferences,
): Choice<Fact>[] {
  const reasons = new Map<HealthFact, ChoiceReason>()
  const rankOf = ranksBy(preferences)
  for (const [key, group] of Map.groupBy(facts, groupOf)) {
    const activities = group.filter((fact): fact is Fact & Activity => isActivity(fact))
    if (key === NAPS || key === WORKOUTS) chooseActivities(activities, rankOf, reasons)
    else chooseSourceOfDate(group, rankOf, reasons)
  }
  return facts.map((fact) => ({ fact, because: reasons.get(fact) ?? null }))
}

const NAPS = "naps"
const WORKOUTS = "workouts"

const isActivity = (fact: HealthFact): boolean => fact.kind === "sleep" || fact.kind === "workout"

/** Naps and workouts are groups of their own. Everything else is grouped by type and date. */
function groupOf(fact: HealthFact): string {
  if (fact.kind === "workout") return WORKOUTS
  return fact.kind === "sleep" && fact.detail.data.isNap ? NAPS : `${fact.kind} ${fact.date}`
}

type RankOf = (fact: HealthFact, isComplete: boolean) => Rank

function ranksBy({ order, choices }: SourcePreferences): RankOf {
  const chosen = new Map(choices.map(({ type, date, provider }) => [`${type} ${date}`, provider]))
  return ({ kind, date, provider, fromArchive }, isComplete) => ({
    isPersonsChoice: chosen.get(`${kind} ${date}`) === provider,
    place: placeIn(order[kind], provider),
    isComplete,
    isDirect: !fromArchive,
    provider,
  })
}

/** One source answers with all of its records. It is as complete and direct as the best of them. */
function chooseSourceOfDate(
  facts: readonly HealthFact[],
  rankOf: RankOf,
  reasons: Map<HealthFact, ChoiceReason>,
): void {
  const isComplete = completeOf(facts)
  const bySource = Map.groupBy(facts, ({ provider }) => provider)
  const candidates = [...bySource.values()].flatMap((ofSource) => {
    const [best] = ofSource.map((fact) => rankOf(fact, isComplete(fact))).toSorted(compareRanks)
    return best ? [best] : []
  })
  const [winner, ...others] = candidates.toSorted(compareRanks)
  if (!winner) return
  const because = reasonFor(winner, others)
  for (const fact of bySource.get(winner.provider) ?? []) reasons.set(fact, because)
}

/** From the best rank to the worst, an activity is chosen unless another source's record of it already is. */
function chooseActivities(
  activities: readonly Activity[],
  rankOf: RankOf,
  reasons: Map<HealthFact, ChoiceReason>,
): void {
  const isComplete = completeOf(activities)
  const same = sameActivities(activities)
  const ranks = new Map(activities.map((fact) => [fact, rankOf(fact, isComplete(fact))]))
  const rank = (fact: Activity): Rank => ranks.get(fact) ?? rankOf(fact, isComplete(fact))
  const inOrder = activities.toSorted(
    (one, other) =>
      compareRanks(rank(one), rank(other)) ||
      startOf(one) - startOf(other) ||
      (one.detail.data.id < other.detail.data.id ? -1 : 1),
  )
  for (const activity of inOrder) {
    const others = same.get(activity) ?? []
    if (others.some((other) => reasons.has(other))) continue
    const beaten = others.map(rank).filter((other) => compareRanks(rank(activity), other) < 0)
    reasons.set(activity, reasonFor(rank(activity), beaten))
  }
}
