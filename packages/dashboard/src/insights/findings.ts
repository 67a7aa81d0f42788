import type { FoundRelation, RelateResponse, RelationsResponse } from "@restwell/client"
import { isBehaviour, isClear, lagBefore } from "@restwell/client/figures"

/** How a figure of a date is paired: with the same day, with the day before, or each factor with what came before the outcome. */
export type Pairing = 0 | 1 | "before"

/** A relation with the lag that it was tested at. */
export interface Finding extends FoundRelation {
  readonly lag: 0 | 1
}

/** Some factors: those with a clear link, those without, and those with too little data for a test. */
export interface Findings {
  readonly clear: readonly Finding[]
  readonly unclear: readonly Finding[]
  readonly untested: readonly Finding[]
}

export interface GroupedFindings {
  /** What the person does. */
  readonly behaviour: Findings
  readonly figures: Findings
  /** Parts of the outcome, or figures that it is a part of. */
  readonly parts: Findings
  /** Factors with enough data for a test, without parts. */
  readonly tried: number
  readonly notes: readonly string[]
}

const isList = (answer: RelateResponse): answer is RelationsResponse => "relations" in answer

/**
 * Groups the factors of one list or of two lists, of which each factor is in one. Both keep the false discovery rate by a method that allows for
 * dependence and is stricter than needed, so that it also holds for the parts of them.
 */
export function groupFindings(answers: readonly RelateResponse[], pairing: Pairing): GroupedFindings {
  const lists = answers.filter(isList)
  const found = lists.flatMap(({ lag, outcome, relations }) =>
    relations.flatMap((relation): Finding[] =>
      pairing === "before" && lagBefore(outcome, relation.factor) !== lag ? [] : [{ ...relation, lag }],
    ),
  )
  const own = found.filter(({ part_of_outcome: isPart }) => !isPart)
  const byDoing = (isDone: boolean) =>
    own.filter((each) => isBehaviour({ id: each.factor, kind: each.kind }) === isDone)
  return {
    behaviour: answersFirst(sortFindings(byDoing(true))),
    figures: sortFindings(byDoing(false)),
    parts: sortFindings(found.filter(({ part_of_outcome: isPart }) => isPart)),
    tried: own.filter(isTested).length,
    // Those of the other list say the same about dates that are one day earlier.
    notes: lists[0]?.notes ?? [],
  }
}

const isTested = ({ verdict }: Finding): boolean => verdict !== "not_enough_data"

function sortFindings(found: readonly Finding[]): Findings {
  const tested = found.filter(isTested).toSorted((one, other) => certaintyOf(other) - certaintyOf(one))
  return {
    clear: tested.filter(({ verdict }) => isClear(verdict)),
    unclear: tested.filter(({ verdict }) => !isClear(verdict)),
    untested: found.filter((each) => !isTested(each)).toSorted((one, other) => other.n - one.n),
  }
}

/** The journal and sports, whose differences are in the outcome's own unit, before correlations. */
const answersFirst = (found: Findings): Findings => ({
  ...found,
  clear: found.clear.toSorted((one, other) => Number(other.kind === "yes_no") - Number(one.kind === "yes_no")),
})

/** How far the middle of the interval is from zero, in interval widths. */
function certaintyOf({ interval }: Finding): number {
  if (interval === null) return 0
  const [low, high] = interval
  return Math.abs(low + high) / (high - low || 1)
}

export const allOf = ({ clear, unclear, untested }: Findings): readonly Finding[] => [...clear, ...unclear, ...untested]
