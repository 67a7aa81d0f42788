import type { ChartedMetric, ChartOf } from "@restwell/client"
import { fullDate } from "../format/date.ts"
import { type Bucket, bucketsOf, type Grain, grainOf } from "../trends/buckets.ts"
import { datesIn } from "./dates-text.ts"
import { plotted, valueText } from "./metric-text.ts"

interface Day {
  readonly date: string
  readonly value: number | null
}

/** A date with its value, or a week or a month with the mean of its values. */
export interface ValueBucket extends Bucket<Day> {
  /** Null without a value. */
  readonly value: number | null
  readonly count: number
}

export interface TrendBuckets {
  readonly grain: Grain
  readonly buckets: readonly ValueBucket[]
}

/** The values of a trend over its period, oldest first. Dates before the first value of a long period are left out. */
export function trendBuckets({ metric, answer }: ChartOf<"trend">): TrendBuckets {
  const points = new Map((answer.points ?? []).map(([date, value]) => [date, plotted(metric, value, answer.mean)]))
  const dates = datesIn(answer.period)
  const firstDate = answer.points?.[0]?.[0]
  const isLong = grainOf(dates.length) !== "day"
  const drawn = isLong && firstDate !== undefined ? dates.filter((date) => date >= firstDate) : dates
  const grain = grainOf(drawn.length)
  const days = drawn.map((date) => ({ date, value: points.get(date) ?? null }))
  return { grain, buckets: bucketsOf(days, grain).map(withMean) }
}

function withMean(bucket: Bucket<Day>): ValueBucket {
  const values = bucket.days.flatMap(({ value }) => (value === null ? [] : [value]))
  const total = values.reduce((sum, value) => sum + value, 0)
  return { ...bucket, count: values.length, value: values.length === 0 ? null : total / values.length }
}

export const MEAN_TEXTS: Readonly<Record<Grain, string>> = {
  day: "one value a day",
  week: "weekly means",
  month: "monthly means",
}

/** "Fri, Nov 20, 2026", "Week of Mon, Nov 16, 2026" */
export const bucketLabel = ({ days, label }: ValueBucket): string =>
  days.length === 1 && days[0] ? fullDate(days[0].date) : label

/** "64 ms", "64 ms, mean of 6 of 7 days" */
export function bucketText(metric: ChartedMetric, { value, count, days }: ValueBucket): string {
  if (value === null) return "no data"
  return `${valueText(metric, value)}${days.length > 1 ? `, mean of ${count} of ${days.length} days` : ""}`
}
