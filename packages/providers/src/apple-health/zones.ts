// Which UTC offset a moment has. Rows of Apple's export name the time zone where they were written. The printed offset is that of the
// phone at the time of the export, and never used.
import { DAY_MS, MINUTE_MS } from "@restwell/client/time-units"
import { localDateOf, offsetInZone } from "../normalize/derive.ts"

/** A moment without a zone has that of the nearest row at most this far. */
const NEAREST_MS = 3 * DAY_MS
/** Clocks change at quarters of an hour in UTC. */
const QUARTER_MS = 15 * MINUTE_MS
/** More than there are zones. */
const MOST_NAMES = 2_000

/** Time zones by moment. */
export class Zones {
  readonly #timeZone: string
  readonly #valid = new Map<string, boolean>()
  /** By zone and half day, so that nights of one place take little: the first and the last moment. */
  readonly #spans = new Map<string, { readonly zone: string; firstMs: number; lastMs: number }>()
  #last = { zone: "", quarter: Number.NaN, minutes: 0 }
  #moments: readonly { readonly ms: number; readonly zone: string }[] | undefined

  /** @param timeZone of the person, an IANA name */
  constructor(timeZone: string) {
    this.#timeZone = timeZone
  }

  /** Adds the zone of a row. An unknown name is left out. */
  add(zone: string, ms: number): void {
    if (this.#valid.size >= MOST_NAMES && !this.#valid.has(zone)) return
    if (!this.#valid.getOrInsertComputed(zone, isZone)) return
    const key = `${zone} ${Math.floor((2 * ms) / DAY_MS)}`
    const span = this.#spans.getOrInsertComputed(key, () => ({ zone, firstMs: ms, lastMs: ms }))
    span.firstMs = Math.min(span.firstMs, ms)
    span.lastMs = Math.max(span.lastMs, ms)
    this.#moments = undefined
  }

  /** Adds the offset of a row, minutes east of UTC: an offset is a zone without changes. One that no clock has is left out. */
  addOffset(minutes: number, ms: number): void {
    const all = Math.abs(minutes)
    if (!Number.isInteger(minutes) || all > FURTHEST_MINUTES) return
    const digits = (number: number) => String(number).padStart(2, "0")
    this.add(`${minutes < 0 ? "-" : "+"}${digits(Math.floor(all / 60))}:${digits(all % 60)}`, ms)
  }

  /** Minutes east of UTC. Rows come in about the order of time, and the offset of a quarter of an hour is the same. */
  offsetAt(ms: number): number {
    const zone = this.#zoneAt(ms)
    const quarter = Math.floor(ms / QUARTER_MS)
    if (zone !== this.#last.zone || quarter !== this.#last.quarter)
      this.#last = { zone, quarter, minutes: offsetInZone(ms, zone) }
    return this.#last.minutes
  }

  /** The first moment with the offset of the end. Undefined where start and end have one offset. To a quarter of an hour. */
  changeWithin(startMs: number, endMs: number): number | undefined {
    const after = this.offsetAt(endMs - 1)
    if (this.offsetAt(startMs) === after) return undefined
    let [low, high] = [Math.floor(startMs / QUARTER_MS), Math.ceil(endMs / QUARTER_MS)]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (this.offsetAt(middle * QUARTER_MS) === after) high = middle
      else low = middle
    }
    return high * QUARTER_MS < endMs ? high * QUARTER_MS : undefined
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
    this.#moments ??= [...this.#spans.values()]
      .flatMap(({ zone, firstMs, lastMs }) => [firstMs, lastMs].map((moment) => ({ ms: moment, zone })))
      .sort((one, other) => one.ms - other.ms || (one.zone < other.zone ? -1 : 1))
    const moments = this.#moments
    let [low, high] = [0, moments.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((moments[middle]?.ms ?? 0) <= ms) low = middle + 1
      else high = middle
    }
    const [before, after] = [moments[low - 1], moments[low]]
    const [beforeMs, afterMs] = [ms - (before?.ms ?? -Infinity), (after?.ms ?? Infinity) - ms]
    if (Math.min(beforeMs, afterMs) > NEAREST_MS) return this.#timeZone
    return (beforeMs <= afterMs ? before : after)?.zone ?? this.#timeZone
  }
}

/** Kiritimati. */
const FURTHEST_MINUTES = 14 * 60

function isZone(name: string): boolean {
  try {
    offsetInZone(0, name)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
