import type { Columns } from "./columns.ts"

/** Dates to both sides: 29 dates in all. */
export const MEDIAN_REACH = 14
/** Differences of equal figures differ in their last digits. Ranks would tell them apart. */
const PRECISION = 1e8

/** Each value minus the median of the 29 dates around it. A drift of weeks is gone, the changes from night to night stay. */
export function withoutRunningMedian({ days, values }: Columns): Columns {
  const around = new SortedValues(2 * MEDIAN_REACH + 1)
  const rest = new Float64Array(values.length)
  let [first, end] = [0, 0]
  for (let index = 0; index < values.length; index += 1) {
    const day = days[index] ?? 0
    while (end < values.length && (days[end] ?? 0) <= day + MEDIAN_REACH) {
      const value = values[end++] ?? 0
      if ((days[first] ?? 0) < day - MEDIAN_REACH) around.replace(values[first++] ?? 0, value)
      else around.add(value)
    }
    while ((days[first] ?? 0) < day - MEDIAN_REACH) around.remove(values[first++] ?? 0)
    rest[index] = Math.round(((values[index] ?? 0) - around.median()) * PRECISION) / PRECISION
  }
  return { days, values: rest }
}

/** A few values in ascending order. To move them by one place takes less time than to splice an array. */
class SortedValues {
  readonly #sorted: Float64Array
  #length = 0

  /** @param most values at a time */
  constructor(most: number) {
    this.#sorted = new Float64Array(most)
  }

  add(value: number): void {
    this.#length += 1
    this.#put(value, this.#length - 1)
  }

  replace(old: number, value: number): void {
    this.#put(value, this.#placeOf(old))
  }

  remove(value: number): void {
    const place = this.#placeOf(value)
    this.#sorted.copyWithin(place, place + 1, this.#length)
    this.#length -= 1
  }

  median(): number {
    const below = this.#sorted[(this.#length - 1) >> 1] ?? 0
    return below + ((this.#sorted[this.#length >> 1] ?? 0) - below) / 2
  }

  #placeOf(value: number): number {
    const sorted = this.#sorted
    let place = 0
    while (sorted[place] !== value) place += 1
    return place
  }

  /** Puts a value where there is room at `free`, and moves the ones between. */
  #put(value: number, free: number): void {
    const sorted = this.#sorted
    const last = this.#length - 1
    let place = free
    for (; place > 0 && (sorted[place - 1] ?? 0) > value; place -= 1) sorted[place] = sorted[place - 1] ?? 0
    for (; place < last && (sorted[place + 1] ?? 0) < value; place += 1) sorted[place] = sorted[place + 1] ?? 0
    sorted[place] = value
  }
}
