import type { ChoiceReason } from "@restwell/client"
import { deliversStrain, repeatsActivities } from "@restwell/providers"
import { wholeNights } from "../statistics/nights.ts"
import type { SourcePreferences } from "../store/record-tables.ts"
import type { Candidate, StoredRecord } from "../store/stored-record.ts"
import { chooseNights, hasStages, isNight, partsOf, type Sleep, type Span } from "./choose-nights.ts"
import {
  COMPLETE,
  chooseSourceOfDate,
  compareRanks,
  PARTIAL,
  type Rank,
  type Ranking,
  ranksBy,
  reasonFor,
} from "./rank.ts"

/** A nap or a workout. These are chosen one by one. */
export type Activity = (Sleep & { readonly isNap: true }) | Extract<Candidate, { readonly kind: "workout" }>

export const isActivity = (candidate: Candidate): candidate is Activity =>
  candidate.kind === "workout" || (candidate.kind === "sleep" && candidate.isNap)

/** The records that assistants may get. */
export const sharedOf = <Record extends Pick<Candidate, "assistants">>(records: readonly Record[]): Record[] =>
  records.filter(({ assistants }) => assistants !== false)

/** The same text for a candidate and its whole record. Records that are chosen together have one in common. */
export function candidateKey(candidate: Candidate): string {
  const { provider, kind, date } = candidate
  if (isActivity(candidate)) return `${provider} ${kind} ${candidate.providerId}`
  return `${provider} ${kind} ${candidate.kind === "sleep" ? candidate.startMs : date}`
}

export const hasStrain = (candidate: Candidate): boolean => candidate.kind === "cycle" && candidate.strain !== undefined

/** True for a cycle that is open, or whose score is pending. */
const isAwaited = (candidate: Candidate): boolean =>
  candidate.kind === "cycle" && (candidate.scoreState === "pending" || candidate.endMs === null)

/**
 * Returns how complete each record of one type is. Complete are a sleep with stages, a recovery with score, HRV and resting heart
 * rate, a cycle with strain. A cycle that still awaits its strain counts as complete, so that the source does not change during the day.
 * Where no source delivers strain, a cycle with calories is complete. Workouts have no main figure.
 */
function completenessOf(
  candidates: readonly Candidate[],
  { connected }: Pick<SourcePreferences, "connected">,
): (candidate: Candidate) => number {
  const hasOrAwaitsStrain = (candidate: Candidate): boolean =>
    hasStrain(candidate) || (isAwaited(candidate) && deliversStrain(candidate.provider))
  const isStrainKnown = connected.some(deliversStrain) || candidates.some(hasOrAwaitsStrain)
  const isComplete = (candidate: Candidate): boolean => {
    switch (candidate.kind) {
      case "sleep":
        return hasStages(candidate)
      case "recovery":
        return [candidate.scorePercent, candidate.hrvMs, candidate.restingHeartRateBpm].every(
          (figure) => figure !== undefined,
        )
      case "cycle":
        return isStrainKnown ? hasOrAwaitsStrain(candidate) : candidate.energyKcal !== undefined
      case "workout":
        return true
    }
  }
  return (candidate) => (isComplete(candidate) ? COMPLETE : PARTIAL)
}

/** Two sources saw one activity when they share this part of the shorter one. */
const SHARED_PART = 0.6

/** Returns for each nap or workout those that are the same activity: of other sources, or of one that may have it several times. */
function sameActivities(activities: readonly Activity[]): ReadonlyMap<Activity, readonly Activity[]> {
  const same = new Map<Activity, Activity[]>(activities.map((activity) => [activity, []]))
  let running: Activity[] = []
  for (const next of activities.toSorted((one, other) => one.startMs - other.startMs)) {
    running = running.filter(({ endMs }) => endMs > next.startMs)
    for (const other of running) {
      if (!isShared(other, next) || (other.provider === next.provider && !repeatsActivities(next.provider))) continue
      same.get(other)?.push(next)
      same.get(next)?.push(other)
    }
    running.push(next)
  }
  for (const [one, other] of namedPairs(activities)) {
    if (same.get(one)?.includes(other)) continue
    same.get(one)?.push(other)
    same.get(other)?.push(one)
  }
  return same
}

