import type { MetricExtras } from "@restwell/client"
import type { DateRange } from "../calendar/date-range.ts"
import { dayOf, type Weekday } from "../insights/day.ts"
import type { DayFacts } from "../insights/day-facts.ts"
import { localEndOf, localStartOf } from "../insights/extract.ts"
import { sleepDebt, strainLoad } from "../insights/recent.ts"
import { regularityIndex } from "../insights/regularity.ts"
import { inRange } from "../insights/series.ts"
import { socialJetlag } from "../insights/social-jetlag.ts"
import { round } from "../rounding/round.ts"
import type { ChosenHistory } from "./chosen-history.ts"
import type { MetricSeries } from "./metric-series.ts"

/** Days off until a person can set their own. */
const DAYS_OFF: readonly Weekday[] = ["saturday", "sunday"]

/** Figures that only some metrics have. Null without any. */
export function metricExtras(
  { metric: { id }, history, source }: MetricSeries,
  chosen: ChosenHistory,
  period: DateRange,
): MetricExtras | null {
  switch (id) {
    case "sleep_debt": {
      const debt = sleepDebt(history, dayOf(period.to))
      return debt && { sleep_debt: { hours: round(debt.hours, 2), n: debt.n } }
    }
    case "strain": {
      const { week, fourWeeks } = strainLoad(history, dayOf(period.to))
      if (fourWeeks.n === 0) return null
      const mean = (value: number | null) => (value === null ? null : round(value, 1))
      const [mean_7_days, mean_28_days] = [mean(week.mean), mean(fourWeeks.mean)]
      return { load: { mean_7_days, n_7_days: week.n, mean_28_days, n_28_days: fourWeeks.n } }
    }
    case "bedtime":
    case "wake_time":
    case "asleep":
      return regularityOf(chosen, period, source)
    case "midsleep": {
      const jetlag = socialJetlag(inRange(history, period), DAYS_OFF)
      const regularity = regularityOf(chosen, period, source)
      return jetlag === null ? regularity : { social_jetlag_minutes: round(jetlag, 0), ...regularity }
    }
    default:
      return null
  }
}

/** The Sleep Regularity Index of the period's nights and naps, of the source of the answer. */
function regularityOf({ days }: ChosenHistory, period: DateRange, source: string | null): MetricExtras | null {
  const [first, last] = [dayOf(period.from), dayOf(period.to)]
  const nights = [...days].filter(
    ([day, { night }]) => day >= first && day <= last && isKnown(night) && night?.provider === source,
  )
  const sleeps = nights.flatMap(([, { night, naps }]) => [...(night ? [night] : []), ...naps.filter(isKnown)])
  const index = regularityIndex(
    sleeps.map((sleep) => ({ start: localStartOf(sleep), end: localEndOf(sleep) })),
    nights.map(([day]) => day),
  )
  return index === null ? null : { regularity_index: round(index, 1) }
}

/** The end of a sleep that is not scored yet may still change. */
const isKnown = (sleep: DayFacts["night"]): boolean => sleep !== undefined && sleep.scoreState !== "pending"
