import {
  type CompareQuery,
  CompareResponseSchema,
  MetricsResponseSchema,
  type RelateQuery,
  RelateResponseSchema,
  type TrendQuery,
  TrendResponseSchema,
} from "@restwell/client"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import type { z } from "zod"
import { send } from "./send.ts"

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

type Parameters = Readonly<Record<string, string | number | boolean | undefined>>

/** The service computes eight of each kind for a person at a time. Three leave room for a second window. */
const inTurn = limitConcurrent(3)

const useInsight = <Schema extends z.ZodType>(
  path: "metrics" | "trend" | "compare" | "relate",
  { schema, parameters, version }: { schema: Schema; parameters: Parameters; version: string },
) => {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] satisfies [string, string]],
  )
  const search = new URLSearchParams(given).toString()
  return useQuery({
    queryKey: ["insight", path, search, version],
    queryFn: () => inTurn(() => send(`/api/account/${path}?${search}`, schema)),
    placeholderData: keepPreviousData,
  })
}

/** The catalogue. @param version from `dataVersion`: a new version refetches */
export const useMetrics = (version: string) =>
  useInsight("metrics", { schema: MetricsResponseSchema, parameters: {}, version })

/** How a metric went over a period. */
export const useTrend = (parameters: TrendQuery, version: string) =>
  useInsight("trend", { schema: TrendResponseSchema, parameters, version })

/** How a metric's values of two periods differ. */
export const useComparison = (parameters: CompareQuery, version: string) =>
  useInsight("compare", { schema: CompareResponseSchema, parameters, version })

/** What goes with an outcome. */
export const useRelation = (parameters: RelateQuery, version: string) =>
  useInsight("relate", { schema: RelateResponseSchema, parameters, version })
