// Which UTC offset a moment has. Archives give one for some days, and the person's time zone says when clocks change.
import { addDays, utcDateOf } from "@restwell/client/calendar-dates"
import { plural } from "@restwell/client/figures"
import { DAY_MS, MINUTE_MS } from "@restwell/client/time-units"
import { offsetInZone } from "../normalize/derive.ts"

/** A day without an offset has that of the nearest day at most this far. */
const NEAREST_DAYS = 3

interface DayOffset {
  readonly minutes: number
  readonly startMs: number
}

/** Offsets by day. */
export class Offsets {
  readonly #days = new Map<string, DayOffset>()
  readonly #timeZone: string
  readonly #guessed = new Set<string>()

  /** @param timeZone of the person, an IANA name */
  constructor(timeZone: string) {
    this.#timeZone = timeZone
  }

  /** Adds a day. Of doubled ones the first by its start counts, so that their order does not matter. */
  add(date: string, minutes: number, start: Date): void {
    const other = this.#days.get(date)
    if (!other || start.getTime() < other.startMs) this.#days.set(date, { minutes, startMs: start.getTime() })
  }

  /** Says how many dates have only the offset of the person's time zone. Undefined without any. */
  get note(): string | undefined {
    const { size } = this.#guessed
    if (size === 0) return undefined
    return `The archive has no UTC offset for ${plural(size, "date")}: your time zone, ${this.#timeZone}, was used`
  }

  /** Returns the instant of a local time. @param local the time as if the clock that showed it were UTC's */
  instantOf(local: Date): Date {
    const date = utcDateOf(local)
    // The second look sees clocks that change between the local time and the same time in UTC.
    const [near = 0] = this.of(date, [local])
    const [minutes = 0] = this.of(date, [new Date(local.getTime() - near * MINUTE_MS)])
    return new Date(local.getTime() - minutes * MINUTE_MS)
  }

  /**
   * Returns the offset of each moment of a record, minutes east of UTC. Clocks that change within a day do so by the person's time zone,
   * if that has the day's offset before or after.
   */
  of(date: string, moments: readonly Date[]): readonly number[] {
    const day = this.#nearest(date)
    if (!day) {
      this.#guessed.add(date)
      return moments.map((moment) => this.#inZone(moment.getTime()))
    }
    const hasZone = [day.startMs, day.startMs + DAY_MS].some((ms) => this.#inZone(ms) === day.minutes)
    return moments.map((moment) => (hasZone ? this.#inZone(moment.getTime()) : day.minutes))
  }

  #nearest(date: string): DayOffset | undefined {
    for (let distance = 0; distance <= NEAREST_DAYS; distance += 1) {
      const found = this.#days.get(addDays(date, -distance)) ?? this.#days.get(addDays(date, distance))
      if (found) return found
    }
    return undefined
  }

  #inZone(ms: number): number {
    return offsetInZone(ms, this.#timeZone)
  }
}
