import type { ChoiceReason } from "@restwell/client"

/** What speaks for a source, or for a single record of one. */
export interface Rank {
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

/** The criteria in their order. The first in which two candidates differ decides. CONTRACT, "Which source answers" */
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
