/**
 * Where a figure is beside the person's usual range. Pages, the connector and signs take the word from here, so that all of them say the
 * same, and none of them contradicts the figures that it writes.
 */
import { DAY_MINUTES } from "../base/time-units.ts"
import type { Figure } from "./insights.ts"
import type { MetricId } from "./metric.ts"
import { round } from "./rounding.ts"

/** Inside the range or on one of its ends: within. For times of day, below is earlier. */
export type UsualPosition = "below" | "within" | "above"

/** Of these, people read whole numbers. The others are compared as the API rounds them. */
const WHOLE: readonly string[] = [
  "recovery_score",
  "hrv",
  "resting_heart_rate",
  "sleep_performance",
] satisfies MetricId[]

/** A figure and the ends of its usual range as they are written, and the word that they give. */
export interface BesideUsual {
  readonly value: Figure
  readonly low: Figure
  readonly high: Figure
  readonly position: UsualPosition
}

/** @param metric its id @param value and its range as the API has them: 44.4 beside 44.3 to 50.1 is written, and compared, as 44 beside 44 to 50 */
export function besideUsual(
  metric: string,
  value: Figure,
  usual: { readonly low: Figure; readonly high: Figure },
): BesideUsual {
  const written = (figure: Figure): Figure =>
    typeof figure === "number" && WHOLE.includes(metric) ? round(figure, 0) : figure
  const shown = { value: written(value), low: written(usual.low), high: written(usual.high) }
  return { ...shown, position: positionOf(shown) }
}

/** Times of day go around the clock: 00:10 is above 23:00 to 23:50. */
function positionOf({ value, low, high }: Omit<BesideUsual, "position">): UsualPosition {
  if (typeof value === "number" && typeof low === "number" && typeof high === "number")
    return value < low ? "below" : value > high ? "above" : "within"
  const width = around(minutesOf(high) - minutesOf(low))
  const after = around(minutesOf(value) - minutesOf(low))
  if (after <= width) return "within"
  // The side that is nearer.
  return after - width <= DAY_MINUTES - after ? "above" : "below"
}

const around = (minutes: number): number => ((minutes % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES

function minutesOf(time: Figure): number {
  const [hours = 0, minutes = 0] = String(time).split(":").map(Number)
  return hours * 60 + minutes
}
