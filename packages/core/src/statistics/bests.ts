/* Personal bests of a date, from all values up to it. A best is a fact of its date: nothing counts days in a row, and a tie is no best. */
import { wholeMinutes } from "@restwell/client"
import { metricNamed } from "@restwell/client/figures"
import { round } from "../base/rounding.ts"
import type { DayValue, Series } from "./series.ts"

/** Values before a date without which it has no best: the first weeks of a history would be full of them. */
const FEWEST_BEFORE = 90
const YEAR_DAYS = 365

/** What can be a best, in the order in which one is named. */
const BESTS = [
  { metric: "resting_heart_rate", kind: "lowest", spans: ["ever"] },
  { metric: "hrv", kind: "highest", spans: ["ever"] },
  { metric: "asleep", kind: "highest", spans: ["ever", "year"] },
] as const

/** A value as people read it: in whole numbers, and a sleep in minutes. */
const asRead = (metric: BestMetric, value: number): number =>
  metric === "asleep" ? wholeMinutes(value) : round(round(value, metricNamed(metric).decimals), 0)

/** Nights that are a round number. */
const isRound = (n: number): boolean => [100, 365, 500].includes(n) || (n > 0 && n % 1000 === 0)

export type BestMetric = (typeof BESTS)[number]["metric"]

export type Best =
  | {
      readonly metric: BestMetric
      readonly kind: "highest" | "lowest"
      readonly span: "ever" | "year"
      readonly value: number
      /** Ever: the best before. In a year: the newest one that is at least as good. */
      readonly former: DayValue
    }
  /** So many nights. */
  | { readonly metric: "asleep"; readonly kind: "count"; readonly value: number }

/**
 * The best of a day, or null.
 * @param historyOf the values of a metric of one source, oldest first, none after the day
 * @param nights of all sources, up to the day
 */
export function bestAt(historyOf: (metric: BestMetric) => Series, nights: Series, day: number): Best | null {
  for (const best of BESTS) {
    const found = bestIn(best, historyOf(best.metric), day)
    if (found) return found
  }
  return isRound(nights.length) && nights.some((night) => night.day === day)
    ? { metric: "asleep", kind: "count", value: nights.length }
    : null
}

function bestIn({ metric, kind, spans }: (typeof BESTS)[number], history: Series, day: number): Best | null {
  const own = history.at(-1)
  const before = history.slice(0, -1)
  const [oldest] = before
  if (own?.day !== day || oldest === undefined || before.length < FEWEST_BEFORE) return null
  const goodness = ({ value }: DayValue): number => asRead(metric, value) * (kind === "highest" ? 1 : -1)
  // Of equal ones the newest.
  const former = before.reduce((best, each) => (goodness(each) >= goodness(best) ? each : best), oldest)
  if (goodness(own) > goodness(former)) return { metric, kind, span: "ever", value: own.value, former }
  const asGood = before.findLast((each) => goodness(each) >= goodness(own))
  const isOfYear = spans.some((span) => span === "year") && asGood !== undefined && asGood.day <= day - YEAR_DAYS
  const ofYear = before.filter((each) => each.day > day - YEAR_DAYS)
  return isOfYear && ofYear.length >= FEWEST_BEFORE
    ? { metric, kind, span: "year", value: own.value, former: asGood }
    : null
}
