// All rows of a collector, in a few bytes each, and the records that are derived from them.
import type { HrvMethod } from "@restwell/client"
import type { ArchivedRecord } from "../archive/archive-items.ts"
import { isOfStrava } from "../contract/records.ts"
import { isPlausibleInstant } from "../normalize/plausible.ts"
import { Cover } from "./cover.ts"
import {
  type CollectedWorkout,
  type DeviceMean,
  type DeviceValue,
  nextDate,
  RecordMaker,
  type RecoveryFigures,
} from "./normalize.ts"
import {
  type CollectedRow,
  DAY_MS,
  DEVICE_KINDS,
  type DeviceKind,
  deviceKindOf,
  RowColumns,
  type RowType,
} from "./rows.ts"
import { SharedSpans } from "./shared-spans.ts"
import { type ChosenSleep, chooseSleeps, type SleepSession, sessionsOf } from "./sleep.ts"
import { Zones } from "./zones.ts"

/** Two devices recorded one workout when they share this part of the shorter one. */
const SHARED_PART = 0.6
/** A night's figure may be dated a little before its sleep. */
const BEFORE_SLEEP_MS = 3_600_000
/** Without a sleep, a moment after 18:00 is of the night that follows. */
const EVENING_MS = 6 * 3_600_000
/** More devices and apps than anyone has. */
const MOST_DEVICES = 500
/** More workouts that begin on one UTC day than anyone has. The first ones by rank count. */
const MOST_WORKOUTS = 100

export interface CollectedOptions {
  /** The source of the records. */
  readonly provider: string
  /** Of the person, an IANA name. It counts where no row gives a zone. */
  readonly timeZone: string
  /** Decides which day is not over. */
  readonly now: Date
}

interface DeviceRows {
  readonly name: string
  readonly kind: DeviceKind
  readonly rows: RowColumns
}

interface Device {
  readonly name: string
  kind: DeviceKind
  readonly rows: Map<RowType, RowColumns>
}

/** Takes rows in any order. */
export class CollectedRows {
  readonly zones: Zones
  readonly #devices = new Map<string, Device>()
  readonly #workouts: CollectedWorkout[] = []
  readonly #sessions: SleepSession[] = []
  readonly #ordered = new Map<RowType, readonly DeviceRows[]>()
  readonly #maker: RecordMaker

  constructor({ provider, timeZone, now }: CollectedOptions) {
    this.zones = new Zones(timeZone)
    this.#maker = new RecordMaker({ provider, zones: this.zones, now })
  }

  /** @param model what the device says it is: `Watch` or `iPhone` @returns why the row is ignored, if it is */
  add({ type, device, startMs, endMs, value }: CollectedRow, model = ""): string | undefined {
    const lengthMs = endMs - startMs
    if (!isPlausibleInstant(new Date(startMs))) return "not an instant of this century"
    if (!(lengthMs >= 0 && lengthMs <= DAY_MS)) return lengthMs < 0 ? "an end before the start" : "longer than a day"
    if (!Number.isFinite(value) || (value < 0 && type !== "skin_temperature")) return "no value"
    const found = this.#deviceOf(device, model)
    if (!found) return `more than ${MOST_DEVICES} devices and apps`
    const rows = found.rows.getOrInsertComputed(type, () => {
      this.#ordered.delete(type)
      return new RowColumns()
    })
    rows.add(startMs, endMs, value)
    return undefined
  }

  /** Adds a sleep of which a collector knows the sums alone. */
  addSession(session: SleepSession): void {
    this.#sessions.push(session)
  }

