/* One person's raw records, and how they refer to each other. */
import type { WireCycle, WireRecords, WireRecovery, WireSleep } from "@restwell/simulator"
import type { SeenClock } from "./days.ts"

export class Chart {
  readonly raw: WireRecords
  readonly #sleeps = new Map<string, WireSleep>()
  readonly #cycles = new Map<number, WireCycle>()
  readonly #nights = new Map<number, WireSleep>()
  #temperatures: readonly [WireRecovery, number][] | undefined

  constructor(raw: WireRecords) {
    this.raw = raw
    for (const cycle of raw.cycles) this.#cycles.set(cycle.id, cycle)
    for (const sleep of raw.sleeps) {
      this.#sleeps.set(sleep.id, sleep)
      const known = this.#nights.get(sleep.cycle_id)
      if (!sleep.nap && (!known || instantOf(sleep.start) < instantOf(known.start)))
        this.#nights.set(sleep.cycle_id, sleep)
    }
  }

  sleep(id: string): WireSleep | undefined {
    return this.#sleeps.get(id)
  }

  cycle(id: number): WireCycle | undefined {
    return this.#cycles.get(id)
  }

  /** The earliest sleep of a cycle that is no nap. */
  mainSleepOf(cycleId: number): WireSleep | undefined {
    return this.#nights.get(cycleId)
  }

  /** The time of a recovery: the start of its sleep, or else of its cycle, or else its creation. */
  momentOf(recovery: WireRecovery): number {
    const source = this.sleep(recovery.sleep_id) ?? this.cycle(recovery.cycle_id)
    return instantOf(source ? source.start : recovery.created_at)
  }

  /**
   * The offset of the record that started last. A night and its cycle start together: then the night's offset counts, because it is
   * that of waking. The cycle's is that of falling asleep.
   */
  newestOffset(): string | undefined {
    const { sleeps, workouts, cycles } = this.raw
    let newest: { start: string; timezone_offset: string } | undefined
    for (const record of [...sleeps, ...workouts, ...cycles])
      if (!newest || instantOf(record.start) > instantOf(newest.start)) newest = record
    return newest?.timezone_offset
  }

  /** The clocks where sleeps ended and workouts began, or without any where cycles began. */
  clocks(): SeenClock[] {
    const { sleeps, workouts, cycles } = this.raw
    const begun = sleeps.length + workouts.length > 0 ? workouts : cycles
    return [
      ...sleeps.map(({ end, timezone_offset: offset }) => ({ atMs: instantOf(end), offset })),
      ...begun.map(({ start, timezone_offset: offset }) => ({ atMs: instantOf(start), offset })),
    ]
  }

  /** The skin temperatures of up to 30 scored nights before a recovery that have one, latest first. */
  temperaturesBefore(recovery: WireRecovery): number[] {
    this.#temperatures ??= this.raw.recoveries
      .flatMap((each): [WireRecovery, number][] => {
        const temperature = scoreOf(each)?.skin_temp_celsius
        return temperature === undefined || temperature === null ? [] : [[each, temperature]]
      })
      .sort(([left], [right]) => this.momentOf(right) - this.momentOf(left))
    const moment = this.momentOf(recovery)
    const before: number[] = []
    for (const [each, temperature] of this.#temperatures)
      if (this.momentOf(each) < moment && before.length < 30) before.push(temperature)
    return before
  }
}

export function instantOf(text: string): number {
  return Temporal.Instant.from(text).epochMilliseconds
}

/** A score counts only where WHOOP says that it is one. */
export function scoreOf<Score>(record: { score_state: string; score?: Score | null }): Score | undefined {
  if (record.score_state !== "SCORED") return undefined
  return record.score ?? undefined
}
