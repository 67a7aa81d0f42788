/** Stored samples, which are kept by UTC day, sorted by local date and source. */

import type { HrvMethod } from "@restwell/client"
import { DAY_MS, MINUTE_MS, standingMs } from "@restwell/client/time-units"
import { countingDevices, type DeviceKind, isOfLongDay } from "@restwell/providers"
import type { ClockChange } from "../base/calendar.ts"
import { NO_OFFSET, type SampleColumns } from "../store/packed-samples.ts"
import type { SeriesDay } from "../store/statements/read-series.ts"
import { dateOf, dayOf } from "./series.ts"
import type { WakingDay } from "./waking-dates.ts"

/** A sample, or the part of it that is in one local date. Times are epoch milliseconds. */
export interface Part {
  /** The local date, as a day number. */
  readonly day: number
  /** When the sample begins. */
  readonly atMs: number
  /** How long the whole sample lasts, 0 for a moment. */
  readonly durationMs: number
  readonly value: number
  /** The part. Of a moment of a rate it is the time that it stands for, of others it has no length. */
  readonly fromMs: number
  readonly toMs: number
  /** The local clock of the part, milliseconds east of UTC. */
  readonly offsetMs: number
}

/** A stored day, as far as it is known what comes after it. */
interface Stored {
  readonly columns: SampleColumns
  /** When the first sample of the next stored day begins. Infinite until there is one. */
  nextMs: number
  /** The part of its last moment that is on the next date. */
  tail: { toMs: number } | undefined
}

/** Samples of one method that begin on one date, from one stored day. */
interface Run {
  readonly method: HrvMethod | null
  readonly stored: Stored
  readonly first: number
  last: number
}

/** What a source has of a local date. A collector's device is a source of its own. */
export interface SourceDay {
  readonly provider: string
  readonly device: string | null
  readonly kind: DeviceKind
  /** Samples that begin on the date. */
  count: number
  readonly runs: Run[]
  /** Parts of samples that began on the date before. */
  readonly tails: { readonly method: HrvMethod | null; readonly part: Part }[]
}

/** A local date with the sources that have samples of it, as a day number. */
export interface LocalDay {
  readonly day: number
  readonly sources: readonly SourceDay[]
}

/** A local date may begin and end a UTC day before or after the UTC date of its name. */
const REACH_DAYS = 2

interface LocalDaysOptions {
  /** Whether a moment stands until the next one. */
  readonly isRate: boolean
  /** Of stages of sleep, which belong to the date of waking as a whole. */
  readonly wakingDay: WakingDay | undefined
}

/** Collects stored days in their order, and gives local dates back as soon as they are complete. */
export class LocalDays {
  readonly #clock: LocalClock
  readonly #isRate: boolean
  readonly #wakingDay: WakingDay | undefined
  readonly #days = new Map<number, Map<string, SourceDay>>()
  /** The newest stored day of each source and method. */
  readonly #newest = new Map<string, Stored>()

  constructor(clock: LocalClock, { isRate, wakingDay }: LocalDaysOptions) {
    this.#clock = clock
    this.#isRate = isRate
    this.#wakingDay = wakingDay
  }

