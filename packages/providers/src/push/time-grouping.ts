// How long the counts of Health Auto Export are for. The app gives their starts alone, and adds them up by the time grouping that the person
// chose: nothing, minutes, hours or days. https://help.healthyapps.dev/en/health-auto-export/automations/rest-api
import type { PushedInstant } from "./units.ts"

/** The length of counts of one metric and push. */
export interface Grouping {
  /** Milliseconds, 0 where they are not added up. */
  readonly lengthMs: number
  /** A count that came alone and begins at midnight may be that of the whole day. */
  readonly isMaybeOfDay?: true
}

export const NO_GROUPING: Grouping = { lengthMs: 0 }

const MINUTE_MS = 60_000
/** By the app's words, longest first. */
const LENGTHS: readonly (readonly [name: string, lengthMs: number])[] = [
  ["day", 24 * 60 * MINUTE_MS],
  ["hour", 60 * MINUTE_MS],
  ["minute", MINUTE_MS],
]
const LONGER = /^(?:week|month|year)/
/** Says that nothing is added up. */
const NONE = /^(?:none|second)/

/**
 * Returns the grouping of counts that begin at some times. Undefined for weeks and longer, which belong to no day. Starts tell it where the
 * app sends no header: at midnights alone they are days, at full hours they are hours, and at full minutes they are minutes. A header that
 * the starts contradict is not believed.
 */
export function groupingOf(
  starts: readonly (PushedInstant | undefined)[],
  aggregation: string | undefined,
): Grouping | undefined {
  const named = (aggregation ?? "").trim().toLowerCase()
  if (LONGER.test(named)) return undefined
  if (NONE.test(named)) return NO_GROUPING
  const clocks = new Set<number>()
  for (const start of starts) if (start) clocks.add(start.ms + (start.utcOffsetMinutes ?? 0) * MINUTE_MS)
  const fits = LENGTHS.filter(([, lengthMs]) => clocks.values().every((clockMs) => clockMs % lengthMs === 0))
  const byName = fits.find(([name]) => named.startsWith(name))
  const [longest] = fits
  if (byName) return { lengthMs: byName[1] }
  if (!longest || clocks.size === 0) return NO_GROUPING
  if (clocks.size > 1) return { lengthMs: longest[1] }
  return longest[0] === "day" ? { lengthMs: 0, isMaybeOfDay: true } : NO_GROUPING
}
