/** When a person goes to bed and gets up. It follows from plans only, not from the night before. */
import { localInstantMs, weekday } from "./calendar.ts"
import type { DayPlan } from "./day-plan.ts"
import { randomFor } from "./random.ts"
import type { Traits } from "./traits.ts"
import { clamp, HOUR_MS } from "./units.ts"

export interface Bedtime {
  /** IANA zone of the bed. */
  readonly zone: string
  readonly startMs: number
  readonly endMs: number
}

/** Shift of the bedtime per hour of jet lag. */
const MINUTES_PER_JET_LAG_HOUR = 20
/** Least time between getting up and going to bed on a travel day. */
const SHORTEST_DAY_HOURS = 9

/** Returns the main sleep that ends on the day of `today`, given the plan of the evening before. */
export function bedtimeOf(seed: string, traits: Traits, evening: DayPlan, today: DayPlan): Bedtime {
  const random = randomFor(seed, "bedtime", today.day)
  const { sleep } = traits
  const zone = today.morningZone
  const shift = clamp(evening.jetLagHours * MINUTES_PER_JET_LAG_HOUR, -120, 150)
  const beforeFreeDay = weekday(today.day) >= 5 ? sleep.weekendShiftMinutes : 0
  const late = evening.eveningOut?.laterMinutes ?? 0
  const bedMinute =
    sleep.bedtimeMinute + shift + beforeFreeDay * 0.8 + late + random.normal(0, sleep.irregularityMinutes)
  const startMs = Math.max(
    localInstantMs(zone, today.day, bedMinute),
    earliestAfterFlight(traits, evening, random.next()),
  )
  const hours = today.isFreeDay
    ? sleep.needHours / sleep.efficiency + random.normal(0.25, 0.6) + 0.8 * today.illness
    : (localInstantMs(
        zone,
        today.day,
        sleep.wakeMinute + 0.5 * shift + random.normal(0, sleep.irregularityMinutes / 2),
      ) -
        startMs) /
      HOUR_MS
  return { zone, startMs, endMs: Math.round(startMs + clamp(hours, 4.2, 11) * HOUR_MS) }
}

function earliestAfterFlight(traits: Traits, evening: DayPlan, jitter: number): number {
  if (!evening.isTravelDay) return Number.NEGATIVE_INFINITY
  const gotUpMs = localInstantMs(evening.morningZone, evening.day, traits.sleep.wakeMinute)
  return Math.round(gotUpMs + (SHORTEST_DAY_HOURS + jitter) * HOUR_MS)
}
