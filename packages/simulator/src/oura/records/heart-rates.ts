/** The heart rates that a ring stores: every five minutes asleep, every minute or two awake, and every few seconds in a workout. */

import { clamp, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../model/calendar.ts"
import type { Life } from "../../model/life.ts"
import { type Random, randomFor } from "../../model/random.ts"
import type { TimedActivity } from "../../world/day-frame.ts"
import { type RingDay, ringNight, ringVitals } from "./ring.ts"
import type { HeartRateSource } from "./wire.ts"

export interface HeartRate {
  readonly atMs: number
  readonly bpm: number
  readonly source: HeartRateSource
}

const ASLEEP_MS = 5 * MINUTE_MS
const WORKOUT_MS = 10 * SECOND_MS
/** Beats above the night's lowest, by Oura's digits of the phases: deep, light, REM, awake. */
const ABOVE_LOWEST: Readonly<Record<string, number>> = { "1": 2, "2": 4, "3": 6, "4": 12 }
/** A finger that moves gives no value. */
const MISSED = 0.06
/** Half of the way back to rest after a workout. */
const RECOVERY_MS = 3 * MINUTE_MS

/**
 * Returns the heart rates from one bedtime to the next, oldest first. A ring that charges stores none.
 * @param share 1 for all that a ring stores, less for fewer
 */
export function heartRatesOfDay(life: Life, ring: RingDay, share: number): HeartRate[] {
  const random = randomFor(life.seed, "ring heart rates", ring.day)
  return [...asleep(life, ring, random, share), ...awake(life, ring, random, share)].sort(
    (one, other) => one.atMs - other.atMs,
  )
}

function asleep(life: Life, ring: RingDay, random: Random, share: number): HeartRate[] {
  if (!ring.hasSleep || life.plan(ring.day).signalIsPoor) return []
  const { startMs, endMs, phases } = ringNight(life, ring.day)
  const { lowestHeartRate: lowest } = ringVitals(life, ring.day)
  const found: HeartRate[] = []
  for (let atMs = startMs + 4 * SECOND_MS; atMs < endMs; atMs += Math.round(ASLEEP_MS / share)) {
    const phase = phases[Math.floor((atMs - startMs) / ASLEEP_MS)] ?? "2"
    const bpm = Math.max(lowest, Math.round(lowest + (ABOVE_LOWEST[phase] ?? 4) + random.normal(0, 1.5)))
    if (!random.chance(MISSED)) found.push({ atMs, bpm, source: "sleep" })
  }
  return found
}

function awake(life: Life, ring: RingDay, random: Random, share: number): HeartRate[] {
  const { restingHeartRate } = life.vitals(ring.day)
  const chargedFromMs = ring.wakeMs + random.between(0.2, 12) * HOUR_MS
  const chargedUntilMs = chargedFromMs + random.between(20, 80) * MINUTE_MS
  const found: HeartRate[] = []
  let drift = 0
  for (let atMs = Math.ceil(ring.wakeMs / MINUTE_MS) * MINUTE_MS; atMs < ring.endMs; ) {
    const activity = ring.activities.find(({ startMs, endMs }) => atMs >= startMs && atMs < endMs)
    drift = clamp(drift * 0.9 + random.normal(0, 2.5), -12, 25)
    const peace = restingHeartRate + 16 + drift
    const bpm = activity
      ? activeRate(activity, atMs, peace, random)
      : peace + afterEffort(ring.activities, atMs, peace) + random.normal(0, 2)
    const isCharging = atMs >= chargedFromMs && atMs < chargedUntilMs
    if (!isCharging && !random.chance(MISSED))
      found.push({ atMs, bpm: Math.round(clamp(bpm, 30, 220)), source: sourceOf(activity) })
    const stepMs = activity?.session ? WORKOUT_MS : random.integer(60, 120) * SECOND_MS
    atMs += Math.round(stepMs / share / SECOND_MS) * SECOND_MS
  }
  return found
}

function sourceOf(activity: TimedActivity | undefined): HeartRateSource {
  if (!activity) return "awake"
  if (!activity.session) return "rest"
  return activity.session.sport === "meditation" ? "session" : "workout"
}

/** It rises within some minutes, and swings between the session's average and its maximum. */
function activeRate({ session, startMs }: TimedActivity, atMs: number, peace: number, random: Random): number {
  if (!session) return peace - 10
  const risen = 1 - Math.exp(-(atMs - startMs) / (2.5 * MINUTE_MS))
  const swing = (session.maxHeartRate - session.averageHeartRate) * 0.7 * Math.sin((atMs - startMs) / (4 * MINUTE_MS))
  const effort = Math.min(session.maxHeartRate, session.averageHeartRate + swing)
  return peace + (effort - peace) * risen + random.normal(0, 1.5)
}

function afterEffort(activities: readonly TimedActivity[], atMs: number, peace: number): number {
  const last = activities.findLast(({ session, endMs }) => session && endMs <= atMs)
  if (!last?.session) return 0
  return (last.session.averageHeartRate - peace) * 0.5 ** ((atMs - last.endMs) / RECOVERY_MS)
}
