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

type Compare = (one: Rank, other: Rank) => number

const first =
  (property: "isPersonsChoice" | "isComplete" | "isDirect"): Compare =>
  (one, other) =>
    Number(other[property]) - Number(one[property])

/** The criteria in their order. The first in which two candidates differ decides. CONTRACT, "Which source answers" */
const CRITERIA: readonly (readonly [ChoiceReason, Compare])[] = [
  ["your_choice", first("isPersonsChoice")],
  ["your_order", (one, other) => one.place - other.place],
  ["complete", first("isComplete")],
  ["direct", first("isDirect")],
  ["default_order", (one, other) => (one.provider === other.provider ? 0 : one.provider < other.provider ? -1 : 1)],
]

/** Negative if `one` comes before `other`. */
export function compareRanks(one: Rank, other: Rank): number {
  for (const [, compare] of CRITERIA) {
    const order = compare(one, other)
    if (order !== 0) return order
  }
  return 0
}

/** Why the winner comes before the best of the others. @param others without the winner */
export function reasonFor(winner: Rank, others: readonly Rank[]): ChoiceReason {
  const [runnerUp] = others.toSorted(compareRanks)
  if (!runnerUp) return "only_one"
  return CRITERIA.find(([, compare]) => compare(winner, runnerUp) !== 0)?.[0] ?? "default_order"
}
