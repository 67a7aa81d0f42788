// The days of Google Takeout: figures of a date, and what minutes add up to. Files mix devices, the phone and copies of other apps, so one
// source answers for each date. Nothing is added up over sources.
import { addDays, utcDateOf } from "@restwell/client/calendar-dates"
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import type { Offsets } from "../archive/offsets.ts"
import type { OneDeviceRule } from "../contract/one-device-rule.ts"
import { isOfStrava, originName } from "../contract/records.ts"
import { answeringDevice } from "../normalize/one-device.ts"
import type { DailyFigure, SumFigure } from "./takeout-files.ts"
import type { ScoreParts, WrittenTime } from "./takeout-wire.ts"

/** True for values that another app brought: `Strava Health Connect`, `Phone Health Kit`. */
export const isCopy = (source: string): boolean => /\bhealth ?(?:connect|kit)$/.test(originName(source).trim())

/** Local dates, quickly: offsets change at whole hours. */
export class LocalClock {
  readonly #offsets: Offsets
  readonly #hours = new Map<number, number>()
  readonly #dates = new Map<number, string>()

  constructor(offsets: Offsets) {
    this.#offsets = offsets
  }

  /** Minutes east of UTC. */
  offsetAt(ms: number): number {
    const hour = Math.floor(ms / HOUR_MS)
    const found = this.#hours.get(hour)
    if (found !== undefined) return found
    const at = new Date(ms)
    const [offset = 0] = this.#offsets.of(utcDateOf(at), [at])
    this.#hours.set(hour, offset)
    return offset
  }

  dateAt(ms: number): string {
    const localMs = ms + this.offsetAt(ms) * MINUTE_MS
    const day = Math.floor(localMs / DAY_MS)
    return this.#dates.getOrInsertComputed(day, () => utcDateOf(new Date(localMs)))
  }

  /** The instant of a time in a file. One without a zone is local. */
  msOf({ shown, utcOffsetMinutes }: WrittenTime): number {
    return utcOffsetMinutes === undefined
      ? this.#offsets.instantOf(shown).getTime()
      : shown.getTime() - utcOffsetMinutes * MINUTE_MS
  }

  /** The date of a row about a day. Midnight, in whatever zone, stands for the date itself. */
  dateOf(time: WrittenTime): string {
    const isDate = time.utcOffsetMinutes === undefined || time.shown.getTime() % DAY_MS === 0
    return isDate ? utcDateOf(time.shown) : this.dateAt(this.msOf(time))
  }

  /** The midnights of a date, and the offsets there. */
  midnightsOf(date: string) {
    const startedAt = this.#offsets.instantOf(new Date(date))
    const endedAt = this.#offsets.instantOf(new Date(addDays(date, 1)))
    return {
      startedAt,
      endedAt,
      startUtcOffsetMinutes: (Date.parse(date) - startedAt.getTime()) / MINUTE_MS,
      endUtcOffsetMinutes: (Date.parse(addDays(date, 1)) - endedAt.getTime()) / MINUTE_MS,
    }
  }
}

interface FigureOfDate {
  readonly value: number
  /** The baseline beside it. */
  readonly second?: number | undefined
  readonly source: string
  /** What a score is made of. */
  readonly parts?: ScoreParts | undefined
  /** Index of its table: the first counts. */
  readonly rank: number
}

/** Collects figures of dates in any order. */
export class DailyFigures {
  readonly #figures = new Map<DailyFigure, Map<string, FigureOfDate>>()

  add(figure: DailyFigure, date: string, found: FigureOfDate): void {
    const dates = this.#figures.get(figure) ?? new Map<string, FigureOfDate>()
    this.#figures.set(figure, dates)
    const other = dates.get(date)
    if (!other || comesFirst(found, other)) dates.set(date, found)
  }

  of(figure: DailyFigure, date: string): FigureOfDate | undefined {
    return this.#figures.get(figure)?.get(date)
  }

  /** Dates with any of some figures. */
  dates(figures: readonly DailyFigure[]): string[] {
    return figures.flatMap((figure) => [...(this.#figures.get(figure)?.keys() ?? [])])
  }
}

/** A device's own value before a copy, then the earlier table, then an order without equals but equal figures. */
function comesFirst(one: FigureOfDate, other: FigureOfDate): boolean {
  const difference =
    Number(isCopy(one.source)) - Number(isCopy(other.source)) || one.rank - other.rank || other.value - one.value
  return difference < 0
}

/** Fitbit's own old file, which has one source. */
export const OLD_FORM = ""

/** The device of samples that a source counted. */
export const deviceOf = (source: string): { readonly device?: string } =>
  source === OLD_FORM ? {} : { device: source }

/** More than anything that is counted on a date. */
const MOST_COUNTED = 1e9

/**
 * Of devices, the phone and Fitbit's old file the one that counted most answers for a date, because one that was not worn counts less, and so
 * does a file that was cut. A copy answers for dates without another.
 */
export const TAKEOUT_RULE: OneDeviceRule = {
  weight: ({ device, value }) => (isCopy(device) ? value / MOST_COUNTED : value),
}

/** The sum of a date by one source. */
interface SourceSum {
  readonly source: string
  readonly value: number
}

/** Adds up minutes by date and source. */
export class DaySums {
  readonly #sums = new Map<SumFigure, Map<string, Map<string, number>>>()

  add(figure: SumFigure, { date, source, value }: { readonly date: string } & SourceSum): void {
    const dates = this.#sums.get(figure) ?? new Map<string, Map<string, number>>()
    this.#sums.set(figure, dates)
    const sources = dates.get(date) ?? new Map<string, number>()
    dates.set(date, sources)
    sources.set(source, (sources.get(source) ?? 0) + value)
  }

  /** Returns the source that answers for a date. Strava never does. */
  chosen(figure: SumFigure, date: string): (SourceSum & { readonly weight: number }) | undefined {
    const counted = [...(this.#sums.get(figure)?.get(date) ?? [])]
      .filter(([source]) => !isOfStrava(source))
      .map(([device, value]) => ({ device, value, hours: 0 }))
    const first = answeringDevice(counted, TAKEOUT_RULE)
    return first && { source: first.device, value: first.value, weight: TAKEOUT_RULE.weight(first) }
  }

  /** Dates with a figure. Those with steps are days: energy is there for days without the device too. */
  dates(figure: SumFigure): string[] {
    return [...(this.#sums.get(figure)?.keys() ?? [])].toSorted()
  }
}