/** Returns each workout that names its record at another source, with that record. */
function namedPairs(activities: readonly Activity[]): (readonly [Activity, Activity])[] {
  const naming = activities.flatMap((one) => (one.kind === "workout" && one.sameAs !== undefined ? [one] : []))
  if (naming.length === 0) return []
  const byId = new Map(activities.map((one) => [`${one.provider}-${one.providerId}`, one]))
  return naming.flatMap((one) => {
    const other = byId.get(one.sameAs ?? "")
    return other ? [[one, other] as const] : []
  })
}

/** Whether two sources saw one activity: at the same time, or by the id of the other's record. */
export const isOneActivity = (one: Activity, other: Activity): boolean =>
  isShared(one, other) || namedPairs([one, other]).length > 0

function isShared(one: Span, other: Span): boolean {
  const sharedMs = Math.min(one.endMs, other.endMs) - Math.max(one.startMs, other.startMs)
  const shorterMs = Math.min(one.endMs - one.startMs, other.endMs - other.startMs)
  return sharedMs > 0 && sharedMs >= SHARED_PART * shorterMs
}

/** A record, and why its source answers. Null if another source does. */
export interface Choice<Fact> {
  readonly fact: Fact
  readonly because: ChoiceReason | null
}

/**
 * Chooses which records answer. Of nights, recoveries and cycles one source answers for each date. Naps and workouts are chosen by
 * activity: one of the records that overlap. A nap within a main sleep that answers is a part of it, and does not answer. Nothing is merged
 * and nothing is added up.
 * @param candidates of the sources that may answer, in any order. The records of the dates around belong to them, because naps and
 * workouts that overlap may have different dates, and so may the parts of a night.
 * @returns why each candidate's source answers, in the same order. Null for a candidate that is not chosen.
 */
export function choose(candidates: readonly Candidate[], preferences: SourcePreferences): (ChoiceReason | null)[] {
  const reasons = new Map<Candidate, ChoiceReason>()
  const ranking: Ranking = { rankOf: ranksBy(preferences), preferences, reasons }
  for (const [kind, ofKind] of Map.groupBy(candidates, (candidate) => candidate.kind)) {
    const activities = ofKind.filter(isActivity)
    if (kind === "sleep") {
      const nights = chooseNights(ofKind.filter(isNight), ranking)
      const isPart = partsOf(nights)
      chooseActivities(
        activities.filter((nap) => !isPart(nap)),
        ranking,
      )
      continue
    }
    const ofDates = Map.groupBy(
      ofKind.filter((candidate) => !isActivity(candidate)),
      ({ date }) => date,
    )
    for (const ofDate of ofDates.values()) chooseRecords(ofDate, ranking)
    chooseActivities(activities, ranking)
  }
  return candidates.map((candidate) => reasons.get(candidate) ?? null)
}

/** The choices with each night in parts as one sleep. @param finish as for `wholeNights` */
export function withWholeNightChoices<Fact extends StoredRecord>(
  choices: readonly Choice<Fact>[],
  finish?: Parameters<typeof wholeNights<Fact>>[1],
): readonly Choice<Fact>[] {
  const wholes = wholeNights(
    choices.map(({ fact }) => fact),
    finish,
  )
  if (wholes.size === 0) return choices
  return choices.flatMap(({ fact, because }) => (wholes.get(fact) ?? [fact]).map((whole) => ({ fact: whole, because })))
}

/** The facts of one source that answer: all but naps that are parts of a night, and workouts that came twice. */
export function answeringOf<Fact extends StoredRecord>(facts: readonly Fact[]): readonly Fact[] {
  const isNap = (fact: StoredRecord) => fact.kind === "sleep" && fact.isNap
  const copies = copiesAmong(facts)
  const once = copies.size === 0 ? facts : facts.filter((fact) => !copies.has(fact))
  if (!once.some(isNap)) return once
  const isPart = partsOf(once.flatMap((fact: StoredRecord) => (fact.kind === "sleep" && !fact.isNap ? fact : [])))
  return once.filter((fact: StoredRecord) => !(fact.kind === "sleep" && fact.isNap && isPart(fact)))
}