  add({ provider, device, kind, method, samples: columns }: SeriesDay): void {
    const stored = this.#follow(`${provider} ${device ?? ""} ${method ?? ""}`, columns)
    let run: Run | undefined
    let runDay = Number.NaN
    let runEndMs = 0
    let of: SourceDay | undefined
    for (let index = 0; index < columns.count; index += 1) {
      const atMs = columns.atMs[index] ?? 0
      const own = ownOffsetMs(columns, index)
      const wakingDay = this.#wakingDay?.(provider, atMs, columns.durationsMs?.[index] ?? 0)
      const day = wakingDay ?? Math.floor((atMs + (own ?? this.#clock.offsetAt(atMs))) / DAY_MS)
      if (!run || !of || day !== runDay) {
        of = this.#sourceDay(day, { provider, device, kind })
        run = { method, stored, first: index, last: index }
        of.runs.push(run)
        runDay = day
        runEndMs = this.#clock.midnightOf(day + 1)
      }
      run.last = index
      of.count += 1
      const untilMs = atMs + this.#lengthOf(stored, index)
      const endMs = this.#endOf(columns, index, own === undefined ? runEndMs : (day + 1) * DAY_MS - own)
      if (untilMs <= endMs || wakingDay !== undefined) continue
      const whole = { atMs, durationMs: columns.durationsMs?.[index] ?? 0, value: columns.values[index] ?? 0 }
      for (const part of this.#tailsOf(whole, { untilMs, day, own })) {
        this.#sourceDay(part.day, { provider, device, kind }).tails.push({ method, part })
        if (index === columns.count - 1 && whole.durationMs === 0) stored.tail = part
      }
    }
  }

  /** When the date of a sample ends. A count of a local day on which clocks went back is of its date until its own end. */
  #endOf({ atMs, durationsMs }: SampleColumns, index: number, midnightMs: number): number {
    const [startMs = 0, durationMs = 0] = [atMs[index], durationsMs?.[index]]
    return isOfLongDay(startMs, durationMs, DAY_MS - (midnightMs % DAY_MS)) ? startMs + durationMs : midnightMs
  }

  /** A moment at the end of the stored day before stands until this one begins. */
  #follow(name: string, columns: SampleColumns): Stored {
    const [stored, previous] = [{ columns, nextMs: Number.POSITIVE_INFINITY, tail: undefined }, this.#newest.get(name)]
    const [firstMs] = columns.atMs
    if (previous && firstMs !== undefined) {
      previous.nextMs = firstMs
      if (previous.tail) previous.tail.toMs = Math.min(previous.tail.toMs, firstMs)
    }
    this.#newest.set(name, stored)
    return stored
  }

  /** The time that a sample is for. */
  #lengthOf({ columns: { atMs, durationsMs, count }, nextMs }: Stored, index: number): number {
    const durationMs = durationsMs?.[index] ?? 0
    if (!this.#isRate) return durationMs
    const next = index + 1 < count ? (atMs[index + 1] ?? nextMs) : nextMs
    return standingMs(atMs[index] ?? 0, durationMs, next)
  }

  /** The parts of a sample that are in the dates after the one it begins on. The clock may change meanwhile. */
  *#tailsOf(
    whole: Pick<Part, "atMs" | "durationMs" | "value">,
    { untilMs, day, own }: { readonly untilMs: number; readonly day: number; readonly own: number | undefined },
  ): Generator<Part & { toMs: number }> {
    const midnightOf = (next: number) => (own === undefined ? this.#clock.midnightOf(next) : next * DAY_MS - own)
    for (let next = day + 1; midnightOf(next) < untilMs; next += 1) {
      const fromMs = Math.max(whole.atMs, midnightOf(next))
      const toMs = Math.min(untilMs, midnightOf(next + 1))
      yield { ...whole, day: next, fromMs, toMs, offsetMs: own ?? this.#clock.offsetAt(fromMs) }
    }
  }

  /** The dates that no later UTC day adds to, oldest first. @param utcDay the day number of the next stored day */
  *takeBefore(utcDay: number): Generator<LocalDay, void> {
    const complete = [...this.#days.keys()]
      .filter((day) => day + REACH_DAYS <= utcDay)
      .sort((one, other) => one - other)
    for (const day of complete) {
      const sources = this.#days.get(day)
      this.#days.delete(day)
      if (sources) yield { day, sources: [...sources.values()].filter(isOfDate) }
    }
  }

  /**
   * Visits the parts of a source's samples on a date, in the order of their times. A part is valid during its visit only, because ten years
   * have a million of them.
   */
  visitParts(day: number, { runs, tails }: SourceDay, visit: (method: HrvMethod | null, part: Part) => void): void {
    for (const { method, part } of tails) visit(method, part)
    const part = { day, atMs: 0, durationMs: 0, value: 0, fromMs: 0, toMs: 0, offsetMs: 0 }
    const endMs = this.#clock.midnightOf(day + 1)
    for (const { method, stored, first, last } of runs) {
      const { columns } = stored
      for (let index = first; index <= last; index += 1) {
        part.atMs = columns.atMs[index] ?? 0
        part.durationMs = columns.durationsMs?.[index] ?? 0
        part.value = columns.values[index] ?? 0
        part.fromMs = part.atMs
        const own = ownOffsetMs(columns, index)
        part.offsetMs = own ?? this.#clock.offsetAt(part.atMs)
        const untilMs = part.atMs + this.#lengthOf(stored, index)
        part.toMs = Math.min(untilMs, this.#endOf(columns, index, own === undefined ? endMs : (day + 1) * DAY_MS - own))
        visit(method, part)
      }
    }
  }

  #sourceDay(day: number, { provider, device, kind }: Pick<SourceDay, "provider" | "device" | "kind">): SourceDay {
    const sources = this.#days.getOrInsertComputed(day, () => new Map<string, SourceDay>())
    return sources.getOrInsertComputed(`${provider} ${device ?? ""}`, () => ({
      provider,
      device,
      kind,
      count: 0,
      runs: [],
      tails: [],
    }))
  }
}

/** A moment of the evening before that stands beyond midnight makes no source of the date. */
const isOfDate = ({ count, tails }: SourceDay): boolean => count > 0 || tails.some(({ part }) => part.durationMs > 0)

/** The offset that came with the sample. */
function ownOffsetMs({ utcOffsetMinutes }: SampleColumns, index: number): number | undefined {
  const own = utcOffsetMinutes?.[index] ?? NO_OFFSET
  return own === NO_OFFSET ? undefined : own * MINUTE_MS
}

/**
 * The source that answers a date: the first in the order with samples that begin on it. Of several devices of one provider, the one with
 * the most of them, and an app that copies another source's only where no device has any. Nothing is added up over sources or devices.
 * @param providers in the person's order
 */
export function answeringSource(sources: readonly SourceDay[], providers: readonly string[]): SourceDay | undefined {
  const place = ({ provider }: SourceDay): number => {
    const index = providers.indexOf(provider)
    return index < 0 ? providers.length : index
  }
  return sources.toSorted(
    (one, other) =>
      Number(other.count > 0) - Number(one.count > 0) ||
      place(one) - place(other) ||
      Number(one.kind === "copy") - Number(other.kind === "copy") ||
      other.count - one.count ||
      ((one.device ?? "") < (other.device ?? "") ? -1 : 1),
  )[0]
}

/** The devices of the answering source whose counts are added up on a date. Their stored pieces count nothing twice. */
export function countingSources(sources: readonly SourceDay[], providers: readonly string[]): readonly SourceDay[] {
  const answering = answeringSource(sources, providers)
  const devices = sources
    .filter(({ provider }) => provider === answering?.provider)
    .map((source) => ({ name: source.device ?? "", kind: source.kind, source }))
  return countingDevices(devices).map(({ source }) => source)
}

/**
 * The person's clock at an instant: that of the last sleep that had ended, or workout that had begun. Before the first, that of the first.
 */
export class LocalClock {
  readonly #changes: readonly ClockChange[]
  /** The time of the last answer's clock, and its offset. Most instants are asked for in about their order. */
  #fromMs = Number.POSITIVE_INFINITY
  #untilMs = Number.POSITIVE_INFINITY
  #offsetMs = 0

  /** @param changes oldest first, at least one */
  constructor(changes: readonly ClockChange[]) {
    this.#changes = changes
  }

  /** Milliseconds east of UTC. */
  offsetAt(atMs: number): number {
    if (atMs < this.#fromMs || atMs >= this.#untilMs) this.#find(atMs)
    return this.#offsetMs
  }

  #find(atMs: number): void {
    const index = Math.max(
      0,
      this.#changes.findLastIndex((change) => change.atMs <= atMs),
    )
    const change = this.#changes[index]
    this.#fromMs = index === 0 ? Number.NEGATIVE_INFINITY : (change?.atMs ?? 0)
    this.#untilMs = this.#changes[index + 1]?.atMs ?? Number.POSITIVE_INFINITY
    this.#offsetMs = (change?.minutes ?? 0) * MINUTE_MS
  }

  /** Midnight of a date on the clock that the person has when it begins. @param date YYYY-MM-DD */
  midnight(date: string): number {
    const day = dayOf(date)
    return day * DAY_MS - this.offsetAt(this.midnightOf(day))
  }

  /** Midnight of a date on the clock of its values: on the person's, unless that is another one all day. @param offsetMs of a value */
  startOf(day: number, offsetMs: number): number {
    const ends = [this.midnightOf(day), this.midnightOf(day + 1) - 1]
    return ends.some((atMs) => this.offsetAt(atMs) === offsetMs) ? this.midnight(dateOf(day)) : day * DAY_MS - offsetMs
  }

  /** The instant at which the date of a day number begins. Who flies east over midnight has none: the date begins with the new clock. */
  midnightOf(day: number): number {
    const utcMs = day * DAY_MS
    const nearMs = utcMs - this.offsetAt(utcMs)
    const offsetMs = this.offsetAt(nearMs)
    const midnightMs = utcMs - offsetMs
    if (this.offsetAt(midnightMs) === offsetMs) return midnightMs
    this.offsetAt(Math.max(nearMs, midnightMs))
    return this.#fromMs
  }

  /** The day number of the local date at an instant. */
  dayAt(atMs: number): number {
    return Math.floor((atMs + this.offsetAt(atMs)) / DAY_MS)
  }
}
