import type { ChartedMetric, TrendResponse } from "@restwell/client"
import { intervalText } from "../chat/metric-text.ts"
import { plural } from "../format/number.ts"

const VERDICTS = { rising: "rising", falling: "falling", no_clear_change: "no clear change" } as const
/** Clock times do not rise or fall. */
const CLOCK_VERDICTS = { ...VERDICTS, rising: "getting later", falling: "getting earlier" } as const

type Trend = Pick<TrendResponse, "verdict" | "interval" | "n" | "period">

/** The verdict of a trend in one sentence, with its interval and the number of values. */
export function trendVerdict(metric: ChartedMetric, { verdict, interval, n, period }: Trend): string {
  const dates = plural(period.days, "day")
  if (n === 0) return `${metric.title}: no values over ${dates}.`
  if (verdict === "not_enough_data")
    return `${metric.title}: not enough data for a trend over ${dates} (${plural(n, "value")}).`
  const words = metric.kind === "clock" ? CLOCK_VERDICTS : VERDICTS
  const change = interval === null ? "" : `${intervalText(metric, interval)} per 30 days, `
  return `${metric.title}: ${words[verdict]} over ${dates} (${change}${plural(n, "value")}).`
}
