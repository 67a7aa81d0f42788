/**
 * Where a figure is beside the person's usual range. The page, the connector and signs take the word from here and write the figures with
 * the decimals that they are compared with, so that all say the same, and none contradicts its own figures.
 */
import { DAY_MINUTES } from "../base/time-units.ts"
import type { Figure } from "../rest/insights.ts"
import { aroundTheClock, minutesOfTime } from "./clock.ts"
import { wordsOf } from "./directions.ts"
import type { NamedMetric } from "./metric-table.ts"

/** Inside the range or on one of its ends: within. For times of day, below is earlier. */
export type UsualPosition = "below" | "within" | "above"

interface UsualRange {
  readonly low: Figure
  readonly high: Figure
}

/** @param value and its range as the API has them. Times of day go around the clock: 00:10 is above 23:00 to 23:50 */
export function besideUsual(value: Figure, { low, high }: UsualRange): UsualPosition {
  if (typeof value === "number" && typeof low === "number" && typeof high === "number")
    return value < low ? "below" : value > high ? "above" : "within"
  const width = aroundTheClock(minutesOfTime(high) - minutesOfTime(low))
  const after = aroundTheClock(minutesOfTime(value) - minutesOfTime(low))
  if (after <= width) return "within"
  // The side that is nearer.
  return after - width <= DAY_MINUTES - after ? "above" : "below"
}

/** "below", "within", "above", and for a time of day "earlier" and "later". */
export const positionWord = (metric: NamedMetric, position: UsualPosition): string =>
  position === "within" ? position : wordsOf(metric)[position]

/** Metrics that say something of a morning when they are far from usual. */
export const SIGN_METRICS = ["resting_heart_rate", "hrv", "respiratory_rate", "skin_temp_deviation"] as const

export const isSignMetric = (metric: string): boolean => SIGN_METRICS.some((id) => id === metric)

const TOGETHER = 2

interface Beside {
  readonly metric: string
  /** Null without a value or a usual range. */
  readonly position: UsualPosition | null
}

/**
 * The metrics of a morning that are different from usual: beyond two standard deviations, which are the signs, or two and more beyond one.
 * A single figure outside of its range is what most mornings have.
 */
export function differentFromUsual(figures: readonly Beside[], signs: readonly Pick<Beside, "metric">[]): string[] {
  const outside = figures.filter(
    ({ metric, position }) => isSignMetric(metric) && position !== null && position !== "within",
  )
  const isFar = (metric: string) => signs.some((sign) => sign.metric === metric)
  return figures
    .map(({ metric }) => metric)
    .filter((metric) => isFar(metric) || (outside.length >= TOGETHER && outside.some((each) => each.metric === metric)))
}
