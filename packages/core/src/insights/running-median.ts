import type { Columns } from "./columns.ts"

/** Dates to both sides: 29 dates in all. */
export const MEDIAN_REACH = 14
/** Differences of equal figures differ in their last digits. Ranks would tell them apart. */
const PRECISION = 1e8

/** Each value minus the median of the 29 dates around it. A drift of weeks is gone, the changes from night to night stay. */
export function withoutRunningMedian({ days, values }: Columns): Columns {
  const around = createSortedValues(2 * MEDIAN_REACH + 1)
  const rest = new Float64Array(values.length)
  let [first, end] = [0, 0]
  for (let index = 0; index < values.length; index += 1) {
    const day = days[index] ?? 0
    while ((days[first] ?? day) < day - MEDIAN_REACH && (days[end] ?? Infinity) <= day + MEDIAN_REACH)
      around.replace(values[first++] ?? 0, values[end++] ?? 0)
    while ((days[first] ?? day) < day - MEDIAN_REACH) around.remove(values[first++] ?? 0)
    while ((days[end] ?? Infinity) <= day + MEDIAN_REACH) around.add(values[end++] ?? 0)
    rest[index] = Math.round(((values[index] ?? 0) - around.median()) * PRECISION) / PRECISION
  }
  return { days, values: rest }
}

/** A few values in ascending order. To move them by one place takes less time than to splice an array. @param most values at a time */
function createSortedValues(most: number) {
  const sorted = new Float64Array(most)
  let length = 0
  const placeOf = (value: number): number => {
    let place = 0
    while (sorted[place] !== value) place += 1
    return place
  }
  /** Puts a value where there is room at `free`, and moves the ones between. */
  const put = (value: number, free: number): void => {
    let place = free
    for (; place > 0 && (sorted[place - 1] ?? 0) > value; place -= 1) sorted[place] = sorted[place - 1] ?? 0
    for (; place < length - 1 && (sorted[place + 1] ?? 0) < value; place += 1) sorted[place] = sorted[place + 1] ?? 0
    sorted[place] = value
  }
  return {
    add(value: number): void {
      length += 1
      put(value, length - 1)
    },
    replace: (old: number, value: number): void => put(value, placeOf(old)),
    remove(value: number): void {
      sorted.copyWithin(placeOf(value), placeOf(value) + 1, length)
      length -= 1
    },
    median(): number {
      const below = sorted[(length - 1) >> 1] ?? 0
      return below + ((sorted[length >> 1] ?? 0) - below) / 2
    },
  }
}
