// The energy of the days of Google Takeout, rest included. Google's file leaves out the minutes at rest in some archives: one day has 956 of
// them and half of the energy that Fitbit's old file has beside it. No minute is without energy, so a day that lacks many is not a sum.
import { MINUTE_MS } from "@restwell/client/time-units"
import { isOfStrava } from "../contract/records.ts"
import { isCopy } from "./takeout-days.ts"

/** Of the minutes of a day: clocks that are set, and a minute that cannot be true, cost less. A night without its minutes costs more. */
const LEAST_SHARE = 0.9

interface Energy {
  kcal: number
  minutes: number
  /** The minute that was added last: rows are in order, and there may be several of one minute. */
  lastMinute: number
}

interface Minute {
  readonly date: string
  readonly source: string
  readonly value: number
  readonly atMs: number
}

/** Adds up the energy of each date and source. */
export class DayEnergy {
  readonly #dates = new Map<string, Map<string, Energy>>()
  #lastMs = Number.NEGATIVE_INFINITY
  #incomplete = 0

  add({ date, source, value, atMs }: Minute): void {
    if (isOfStrava(source)) return
    this.#lastMs = Math.max(this.#lastMs, atMs)
    const sources = this.#dates.getOrInsertComputed(date, () => new Map<string, Energy>())
    const energy = sources.getOrInsertComputed(source, () => ({ kcal: 0, minutes: 0, lastMinute: Number.NaN }))
    const minute = Math.floor(atMs / MINUTE_MS)
    energy.kcal += value
    if (minute !== energy.lastMinute) energy.minutes += 1
    energy.lastMinute = minute
  }

  /**
   * Returns the kilocalories of a date by the source that has most of them: with more minutes the sum is never too much. Copies count for
   * dates without another. Undefined without a source that has nearly all minutes, up to the last one that the archive has.
   */
  of(date: string, { startedAt, endedAt }: { readonly startedAt: Date; readonly endedAt: Date }): number | undefined {
    const sources = [...(this.#dates.get(date) ?? [])]
    const lastMs = Math.min(endedAt.getTime(), this.#lastMs + MINUTE_MS)
    const least = (LEAST_SHARE * (lastMs - startedAt.getTime())) / MINUTE_MS
    const [first] = sources
      .filter(([, { minutes }]) => minutes >= least)
      .toSorted(([one, a], [other, b]) => Number(isCopy(one)) - Number(isCopy(other)) || b.kcal - a.kcal)
    if (!first && sources.length > 0) this.#incomplete += 1
    return first?.[1].kcal
  }

  /** What the report says of dates that were asked for. */
  get note(): string | undefined {
    const count = this.#incomplete
    return count === 0
      ? undefined
      : `${count === 1 ? "1 day has" : `${count} days have`} no energy: the files of calories leave out minutes, mostly those at rest`
  }
}
