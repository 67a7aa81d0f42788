// All rows of a collector, in a few bytes each, and the records that are derived from them.

import type { HrvMethod } from "@restwell/client"
import { addDays, utcDateOf } from "@restwell/client/calendar-dates"
import { DAY_MS, HOUR_MS } from "@restwell/client/time-units"
import type { ArchivedRecord } from "../archive/archive-items.ts"
import { isOfStrava } from "../contract/records.ts"
import type { Sample, SampleSet } from "../contract/series.ts"
import { DEVICE_KINDS, type DeviceKind } from "../contract/series.ts"
import { CountSweep, DayCounts, partOf } from "../normalize/counts.ts"
import { isPlausibleInstant } from "../normalize/plausible.ts"
import {
  type CollectedWorkout,
  type DeviceMean,
  type DeviceValue,
  RecordMaker,
  type RecoveryFigures,
} from "./normalize.ts"
import {
  type CollectedRow,
  deviceKindOf,
  RowColumns,
  type RowSpan,
  type RowType,
  rowFault,
  SERIES_OF_ROWS,
} from "./rows.ts"
import { SharedSpans } from "./shared-spans.ts"
import {
  type ChosenSleep,
  chooseSleeps,
  type NightOfDate,
  nightsByDate,
  type SleepSession,
  sessionsOf,
} from "./sleep.ts"
import { Zones } from "./zones.ts"

/** Two devices recorded one workout when they share this part of the shorter one. */
const SHARED_PART = 0.6
/** A night's figure may be dated a little before its sleep. */
const BEFORE_SLEEP_MS = HOUR_MS
/** Without a sleep, a moment after 18:00 is of the night that follows. */
const EVENING_MS = 6 * HOUR_MS
/** More devices and apps than anyone has. */
const MOST_DEVICES = 500
/** More workouts that begin on one UTC day than anyone has. The first ones by rank count. */
const MOST_WORKOUTS = 100
/** Samples that are stored together. */
const ENOUGH_SAMPLES = 5_000
const COUNT_TYPES = [
  "steps",
  "active_energy",
  "distance",
  "floors",
  "exercise_minutes",
] as const satisfies readonly RowType[]

export interface CollectedOptions {
  /** Of the person, an IANA name. It counts where no row gives a zone. */
  readonly timeZone: string
  /** Decides which day is not over. */
  readonly now: Date
  /** Whether a night has a recovery without HRV and resting heart rate too, of what else was measured. @default false */
  readonly hasPartialRecoveries?: boolean
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

interface DeviceSample {
  readonly device: Device
  readonly sample: Sample
}

/** Takes rows in any order. */
export class CollectedRows {
  readonly zones: Zones
  readonly #devices = new Map<string, Device>()
  readonly #workouts: CollectedWorkout[] = []
  readonly #sessions: SleepSession[] = []
  readonly #ordered = new Map<RowType, readonly DeviceRows[]>()
  readonly #maker: RecordMaker

  constructor({ timeZone, now, hasPartialRecoveries = false }: CollectedOptions) {
    this.zones = new Zones(timeZone)
    this.#maker = new RecordMaker({ zones: this.zones, now, hasPartialRecoveries })
  }

  /** @param model what the device says it is: `Watch` or `iPhone` @returns why the row is ignored, if it is */
  add({ type, device, ...row }: CollectedRow, model = ""): string | undefined {
    const fault = rowFault(type, row)
    if (fault !== undefined) return fault
    const found = this.#deviceOf(device, model)
    if (!found) return `more than ${MOST_DEVICES} devices and apps`
    const rows = found.rows.getOrInsertComputed(type, () => {
      this.#ordered.delete(type)
      return new RowColumns()
    })
    rows.add(row)
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
    const longest = longestOf(sleeps)
    for (const sleep of sleeps) {
      if (!isWanted(sleep.date)) continue
      const isMain = longest.get(sleep.date) === sleep
      const { device } = sleep
      const breaths = this.#meanWithin("respiratory_rate", { device, parts: [sleep] })
      yield this.#maker.sleep(sleep, { isMain, respiratoryRate: breaths?.value })
    }
    const nights = nightsByDate(sleeps)
    for (const date of this.#datesOf(["resting_heart_rate"], nights.keys()).filter(isWanted)) {
      const recovery = this.#maker.recovery(date, this.#recoveryOf(date, nights), nights.get(date))
      if (recovery) yield recovery
    }
    yield* this.#days(isWanted)
    for (const workout of this.workouts())
      if (isWanted(this.zones.dateAt(workout.startMs, workout.device))) yield this.#maker.workout(workout)
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
        for (const shift of [-1, 0, 1, 2]) dates.add(utcDateOf(new Date((day + shift) * DAY_MS)))
    return [...dates].sort()
  }

