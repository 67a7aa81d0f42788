// When to go to bed for the sleep that the person needs, from the person's own nights alone.
import type { DisplayPreferences } from "../account/preferences.ts"
import { HOUR_MINUTES } from "../base/time-units.ts"
import type { TrendDay } from "../rest/trends.ts"
import { bedtimeMinutes, formatClock } from "./clock.ts"
import { minutesText } from "./numbers.ts"

type Night = NonNullable<TrendDay["sleep"]>

export interface Tonight {
  /** The source of the nights. */
  readonly source: string
  /** Nights behind the figures. */
  readonly nights: number
  /** Minutes after midnight. Below zero is the evening before. */
  readonly bedtime: number
  readonly usualBedtime: number
  readonly wake: number
  /** Minutes asleep: the need as the vendor gives it, else what is usual. */
  readonly sleep: number
  readonly isNeed: boolean
  /** Minutes of the last 14 dates, need minus asleep. Undefined without a need. Below zero more was slept than needed. */
  readonly debt: number | undefined
}

const FEWEST_NIGHTS = 7
const DATES = 14
const FIVE = 5

/**
 * Undefined with too few nights of the source of the newest one. Medians of the last 14 dates: need, waking, and time awake in bed, which a
 * person needs beside the sleep.
 * @param days oldest first, up to today
 */
export function tonightOf(days: readonly TrendDay[]): Tonight | undefined {
  const recent = days.slice(-DATES).flatMap(({ sleep }) => (sleep?.score_state === "scored" ? [sleep] : []))
  const source = recent.at(-1)?.source
  const nights = recent.filter((night) => night.source === source && night.asleep_hours !== null)
  if (source === undefined || nights.length < FEWEST_NIGHTS) return undefined
  const median = (of: (night: Night) => number | null): number | undefined => medianOf(nights.map(of))
  const need = median(({ need_hours: hours }) => hours)
  const sleepHours = need ?? median(({ asleep_hours: hours }) => hours)
  const awakeHours = median(({ duration_hours: inBed, asleep_hours: asleep }) =>
    asleep === null ? null : inBed - asleep,
  )
  const wake = median(({ end_minutes: end }) => end)
  const usualBedtime = median(bedtimeMinutes)
  if (sleepHours === undefined || awakeHours === undefined || wake === undefined || usualBedtime === undefined)
    return undefined
  return {
    source,
    nights: nights.length,
    bedtime: Math.floor((toFive(wake) - (sleepHours + awakeHours) * HOUR_MINUTES) / FIVE) * FIVE,
    usualBedtime: toFive(usualBedtime),
    wake: toFive(wake),
    sleep: toFive(sleepHours * HOUR_MINUTES),
    isNeed: need !== undefined,
    debt: debtOf(nights),
  }
}

/** "In bed by 22:40 for 8 h of sleep before 06:50" */
export const tonightSentence = (
  { bedtime, sleep, wake }: Pick<Tonight, "bedtime" | "sleep" | "wake">,
  clock: DisplayPreferences["clock"],
): string =>
  `In bed by ${formatClock(bedtime, clock)} for ${minutesText(sleep)} of sleep before ${formatClock(wake, clock)}`

const toFive = (minutes: number): number => Math.round(minutes / FIVE) * FIVE

function debtOf(nights: readonly Night[]): number | undefined {
  const missing = nights.flatMap(({ need_hours: need, asleep_hours: asleep }) =>
    need === null || asleep === null ? [] : [need - asleep],
  )
  if (missing.length < FEWEST_NIGHTS) return undefined
  return toFive(missing.reduce((sum, hours) => sum + hours, 0) * HOUR_MINUTES)
}

/** Undefined with values of too few nights. */
function medianOf(values: readonly (number | null)[]): number | undefined {
  // The package is for runtimes without `toSorted` too.
  const sorted = values.filter((value) => value !== null).sort((one, other) => one - other)
  if (sorted.length < FEWEST_NIGHTS) return undefined
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.ceil((sorted.length - 1) / 2)]]
  return low === undefined || high === undefined ? undefined : (low + high) / 2
}