  /** @returns why the workout is ignored, if it is */
  addWorkout(workout: CollectedWorkout, model = ""): string | undefined {
    if (!(workout.endMs >= workout.startMs)) return "an end before the start"
    if (!isPlausibleInstant(new Date(workout.startMs))) return "not an instant of this century"
    if (!this.#deviceOf(workout.device, model)) return `more than ${MOST_DEVICES} devices and apps`
    this.#workouts.push(workout)
    return undefined
  }

  /** Every device and app that wrote a row. */
  get devices(): readonly { readonly name: string; readonly kind: DeviceKind }[] {
    return [...this.#devices.values()]
  }

  /**
   * Yields all records, oldest first of each kind. Workouts that another device recorded too are left out.
   * @param only the records of this local date, YYYY-MM-DD
   */
  *records(only?: string): Generator<ArchivedRecord, void> {
    const isWanted = (date: string) => only === undefined || date === only
    const sleeps = chooseSleeps(
      [
        ...this.#devicesWith("sleep").flatMap(({ name, kind, rows }) => sessionsOf(name, kind, rows)),
        ...this.#sessions,
      ],
      this.zones,
    )
    const main = mainOf(sleeps)
    for (const sleep of sleeps) {
      if (!isWanted(sleep.date)) continue
      const isMain = main.get(sleep.date) === sleep
      yield this.#maker.sleep(sleep, { isMain, respiratoryRate: this.#meanWithin("respiratory_rate", sleep)?.value })
    }
    for (const date of this.#datesOf(["resting_heart_rate"], main.keys()).filter(isWanted)) {
      const sleep = main.get(date)
      const recovery = this.#maker.recovery(date, this.#recoveryOf(date, main), sleep)
      if (recovery) yield recovery
    }
    for (const date of this.#datesOf(["steps", "active_energy", "distance"]).filter(isWanted)) {
      const day = this.#dayOf(date)
      if (day) yield day
    }
    for (const workout of this.workouts())
      if (isWanted(this.zones.dateAt(workout.startMs))) yield this.#maker.workout(workout)
  }

  /** One of each workout: of several devices the first by its kind, then the one with most figures, the longest, by name. */
  workouts(): readonly CollectedWorkout[] {
    const figures = (workout: CollectedWorkout) => Object.values(workout).filter((value) => value !== undefined).length
    const length = ({ startMs, endMs }: CollectedWorkout) => endMs - startMs
    const kind = ({ device }: CollectedWorkout) => DEVICE_KINDS.indexOf(this.#devices.get(device)?.kind ?? "app")
    const ranked = this.#workouts.toSorted(
      (one, other) =>
        kind(one) - kind(other) ||
        figures(other) - figures(one) ||
        length(other) - length(one) ||
        one.startMs - other.startMs ||
        (one.device < other.device ? -1 : 1),
    )
    const shared = new SharedSpans(SHARED_PART, ranked)
    const counts = new Map<number, number>()
    const chosen: CollectedWorkout[] = []
    for (const workout of ranked) {
      const day = Math.floor(workout.startMs / DAY_MS)
      const count = counts.get(day) ?? 0
      if (count >= MOST_WORKOUTS || shared.has(workout)) continue
      counts.set(day, count + 1)
      shared.add(workout)
      chosen.push(workout)
    }
    return chosen.sort((one, other) => one.startMs - other.startMs)
  }

  #deviceOf(name: string, model: string): Device | undefined {
    const found = this.#devices.get(name)
    if (found) {
      if (found.kind === "app" && model !== "") {
        found.kind = deviceKindOf(name, model)
        this.#ordered.clear()
      }
      return found
    }
    if (this.#devices.size >= MOST_DEVICES) return undefined
    const device = { name, kind: deviceKindOf(name, model), rows: new Map<RowType, RowColumns>() }
    this.#devices.set(name, device)
    return device
  }

  /** In the order in which devices count. */
  #devicesWith(type: RowType): readonly DeviceRows[] {
    return this.#ordered.getOrInsertComputed(type, () => this.#orderDevices(type))
  }

  #orderDevices(type: RowType): readonly DeviceRows[] {
    return [...this.#devices.values()]
      .flatMap(({ name, kind, rows }) => {
        const found = rows.get(type)
        return found && !isOfStrava(name) ? [{ name, kind, rows: found }] : []
      })
      .sort(
        (one, other) =>
          DEVICE_KINDS.indexOf(one.kind) - DEVICE_KINDS.indexOf(other.kind) || (one.name < other.name ? -1 : 1),
      )
  }

  /** Local dates on which rows of some types may be, and others, in order. */
  #datesOf(types: readonly RowType[], others: Iterable<string> = []): string[] {
    const dates = new Set(others)
    for (const { rows } of types.flatMap((type) => this.#devicesWith(type)))
      for (const day of rows.days)
        for (const shift of [-1, 0, 1, 2]) dates.add(new Date((day + shift) * DAY_MS).toISOString().slice(0, 10))
    return [...dates].sort()
  }

  #recoveryOf(date: string, main: ReadonlyMap<string, ChosenSleep>): RecoveryFigures {
    const sleep = main.get(date)
    const hrvOf = (type: RowType, method: HrvMethod) => {
      const mean = sleep && this.#meanWithin(type, sleep)
      return mean && { ...mean, method }
    }
    return {
      hrv: hrvOf("hrv_rmssd", "rmssd") ?? hrvOf("hrv_sdnn", "sdnn"),
      restingHeartRate: this.#lastOf("resting_heart_rate", date),
      spo2: sleep && this.#meanWithin("spo2", sleep),
      skinTempCelsius: this.#lastOf("skin_temperature", date, (atMs) => this.#nightOf(atMs, date, main)),
    }
  }

  /** Mean of the values that begin within a sleep, of its own device if that has some, else of the one with most of them. */
  #meanWithin(type: RowType, { device, startMs, endMs }: ChosenSleep): DeviceMean | undefined {
    const found = this.#devicesWith(type).flatMap(({ name, rows }) => {
      const values = rows.valuesFrom(startMs, endMs)
      return values.length > 0 ? [{ device: name, values }] : []
    })
    const own = found.find((each) => each.device === device)
    const best = own ?? found.toSorted((one, other) => other.values.length - one.values.length)[0]
    if (!best) return undefined
    const count = best.values.length
    return { device: best.device, value: best.values.reduce((sum, each) => sum + each, 0) / count, count }
  }

  /** The date of waking after a moment. Some programs date what is of a night at falling asleep, which is the evening before. */
  #nightOf(atMs: number, date: string, main: ReadonlyMap<string, ChosenSleep>): string {
    const found = [date, nextDate(date)].find((day) => {
      const sleep = main.get(day)
      return sleep && atMs >= sleep.startMs - BEFORE_SLEEP_MS && atMs <= sleep.endMs
    })
    return found ?? this.zones.dateAt(atMs + EVENING_MS)
  }

  /** The value of a date that ends last. Its date is that of its middle: a figure of a day may end after midnight. */
  #lastOf(type: RowType, date: string, dateOf = (atMs: number) => this.zones.dateAt(atMs)): DeviceValue | undefined {
    const [fromMs, toMs] = [this.zones.midnightOf(date) - DAY_MS, this.zones.midnightOf(nextDate(date))]
    for (const { name, rows } of this.#devicesWith(type)) {
      const within = [...rows.within(fromMs, toMs)].filter(
        ({ startMs, endMs }) => dateOf((startMs + endMs) / 2) === date,
      )
      const last = within.toSorted((one, other) => other.endMs - one.endMs || other.value - one.value)[0]
      if (last) return { device: name, value: last.value }
    }
    return undefined
  }

  #dayOf(date: string): ArchivedRecord | undefined {
    const [fromMs, toMs] = [this.zones.midnightOf(date), this.zones.midnightOf(nextDate(date))]
    const [steps, active, resting, distance] = (["steps", "active_energy", "resting_energy", "distance"] as const).map(
      (type) => this.#sumOf(type, fromMs, toMs),
    )
    return this.#maker.day(date, { steps, active, resting, distance })
  }

  /**
   * Adds up what was counted within a time. At each moment the first device that counted something answers, so no step counts twice. Rows of
   * apps that copy a vendor's count only where no device has any, and of one app alone.
   */
  #sumOf(type: RowType, fromMs: number, toMs: number): DeviceValue | undefined {
    const cover = new Cover()
    const sums: DeviceValue[] = []
    for (const { name, kind, rows } of this.#devicesWith(type)) {
      if (kind === "copy" && sums.length > 0) break
      const pieces = cover.take(rows.within(fromMs, toMs))
      let sum = 0
      for (const { startMs, endMs, value, wholeMs } of pieces) {
        const withinMs = Math.min(endMs, toMs) - Math.max(startMs, fromMs)
        sum += wholeMs === 0 ? value : (value * Math.max(0, withinMs)) / wholeMs
      }
      if (pieces.length > 0) sums.push({ device: name, value: sum })
    }
    const most = sums.toSorted((one, other) => other.value - one.value)[0]
    return most && { device: most.device, value: sums.reduce((sum, { value }) => sum + value, 0) }
  }
}

/** The longest night of each date. */
function mainOf(sleeps: readonly ChosenSleep[]): Map<string, ChosenSleep> {
  const main = new Map<string, ChosenSleep>()
  for (const sleep of sleeps) {
    if (sleep.isNap) continue
    const other = main.get(sleep.date)
    if (!other || sleep.endMs - sleep.startMs > other.endMs - other.startMs) main.set(sleep.date, sleep)
  }
  return main
}
