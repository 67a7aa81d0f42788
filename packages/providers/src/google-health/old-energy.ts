// The energy of Fitbit's old files. Their times are local in some archives and UTC in others, and nothing in them says which. Energy rises
// with each step, so the minutes with steps, whose times are known, tell it.
import { MINUTE_MS } from "@restwell/client/time-units"
import type { ArchiveItem } from "../archive/archive-items.ts"
import { SeenMinutes } from "./seen-minutes.ts"
import { type DaySums, type LocalClock, OLD_FORM } from "./takeout-days.ts"
import { SUM_CHECKS, type TakeoutFiles } from "./takeout-files.ts"
import { collect, lists } from "./takeout-rows.ts"
import { oldMinuteSchema } from "./takeout-wire.ts"

/** Some months of walking. They are in memory. */
const MOST_MINUTES = 100_000

const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS)

/** One way to read the times: the energy of each date by it, and how much was burned in minutes with steps. */
class Reading {
  readonly #energyAt = new Map<string, number>()
  #walking = 0

  add(date: string, kilocalories: number, isWalking: boolean): void {
    this.#energyAt.set(date, (this.#energyAt.get(date) ?? 0) + kilocalories)
    if (isWalking) this.#walking += kilocalories
  }

  get walking(): number {
    return this.#walking
  }

  get energyAt(): ReadonlyMap<string, number> {
    return this.#energyAt
  }
}

/** Collects minutes with steps, then reads the energy by the time that agrees with them. */
export class OldEnergy {
  readonly #walked = new Set<number>()
  readonly #clock: LocalClock

  constructor(clock: LocalClock) {
    this.#clock = clock
  }

  addSteps(atMs: number): void {
    if (this.#walked.size < MOST_MINUTES) this.#walked.add(minuteOf(atMs))
  }

  /** Reads the files, and adds the energy of each date. */
  async *read({ oldCalories }: TakeoutFiles, sums: DaySums): AsyncGenerator<ArchiveItem, void> {
    const [inUtc, local] = [new Reading(), new Reading()]
    const seen = new SeenMinutes()
    yield* collect(lists(oldCalories, oldMinuteSchema(SUM_CHECKS.calories())), ({ dateTime, value }) => {
      if (value === undefined || value <= 0 || !seen.add(OLD_FORM, dateTime.getTime(), value)) return undefined
      const [shownMs, atMs] = [dateTime.getTime(), this.#instantOf(dateTime.getTime())]
      inUtc.add(this.#clock.dateAt(shownMs), value, this.#walked.has(minuteOf(shownMs)))
      local.add(this.#clock.dateAt(atMs), value, this.#walked.has(minuteOf(atMs)))
      return undefined
    })
    const { energyAt } = local.walking > inUtc.walking ? local : inUtc
    for (const [date, value] of energyAt) sums.add("calories", { date, source: OLD_FORM, value })
  }

  /** The instant of a local time. The second look sees clocks that change in between. */
  #instantOf(shownMs: number): number {
    const nearMs = shownMs - this.#clock.offsetAt(shownMs) * MINUTE_MS
    return shownMs - this.#clock.offsetAt(nearMs) * MINUTE_MS
  }
}
