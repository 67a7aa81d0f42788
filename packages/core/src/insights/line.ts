import { circularMean, unwrap, wrap } from "./circular.ts"
import { type DayValue, type Series, valuesOf } from "./series.ts"

/** Numbers and yes or no (1 or 0) are on a line. Clock times are on a circle. */
export type ValueKind = "number" | "clock" | "yes_no"

/**
 * Returns how values of a kind are laid on a line, which tests need: clock times around their circular mean, all others as they are.
 * @param around the values around whose mean a clock is opened
 */
export function lineFor(kind: ValueKind, around: Series): (series: Series) => Series {
  if (kind !== "clock" || around.length === 0) return (series) => series
  const centre = circularMean(valuesOf(around))
  return (series) => series.map(({ day, value }): DayValue => ({ day, value: unwrap(value, centre) }))
}

/** The series on a line, opened around its own mean. */
export const onLine = (kind: ValueKind, series: Series): Series => lineFor(kind, series)(series)

/** A value of the line as one of its kind: a clock time is within the day again. */
export const placed = (kind: ValueKind, value: number): number => (kind === "clock" ? wrap(value) : value)
