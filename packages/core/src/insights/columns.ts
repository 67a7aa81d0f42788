import { type DayValue, firstFrom, type Series } from "./series.ts"

/** A series as two columns, oldest first. The relations of all factors of ten years would make a million objects otherwise. */
export interface Columns {
  readonly days: Int32Array
  readonly values: Float64Array
}

export function columnsOf(series: Series): Columns {
  const columns = { days: new Int32Array(series.length), values: new Float64Array(series.length) }
  let index = 0
  for (const { day, value } of series) {
    columns.days[index] = day
    columns.values[index] = value
    index += 1
  }
  return columns
}

export const seriesOf = ({ days, values }: Columns): DayValue[] =>
  Array.from(days, (day, index) => ({ day, value: values[index] ?? Number.NaN }))

/** The days from `first` to `last`, both included. */
export function columnsBetween({ days, values }: Columns, first: number, last: number): Columns {
  const dayAt = (index: number): number => days[index] ?? Number.POSITIVE_INFINITY
  const start = firstFrom(days.length, dayAt, first)
  const end = firstFrom(days.length, dayAt, last + 1)
  return { days: days.subarray(start, end), values: values.subarray(start, end) }
}
