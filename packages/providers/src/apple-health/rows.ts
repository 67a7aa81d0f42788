/**
 * Rows of a collector: Apple Health's export, or what a phone pushes. Each names the device or app that wrote it.
 *
 * `CollectedRows` (collected-rows.ts) takes them in any order, and derives nights, recoveries, days and workouts from all of them
 * together. The result depends on the set of rows alone. Doubled rows change nothing.
 * @module
 */

import type { SeriesType } from "@restwell/client"
import { DAY_MS } from "@restwell/client/time-units"
import type { DeviceKind } from "../contract/series.ts"
import { figureFault } from "../normalize/plausible.ts"
import { faultOf } from "../normalize/plausible-samples.ts"

/** Rows that records are derived from. Of `sleep` the value is an index in SLEEP_STAGES. */
export const ROW_TYPES = [
  "sleep",
  "hrv_rmssd",
  "hrv_sdnn",
  "resting_heart_rate",
  "respiratory_rate",
  "spo2",
  "skin_temperature",
  "skin_temperature_deviation",
  "steps",
  "active_energy",
  "resting_energy",
  "distance",
  "floors",
  "exercise_minutes",
] as const
export type RowType = (typeof ROW_TYPES)[number]

/** In the units of the series: percent of SpO2, kilocalories, metres, degrees Celsius. */
export interface CollectedRow {
  readonly type: RowType
  /** The device or app that wrote it: `deviceNameOf`. */
  readonly device: string
  /** Epoch milliseconds. */
  readonly startMs: number
  /** Equal to the start for a moment. */
  readonly endMs: number
  readonly value: number
  /** Minutes east of UTC at the start. @default that of the zone at that moment */
  readonly utcOffsetMinutes?: number
}

/** The series that has the rows of a type as samples, and its method. Sleep is stored with its nights. */
export const SERIES_OF_ROWS: Readonly<
  Partial<Record<RowType, { readonly type: SeriesType; readonly method?: "rmssd" | "sdnn" }>>
> = {
  hrv_rmssd: { type: "hrv", method: "rmssd" },
  hrv_sdnn: { type: "hrv", method: "sdnn" },
  respiratory_rate: { type: "respiratory_rate" },
  spo2: { type: "spo2" },
  skin_temperature: { type: "skin_temperature" },
  steps: { type: "steps" },
  active_energy: { type: "active_energy" },
  distance: { type: "distance" },
  floors: { type: "floors" },
  exercise_minutes: { type: "exercise_minutes" },
}

/** The type of samples whose units and limits a row has. */
export function seriesOf(
  type: Exclude<RowType, "sleep"> | Exclude<SeriesType, "sleep_stages">,
): Exclude<SeriesType, "sleep_stages"> {
  switch (type) {
    case "hrv_rmssd":
    case "hrv_sdnn":
      return "hrv"
    case "resting_heart_rate":
      return "heart_rate"
    case "resting_energy":
      return "active_energy"
    case "skin_temperature_deviation":
      return "skin_temperature"
    default:
      return type
  }
}

/** Returns why a row cannot be true, the same for every way in. Undefined where it can. */
export function rowFault(
  type: RowType | SeriesType,
  { startMs, endMs, value }: Pick<CollectedRow, "startMs" | "endMs" | "value">,
): string | undefined {
  if (endMs < startMs) return "an end before the start"
  if (type === "skin_temperature_deviation") return figureFault("recovery", "skinTempDeviationCelsius", { value })
  const limits = type === "sleep" || type === "sleep_stages" ? "sleep_stages" : seriesOf(type)
  const sample = { atMs: startMs, value, durationMs: endMs - startMs }
  return faultOf(limits, sample, Number.POSITIVE_INFINITY) ?? morningFault(type, value)
}

/** Returns why a value cannot be the figure of a morning, which a resting heart rate becomes as it is. */
export const morningFault = (type: string, value: number): string | undefined =>
  type === "resting_heart_rate" ? figureFault("recovery", "restingHeartRateBpm", { value }) : undefined

/** Apps that write copies of what their vendor's own archive or connection has, by source. Garmin's app is called Connect. */
const COPYING_APPS: readonly (readonly [source: string, app: RegExp])[] = [
  ["whoop", /whoop/i],
  ["oura", /\boura/i],
  ["garmin", /garmin|^connect$/i],
  ["google_health", /fitbit|google (?:health|fit)/i],
  ["withings", /withings|health ?mate/i],
  ["polar", /polar/i],
  ["ultrahuman", /ultrahuman/i],
  ["intervals", /intervals\.icu/i],
]
const WATCH = /watch|手表|手錶|часы/i
const PHONE = /iphone|\bipad|phone/i

/** The source that an app's rows are copies of. Undefined for a device, and for an app that measures. */
export const copiedSourceOf = (name: string): string | undefined => COPYING_APPS.find(([, app]) => app.test(name))?.[0]

/** @param model what the device itself says it is, where it does: `Watch` or `iPhone` */
export function deviceKindOf(name: string, model = ""): DeviceKind {
  if (copiedSourceOf(name) !== undefined) return "copy"
  if (WATCH.test(model) || WATCH.test(name)) return "watch"
  return PHONE.test(model) || PHONE.test(name) ? "phone" : "app"
}

