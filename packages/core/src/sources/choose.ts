import { type ChoiceReason, OWN_SOURCE } from "@restwell/client"
import { deliversStrain } from "@restwell/providers"
import type { SourcePreferences } from "../store/record-tables.ts"
import type { Activity, Candidate, Figure, HealthFact, Span } from "../store/statements/health-fact.ts"

/** What a record is chosen by, where the whole record was read. */
export function candidateOf(fact: HealthFact): Candidate {
  const { kind, provider, fromArchive, date, figures } = fact
  const isAwaited = fact.kind === "cycle" && (fact.scoreState === "pending" || fact.endMs === null)
  const night = fact.kind === "sleep" && !fact.isNap ? { startMs: fact.startMs, endMs: fact.endMs } : null
  return { kind, provider, fromArchive, date, figures, isAwaited, night, activity: activityOf(fact) }
}

export const hasFigure = ({ figures }: Pick<Candidate, "figures">, figure: Figure): boolean => figures.includes(figure)

/** The records that assistants may get. */
export const sharedOf = <Record extends Pick<Candidate, "figures">>(records: readonly Record[]): Record[] =>
  records.filter((record) => !hasFigure(record, "page_only"))

/** The same text for a candidate and its whole record. The records that a source answers a date with have one in common. */
export const candidateKey = ({ provider, kind, date, activity }: Candidate): string =>
  activity ? `${provider} ${kind} ${activity.providerId}` : `${provider} ${kind} ${date}`

function activityOf(fact: HealthFact): Candidate["activity"] {
  if (fact.kind !== "workout" && !(fact.kind === "sleep" && fact.isNap)) return null
  const { providerId, startMs, endMs } = fact
  return { providerId, startMs, endMs }
}

/**
 * Returns which of a date's records of one type have all main figures: a sleep with stages, a recovery with score, HRV and resting heart
 * rate, a cycle with strain. A cycle that still awaits its strain counts as complete, so that the source does not change during the day.
 * Where no source delivers strain, a cycle with calories is complete. Workouts have no main figure.
 */
function completeOf(
  candidates: readonly Candidate[],
  { connected }: Pick<SourcePreferences, "connected">,
): (candidate: Candidate) => boolean {
  const hasStrain = (candidate: Candidate): boolean =>
    hasFigure(candidate, "strain") || (candidate.isAwaited && deliversStrain(candidate.provider))
  const isStrainKnown = connected.some(deliversStrain) || candidates.some(hasStrain)
  return (candidate) => {
    switch (candidate.kind) {
      case "sleep":
        return hasFigure(candidate, "stages")
      case "recovery":
        return (
          hasFigure(candidate, "score") && hasFigure(candidate, "hrv") && hasFigure(candidate, "resting_heart_rate")
        )
      case "cycle":
        return isStrainKnown ? hasStrain(candidate) : hasFigure(candidate, "calories")
      case "workout":
        return true
    }
  }
}

/** What speaks for a source, or for a single record of one. */
interface Rank {
  readonly isPersonsChoice: boolean
  /** In the person's order for the type. */
  readonly place: number
  readonly isComplete: boolean
  /** From the vendor itself, and not from an archive. */
  readonly isDirect: boolean
  readonly provider: string
}

interface Criterion {
  readonly reason: ChoiceReason
  /** Negative if `one` comes before `other`, zero if this does not tell them apart. */
  compare(one: Rank, other: Rank): number
}

/** The criteria in their order. The first in which two candidates differ decides. */
const CRITERIA: readonly Criterion[] = [
  { reason: "your_choice", compare: (one, other) => trueFirst(one.isPersonsChoice, other.isPersonsChoice) },
  { reason: "your_order", compare: (one, other) => one.place - other.place },
  { reason: "complete", compare: (one, other) => trueFirst(one.isComplete, other.isComplete) },
  { reason: "direct", compare: (one, other) => trueFirst(one.isDirect, other.isDirect) },
  {
    reason: "default_order",
    compare: (one, other) => (one.provider === other.provider ? 0 : one.provider < other.provider ? -1 : 1),
  },
]

const trueFirst = (one: boolean, other: boolean): number => Number(other) - Number(one)

/** Negative if `one` comes before `other`. */
function compareRanks(one: Rank, other: Rank): number {
  for (const criterion of CRITERIA) {
    const order = criterion.compare(one, other)
    if (order !== 0) return order
  }
  return 0
}

/** Why the winner comes before the best of the others. */
function reasonFor(winner: Rank, runnerUp: Rank | undefined): ChoiceReason {
  if (!runnerUp) return "only_one"
  return CRITERIA.find((criterion) => criterion.compare(winner, runnerUp) !== 0)?.reason ?? "default_order"
}

/** A nap or a workout of a source. */
type ActivityCandidate = Candidate & { readonly activity: Activity }

/** Two sources saw one activity when they share this part of the shorter one. */
const SHARED_PART = 0.6

/** Returns for each nap or workout those of other sources that are the same activity. */
function sameActivities(
  activities: readonly ActivityCandidate[],
): ReadonlyMap<ActivityCandidate, readonly ActivityCandidate[]> {
  const same = new Map<ActivityCandidate, ActivityCandidate[]>(activities.map((activity) => [activity, []]))
  let running: ActivityCandidate[] = []
  for (const next of activities.toSorted((one, other) => one.activity.startMs - other.activity.startMs)) {
    running = running.filter(({ activity }) => activity.endMs > next.activity.startMs)
    for (const other of running) {
      if (other.provider === next.provider || !isShared(other.activity, next.activity)) continue
      same.get(other)?.push(next)
      same.get(next)?.push(other)
    }
    running.push(next)
  }
  return same
}

