/** What speaks for a source's record, and for one source beside another. */
import { type ChoiceReason, OWN_SOURCE } from "@restwell/client"
import { collectsOnPhone, OTHER_SOURCE } from "@restwell/providers"
import type { SourcePreferences } from "../store/record-tables.ts"
import { type AgedSource, longestFirst } from "../store/statements/source-age.ts"
import type { Candidate } from "../store/stored-record.ts"

/** How much of what happened a record tells. */
export const COMPLETE = 2
export const PARTIAL = 1
/** A sleep far shorter than another source's of the same time. */
export const FRAGMENT = 0

/** What speaks for a source, or for a single record of one. A smaller number comes first, but for the completeness. */
export interface Rank {
  readonly isPersonsChoice: boolean
  /** Another source of the person measured it, and this one has a copy. */
  readonly isCopy: boolean
  /** In the person's order for the type. */
  readonly place: number
  readonly completeness: number
  /** How far from the vendor it was read. */
  readonly distance: number
  /** Among the sources by how long the person has them. */
  readonly age: number
  readonly provider: string
}

/** From the vendor itself, from its archive, or collected on a phone: what others measured, copied. */
const distanceOf = (provider: string, fromArchive: boolean): number =>
  collectsOnPhone(provider) ? 2 : fromArchive ? 1 : 0

interface Criterion {
  readonly reason: ChoiceReason
  /** Negative if `one` comes before `other`, zero if this does not tell them apart. */
  compare(one: Rank, other: Rank): number
}

/** The criteria in their order. The first in which two candidates differ decides. */
const CRITERIA: readonly Criterion[] = [
  { reason: "your_choice", compare: (one, other) => trueFirst(one.isPersonsChoice, other.isPersonsChoice) },
  // A copy answers where nothing else has the date, whatever the order: it is the same fact at second hand.
  { reason: "direct", compare: (one, other) => trueFirst(!one.isCopy, !other.isCopy) },
  { reason: "your_order", compare: (one, other) => one.place - other.place },
  { reason: "complete", compare: (one, other) => other.completeness - one.completeness },
  { reason: "direct", compare: (one, other) => one.distance - other.distance },
  { reason: "default_order", compare: (one, other) => one.age - other.age || byName(one.provider, other.provider) },
]

const byName = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1)

const trueFirst = (one: boolean, other: boolean): number => Number(other) - Number(one)

/** Negative if `one` comes before `other`. */
export function compareRanks(one: Rank, other: Rank): number {
  for (const criterion of CRITERIA) {
    const order = criterion.compare(one, other)
    if (order !== 0) return order
  }
  return 0
}

/** Why the winner comes before the best of the others. */
export function reasonFor(winner: Rank, runnerUp: Rank | undefined): ChoiceReason {
  if (!runnerUp) return "only_one"
  return CRITERIA.find((criterion) => criterion.compare(winner, runnerUp) !== 0)?.reason ?? "default_order"
}

export type RankOf = (
  record: Pick<Candidate, "kind" | "date" | "provider" | "fromArchive" | "copyOf">,
  completeness: number,
) => Rank

export function ranksBy({ order, choices, connected }: SourcePreferences): RankOf {
  const chosen = new Map(choices.map(({ type, date, provider }) => [`${type} ${date}`, provider]))
  const isCopyOf = (source: string) => source === OTHER_SOURCE || connected.includes(source)
  return ({ kind, date, provider, fromArchive, copyOf }, completeness) => ({
    isPersonsChoice: chosen.size > 0 && chosen.get(`${kind} ${date}`) === provider,
    isCopy: copyOf !== undefined && isCopyOf(copyOf),
    place: placeIn(order[kind], provider),
    completeness,
    distance: distanceOf(provider, fromArchive),
    age: connected.indexOf(provider),
    provider,
  })
}

/** Of a person who has set nothing. */
export const NO_PREFERENCES: SourcePreferences = { order: {}, choices: [], connected: [] }

/** The place of a source in the person's order. Sources that are not listed come after the listed ones. */
function placeIn(order: readonly string[] | undefined, provider: string): number {
  const place = order?.indexOf(provider) ?? -1
  return place === -1 ? Number.MAX_SAFE_INTEGER : place
}

interface Source extends AgedSource {
  readonly status: string
}

/** Returns the sources in the person's order: the listed ones, then as one answers if nothing else tells them apart. The person comes last. */
export function inOrder<Item extends Source>(sources: readonly Item[], order: readonly string[] | undefined): Item[] {
  const distance = ({ provider, status }: Source) => distanceOf(provider, status === "archive")
  return sources.toSorted(
    (one, other) =>
      placeIn(order, one.provider) - placeIn(order, other.provider) ||
      Number(one.provider === OWN_SOURCE) - Number(other.provider === OWN_SOURCE) ||
      distance(one) - distance(other) ||
      longestFirst(one, other),
  )
}

export interface Ranking {
  readonly rankOf: RankOf
  readonly preferences: SourcePreferences
  /** Of the records that are chosen. */
  readonly reasons: Map<Candidate, ChoiceReason>
}

/** What one source has of a date: a record, or the parts of a night. */
export interface Contender {
  readonly rank: Rank
  readonly records: readonly Candidate[]
}

/** One source answers a date with all that it has. It is as complete and direct as the best of it. Returns the chosen ones. */
export function chooseSourceOfDate<One extends Contender>(
  contenders: readonly One[],
  reasons: Ranking["reasons"],
): One[] {
  const ranks: Rank[] = []
  for (const { rank } of contenders) {
    const place = ranks.findIndex(({ provider }) => provider === rank.provider)
    const best = ranks[place]
    if (!best) ranks.push(rank)
    else if (compareRanks(rank, best) < 0) ranks[place] = rank
  }
  ranks.sort(compareRanks)
  const [winner, runnerUp] = ranks
  const chosen = contenders.filter(({ rank }) => rank.provider === winner?.provider)
  if (!winner) return chosen
  const because = reasonFor(winner, runnerUp)
  for (const { records } of chosen) for (const record of records) reasons.set(record, because)
  return chosen
}
