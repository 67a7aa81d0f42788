/**
 * A day as a wearable records it: the night it saw, where the day begins and ends, and the activities in between. And when a record of it
 * arrives and is scored, and whether its owner corrects or deletes it.
 */

import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../model/calendar.ts"
import type { Session } from "../model/effort.ts"
import type { Life } from "../model/life.ts"
import { randomFor } from "../model/random.ts"

/** Moments in the life of a night's records, epoch ms. */
interface NightLifecycle {
  /** The strap uploads the night: the sleep appears without a score. */
  readonly uploadedMs: number
  readonly scoredMs: number
  /** The recovery appears shortly after its sleep's score. Some are pending for minutes. */
  readonly recoveryMs: number
  readonly recoveryScoredMs: number
  /** The owner corrects the times of the night. */
  readonly corrected?: { readonly atMs: number; readonly startShiftMs: number; readonly endShiftMs: number }
  /** The owner deletes the night. */
  readonly deletedMs?: number
}

/** A night is scored 15 to 30 minutes after waking, rarely corrected and very rarely deleted. */
export function nightLifecycle(seed: string, day: number, wakeMs: number): NightLifecycle {
  const random = randomFor(seed, "night fate", day)
  const uploadedMs = wakeMs + Math.round(random.between(2, 7) * MINUTE_MS)
  const scoredMs = wakeMs + Math.round(random.between(15, 29) * MINUTE_MS)
  const recoveryMs = scoredMs + Math.round(random.between(1, 9) * SECOND_MS)
  const isRecoveryPending = random.chance(0.15)
  const afterwardsMs = Math.round(recoveryMs + random.between(0.6, 30) * HOUR_MS)
  const startShiftMs = Math.round(random.between(-20, 35) * MINUTE_MS)
  const endShiftMs = Math.round(random.between(-35, 0) * MINUTE_MS)
  const isCorrected = random.chance(0.03)
  return {
    uploadedMs,
    scoredMs,
    recoveryMs,
    recoveryScoredMs: isRecoveryPending ? recoveryMs + Math.round(random.between(1, 4) * MINUTE_MS) : recoveryMs,
    ...(isCorrected && { corrected: { atMs: afterwardsMs, startShiftMs, endShiftMs } }),
    ...(!isCorrected && random.chance(0.004) && { deletedMs: afterwardsMs }),
  }
}

/** Moments in the life of a nap or a workout, epoch ms. */
interface ActivityLifecycle {
  readonly uploadedMs: number
  readonly scoredMs: number
  readonly deletedMs?: number
  /** The owner renames the activity. */
  readonly renamedMs?: number
}

/** A nap or workout may be deleted, because straps sometimes detect one that never happened. */
export function activityLifecycle(seed: string, id: string, endMs: number): ActivityLifecycle {
  const random = randomFor(seed, "activity fate", id)
  const uploadedMs = endMs + Math.round(random.between(1, 8) * MINUTE_MS)
  const laterMs = Math.round(uploadedMs + random.between(0.7, 26) * HOUR_MS)
  const isDeleted = random.chance(0.015)
  return {
    uploadedMs,
    scoredMs: uploadedMs + Math.round(random.between(0.5, 5) * MINUTE_MS),
    ...(isDeleted && { deletedMs: laterMs }),
    ...(!isDeleted && random.chance(0.05) && { renamedMs: laterMs }),
  }
}

/** The day that begins with its night and ends with the next one. */
export interface DayFrame {
  readonly day: number
  readonly sleepId: string
  /** IANA zones of the night and of the day after it. */
  readonly nightZone: string
  readonly dayZone: string
  /** False: the strap was on by day but not in the night, so there is no sleep and no recovery. */
  readonly hasSleep: boolean
  /** Onset of the night, or of the usual bedtime without one. */
  readonly startMs: number
  readonly wakeMs: number
  /** Onset of the next day's night. */
  readonly endMs: number
  /** When the next night arrives and makes this day final. */
  readonly closedMs: number
  readonly lifecycle: NightLifecycle
}

/** A nap or a session with its actual times. */
export interface TimedActivity {
  readonly startMs: number
  readonly endMs: number
  /** Absent for a nap. */
  readonly session?: Session
}

/** Returns the frame of a day, or nothing when the strap was off. */
export function frameOf(life: Life, day: number): DayFrame | undefined {
  const { strap, eveningZone } = life.plan(day)
  if (strap === "never") return undefined
  const { zone, startMs, endMs: wakeMs } = life.bedtime(day)
  const next = life.bedtime(day + 1)
  return {
    day,
    sleepId: randomFor(life.seed, "sleep id", day).uuid(),
    nightZone: zone,
    dayZone: eveningZone,
    hasSleep: strap === "always",
    startMs,
    wakeMs,
    endMs: next.startMs,
    closedMs: closedMs(life, day + 1),
    lifecycle: nightLifecycle(life.seed, day, wakeMs),
  }
}

function closedMs(life: Life, nextDay: number): number {
  const { startMs, endMs } = life.bedtime(nextDay)
  // Without a next night nothing arrives to end the day. The vendor then closes it after half a day.
  if (life.plan(nextDay).strap === "never") return startMs + 12 * HOUR_MS
  return nightLifecycle(life.seed, nextDay, endMs).uploadedMs
}

/** Returns the nap and the sessions of a day with their times, one after the other between getting up and bedtime. */
export function timeActivities(life: Life, frame: DayFrame): TimedActivity[] {
  const plan = life.plan(frame.day)
  const midnightMs = frame.wakeMs - minutesAfterMidnight(life, frame.day) * MINUTE_MS
  const wanted = [
    ...life
      .sessions(frame.day)
      .map((session) => ({ minute: session.plannedStartMinute, durationMs: session.durationMs, session })),
    ...(plan.nap
      ? [{ minute: plan.nap.startsAtMinute, durationMs: Math.round(plan.nap.durationMinutes * MINUTE_MS) }]
      : []),
  ].sort((left, right) => left.minute - right.minute)
  const timed: TimedActivity[] = []
  let freeFromMs = frame.wakeMs + 25 * MINUTE_MS
  for (const { minute, durationMs, ...activity } of wanted) {
    const startMs = Math.round(Math.max(freeFromMs, midnightMs + minute * MINUTE_MS))
    if (startMs + durationMs > frame.endMs - 20 * MINUTE_MS) continue
    timed.push({ startMs, endMs: startMs + durationMs, ...activity })
    freeFromMs = startMs + durationMs + 15 * MINUTE_MS
  }
  return timed
}

function minutesAfterMidnight(life: Life, day: number): number {
  const { zone, endMs } = life.bedtime(day)
  const local = Temporal.Instant.fromEpochMilliseconds(endMs).toZonedDateTimeISO(zone)
  return local.hour * 60 + local.minute + local.second / 60
}
