import type { McpServer } from "@modelcontextprotocol/server"
import { CompareResponseSchema, INSIGHT_DAYS, TrendResponseSchema } from "@restwell/client"
import type { InsightQuery } from "@restwell/core"
import type { z } from "zod"
import type { HealthSource } from "./health-source.ts"
import { compareAnswer, relateAnswer, trendAnswer } from "./insight-answers.ts"
import { INSIGHT_INPUTS, INSIGHT_OUTPUTS } from "./insight-schemas.ts"
import { challengeMetrics } from "./insight-scopes.ts"
import { leanOutput, leanSchema } from "./lean-schema.ts"
import { plainWords } from "./shared-answer.ts"
import { READ_ONLY, type ToolOptions } from "./tool-options.ts"
import { toolResult } from "./tool-result.ts"
import { withChartView } from "./views/chart-view.ts"
import { comparisonChart, relationChart, trendChart } from "./views/charts.ts"
import { comparedSpan } from "./views/compared-span.ts"

/** The tools that answer with statistics. */
export function registerInsights(server: McpServer, options: ToolOptions): void {
  const { source } = options
  const _meta = withChartView(options.view)
  server.registerTool(
    "get_trend",
    {
      title: "Trend",
      description:
        "One metric over any period: mean, usual range, best and worst dates, groups, and whether it rises or falls. Clock times as 23:41, " +
        "their spread in minutes.",
      inputSchema: leanSchema(INSIGHT_INPUTS.trend),
      outputSchema: leanOutput(INSIGHT_OUTPUTS.trend),
      annotations: READ_ONLY,
      _meta,
      scopeChallenge: challengeMetrics(options, ["metric"]),
    },
    ({ points = false, ...question }) =>
      toolResult(async () => {
        const query = { type: "trend", ...question, points: true } as const
        const answer = await ask(source, "get_trend", query, TrendResponseSchema)
        return { ...trendAnswer(answer, { wantsPoints: points }), chart: trendChart(source.baseUrl, answer) }
      }, options),
  )
  server.registerTool(
    "compare_periods",
    {
      title: "Compare two periods",
      description:
        "One metric in two periods: the difference with its interval, and whether it is clear. Metrics as in get_trend.",
      inputSchema: leanSchema(INSIGHT_INPUTS.compare),
      outputSchema: leanOutput(INSIGHT_OUTPUTS.compare),
      annotations: READ_ONLY,
      _meta,
      scopeChallenge: challengeMetrics(options, ["metric"]),
    },
    (question) =>
      toolResult(async () => {
        const query = { type: "compare", ...question } as const
        const span = comparedSpan(query)
        const [body, values] = await source.read("compare_periods", span ? [query, span] : [query])
        const answer = plainWords(CompareResponseSchema.parse(body))
        const points = TrendResponseSchema.optional().parse(values)
        return { ...compareAnswer(answer), chart: comparisonChart(source.baseUrl, answer, points) }
      }, options),
  )
  server.registerTool(
    "find_relations",
    {
      title: "Find relations",
      description:
        "What goes with a metric: another metric or a journal factor. Associations, no causes. Metrics as in get_trend.",
      inputSchema: leanSchema(INSIGHT_INPUTS.relate),
      outputSchema: leanOutput(INSIGHT_OUTPUTS.relate),
      annotations: READ_ONLY,
      _meta,
      scopeChallenge: challengeMetrics(options, ["outcome", "factor"]),
    },
    (question) =>
      toolResult(async () => {
        const query = { type: "relate", ...sharedDates(source, question), ...question } as const
        const answer = await ask(source, "find_relations", query, INSIGHT_OUTPUTS.relate)
        return { ...relateAnswer(answer), chart: relationChart(source.baseUrl, answer) }
      }, options),
  )
}

/** All shared dates for a question without dates, where they are fewer than its default. */
function sharedDates(
  { sharing }: HealthSource,
  { days, start_date: start }: { days?: number | undefined; start_date?: string | undefined },
) {
  const isOpen = days === undefined && start === undefined
  return isOpen && sharing.days !== null && sharing.days < INSIGHT_DAYS.relateDefault ? { days: sharing.days } : {}
}

async function ask<Answer extends z.ZodType>(
  source: HealthSource,
  operation: string,
  query: InsightQuery,
  schema: Answer,
): Promise<z.infer<Answer>> {
  const [body] = await source.read(operation, [query])
  return plainWords(schema.parse(body))
}
