/** Trends with made-up figures. */
import type { ChartedMetric, ChartOf, Figure, Source } from "@restwell/client"

export const URL_OF_CHART = "https://restwell.example/trends?metric=hrv&days=90"
const SOURCE: Source = { provider: "whoop", status: "ok", last_synced_at: "2026-11-21T07:30:00Z" }
export const FROM = { source: SOURCE, sources: [SOURCE], notes: [] }
export const LAST_DATE = "2026-11-21"

export const metric = (
  id: string,
  title: string,
  unit: string | null,
  kind: ChartedMetric["kind"] = "number",
): ChartedMetric => ({
  id,
  title,
  unit,
  kind,
  decimals: unit === "h" ? 2 : 1,
})

export const HRV = metric("hrv", "Heart rate variability", "ms")
export const BEDTIME = metric("bedtime", "Bedtime", null, "clock")

export const dateBefore = (days: number): string =>
  new Date(Date.parse(LAST_DATE) - days * 86_400_000).toISOString().slice(0, 10)

/** Between -1 and 1, the same at every run. */
export const noise = (index: number): number => Math.sin(index * 12.9898) * Math.cos(index * 4.1414)

export const round = (value: number): number => Math.round(value * 10) / 10

const clock = (minutes: number): string => {
  const ofDay = (Math.round(minutes) + 1440) % 1440
  return `${String(Math.floor(ofDay / 60)).padStart(2, "0")}:${String(ofDay % 60).padStart(2, "0")}`
}

interface TrendExample {
  readonly days?: number
  readonly has?: (daysAgo: number) => boolean
  readonly of?: ChartedMetric
  readonly valueOn?: (daysAgo: number) => Figure
  readonly answer?: Partial<ChartOf<"trend">["answer"]>
}

const hrvOn = (daysAgo: number): Figure => round(64 - daysAgo * 0.06 + 7 * noise(daysAgo))

export function trendChart(example: TrendExample = {}): ChartOf<"trend"> {
  const { days = 90, has = () => true, of = HRV, valueOn = hrvOn, answer = {} } = example
  const daysAgo = Array.from({ length: days }, (_, index) => days - 1 - index).filter(has)
  const points = daysAgo.map((ago): [string, Figure] => [dateBefore(ago), valueOn(ago)])
  const middle = points[Math.floor(points.length / 2)]?.[1] ?? null
  const newest = points.at(-1)
  return {
    kind: "trend",
    url: URL_OF_CHART,
    metric: of,
    answer: {
      ...FROM,
      metric: of.id,
      unit: of.unit,
      period: { start_date: dateBefore(days - 1), end_date: LAST_DATE, days },
      method: of.id === "hrv" ? "rmssd" : null,
      n: points.length,
      missing: days - points.length,
      mean: middle,
      median: middle,
      sd: points.length > 1 ? 6.2 : null,
      sum: null,
      above: null,
      below: null,
      streaks: null,
      p25: middle,
      p75: middle,
      highest: [],
      lowest: [],
      latest: newest ? { date: newest[0], value: newest[1] } : null,
      usual: null,
      slope_per_30_days: null,
      interval: null,
      verdict: "not_enough_data",
      first_third: { n: 0, mean: null },
      last_third: { n: 0, mean: null },
      extras: null,
      groups: null,
      weekday_of: null,
      points,
      ...answer,
    },
  }
}

export const RISING: NonNullable<TrendExample["answer"]> = {
  verdict: "rising",
  slope_per_30_days: 1.8,
  interval: [0.4, 3.2],
  usual: { low: 57.1, high: 69.4, n: 30 },
}

export const ASLEEP = metric("asleep", "Time asleep", "h")
export const ALCOHOL = metric("journal:alcohol", "Alcohol", null, "yes_no")

const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

/** Groups as an answer by weekday has them. */
export const byWeekday = (means: readonly Figure[], sd: number | null): ChartOf<"trend">["answer"]["groups"] =>
  means.map((mean, index) => ({ group: WEEKDAYS[index] ?? "", n: 12 + (index % 2), mean, sd }))

export const bedtimeOn = (daysAgo: number): Figure => clock(-12 + 55 * noise(daysAgo))
