// The clock of Fitbit's old files of energy and altitude. Their times are local in some archives and UTC in others, and nothing in them says
// which. Energy rises with each step and floors are climbed on foot, so the minutes with steps, whose times are known, tell it.
import { MINUTE_MS } from "@restwell/client/time-units"
import type { ArchiveItem } from "../archive/archive-items.ts"
import type { LocalClock } from "./takeout-days.ts"
import { SUM_CHECKS, type SumTable, type TakeoutFiles } from "./takeout-files.ts"
import { lists } from "./takeout-rows.ts"
import { oldMinuteSchema } from "./takeout-wire.ts"

/** Some months of walking. They are in memory. */
const MOST_MINUTES = 100_000
/** Some weeks of walking, after which it is certain. Files of energy have each minute of years. */
const ENOUGH_MINUTES = 10_000

const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS)

/** Collects minutes with steps, then tells the clock of a table's files. */
export class OldClock {
  readonly #walked = new Set<number>()
  readonly #clock: LocalClock
  readonly #local = new Set<SumTable>()

  constructor(clock: LocalClock) {
    this.#clock = clock
  }

  addSteps(atMs: number): void {
    if (this.#walked.size < MOST_MINUTES) this.#walked.add(minuteOf(atMs))
  }

  /** Reads times both ways: by the right one, more of what is counted is in minutes with steps. */
  async *compare(files: TakeoutFiles, table: SumTable): AsyncGenerator<ArchiveItem, void> {
    const { figure, oldName, oldDivisor, isOldClockUnsure = false } = table
    if (!oldName || !isOldClockUnsure || this.#walked.size === 0) return
    let [inUtc, local, minutes] = [0, 0, 0]
    for await (const each of lists(files.named(oldName), oldMinuteSchema(SUM_CHECKS[figure](oldDivisor)))) {
      // Faults of rows are reported by the reading that counts.
      if ("type" in each) {
        if (each.type === "reading") yield each
        continue
      }
      const { dateTime, value = 0 } = each.row
      const isInUtc = this.#walked.has(minuteOf(dateTime.getTime()))
      const isLocal = this.#walked.has(minuteOf(this.#localInstant(dateTime.getTime())))
      if (isInUtc) inUtc += value
      if (isLocal) local += value
      if (isInUtc || isLocal) minutes += 1
      if (minutes === ENOUGH_MINUTES) break
    }
    if (local > inUtc) this.#local.add(table)
  }

  /** The instant of a time in an old file of a table. */
  instantOf(table: SumTable, shownMs: number): number {
    return this.#local.has(table) ? this.#localInstant(shownMs) : shownMs
  }

  /** The instant of a local time. The second look sees clocks that change in between. */
  #localInstant(shownMs: number): number {
    const nearMs = shownMs - this.#clock.offsetAt(shownMs) * MINUTE_MS
    return shownMs - this.#clock.offsetAt(nearMs) * MINUTE_MS
  }
}
