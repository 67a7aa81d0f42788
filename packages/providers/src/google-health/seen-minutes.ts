// Minutes that a file, or its copy beside it, has twice. Rows with another value at the same time are others, and are added up.
import { DAY_MS } from "@restwell/client/time-units"

/** The minutes of a day and source, by their times. An archive has millions, so each takes eight bytes. */
interface SeenDay {
  times: Uint32Array
  values: Float32Array
  count: number
}

const FIRST_SIZE = 128

export class SeenMinutes {
  readonly #days = new Map<string, SeenDay>()

  /** Whether a minute is there for the first time. @param source what counted it */
  add(source: string, atMs: number, value: number): boolean {
    const day = this.#days.getOrInsertComputed(`${Math.floor(atMs / DAY_MS)} ${source}`, () => ({
      times: new Uint32Array(FIRST_SIZE),
      values: new Float32Array(FIRST_SIZE),
      count: 0,
    }))
    const time = atMs % DAY_MS
    let at = placeOf(day, time)
    for (; at < day.count && day.times[at] === time; at += 1) if (day.values[at] === Math.fround(value)) return false
    insert(day, at, { time, value })
    return true
  }
}

/** The first place with this time or a later one. Files are in order, so it is mostly the end. */
function placeOf({ times, count }: SeenDay, time: number): number {
  if (count === 0 || (times[count - 1] ?? 0) < time) return count
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) < time) low = middle + 1
    else high = middle
  }
  return low
}

function insert(day: SeenDay, at: number, { time, value }: { readonly time: number; readonly value: number }): void {
  if (day.count === day.times.length) {
    const { times, values } = day
    day.times = new Uint32Array(2 * times.length)
    day.values = new Float32Array(2 * values.length)
    day.times.set(times)
    day.values.set(values)
  }
  day.times.copyWithin(at + 1, at, day.count)
  day.values.copyWithin(at + 1, at, day.count)
  day.times[at] = time
  day.values[at] = value
  day.count += 1
}
