import { onLine, placed, type ValueKind } from "./line.ts"
import { type DatedValue, datedOf, type Series } from "./series.ts"

export interface Extremes {
  readonly highest: readonly DatedValue[]
  readonly lowest: readonly DatedValue[]
}

/** The `count` highest and lowest values, of equal ones the newest first. Of clock times the latest and earliest around their mean. */
export function extremesOf(kind: ValueKind, series: Series, count: number): Extremes {
  const line = onLine(kind, series)
  const first = (sign: 1 | -1): DatedValue[] =>
    line
      .toSorted((one, other) => sign * (one.value - other.value) || other.day - one.day)
      .slice(0, count)
      .map(({ day, value }) => datedOf({ day, value: placed(kind, value) }))
  return { highest: first(-1), lowest: first(1) }
}
