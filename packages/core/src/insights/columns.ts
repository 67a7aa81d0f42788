import type { DayValue, Series } from "./series.ts"

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
  const start = firstFrom(days, first)
  const end = firstFrom(days, last + 1)
  return { days: days.subarray(start, end), values: values.subarray(start, end) }
}

function firstFrom(days: Int32Array, day: number): number {
  let index = 0
  while ((days[index] ?? day) < day) index += 1
  return index
}