  #recoveryOf(date: string, nights: ReadonlyMap<string, NightOfDate>): RecoveryFigures {
    const night = nights.get(date)
    const hrvOf = (type: RowType, method: HrvMethod) => {
      const mean = night && this.#meanWithin(type, night)
      return mean && { ...mean, method }
    }
    const dateOfNight = (atMs: number) => this.#dateOfNight(atMs, date, nights)
    return {
      hrv: hrvOf("hrv_rmssd", "rmssd") ?? hrvOf("hrv_sdnn", "sdnn"),
      restingHeartRate: this.#lastOf("resting_heart_rate", date),
      spo2: night && this.#meanWithin("spo2", night),
      skinTempCelsius: this.#lastOf("skin_temperature", date, dateOfNight),
      skinTempDeviationCelsius: this.#lastOf("skin_temperature_deviation", date, dateOfNight),
    }
  }

  /** Mean of the values that begin within the parts of a night, of its own device if that has some, else of the one with most of them. */
  #meanWithin(type: RowType, { device, parts }: Pick<NightOfDate, "device" | "parts">): DeviceMean | undefined {
    const found = this.#devicesWith(type).flatMap(({ name, rows }) => {
      const values = parts.flatMap(({ startMs, endMs }) => rows.valuesFrom(startMs, endMs))
      return values.length > 0 ? [{ device: name, values }] : []
    })
    const own = found.find((each) => each.device === device)
    const best = own ?? found.toSorted((one, other) => other.values.length - one.values.length)[0]
    if (!best) return undefined
    const count = best.values.length
    return { device: best.device, value: best.values.reduce((sum, each) => sum + each, 0) / count, count }
  }

  /** The date of waking after a moment. Some programs date what is of a night at falling asleep, which is the evening before. */
  #dateOfNight(atMs: number, date: string, nights: ReadonlyMap<string, NightOfDate>): string {
    const found = [date, addDays(date, 1)].find((day) => {
      const night = nights.get(day)
      return night && atMs >= night.startMs - BEFORE_SLEEP_MS && atMs <= night.endMs
    })
    return found ?? this.zones.dateAt(atMs + EVENING_MS)
  }

  /** The value of a date that ends last. Its date is that of its middle: a figure of a day may end after midnight. */
  #lastOf(type: RowType, date: string, dateOf = (atMs: number) => this.zones.dateAt(atMs)): DeviceValue | undefined {
    const [fromMs, toMs] = [this.zones.midnightOf(date) - DAY_MS, this.zones.midnightOf(addDays(date, 1))]
    for (const { name, rows } of this.#devicesWith(type)) {
      const within = [...rows.within(fromMs, toMs)].filter(
        ({ startMs, endMs }) => dateOf((startMs + endMs) / 2) === date,
      )
      const last = within.toSorted((one, other) => other.endMs - one.endMs || other.value - one.value)[0]
      if (last) return { device: name, value: last.value }
    }
    return undefined
  }

  /** The days on which something was counted. */
  *#days(isWanted: (date: string) => boolean): Generator<ArchivedRecord, void> {
    const [steps, active, resting, distance] = [
      this.#countsOf("steps"),
      this.#countsOf("active_energy"),
      this.#countsOf("resting_energy"),
      this.#countsOf("distance"),
    ]
    const dates = new Set([steps, active, distance].flatMap((counts) => counts.dates))
    for (const date of [...dates].filter(isWanted).toSorted()) {
      const figures = {
        steps: steps.of(date),
        active: active.of(date),
        resting: resting.of(date),
        distance: distance.of(date),
        total: undefined,
      }
      const day = this.#maker.day(date, figures)
      if (day) yield day
    }
  }

  /** What was counted by date. */
  #countsOf(type: RowType): DayCounts<Device> {
    const [sweep, counts] = [new CountSweep<Device>(), new DayCounts<Device>()]
    for (const rows of this.#rowsByDay(type))
      for (const { device, sample } of rows.toSorted((one, other) => one.sample.atMs - other.sample.atMs))
        counts.add(sweep.add(device, sample))
    counts.add(sweep.rest())
    return counts
  }

  /** The samples that begin on each UTC day. Of equal rows there is one. */
  *#rowsByDay(type: RowType): Generator<readonly DeviceSample[], void> {
    const devices = [...this.#devices.values()].flatMap((device) => {
      const rows = device.rows.get(type)
      return rows ? [{ device, rows }] : []
    })
    const days = new Set(devices.flatMap(({ rows }) => [...rows.days]))
    let later: DeviceSample[] = []
    for (const day of [...days].toSorted((one, other) => one - other)) {
      const [fromMs, toMs] = [day * DAY_MS, (day + 1) * DAY_MS]
      const isLater = ({ sample }: DeviceSample) => sample.atMs >= toMs
      const ofDay = later.filter((each) => !isLater(each))
      later = later.filter(isLater)
      for (const { device, rows } of devices)
        if (rows.days.has(day))
          for (const row of rows.within(fromMs, toMs))
            if (row.startMs >= fromMs)
              for (const sample of this.#samplesOf(row)) (sample.atMs < toMs ? ofDay : later).push({ device, sample })
      yield ofDay
    }
    yield later
  }

  /** A row as a sample with the offset of its own moment. Where clocks or zones change within a long row, it is one sample of each offset. */
  #samplesOf({ startMs, endMs, value, utcOffsetMinutes }: RowSpan): Sample[] {
    const sample = {
      atMs: startMs,
      value,
      ...(endMs > startMs && { durationMs: endMs - startMs }),
      utcOffsetMinutes: utcOffsetMinutes ?? this.zones.offsetAt(startMs),
    }
    const changeMs =
      utcOffsetMinutes === undefined && endMs - startMs >= HOUR_MS ? this.zones.changeWithin(startMs, endMs) : undefined
    if (changeMs === undefined) return [sample]
    const changed = { ...sample, utcOffsetMinutes: this.zones.offsetAt(changeMs) }
    return [partOf(sample, startMs, changeMs), partOf(changed, changeMs, endMs)]
  }

  /** The samples of what is counted, some whole UTC days at a time. */
  *samples(): Generator<SampleSet, void> {
    for (const type of COUNT_TYPES) {
      const series = SERIES_OF_ROWS[type]
      if (!series) continue
      const setOf = ({ name, kind }: Device, samples: readonly Sample[]) => ({
        ...series,
        ...(name && { device: name }),
        kind,
        samples,
      })
      const gathered = new Map<Device, Sample[]>()
      for (const rows of this.#rowsByDay(type)) {
        for (const { device, sample } of rows) gathered.getOrInsertComputed(device, () => []).push(sample)
        for (const [device, samples] of gathered) {
          if (samples.length < ENOUGH_SAMPLES) continue
          yield setOf(device, samples)
          gathered.delete(device)
        }
      }
      for (const [device, samples] of gathered) yield setOf(device, samples)
    }
  }
}

/** The longest main sleep of each date, whose id is the date. */
function longestOf(sleeps: readonly ChosenSleep[]): Map<string, ChosenSleep> {
  const longest = new Map<string, ChosenSleep>()
  for (const sleep of sleeps) {
    if (sleep.isNap) continue
    const other = longest.get(sleep.date)
    if (!other || sleep.endMs - sleep.startMs > other.endMs - other.startMs) longest.set(sleep.date, sleep)
  }
  return longest
}
