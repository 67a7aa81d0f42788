// How long the counts of Health Auto Export are for. The app gives their starts alone, and adds them up by the time grouping that the person
// chose: nothing, minutes, hours or days. https://help.healthyapps.dev/en/health-auto-export/automations/rest-api
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import type { PushedInstant } from "./pushed-instant.ts"

/** The length of counts of one metric and push. */
export interface Grouping {
  /** Milliseconds, 0 where they are not added up. */
  readonly lengthMs: number
  /** A count that came alone and begins at midnight may be that of the whole day. */
  readonly isMaybeOfDay?: true
}

export const NO_GROUPING: Grouping = { lengthMs: 0 }

/** By the app's words, longest first. */
const LENGTHS: readonly (readonly [name: string, lengthMs: number])[] = [
  ["day", DAY_MS],
  ["hour", HOUR_MS],
  ["minute", MINUTE_MS],
]
const LONGER = /^(?:week|month|year)/
/** Says that nothing is added up. */
const NONE = /^(?:none|second)/

/** The starts of all counts of one metric and push. */
export class CountStarts {
  #fits = LENGTHS
  #firstMs: number | undefined
  #areSeveral = false

  add({ ms, utcOffsetMinutes = 0 }: PushedInstant): void {
    const clockMs = ms + utcOffsetMinutes * MINUTE_MS
    this.#firstMs ??= clockMs
    this.#areSeveral ||= clockMs !== this.#firstMs
    this.#fits = this.#fits.filter(([, lengthMs]) => clockMs % lengthMs === 0)
  }

  /**
   * Returns the grouping of the counts. Undefined for weeks and longer, which belong to no day. Starts tell it where the app sends no header:
   * at midnights alone they are days, at full hours they are hours, and at full minutes they are minutes. A header that the starts contradict
   * is not believed.
   */
  groupingBy(aggregation: string): Grouping | undefined {
    const named = aggregation.trim().toLowerCase()
    if (LONGER.test(named)) return undefined
    if (NONE.test(named)) return NO_GROUPING
    const byName = this.#fits.find(([name]) => named.startsWith(name))
    const [longest] = this.#fits
    if (byName) return { lengthMs: byName[1] }
    if (!longest || this.#firstMs === undefined) return NO_GROUPING
    if (this.#areSeveral) return { lengthMs: longest[1] }
    return longest[0] === "day" ? { lengthMs: 0, isMaybeOfDay: true } : NO_GROUPING
  }
}
