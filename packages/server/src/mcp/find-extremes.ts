import { INSIGHT_DAYS, type TrendResponse, TrendResponseSchema } from "@restwell/client"
import { addDays, Forbidden, groupOfMetric, type InsightQuery, SCOPE_OF } from "@restwell/core"
import { z } from "zod"
import { dayId, dayName } from "./days-of-record.ts"
import type { HealthSource } from "./health-source.ts"
import type { NamedDates } from "./search-dates.ts"
import type { Extreme } from "./search-extremes.ts"

const MOST_RESULTS = 10
/** Enough to have some of a weekday among them. */
const MOST_RANKED = 20

interface Where extends Pick<NamedDates, "range" | "weekdays"> {
  readonly today: string
}

/** The days with the highest or lowest values of a metric, among the dates that the question names or all of them. */
export async function findExtremes(source: HealthSource, { metrics, side }: Extreme, where: Where) {
  const shared = metrics.filter((metric) => isShared(source, metric))
  if (shared.length === 0)
    throw new Forbidden(`the person does not share this figure with this assistant, see ${source.baseUrl}/connections`)
  const dates = datesOf(source, where)
  const questions = shared.map((metric): InsightQuery => ({ type: "trend", metric, ...dates, top: MOST_RANKED }))
  const trends = z.array(TrendResponseSchema).parse(await source.read("search", questions))
  const trend = trends.find(({ n }) => n > 0)
  if (!trend) return []
  return trend[side]
    .filter(
      ({ date }) => where.weekdays.length === 0 || where.weekdays.includes(Temporal.PlainDate.from(date).dayOfWeek),
    )
    .slice(0, MOST_RESULTS)
    .map((ranked) => ({ id: dayId(ranked.date), title: titleOf(trend, ranked), url: `${source.baseUrl}/trends` }))
}

function isShared({ sharing }: HealthSource, metric: string): boolean {
  const group = groupOfMetric(metric)
  return group !== null && sharing.scopes.includes(SCOPE_OF[group])
}

function datesOf({ sharing }: HealthSource, { range, today }: Where) {
  const earliest = sharing.days === null ? undefined : addDays(today, 1 - sharing.days)
  const from = range?.from ?? addDays(today, 1 - INSIGHT_DAYS.max)
  const end = range && range.to < today ? range.to : today
  return { start_date: earliest !== undefined && from < earliest && earliest <= end ? earliest : from, end_date: end }
}

const titleOf = ({ metric, unit }: TrendResponse, { date, value }: TrendResponse["highest"][number]): string =>
  `${dayName(date)}: ${metric.replaceAll("_", " ")} ${value}${unit === null ? "" : ` ${unit}`}`
