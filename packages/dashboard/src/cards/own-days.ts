// Charts of people with several sources. Statistics compare one device with itself, and so do the charts beside them.
import type { MetricId, TrendDay } from "@restwell/client"
import { useTrendsOf } from "../api/account.ts"
import { useComparisons, useTrendAnswers } from "../api/insights.ts"
import { bucketsOf, type Dates } from "../trends/days.ts"
import type { CardView } from "./period-page.tsx"

/** The part of a day that a metric is drawn from. */
const PARTS = {
  recovery_score: "recovery",
  hrv: "recovery",
  resting_heart_rate: "recovery",
  skin_temp_deviation: "recovery",
  asleep: "sleep",
  bedtime: "sleep",
  strain: "strain",
  steps: "strain",
} as const satisfies Partial<Record<MetricId, "recovery" | "sleep" | "strain">>

export type DrawnMetric = keyof typeof PARTS

export const isDrawn = (id: string): id is DrawnMetric => Object.hasOwn(PARTS, id)

/** A metric, and the source that its statistics are of. */
export interface SourcedMetric {
  readonly id: DrawnMetric
  readonly source: string
}

/** The day with the parts of the metrics' own sources. Naps and workouts stay those of any source. */
function withParts(day: TrendDay, own: readonly (TrendDay | undefined)[], metrics: readonly SourcedMetric[]): TrendDay {
  const from = (part: "recovery" | "sleep" | "strain"): TrendDay =>
    own[metrics.findIndex(({ id }) => PARTS[id] === part)] ?? day
  const { recovery, hrv_band, resting_heart_rate_band } = from("recovery")
  const [{ sleep }, { strain }] = [from("sleep"), from("strain")]
  return { ...day, recovery, hrv_band, resting_heart_rate_band, sleep, strain }
}

interface OwnDays {
  readonly days: readonly TrendDay[]
  /** True while `days` are those of the sources that answer. */
  readonly isLoading: boolean
  readonly error: Error | null
}

/**
 * The days with each metric from its own source, also on dates on which another source answers.
 * @param metrics undefined until their sources are known. Those of a person with one source are none
 */
export function useOwnDays(
  days: readonly TrendDay[],
  metrics: readonly SourcedMetric[] | undefined,
  { dates, version }: { readonly dates: Dates; readonly version: string },
): OwnDays {
  const sources = [...new Set((metrics ?? []).map(({ source }) => source))]
  const { answers, error } = useTrendsOf(sources, dates, version)
  if (metrics?.length === 0) return { days, isLoading: false, error: null }
  if (!metrics || !answers) return { days, isLoading: true, error }
  const ofMetrics = metrics.map(({ source }) => answers[sources.indexOf(source)]?.days ?? [])
  const merge = (day: TrendDay, index: number) =>
    withParts(
      day,
      ofMetrics.map((own) => own[index]),
      metrics,
    )
  return { days: days.map(merge), isLoading: false, error: null }
}

/**
 * The view of a card whose chart is of the same source as its figures.
 * @param drawn the metrics of the chart. Without any, the view stays
 * @param compares whether the card's figures are those of a comparison with the dates before
 */
export function useOwnView(view: CardView, drawn: readonly DrawnMetric[], compares: boolean) {
  const { dates, version, grain, firstWeekday } = view
  const questions = view.hasSeveralSources ? drawn.map((metric) => ({ metric, ...dates })) : []
  const trends = useTrendAnswers(compares ? [] : questions, version)
  const comparisons = useComparisons(compares ? questions : [], version)
  const { answers, error } = compares ? comparisons : trends
  const metrics = answers?.flatMap(({ source }, index) => {
    const id = drawn[index]
    return id ? [{ id, source: source.provider }] : []
  })
  const days = view.buckets.flatMap((bucket) => bucket.days)
  const own = useOwnDays(days, metrics, { dates, version })
  return {
    view: questions.length === 0 ? view : { ...view, buckets: bucketsOf(own.days, grain, firstWeekday) },
    isLoading: own.isLoading,
    error: error ?? own.error,
  }
}
