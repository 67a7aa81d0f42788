import type { CompareResponse, TrendResponse } from "@restwell/client"
import type { RelateOutput } from "./insight-schemas.ts"
import { compareText, relateText, trendText } from "./insight-text.ts"
import type { Answered } from "./tool-result.ts"

/** An answer about all factors lists the clear relations, the surest first, and of the others the first ones up to so many. */
const TOLD_RELATIONS = 6
/** More would not be read. */
const MOST_RELATIONS = 10

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
  const clear = answer.relations.filter(({ verdict }) => !UNCLEAR.includes(verdict)).length
  const told = Math.min(Math.max(clear, TOLD_RELATIONS), MOST_RELATIONS)
  const relations = answer.relations.slice(0, told)
  const leftOut = answer.relations.length - relations.length
  const clearLeftOut = Math.max(0, clear - told)
  return {
    ...answer,
    relations,
    ...(leftOut > 0 && { left_out: leftOut }),
    ...(clearLeftOut > 0 && { clear_left_out: clearLeftOut }),
  }
}
