import type { SignsResponse } from "@restwell/client"
import { countDates, type DateRange } from "../base/calendar.ts"
import { SIGN_METRICS, type SignMetric, signsOf, usualBefore } from "../statistics/describe.ts"
import { signFigures } from "../statistics/figures.ts"
import { dateOf, dayOf, inRange, type Series } from "../statistics/series.ts"
import { type InsightAnswer, type InsightData, knownMetric } from "./insight-query.ts"
import { groupOfMetric, metricSeries } from "./metric-series.ts"

/** The mornings of a period with figures that are far from usual for the person, newest first. */
export function readSigns({ chosen, groups, envelope }: InsightData, period: DateRange): InsightAnswer<SignsResponse> {
  const allowed = SIGN_METRICS.filter((id) => groups.some((group) => group === groupOfMetric(id)))
  const all = allowed.map((id) => metricSeries(chosen, knownMetric(id, "metric"), period))
  const histories: Partial<Record<SignMetric, Series>> = Object.fromEntries(
    allowed.map((id, index) => [id, all[index]?.history ?? []]),
  )
  const last = dayOf(period.to)
  const records = Array.from({ length: countDates(period) }, (_, back) => last - back).flatMap((day) => {
    const figures = signsOf(histories, day).map((sign) => signFigures(knownMetric(sign.metric, "metric"), sign))
    return figures.length > 0 ? [{ date: dateOf(day), figures }] : []
  })
  const isChecked = (history: Series): boolean =>
    inRange(history, period).some(({ day }) => usualBefore("number", history, day) !== null)
  const source = all.find(({ source: of }) => of !== null)?.source ?? null
  return {
    body: {
      records,
      count: records.length,
      checked: allowed.filter((id) => isChecked(histories[id] ?? [])),
      ...envelope({ id: "hrv" }, source),
    },
    recordCount: all.reduce((sum, { history }) => sum + inRange(history, period).length, 0),
  }
}
