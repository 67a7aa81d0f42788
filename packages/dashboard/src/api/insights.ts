import {
  type CompareQuery,
  CompareResponseSchema,
  MetricsResponseSchema,
  PointSeriesSchema,
  type RelateQuery,
  RelateResponseSchema,
  type SeriesQuery,
  type TrendQuery,
  TrendResponseSchema,
} from "@restwell/client"
import { keepPreviousData, queryOptions, skipToken, useQueries, useQuery } from "@tanstack/react-query"
import type { z } from "zod"
import { type Sample, samplesOf } from "../trends/samples.ts"
import { usePreferences } from "./preferences.ts"
import { allOf, type SearchParameters, searchOf, send } from "./send.ts"

/** Returns a function that runs work at once if fewer than `most` others run, and else after one of them. */
function limitConcurrent(most: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    running += 1
    try {
      return await work()
    } finally {
      running -= 1
      waiting.shift()?.()
    }
  }
}

/** The service computes eight of each kind for a person at a time. Three leave room for a second window. */
const inTurn = limitConcurrent(3)

const insightOptions = <Schema extends z.ZodType>(
  path: "metrics" | "trend" | "compare" | "relate",
  { schema, parameters, version }: { schema: Schema; parameters: SearchParameters; version: string },
) => {
  const search = searchOf(parameters)
  return queryOptions({
    queryKey: ["insight", path, search, version],
    queryFn: () => inTurn(() => send(`/api/account/${path}?${search}`, schema)),
  })
}

const useInsight = <Schema extends z.ZodType>(
  path: Parameters<typeof insightOptions>[0],
  options: { schema: Schema; parameters: SearchParameters; version: string },
) => useQuery({ ...insightOptions(path, options), placeholderData: keepPreviousData })

/** The catalogue, each metric with the preferences that texts of its figures follow. @param version from `dataVersion`: a new version refetches */
export function useMetrics(version: string) {
  const { units, clock } = usePreferences()
  return useQuery({
    ...insightOptions("metrics", { schema: MetricsResponseSchema, parameters: {}, version }),
    placeholderData: keepPreviousData,
    select: ({ metrics, ...rest }) => ({ ...rest, metrics: metrics.map((metric) => ({ ...metric, units, clock })) }),
  })
}

/** How a metric went over a period. */
export const useTrend = (parameters: TrendQuery, version: string) =>
  useInsight("trend", { schema: TrendResponseSchema, parameters, version })

/** How a metric's values of two periods differ. */
export const useComparison = (parameters: CompareQuery, version: string) =>
  useInsight("compare", { schema: CompareResponseSchema, parameters, version })

/** Several comparisons, in their order. Undefined until all are there. */
export function useComparisons(questions: readonly CompareQuery[], version: string) {
  const queries = questions.map((parameters) =>
    insightOptions("compare", { schema: CompareResponseSchema, parameters, version }),
  )
  return useQueries({
    queries,
    combine: allOf,
  })
}

/** Several trends, in their order. Undefined until all are there. */
export function useTrendAnswers(questions: readonly TrendQuery[], version: string) {
  const queries = questions.map((parameters) =>
    insightOptions("trend", { schema: TrendResponseSchema, parameters, version }),
  )
  return useQueries({
    queries,
    combine: allOf,
  })
}

/** What goes with an outcome. */
export const useRelation = (parameters: RelateQuery, version: string) =>
  useInsight("relate", { schema: RelateResponseSchema, parameters, version })

/** Values within the day, and the source of most of them. */
export interface Series {
  readonly samples: readonly Sample[]
  readonly source: string
  /** The part of the time, epoch milliseconds. The end is excluded. */
  readonly startMs: number
  readonly endMs: number
}

type Question = Pick<SeriesQuery, "start" | "end" | "start_date" | "end_date" | "resolution"> & {
  readonly type: Exclude<SeriesQuery["type"], "sleep_stages">
}

/** @param question undefined to read nothing @param version from `dataVersion`: a new version refetches */
export function useSeries(question: Question | undefined, version: string) {
  const search = searchOf({ ...question })
  return useQuery({
    queryKey: ["series", search, version],
    queryFn: question === undefined ? skipToken : () => readSeries(search),
    // A sync changes no more than the newest values. Those of another night are none of this one.
    placeholderData: (previous, query) => (query?.queryKey[1] === search ? previous : undefined),
  })
}

async function readSeries(search: string): Promise<Series> {
  const answer = await send(`/api/account/series?${search}`, PointSeriesSchema)
  return {
    samples: samplesOf(answer.points),
    source: answer.source.provider,
    startMs: Date.parse(answer.start),
    endMs: Date.parse(answer.end),
  }
}
