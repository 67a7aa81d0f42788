// Which UTC offset a moment has. Rows of Apple's export name the time zone where they were written. The printed offset is that of the
// phone at the time of the export, and never used.
import { localDateOf, offsetInZone } from "../normalize/derive.ts"
import { DAY_MS } from "./rows.ts"

/** A moment without a zone has that of the nearest row at most this far. */
const NEAREST_MS = 3 * DAY_MS
const MINUTE_MS = 60_000

/** Time zones by moment. */
export class Zones {
  readonly #timeZone: string
  readonly #valid = new Map<string, boolean>()
  #moments: { readonly ms: number; readonly zone: string }[] = []
  #isSorted = true
  /** Of the last row, so that nights of one place take one entry a day. */
  #last = { ms: Number.NEGATIVE_INFINITY, zone: "" }

  /** @param timeZone of the person, an IANA name */
  constructor(timeZone: string) {
    this.#timeZone = timeZone
  }

  /** Adds the zone of a row. An unknown name is left out. */
  add(zone: string, ms: number): void {
    if (zone === this.#last.zone && Math.abs(ms - this.#last.ms) < DAY_MS / 2) return
    if (!this.#valid.getOrInsertComputed(zone, isZone)) return
    this.#last = { ms, zone }
    this.#moments.push(this.#last)
    this.#isSorted = false
  }

  /** Minutes east of UTC. */
  offsetAt(ms: number): number {
    return offsetInZone(ms, this.#zoneAt(ms))
  }

  /** Local calendar date, YYYY-MM-DD. */
  dateAt(ms: number): string {
    return localDateOf(new Date(ms), this.offsetAt(ms))
  }

  /** The first moment of a local date, epoch milliseconds. */
  midnightOf(date: string): number {
    const utcMs = Date.parse(date)
    const guess = utcMs - this.offsetAt(utcMs) * MINUTE_MS
    return utcMs - this.offsetAt(guess) * MINUTE_MS
  }

  #zoneAt(ms: number): string {
    if (!this.#isSorted) {
      this.#moments.sort((one, other) => one.ms - other.ms || (one.zone < other.zone ? -1 : 1))
      this.#isSorted = true
    }
    let [low, high] = [0, this.#moments.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#moments[middle]?.ms ?? 0) <= ms) low = middle + 1
      else high = middle
    }
    const [before, after] = [this.#moments[low - 1], this.#moments[low]]
    const [beforeMs, afterMs] = [ms - (before?.ms ?? -Infinity), (after?.ms ?? Infinity) - ms]
    if (Math.min(beforeMs, afterMs) > NEAREST_MS) return this.#timeZone
    return (beforeMs <= afterMs ? before : after)?.zone ?? this.#timeZone
  }
}

function isZone(name: string): boolean {
  try {
    offsetInZone(0, name)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
