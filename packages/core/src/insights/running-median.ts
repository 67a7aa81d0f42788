import { quantileOf } from "./moments.ts"
import { placeIn } from "./place-in.ts"
import type { Series } from "./series.ts"

/** Dates to both sides: 29 dates in all. */
export const MEDIAN_REACH = 14
/** Differences of equal figures differ in their last digits. Ranks would tell them apart. */
const PRECISION = 1e8

/** Each value minus the median of the 29 dates around it. A drift of weeks is gone, the changes from night to night stay. */
export function withoutRunningMedian(series: Series): Series {
  const around: number[] = []
  let [first, end] = [0, 0]
  return series.map(({ day, value }) => {
    for (let next = series[end]; next && next.day <= day + MEDIAN_REACH; next = series[end]) {
      around.splice(placeIn(around, next.value), 0, next.value)
      end += 1
    }
    for (let last = series[first]; last && last.day < day - MEDIAN_REACH; last = series[first]) {
      around.splice(placeIn(around, last.value), 1)
      first += 1
    }
    return { day, value: Math.round((value - quantileOf(around, 0.5)) * PRECISION) / PRECISION }
  })
}
