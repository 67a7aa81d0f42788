// The rows of Garmin's archive by date, because a recovery is made of rows of several files.
import { type ArchivedRecord, type ArchiveItem, recordItems, UnreadableArchive } from "../archive/archive-items.ts"
import { Offsets } from "../archive/offsets.ts"
import { localDateOf } from "../normalize/derive.ts"
import { samplesOfDays } from "./day-samples.ts"
import { type Day, dayOf, isBetterDay, lastOf } from "./day-times.ts"
import type { FitNights, NightTimes } from "./fit-nights.ts"
import {
  isBetterNight,
  isBetterReadiness,
  isBetterUptake,
  isBetterWeight,
  isNewerHeight,
  type Night,
  nightOf,
  normalizeDay,
  normalizeNaps,
  normalizeNight,
  normalizeProfile,
  normalizeRecovery,
  uptakeOf,
  weightOf,
} from "./normalize.ts"
import {
  type BodyRow,
  type DayRow,
  dateOf,
  type HealthRow,
  isLater,
  offsetBetween,
  type ReadinessRow,
  type SleepRow,
} from "./wire.ts"

/** More than anyone's history has in all files together. */
const MOST_ROWS = 300_000

const NO_NIGHT = "nights that were not measured: the watch was not worn, or it found no stages"
const NO_NAP = "naps without a start or an end"
const NO_DATA = "days without data"

/** Collects rows in any order. */
export class ArchiveDays {
  readonly offsets: Offsets
  readonly #nights = new Map<string, Night>()
  readonly #days = new Map<string, Day>()
  readonly #health = new Map<string, HealthRow>()
  readonly #readiness = new Map<string, ReadinessRow>()
  readonly #weights = new Map<string, BodyRow>()
  readonly #uptakes = new Map<string, BodyRow>()
  readonly #withNaps: SleepRow[] = []
  /** Dates of rows whose date has a better one. */
  readonly #doubles = { night: [] as string[], day: [] as string[] }
  #height: BodyRow | undefined
  #rows = 0

  constructor(timeZone: string) {
    this.offsets = new Offsets(timeZone)
  }

  /** @returns why the row is ignored, if it is */
  readonly addNight = (row: SleepRow): string | undefined => {
    this.#count()
    if (row.napList?.length) this.#withNaps.push(row)
    const night = nightOf(row)
    if (!night) return NO_NIGHT
    const reason = row.napList?.includes(null) ? NO_NAP : undefined
    const other = this.#nights.get(night.date)
    if (other) this.#doubles.night.push(night.date)
    if (!other || isBetterNight(night, other)) this.#nights.set(night.date, night)
    return reason
  }

  readonly addDay = (row: DayRow): string | undefined => {
    this.#count()
    const day = dayOf(row)
    if (!day) return NO_DATA
    const minutes = offsetBetween(row.wellnessStartTimeLocal, row.wellnessStartTimeGmt)
    if (minutes !== undefined && day.start) this.offsets.add(day.date, minutes, day.start)
    const other = this.#days.get(day.date)
    if (other) this.#doubles.day.push(day.date)
    if (!other || isBetterDay(day, other)) this.#days.set(day.date, day)
    return undefined
  }

  readonly addHealth = (row: HealthRow): undefined => {
    this.#count()
    const date = dateOf(row.calendarDate)
    const other = this.#health.get(date)
    if (!other || isLater(row.updateTimestampUTC, other.updateTimestampUTC)) this.#health.set(date, row)
  }

  readonly addReadiness = (row: ReadinessRow): undefined => {
    this.#count()
    const date = dateOf(row.calendarDate)
    if (isBetterReadiness(row, this.#readiness.get(date))) this.#readiness.set(date, row)
  }

  readonly addBody = (row: BodyRow): undefined => {
    this.#count()
    const date = dateOf(row.metaData.calendarDate)
    if (isBetterWeight(row, this.#weights.get(date))) this.#weights.set(date, row)
    if (isBetterUptake(row, this.#uptakes.get(date))) this.#uptakes.set(date, row)
    if (isNewerHeight(row, this.#height)) this.#height = row
  }

  /** Nights and naps, in the order of their starts. */
  sleeps(): NightTimes[] {
    const naps = this.#withNaps.flatMap((row) => normalizeNaps(row, this.offsets).map(({ record }) => record))
    return [
      ...this.#nights.values(),
      ...naps.map(({ startMs, endMs }) => ({ startedAt: new Date(startMs), endedAt: new Date(endMs) })),
    ].toSorted((one, other) => one.startedAt.getTime() - other.startedAt.getTime())
  }

  /** Yields all records, and samples of days and weights. */
  *items(fit: FitNights, now: Date): Generator<ArchiveItem, void> {
    for (const archived of this.#records(fit, now)) yield* recordItems(archived, `the row of ${archived.date}`)
    for (const set of samplesOfDays([...this.#days.values()], this.offsets))
      if (set.samples.length > 0) yield { type: "series", set, place: "a day" }
    for (const [type, rows, sampleOf] of [
      ["weight", this.#weights, weightOf],
      ["vo2max", this.#uptakes, uptakeOf],
    ] as const)
      for (const [date, row] of [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)))
        yield { type: "series", set: { type, samples: [sampleOf(row, this.offsets)] }, place: date }
    const newestWeight = [...this.#weights.keys()].toSorted().at(-1)
    const profile = normalizeProfile(this.#height, this.#weights.get(newestWeight ?? ""))
    const newest = [...this.#days.values()]
      .map(lastOf)
      .reduce((latest, last) => (last > latest ? last : latest), new Date(0))
    if (profile) yield { type: "profile", profile, at: newest }
  }

  *#records(fit: FitNights, now: Date): Generator<ArchivedRecord, void> {
    const { offsets } = this
    const nights = [...this.#nights.keys(), ...this.#doubles.night].flatMap((date) => this.#nights.get(date) ?? [])
    for (const night of nights)
      yield normalizeNight(night, { health: this.#health.get(night.date), course: fit.courseOf(night), offsets })
    for (const row of this.#withNaps) yield* normalizeNaps(row, offsets)
    const days = [...this.#days.keys(), ...this.#doubles.day].flatMap((date) => this.#days.get(date) ?? [])
    for (const day of days) yield normalizeDay(day, offsets, now)
    const dates = [this.#days, this.#health, this.#readiness, this.#nights].flatMap((rows) => [...rows.keys()])
    for (const date of new Set(dates)) {
      const night = this.#nights.get(date)
      const [offset = 0] = offsets.of(date, [now])
      const recovery = normalizeRecovery({
        date,
        night,
        day: this.#days.get(date)?.row,
        health: this.#health.get(date),
        readiness: this.#readiness.get(date),
        averageHrv: night && fit.averageHrvOf(night),
        offsets,
        today: localDateOf(now, offset),
      })
      if (recovery) yield recovery
    }
  }

  #count(): void {
    this.#rows += 1
    if (this.#rows > MOST_ROWS)
      throw new UnreadableArchive(`the archive has more than ${MOST_ROWS} rows of nights and days`)
  }
}
