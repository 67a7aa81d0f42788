import type { CompareResponse, TrendResponse } from "@restwell/client"
import type { RelateOutput } from "./insight-schemas.ts"
import { compareText, relateText, trendText } from "./insight-text.ts"
import type { Answered } from "./tool-result.ts"

/** Relations that are told of an answer about all factors: the clear ones, and the first of the others up to so many. */
const TOLD_RELATIONS = 6

/** @param whole with every value @param wantsPoints whether the assistant asked for them */
export function trendAnswer(whole: TrendResponse, { wantsPoints }: { readonly wantsPoints: boolean }): Answered {
  const answer = wantsPoints ? whole : { ...whole, points: null }
  return { text: trendText(answer), structured: answer }
}

export function compareAnswer(answer: CompareResponse): Answered {
  return { text: compareText(answer), structured: answer }
}

export function relateAnswer(whole: RelateOutput): Answered {
  const answer = "relations" in whole ? withFewRelations(whole) : whole
  return { text: relateText(answer), structured: answer }
}

type Relations = Extract<RelateOutput, { tried: number }>

const UNCLEAR = ["no_clear_relation", "no_clear_difference", "not_enough_data"]

function withFewRelations(answer: Relations): Relations {
  const clear = answer.relations.filter(({ verdict }) => !UNCLEAR.includes(verdict))
  const relations = answer.relations.slice(0, Math.max(clear.length, TOLD_RELATIONS)).slice(0, 2 * TOLD_RELATIONS)
  const leftOut = answer.relations.length - relations.length
  return { ...answer, relations, ...(leftOut > 0 && { left_out: leftOut }) }
}
