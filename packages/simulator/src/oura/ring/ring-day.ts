/** When the ring is worn, when its data arrives, and what else it detects in a day. */
import { localInstantMs } from "../../model/calendar.ts"
import { episodeOn } from "../../model/episodes.ts"
import type { Life } from "../../model/life.ts"
import { stagesOfNap } from "../../model/night.ts"
import { randomFor } from "../../model/random.ts"
import { HOUR_MS, MINUTE_MS } from "../../model/units.ts"
import { type DayFrame, type TimedActivity, timeActivities } from "../../records/day-frame.ts"
import { nightLifecycle } from "../../records/lifecycle.ts"
import { measureSleep, type RingSleep, type SleepType } from "./ring-night.ts"

/** A sleep beside the main one. */
export interface ShortSleep {
  readonly id: string
  readonly sleep: RingSleep
  readonly type: SleepType
  readonly uploadedMs: number
  /** The owner says that it was no sleep. */
  readonly deletedMs?: number
}

export interface RingDay extends DayFrame {
  /** 04:00 local, and 04:00 of the next day. */
  readonly activityStartMs: number
  readonly activityEndMs: number
  /** Moments at which the ring sends its data: the app is opened after waking, and syncs during the day. */
  readonly syncedMs: readonly number[]
  readonly activities: readonly TimedActivity[]
  readonly shortSleeps: readonly ShortSleep[]
}

/** Returns the day, or nothing when the ring was off. The ring has gaps of its own. */
export function ringDay(life: Life, day: number): RingDay | undefined {
  const random = randomFor(life.seed, "ring day", day)
  const { life: habits } = life.traits
  const gaps = { name: "ring gap", blockDays: 90, perYear: habits.gapsPerYear, shortestDays: 1, longestDays: 9 }
  if (episodeOn(life.seed, gaps, day)) return undefined
  const { eveningZone, morningZone } = life.plan(day)
  const { zone, startMs, endMs: wakeMs } = life.bedtime(day)
  const endMs = life.bedtime(day + 1).startMs
  const activityStartMs = localInstantMs(morningZone, day, 240)
  const activityEndMs = localInstantMs(eveningZone, day + 1, 240)
  const frame: DayFrame = {
    day,
    sleepId: random.uuid(),
    nightZone: zone,
    dayZone: eveningZone,
    hasSleep: !random.chance(habits.chargingNights),
    startMs,
    wakeMs,
    endMs,
    closedMs: activityEndMs,
    lifecycle: nightLifecycle(`${life.seed}/ring`, day, wakeMs),
  }
  const opened = wakeMs + Math.round(random.between(4, 90) * MINUTE_MS)
  return {
    ...frame,
    activityStartMs,
    activityEndMs,
    syncedMs: [opened, opened + 5 * HOUR_MS, opened + 10 * HOUR_MS, activityEndMs + Math.round(4.2 * HOUR_MS)],
    activities: timeActivities(life, frame),
    shortSleeps: shortSleepsOf(life, frame),
  }
}

function shortSleepsOf(life: Life, frame: DayFrame): ShortSleep[] {
  const random = randomFor(life.seed, "ring naps", frame.day)
  const nap = timeActivities(life, frame).find(({ session }) => session === undefined)
  const found: ShortSleep[] = []
  const add = (startMs: number, endMs: number, type: SleepType) => {
    const stages = stagesOfNap(life.seed, endMs - startMs, frame.day)
    const uploadedMs = endMs + Math.round(random.between(10, 70) * MINUTE_MS)
    found.push({
      id: random.uuid(),
      sleep: measureSleep(random, wholeMinutes(startMs), wholeMinutes(endMs), stages),
      type,
      uploadedMs,
      ...(random.chance(0.06) && { deletedMs: uploadedMs + Math.round(random.between(1, 20) * HOUR_MS) }),
    })
  }
  if (nap) add(nap.startMs + random.normal(2, 3) * MINUTE_MS, nap.endMs + random.normal(0, 3) * MINUTE_MS, "sleep")
  // An hour on the sofa, of which a strap notices nothing. Ended after 18:00 it counts to the next day.
  const evening = localInstantMs(frame.dayZone, frame.day, 1090)
  if (random.chance(0.04) && evening + 80 * MINUTE_MS < frame.endMs)
    add(evening, evening + random.between(30, 60) * MINUTE_MS, "late_nap")
  if (random.chance(0.05)) add(frame.wakeMs + 50 * MINUTE_MS, frame.wakeMs + 70 * MINUTE_MS, "rest")
  return found
}

const wholeMinutes = (instantMs: number): number => Math.round(instantMs / MINUTE_MS) * MINUTE_MS