const NO_COPIES: ReadonlySet<Candidate> = new Set()

/** Of naps and workouts that a source has several times, all but the one that comes first. */
function copiesAmong(facts: readonly StoredRecord[]): ReadonlySet<Candidate> {
  const activities = facts.flatMap((fact: Candidate): Activity[] =>
    isActivity(fact) && repeatsActivities(fact.provider) ? [fact] : [],
  )
  if (activities.length < 2) return NO_COPIES
  const ofKinds = Map.groupBy(activities, ({ kind }) => kind).values()
  const same = new Map(ofKinds.flatMap((ofKind) => sameActivities(ofKind)))
  const kept = new Set<Activity>()
  for (const activity of activities.toSorted(firstOfSource))
    if (!same.get(activity)?.some((other) => kept.has(other))) kept.add(activity)
  return new Set(activities.filter((activity) => !kept.has(activity)))
}

/** Whether a source answers before another one, if it has on the date what it had on another. @param expected of the other date */
export function answersBefore(expected: Candidate, present: Candidate, preferences: SourcePreferences): boolean {
  const completeness = completenessOf([expected, present], preferences)
  const rankOf = ranksBy(preferences)
  const rank = (candidate: Candidate) => rankOf({ ...candidate, date: present.date }, completeness(candidate))
  return compareRanks(rank(expected), rank(present)) < 0
}

/** Whole records with the choice among them. Those of one source need no comparison, which for 90 nights would take as long as presenting them. */
export function chooseSources<Fact extends StoredRecord>(
  facts: readonly Fact[],
  preferences: SourcePreferences,
): Choice<Fact>[] {
  if (facts.every(({ provider }) => provider === facts[0]?.provider)) {
    const answering = new Set<StoredRecord>(answeringOf(facts))
    return facts.map((fact) => ({ fact, because: answering.has(fact) ? "only_one" : null }))
  }
  const reasons = choose(facts, preferences)
  return facts.map((fact, index) => ({ fact, because: reasons[index] ?? null }))
}

/** @param candidates recoveries or cycles of one date */
function chooseRecords(candidates: readonly Candidate[], { rankOf, preferences, reasons }: Ranking): void {
  const completeness = completenessOf(candidates, preferences)
  chooseSourceOfDate(
    candidates.map((candidate) => ({ rank: rankOf(candidate, completeness(candidate)), records: [candidate] })),
    reasons,
  )
}

/**
 * The order of one source's records of an activity: what is no copy, then as ranks compare them, then one that assistants may get, then
 * the one that began first.
 */
const firstOfSource = (one: Activity, other: Activity): number =>
  Number(one.copyOf !== undefined) - Number(other.copyOf !== undefined) ||
  Number(isWhole(other)) - Number(isWhole(one)) ||
  Number(one.fromArchive) - Number(other.fromArchive) ||
  Number(one.assistants === false) - Number(other.assistants === false) ||
  one.startMs - other.startMs ||
  (one.providerId < other.providerId ? -1 : 1)

const isWhole = (activity: Activity): boolean => activity.kind === "workout" || hasStages(activity)

/** From the best rank to the worst, an activity is chosen unless another source's record of it already is. */
function chooseActivities(activities: readonly Activity[], { rankOf, preferences, reasons }: Ranking): void {
  const completeness = completenessOf(activities, preferences)
  const same = sameActivities(activities)
  const ranks = new Map(activities.map((activity) => [activity, rankOf(activity, completeness(activity))]))
  const rank = (activity: Activity): Rank => ranks.get(activity) ?? rankOf(activity, completeness(activity))
  const bestFirst = activities.toSorted(
    (one, other) => compareRanks(rank(one), rank(other)) || firstOfSource(one, other),
  )
  for (const activity of bestFirst) {
    const others = same.get(activity) ?? []
    if (others.some((other) => reasons.has(other))) continue
    const beaten = others.map(rank).filter((other) => compareRanks(rank(activity), other) < 0)
    reasons.set(activity, reasonFor(rank(activity), beaten.toSorted(compareRanks)[0]))
  }
}
