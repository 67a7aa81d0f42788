import type { ClockChange } from "../store/statements/read-clock.ts"
import { dayOf } from "./series.ts"

const MINUTE_MS = 60_000
export const DAY_MS = 86_400_000

/**
 * The person's clock at an instant: that of the last sleep that had ended, or workout that had begun. Before the first, that of the first.
 */
export class LocalClock {
  readonly #changes: readonly ClockChange[]
  #index = 0

  /** @param changes oldest first @param minutes the offset where there is none */
  constructor(changes: readonly ClockChange[], minutes: number) {
    this.#changes = changes.length > 0 ? changes : [{ atMs: 0, minutes }]
  }

  /** Milliseconds east of UTC. Quick for instants in about their order. */
  offsetAt(atMs: number): number {
    const changes = this.#changes
    let index = this.#index
    while (index > 0 && (changes[index]?.atMs ?? 0) > atMs) index -= 1
    while ((changes[index + 1]?.atMs ?? Number.POSITIVE_INFINITY) <= atMs) index += 1
    this.#index = index
    return (changes[index]?.minutes ?? 0) * MINUTE_MS
  }

  /** The instant at which a local date begins. @param date YYYY-MM-DD */
  midnight(date: string): number {
    const utcMs = dayOf(date) * DAY_MS
    return utcMs - this.offsetAt(utcMs - this.offsetAt(utcMs))
  }

  /** The day number of the local date at an instant. */
  dayAt(atMs: number): number {
    return Math.floor((atMs + this.offsetAt(atMs)) / DAY_MS)
  }
}
