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

interface Moment {
  readonly ms: number
  readonly zone: string
  readonly isHome: boolean
}

/** Time zones by moment. */
export class Zones {
  readonly #timeZone: string
  readonly #valid = new Map<string, boolean>()
  /** By zone and half day, so that nights of one place take little: the first and the last moment. */
  readonly #spans = new Map<string, { readonly zone: string; firstMs: number; lastMs: number }>()
  /** By device and moment. */
  readonly #own = new Map<string, Map<number, number>>()
  #last = { zone: "", quarter: Number.NaN, minutes: 0 }
  #moments: readonly Moment[] | undefined

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

  /** Adds the offset that a device gave for the start or the end of its own sleep or workout. */
  addOwnOffset(device: string, ms: number, minutes: number): void {
    this.#own.getOrInsertComputed(device, () => new Map<number, number>()).set(ms, minutes)
  }

  /**
   * Minutes east of UTC. Rows come in about the order of time, and the offset of a quarter of an hour is the same.
   * @param device whose sleep or workout begins or ends then: what it gave for that moment counts
   */
  offsetAt(ms: number, device?: string): number {
    const own = device === undefined ? undefined : this.#own.get(device)?.get(ms)
    if (own !== undefined) return own
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

  /** Local calendar date, YYYY-MM-DD. @param device as of `offsetAt` */
  dateAt(ms: number, device?: string): string {
    return localDateOf(new Date(ms), this.offsetAt(ms, device))
  }

  /** The first moment of a local date, epoch milliseconds. */
  midnightOf(date: string): number {
    const utcMs = Date.parse(date)
    const guess = utcMs - this.offsetAt(utcMs) * MINUTE_MS
    return utcMs - this.offsetAt(guess) * MINUTE_MS
  }

  #zoneAt(ms: number): string {
    this.#moments ??= [...this.#spans.values()]
      .flatMap(({ zone, firstMs, lastMs }) =>
        [firstMs, lastMs].map((moment) => ({ ms: moment, zone, isHome: this.#isHome(zone, moment) })),
      )
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
    const near = [
      ...(before && beforeMs <= NEAREST_MS ? [before] : []),
      ...(after && afterMs <= NEAREST_MS ? [after] : []),
    ]
    if (near.every(({ isHome }) => isHome)) return this.#timeZone
    return (beforeMs <= afterMs ? before : after)?.zone ?? this.#timeZone
  }

  /** Whether an offset is that of the person's own zone then. Between two such moments the zone knows when clocks change. */
  #isHome(zone: string, ms: number): boolean {
    return /^[+-]/.test(zone) && offsetInZone(ms, zone) === offsetInZone(ms, this.#timeZone)
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
