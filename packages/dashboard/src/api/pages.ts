// The pages of statistics: each is one answer.
import {
  InsightsPageSchema,
  type Metric,
  MetricPageSchema,
  PeriodPageSchema,
  type RelateQuery,
  WeekPageSchema,
} from "@restwell/client"
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query"
import type { z } from "zod"
import { type Period, periodParameters } from "../trends/days.ts"
import { usePreferences } from "./preferences.ts"
import { type SearchParameters, searchOf, send } from "./send.ts"

interface PageQuestion<Schema extends z.ZodType, Answer> {
  readonly schema: Schema
  readonly parameters: SearchParameters
  /** From `dataVersion`: a new version refetches. Undefined until it is known that there is a source. */
  readonly version: string | undefined
  readonly select: (answer: z.infer<Schema>) => Answer
}

const usePage = <Schema extends z.ZodType, Answer>(
  page: "trends" | "report" | "week" | "metric" | "insights",
  { schema, parameters, version, select }: PageQuestion<Schema, Answer>,
) => {
  const search = searchOf(parameters)
  return useQuery({
    queryKey: ["page", page, search, version],
    queryFn: version === undefined ? skipToken : () => send(`/api/account/pages/${page}?${search}`, schema),
    placeholderData: keepPreviousData,
    select,
  })
}

/** Adds the preferences that texts of a metric's figures follow. */
function usePreferred(): (metric: Metric) => Metric {
  const { units, clock } = usePreferences()
  return (metric) => ({ ...metric, units, clock })
}

/** The days of a period with the figures of Trends or of the report. */
export function usePeriodPage(page: "trends" | "report", period: Period, version: string | undefined) {
  const preferred = usePreferred()
  return usePage(page, {
    schema: PeriodPageSchema,
    parameters: periodParameters(period),
    version,
    select: ({ figures, ...answer }) => ({
      ...answer,
      figures: figures.map(({ metric, ...figure }) => ({ ...figure, metric: preferred(metric) })),
    }),
  })
}

/** Seven days with their figures. @param date the last one, undefined for today */
export function useWeekPage(date: string | undefined, version: string | undefined) {
  const preferred = usePreferred()
  return usePage("week", {
    schema: WeekPageSchema,
    parameters: { date },
    version,
    select: ({ figures, ...answer }) => ({
      ...answer,
      figures: figures.map(({ metric, ...figure }) => ({ ...figure, metric: preferred(metric) })),
    }),
  })
}

interface MetricQuestion {
  readonly metric: string
  readonly period: Period
  readonly source: string | undefined
  /** Of a metric of workouts. Undefined for all. */
  readonly sport: string | undefined
}

/** One metric over a period. */
export function useMetricPage({ metric, period, source, sport }: MetricQuestion, version: string | undefined) {
  const preferred = usePreferred()
  return usePage("metric", {
    schema: MetricPageSchema,
    parameters: { metric, ...periodParameters(period), source, sport },
    version,
    select: ({ metrics, ...answer }) => ({ ...answer, metrics: metrics.map(preferred) }),
  })
}

type InsightsQuestion = {
  readonly [Name in "outcome" | "factor" | "lag" | "days" | "start_date" | "end_date" | "source"]:
    | RelateQuery[Name]
    | undefined
}

/** What goes with an outcome. */
export function useInsightsPage(question: InsightsQuestion, version: string | undefined) {
  const preferred = usePreferred()
  return usePage("insights", {
    schema: InsightsPageSchema,
    parameters: { ...question },
    version,
    select: ({ metrics, ...answer }) => ({ ...answer, metrics: metrics.map(preferred) }),
  })
}
