import { CompareResponseSchema, INSIGHT_DAYS, TrendResponseSchema } from "@restwell/client"
import { DAY_MS } from "@restwell/client/time-units"
import type { HealthScope, InsightQuery } from "@restwell/core"
import { SCOPE_OF, SUMMARY_SCOPES } from "@restwell/core/connector"
import type { z } from "zod"
import { comparisonChart, relationChart, trendChart } from "./charts.ts"
import { defineTool } from "./define-tool.ts"
import {
  compareAnswer,
  INSIGHT_INPUTS,
  INSIGHT_OUTPUTS,
  LISTED_OUTPUTS,
  relateAnswer,
  sharedDates,
  trendAnswer,
} from "./insight-answers.ts"
import { notSharedNote } from "./not-shared.ts"
import { plainWords } from "./tool-schemas.ts"
import type { ToolSource } from "./tool-source.ts"

type CompareQuery = Extract<InsightQuery, { type: "compare" }>

/** In a longer span the values would cover each other. */
const MOST_DATES = 400
/** Characters of a note. It names a source, dates and what to ask instead. */
const LONGEST_NOTE = 300

/** The values of both periods of a comparison, for its chart. Undefined where the question alone does not say the dates. */
function comparedSpan(query: CompareQuery): InsightQuery | undefined {
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

/** The tools that answer with statistics. */
export const insightTools = [
  defineTool({
    name: "get_trend",
    title: "Trend",
    description:
      `One metric over any period, default ${INSIGHT_DAYS.trendDefault} days: mean, sum, usual range, best and worst dates, groups, dates above ` +
      "or below a limit, and whether it rises or falls. Clock times as 23:41, their spread in minutes.",
    input: INSIGHT_INPUTS.trend,
    output: LISTED_OUTPUTS.trend,
    needs: { metricsIn: ["metric"] },
    hasChart: true,
    async answer(source, { points = false, ...question }) {
      const dates = await sharedDates(source, question, INSIGHT_DAYS.trendDefault)
      const query = { type: "trend", ...dates, ...question, points: true } as const
      const answer = withNote(
        await ask(source, "get_trend", query, TrendResponseSchema),
        notSharedNote(source.sharing, [], { isOfAllDates: dates.days !== undefined }),
      )
      const { preferences } = source
      const { sport } = question
      return {
        ...trendAnswer(answer, { wantsPoints: points, sport, preferences }),
        chart: trendChart(source, answer, question),
      }
    },
  }),
  defineTool({
    name: "compare_periods",
    title: "Compare two periods",
    description:
      "One metric in two periods, or of two sources: the difference with its interval, and whether it is clear. Metrics as in get_trend.",
    input: INSIGHT_INPUTS.compare,
    output: LISTED_OUTPUTS.compare,
    needs: { metricsIn: ["metric"] },
    hasChart: true,
    async answer(source, question) {
      const query = { type: "compare", ...question } as const
      if (question.source !== undefined && question.with_source !== undefined) {
        const dates = await sharedDates(source, question, INSIGHT_DAYS.sourcesDefault)
        const compared = withNote(
          await ask(source, "compare_periods", { ...query, ...dates }, CompareResponseSchema),
          notSharedNote(source.sharing, [], { isOfAllDates: dates.days !== undefined }),
        )
        // No chart has two sources.
        return compareAnswer(compared, source.preferences, [question.source, question.with_source])
      }
      const span = comparedSpan(query)
      const [body, values] = await source.read("compare_periods", span ? [query, span] : [query])
      const answer = plainWords(CompareResponseSchema.parse(body), LONGEST_NOTE)
      const points = TrendResponseSchema.optional().parse(values)
      return { ...compareAnswer(answer, source.preferences), chart: comparisonChart(source, answer, points, question) }
    },
  }),
  defineTool({
    name: "find_relations",
    title: "Find relations",
    description:
      "What goes with a metric: another one, a journal factor or a sport. Relations are associations, not causes. Metrics as in get_trend.",
    input: INSIGHT_INPUTS.relate,
    output: LISTED_OUTPUTS.relate,
    needs: { metricsIn: ["outcome", "factor"] },
    hasChart: true,
    async answer(source, question) {
      const dates = await sharedDates(source, question, INSIGHT_DAYS.relateDefault)
      const query = { type: "relate", ...dates, ...question } as const
      const answer = withNote(
        await ask(source, "find_relations", query, INSIGHT_OUTPUTS.relate),
        notSharedNote(source.sharing, question.factor === undefined ? FACTOR_SCOPES : [], {
          isOfAllDates: dates.days !== undefined,
        }),
      )
      return { ...relateAnswer(answer, source.preferences), chart: relationChart(source, answer, question) }
    },
  }),
]

/** The scopes of all factors. */
const FACTOR_SCOPES: readonly HealthScope[] = [...SUMMARY_SCOPES, SCOPE_OF.journal]

const withNote = <Answer extends { readonly notes: readonly string[] }>(answer: Answer, note: string | undefined) =>
  note === undefined ? answer : { ...answer, notes: [...answer.notes, note] }

async function ask<Answer extends z.ZodType>(
  source: ToolSource,
  operation: string,
  query: InsightQuery,
  schema: Answer,
): Promise<z.infer<Answer>> {
  const [body] = await source.read(operation, [query])
  return plainWords(schema.parse(body), LONGEST_NOTE)
}
