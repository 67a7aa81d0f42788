/** The night of a morning that is told of, and whether more of that morning is on its way. */

import { getsNewData } from "@restwell/client"
import { DAY_MINUTES, HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import { collectsOnPhone } from "@restwell/providers"
import { answersBefore } from "../sources/choose.ts"
import { NO_PREFERENCES } from "../sources/rank.ts"
import { type DayFacts, localEndOf } from "../statistics/metrics.ts"
import { medianOf } from "../statistics/moments.ts"
import { dayOf } from "../statistics/series.ts"
import type { StoredSleep } from "../store/stored-record.ts"
import type { InsightData } from "./insight-query.ts"

/** The night of a date. */
export interface MorningNight {
  readonly provider: string
  /** When the person woke up. */
  readonly endMs: number
  readonly utcOffsetMinutes: number
  /** Whether the vendor has scored the night. */
  readonly isScored: boolean
  /** Whether a record is pending, or a source that usually answers has not brought its own yet. */
  readonly isAwaited: boolean
  /** When a night that comes in parts is taken as whole. Null for one that comes as a whole. */
  readonly wholeAtMs: number | null
}

/** Dates before a night which tell what usually comes, and when the person wakes. */
const EARLIER_DATES = 7

export function nightOf(data: Pick<InsightData, "chosen" | "snapshot">, date: string): MorningNight | null {
  const { days } = data.chosen
  const day = dayOf(date)
  const facts = days.get(day)
  if (!facts?.night) return null
  const earlier = Array.from({ length: EARLIER_DATES }, (_, back) => days.get(day - 1 - back) ?? [])
  const { night } = facts
  return {
    provider: night.provider,
    endMs: night.endMs,
    utcOffsetMinutes: offsetOf(night),
    isScored: night.scoreState !== "pending",
    isAwaited: isAwaited(data, facts, earlier.flat()),
    wholeAtMs: collectsOnPhone(night.provider)
      ? wholeAt(
          night,
          earlier.flat().flatMap((each) => each.night ?? []),
        )
      : null,
  }
}

const offsetOf = ({ endUtcOffsetMinutes, utcOffsetMinutes }: StoredSleep): number =>
  endUtcOffsetMinutes ?? utcOffsetMinutes

/** Whether one of the sources that answered the last mornings would answer this one, once its record is there. One that has ended brings none. */
function isAwaited(
  { snapshot: { sources, preferences } }: Pick<InsightData, "snapshot">,
  facts: DayFacts,
  earlier: readonly DayFacts[],
): boolean {
  const comes = new Set(sources.filter(getsNewData).map(({ provider }) => provider))
  return (["night", "recovery"] as const).some((part) => {
    const present = facts[part]
    if (present?.scoreState === "pending" && comes.has(present.provider)) return true
    return earlier.some((each) => {
      const expected = each[part]
      if (!expected || !comes.has(expected.provider)) return false
      if (!present) return true
      return expected.provider !== present.provider && answersBefore(expected, present, preferences ?? NO_PREFERENCES)
    })
  })
}

/** After its end, or the usual waking, no more of a night is expected. */
const LAST_PART_MS = HOUR_MS
/** After the usual waking, for a night that ended long before it, which is probably a part. */
const LATE_PART_MS = 3 * HOUR_MS
/** Minutes after midnight, while no night says when the person wakes. */
const FIRST_WAKING = 7 * 60

/**
 * When a night of a phone is taken as whole: it pushes what it has of one, also in the middle of it.
 * @param earlier the nights before it
 */
export function wholeAt(night: StoredSleep, earlier: readonly StoredSleep[]): number {
  const wakings = earlier.map(minutesOfDate)
  const usual = wakings.length === 0 ? FIRST_WAKING : medianOf(wakings)
  const usualMs = night.endMs + (usual - minutesOfDate(night)) * MINUTE_MS
  const isPart = night.endMs < usualMs - LAST_PART_MS
  return Math.max(night.endMs, usualMs) + (isPart ? LATE_PART_MS : LAST_PART_MS)
}

/** The local time of waking in minutes after the midnight of the date of a night. */
const minutesOfDate = (night: StoredSleep): number => localEndOf(night) - dayOf(night.date) * DAY_MINUTES