function isShared(one: Activity, other: Activity): boolean {
  const sharedMs = Math.min(one.endMs, other.endMs) - Math.max(one.startMs, other.startMs)
  const shorterMs = Math.min(one.endMs - one.startMs, other.endMs - other.startMs)
  return sharedMs > 0 && sharedMs >= SHARED_PART * shorterMs
}

/** Of a person who has set nothing. */
export const NO_PREFERENCES: SourcePreferences = { order: {}, choices: [], connected: [] }

/** The place of a source in the person's order. Sources that are not listed come after the listed ones. */
function placeIn(order: readonly string[] | undefined, provider: string): number {
  const place = order?.indexOf(provider) ?? -1
  return place === -1 ? Number.MAX_SAFE_INTEGER : place
}

interface Source {
  readonly provider: string
  readonly status: string
}

/** Returns the sources in the person's order: the listed ones, then connections before archives, then by name. The person comes last. */
export function inOrder<Item extends Source>(sources: readonly Item[], order: readonly string[] | undefined): Item[] {
  return sources.toSorted(
    (one, other) =>
      placeIn(order, one.provider) - placeIn(order, other.provider) ||
      Number(one.provider === OWN_SOURCE) - Number(other.provider === OWN_SOURCE) ||
      Number(one.status === "archive") - Number(other.status === "archive") ||
      (one.provider < other.provider ? -1 : 1),
  )
}

/** A record, and why its source answers. Null if another source does. */
export interface Choice<Fact> {
  readonly fact: Fact
  readonly because: ChoiceReason | null
}

/**
 * Chooses which records answer. Of main sleeps, recoveries and cycles one source answers for each date. Naps and workouts are chosen by
 * activity: one of the records that overlap. A nap within a main sleep that answers is a part of it, and does not answer. Nothing is merged
 * and nothing is added up.
 * @param candidates of the sources that may answer, in any order. The records of the dates around belong to them, because naps and
 * workouts that overlap may have different dates.
 * @returns why each candidate's source answers, in the same order. Null for a candidate that is not chosen.
 */
export function choose(candidates: readonly Candidate[], preferences: SourcePreferences): (ChoiceReason | null)[] {
  const reasons = new Map<Candidate, ChoiceReason>()
  const ranking = { rankOf: ranksBy(preferences), preferences }
  for (const ofKind of byKind(candidates).values()) {
    for (const ofDate of ofKind.byDate.values()) chooseSourceOfDate(ofDate, ranking, reasons)
    const isPart = partsOf([...reasons.keys()].flatMap(({ night }) => night ?? []))
    chooseActivities(
      ofKind.activities.filter(({ activity, kind }) => kind !== "sleep" || !isPart(activity)),
      ranking,
      reasons,
    )
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

/** A nap is a part of a night that has this part of it. */
const PART_OF_NIGHT = 0.5
const DAY_MS = 86_400_000

/** Returns whether a nap is a part of one of these main sleeps. */
export function partsOf(nights: readonly Span[]): (nap: Span) => boolean {
  const byStart = Map.groupBy(nights, ({ startMs }) => Math.floor(startMs / DAY_MS))
  return ({ startMs, endMs }) => {
    // The middle of such a nap is in the night, and no stored sleep lasts longer than a day.
    const day = Math.floor((startMs + endMs) / 2 / DAY_MS)
    return [...(byStart.get(day - 1) ?? []), ...(byStart.get(day) ?? [])].some((night) => {
      const sharedMs = Math.min(endMs, night.endMs) - Math.max(startMs, night.startMs)
      return sharedMs > 0 && sharedMs >= PART_OF_NIGHT * (endMs - startMs)
    })
  }
}

/** The facts of one source that answer: all but naps that are parts of a night. */
export function answeringOf<Fact extends HealthFact>(facts: readonly Fact[]): readonly Fact[] {
  const isNap = (fact: HealthFact) => fact.kind === "sleep" && fact.isNap
  if (!facts.some(isNap)) return facts
  const isPart = partsOf(facts.flatMap((fact: HealthFact) => (fact.kind === "sleep" && !fact.isNap ? fact : [])))
  return facts.filter((fact: HealthFact) => !(fact.kind === "sleep" && fact.isNap && isPart(fact)))
}

/** The same for whole records. Those of one source need no comparison, which for 90 nights would take as long as presenting them. */
export function chooseSources<Fact extends HealthFact>(
  facts: readonly Fact[],
  preferences: SourcePreferences,
): Choice<Fact>[] {
  if (facts.every(({ provider }) => provider === facts[0]?.provider)) {
    const answering = new Set<HealthFact>(answeringOf(facts))
    return facts.map((fact) => ({ fact, because: answering.has(fact) ? "only_one" : null }))
  }
  const reasons = choose(facts.map(candidateOf), preferences)
  return facts.map((fact, index) => ({ fact, because: reasons[index] ?? null }))
}

const isActivity = (candidate: Candidate): candidate is ActivityCandidate => candidate.activity !== null

type RankOf = (candidate: Candidate, isComplete: boolean) => Rank

interface Ranking {
  readonly rankOf: RankOf
  readonly preferences: SourcePreferences
}

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
  { rankOf, preferences }: Ranking,
  reasons: Map<Candidate, ChoiceReason>,
): void {
  const isComplete = completeOf(candidates, preferences)
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
  { rankOf, preferences }: Ranking,
  reasons: Map<Candidate, ChoiceReason>,
): void {
  const isComplete = completeOf(activities, preferences)
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
