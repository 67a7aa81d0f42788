import { type ChartedMetric, type MetricId, type TrendResponse, trendVerdictText } from "@restwell/client"
import { Link } from "wouter"
import { useTrend } from "../api/insights.ts"
import { plural, sentence } from "../format/number.ts"
import { intervalText } from "../metrics/metric-text.ts"

type Trend = Pick<TrendResponse, "verdict" | "interval" | "n" | "period">

/** The verdict of a trend in one sentence, with its interval and the number of values. */
export function trendVerdict(metric: ChartedMetric, { verdict, interval, n, period }: Trend): string {
  const dates = plural(period.days, "day")
  if (n === 0) return `${metric.title}: no values over ${dates}.`
  const words = trendVerdictText(metric.kind, { verdict, n, period })
  if (verdict === "not_enough_data") return `${metric.title} over ${dates}: ${words}.`
  const change = interval === null ? "" : `${intervalText(metric, interval)} per 30 days, `
  return `${metric.title}: ${words} over ${dates} (${change}${plural(n, "value")}).`
}

export type NotedMetric = ChartedMetric & { readonly id: MetricId }

const number = { kind: "number", decimals: 1 } as const

/** The metrics of the charts of Trends. */
export const NOTED = {
  recovery: { id: "recovery_score", title: "Recovery", unit: "%", ...number },
  hrv: { id: "hrv", title: "HRV", unit: "ms", ...number },
  restingHeartRate: { id: "resting_heart_rate", title: "Resting heart rate", unit: "bpm", ...number },
  asleep: { id: "asleep", title: "Time asleep", unit: "h", ...number },
  bedtime: { id: "bedtime", title: "Bedtime", unit: null, kind: "clock", decimals: 0 },
  strain: { id: "strain", title: "Strain", unit: null, ...number },
  skinTempDeviation: { id: "skin_temp_deviation", title: "Skin temperature", unit: "C", ...number },
} as const satisfies Record<string, NotedMetric>

interface TrendNoteProps {
  readonly metric: NotedMetric
  readonly period: { readonly start_date: string; readonly end_date: string }
  /** The page that has the metric's comparison and weekdays. */
  readonly href: string
  readonly version: string
}

/** The verdict below a chart of Trends. */
export function TrendNote({ metric, period, href, version }: TrendNoteProps) {
  const { start_date, end_date } = period
  const trend = useTrend({ metric: metric.id, start_date, end_date }, version)
  return (
    <p className="mt-3 border-t border-line pt-3 text-sm tabular-nums">
      {trend.isSuccess
        ? trendVerdict(metric, trend.data)
        : trend.isError
          ? sentence(trend.error.message)
          : "Computing the trend\u2026"}{" "}
      <Link href={href} className="whitespace-nowrap text-accent underline underline-offset-2">
        Details<span className="sr-only"> of {metric.title}</span>
      </Link>
    </p>
  )
}
