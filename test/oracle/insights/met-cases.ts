/* What a comparison has met: one that never met a verdict or a metric says nothing about it. */
import { METRIC_IDS } from "@restwell/client"
import { z } from "zod"
import type { Case } from "./stage.ts"

const BodySchema = z.looseObject({
  verdict: z.string().optional(),
  interval: z.array(z.number()).nullish(),
  groups: z.array(z.looseObject({ group: z.string().optional() })).nullish(),
  relations: z.array(z.looseObject({ verdict: z.string() })).optional(),
  missing: z.number().optional(),
  n: z.number().optional(),
})

const VERDICTS = {
  trend: ["rising", "falling", "no_clear_change", "not_enough_data"],
  compare: ["higher", "lower", "no_clear_difference", "not_enough_data"],
  relate: ["positive", "negative", "no_clear_relation", "no_clear_difference", "not_enough_data"],
  list: ["positive", "negative", "no_clear_relation", "no_clear_difference"],
} as const

/** Every verdict of every kind of question, every metric, every refusal, and what is special about a series. */
export const EVERY_CASE: readonly string[] = [
  ...Object.entries(VERDICTS).flatMap(([path, verdicts]) => verdicts.map((verdict) => `${path}: ${verdict}`)),
  ...METRIC_IDS.map((metric) => `metric ${metric}`),
  ...["trend", "compare", "relate", "day"].flatMap((path) => [400, 404].map((status) => `${path}: ${status}`)),
  "a journal factor",
  ...["higher", "lower", "no_clear_difference", "not_enough_data"].map((verdict) => `two sources: ${verdict}`),
  "one sport",
  "more than 400 values",
  "missing dates",
  "no values",
].sort()

export function casesIn({ asked }: Case): string[] {
  return asked.flatMap(({ question: { path, query }, status, body }) => {
    if (status !== 200) return [`${path}: ${status}`]
    const { verdict, relations, missing, n } = BodySchema.parse(body)
    const subject = query.metric ?? query.outcome ?? ""
    return [
      subject.startsWith("journal:") || query.factor?.startsWith("journal:") ? "a journal factor" : "",
      METRIC_IDS.some((id) => id === subject) ? `metric ${subject}` : "",
      verdict === undefined ? "" : `${query.with_source === undefined ? path : "two sources"}: ${verdict}`,
      query.sport === undefined ? "" : "one sport",
      ...(relations ?? []).map((relation) => `list: ${relation.verdict}`),
      path === "trend" && (n ?? 0) > 400 ? "more than 400 values" : "",
      (missing ?? 0) > 0 ? "missing dates" : "",
      n === 0 ? "no values" : "",
    ].filter((name) => EVERY_CASE.includes(name))
  })
}
