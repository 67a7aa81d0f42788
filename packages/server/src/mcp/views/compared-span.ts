import { INSIGHT_DAYS } from "@restwell/client"
import type { InsightQuery } from "@restwell/core"

type CompareQuery = Extract<InsightQuery, { type: "compare" }>

/** In a longer span the values would cover each other. */
const MOST_DATES = 400
const DAY_MS = 86_400_000

/** The values of both periods of a comparison, for its chart. Undefined where the question alone does not say the dates. */
export function comparedSpan(query: CompareQuery): InsightQuery | undefined {
  const { metric, source, days = INSIGHT_DAYS.default, start_date: start, end_date: end } = query
  const { with_start_date: withStart, with_end_date: withEnd } = query
  const question = { type: "trend", metric, points: true, top: 1, ...(source !== undefined && { source }) } as const
  if (start === undefined) {
    if (withStart !== undefined || withEnd !== undefined || 2 * days > MOST_DATES) return undefined
    return { ...question, days: 2 * days, ...(end !== undefined && { end_date: end }) }
  }
  if (end === undefined || withStart === undefined || withEnd === undefined) return undefined
  const [first, last] = [start < withStart ? start : withStart, end > withEnd ? end : withEnd]
  if (Date.parse(last) - Date.parse(first) > MOST_DATES * DAY_MS) return undefined
  return { ...question, start_date: first, end_date: last }
}