/** Rows of one type and device in a few bytes each: a history has millions. */
export class RowColumns {
  #startMs = new Float64Array(FIRST_ROWS)
  #lengthMs = new Uint32Array(FIRST_ROWS)
  #values = new Float64Array(FIRST_ROWS)
  #offsets = new Int16Array(FIRST_ROWS).fill(NO_OFFSET)
  #count = 0
  #isSorted = true
  #longestMs = 0
  /** UTC days on which a row begins, since 1970. */
  readonly days = new Set<number>()

  get count(): number {
    return this.#count
  }

  add({ startMs, endMs, value, utcOffsetMinutes = NO_OFFSET }: Omit<CollectedRow, "type" | "device">): void {
    if (this.#count === this.#startMs.length) this.#grow()
    const index = this.#count
    const lengthMs = endMs - startMs
    this.#startMs[index] = startMs
    this.#lengthMs[index] = lengthMs
    this.#values[index] = value
    this.#offsets[index] = utcOffsetMinutes
    if (index > 0 && this.#compare(index - 1, index) > 0) this.#isSorted = false
    this.#longestMs = Math.max(this.#longestMs, lengthMs)
    this.days.add(Math.floor(startMs / DAY_MS))
    this.#count += 1
  }

  /** Yields the rows that have a part within a time, or are a moment in it, oldest first. Of equal rows it yields one. */
  *within(fromMs: number, toMs: number): Generator<RowSpan> {
    if (!this.#isSorted) this.#sort()
    let before: ValueSpan | undefined
    for (let index = this.#firstFrom(fromMs - this.#longestMs); index < this.#count; index += 1) {
      const startMs = this.startAt(index)
      if (startMs >= toMs) return
      const endMs = startMs + (this.#lengthMs[index] ?? 0)
      const offset = this.#offsets[index] ?? NO_OFFSET
      const utcOffsetMinutes = offset === NO_OFFSET ? undefined : offset
      const row = { startMs, endMs, value: this.#values[index] ?? 0, utcOffsetMinutes }
      const isEqual = before?.startMs === startMs && before.endMs === endMs && before.value === row.value
      before = row
      if (!isEqual && (endMs > fromMs || startMs >= fromMs)) yield row
    }
  }

  /** Values of the rows that begin within a time, oldest first. Of equal rows it has one. */
  valuesFrom(fromMs: number, toMs: number): number[] {
    if (!this.#isSorted) this.#sort()
    const values: number[] = []
    const first = this.#firstFrom(fromMs)
    for (let index = first; index < this.#count && this.startAt(index) < toMs; index += 1)
      if (index === first || this.#compare(index - 1, index) !== 0) values.push(this.#values[index] ?? 0)
    return values
  }

  startAt(index: number): number {
    return this.#startMs[index] ?? Number.POSITIVE_INFINITY
  }

  /** Index of the first row that begins at a time or later. */
  #firstFrom(ms: number): number {
    let [low, high] = [0, this.#count]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.startAt(middle) < ms) low = middle + 1
      else high = middle
    }
    return low
  }

  /** An order that has no equals but equal rows. */
  #compare(one: number, other: number): number {
    const byStart = this.startAt(one) - this.startAt(other)
    const byLength = (this.#lengthMs[one] ?? 0) - (this.#lengthMs[other] ?? 0)
    return byStart || byLength || (this.#values[one] ?? 0) - (this.#values[other] ?? 0)
  }

  #grow(): void {
    const length = this.#count * 2
    const [startMs, lengthMs, values] = [new Float64Array(length), new Uint32Array(length), new Float64Array(length)]
    const offsets = new Int16Array(length).fill(NO_OFFSET)
    offsets.set(this.#offsets)
    this.#offsets = offsets
    startMs.set(this.#startMs)
    lengthMs.set(this.#lengthMs)
    values.set(this.#values)
    this.#startMs = startMs
    this.#lengthMs = lengthMs
    this.#values = values
  }

  #sort(): void {
    const order = Uint32Array.from({ length: this.#count }, (_, index) => index)
    order.sort((one, other) => this.#compare(one, other))
    const [startMs, lengthMs, values, offsets] = [this.#startMs, this.#lengthMs, this.#values, this.#offsets]
    this.#startMs = Float64Array.from(order, (index) => startMs[index] ?? 0)
    this.#lengthMs = Uint32Array.from(order, (index) => lengthMs[index] ?? 0)
    this.#values = Float64Array.from(order, (index) => values[index] ?? 0)
    this.#offsets = Int16Array.from(order, (index) => offsets[index] ?? NO_OFFSET)
    this.#isSorted = true
  }
}

const FIRST_ROWS = 64
const NO_OFFSET = -32_768

/** A part of the time with a value. */
export interface ValueSpan {
  readonly startMs: number
  readonly endMs: number
  readonly value: number
}

export interface RowSpan extends ValueSpan {
  readonly utcOffsetMinutes: number | undefined
}
