import type { Figure } from "@restwell/client"
import type { TodayFigure } from "./today-schemas.ts"

const DAY_MINUTES = 1440

/** Where a value lies in a usual range. Times of day go around the clock: 00:10 is above 23:00 to 23:50. */
export function positionOf(value: Figure, low: Figure, high: Figure): TodayFigure["position"] {
  if (typeof value === "number" && typeof low === "number" && typeof high === "number")
    return value < low ? "below" : value > high ? "above" : "inside"
  const width = around(minutesOf(high) - minutesOf(low))
  const after = around(minutesOf(value) - minutesOf(low))
  if (after <= width) return "inside"
  // The side that is nearer.
  return after - width <= DAY_MINUTES - after ? "above" : "below"
}

const around = (minutes: number): number => ((minutes % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES

function minutesOf(time: Figure): number {
  const [hours = 0, minutes = 0] = String(time).split(":").map(Number)
  return hours * 60 + minutes
}
