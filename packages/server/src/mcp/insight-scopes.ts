import type { ScopeChallengeHandler } from "@modelcontextprotocol/server"
import {
  groupOfMetric,
  type HealthScope,
  type InsightQuery,
  METRIC_GROUPS,
  type MetricGroup,
  SCOPE_OF,
} from "@restwell/core"
import { z } from "zod"
import type { ToolOptions } from "./tool-options.ts"

/** The groups of data that an answer is computed from. All of them where a relation names no factor. */
export function groupsOfQuestion(query: InsightQuery): readonly MetricGroup[] {
  if (query.type === "metrics") return METRIC_GROUPS
  return metricsOf(query).flatMap((metric) => groupOfMetric(metric) ?? [])
}

const metricsOf = (query: Exclude<InsightQuery, { type: "metrics" }>): readonly string[] =>
  query.type === "relate" ? [query.outcome, ...(query.factor === undefined ? [] : [query.factor])] : [query.metric]

const CallSchema = z.looseObject({ arguments: z.looseObject({}).optional() })

/** Asks for the scope of each metric that a call names in these arguments. */
export function challengeMetrics(
  { challenge }: ToolOptions,
  names: readonly ("metric" | "outcome" | "factor")[],
): ScopeChallengeHandler {
  return (context) => {
    const given = CallSchema.safeParse(context.request.params).data?.arguments ?? {}
    const scopes = names.flatMap((name) => scopeOf(given[name]))
    return scopes.map((scope) => challenge([scope])(context)).find((each) => each !== undefined)
  }
}

function scopeOf(metric: unknown): HealthScope[] {
  const group = typeof metric === "string" ? groupOfMetric(metric) : null
  return group === null ? [] : [SCOPE_OF[group]]
}
