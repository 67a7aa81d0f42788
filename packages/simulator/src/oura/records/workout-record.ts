/** Workouts and sessions of the ring's owner. */

import type { Session } from "../../model/effort.ts"
import type { Life } from "../../model/life.ts"
import { randomFor } from "../../model/random.ts"
import type { SportName } from "../../model/traits.ts"
import { MINUTE_MS, roundTo } from "../../model/units.ts"
import type { RecordHistory, Version } from "../../world/collection.ts"
import { activityLifecycle, type TimedActivity } from "../../world/day-frame.ts"
import { documentOf } from "./daily-records.ts"
import type { RingDay } from "./ring.ts"
import { type WireOuraWorkout, type WireSession, writeDay, writeLocal } from "./wire.ts"

/** Oura's names where they differ. Oura also writes `strengthTraining`. */
const ACTIVITIES: Readonly<Partial<Record<SportName, string>>> = {
  weightlifting: "strength_training",
  weightlifting_msk: "strengthTraining",
  powerlifting: "strength_training",
  "functional-fitness": "functional_training",
  "mountain-biking": "mountain_biking",
  spin: "indoor_cycling",
  "hiking-rucking": "hiking",
  "dog-walking": "walking",
  "rock-climbing": "climbing",
  "table-tennis": "table_tennis",
  "track-field": "running",
  activity: "other",
}

/** Rest that Oura does not list as a workout. */
const RESTS: ReadonlySet<SportName> = new Set(["sauna", "ice-bath", "massage-therapy", "meditation"])

/** A ring detects sports by their movement. It misses some that a strap's owner records. */
const SELDOM_DETECTED: ReadonlySet<SportName> = new Set(["yoga", "powerlifting", "weightlifting", "rock-climbing"])

/** Returns all versions of a workout, or nothing when the ring missed it. */
export function ouraWorkoutHistory(
  life: Life,
  ring: RingDay,
  { session, startMs, endMs }: TimedActivity & { readonly session: Session },
): RecordHistory<WireOuraWorkout> | undefined {
  const random = randomFor(life.seed, "ring workout", session.id)
  const id = random.uuid()
  if (RESTS.has(session.sport) || random.chance(SELDOM_DETECTED.has(session.sport) ? 0.5 : 0.05)) return undefined
  const from = wholeMinutes(startMs + random.normal(1, 2) * MINUTE_MS)
  const to = Math.max(from + 5 * MINUTE_MS, wholeMinutes(endMs + random.normal(-1, 2) * MINUTE_MS))
  const { uploadedMs, deletedMs, renamedMs } = activityLifecycle(`${life.seed}/ring`, id, to)
  const write = (updatedMs: number, version: number, isConfirmed: boolean): WireOuraWorkout => ({
    ...documentOf(id, ring, updatedMs, version),
    activity: isConfirmed ? (ACTIVITIES[session.sport] ?? session.sport) : "other",
    calories: roundTo((session.kilojoules / 4.184) * random.between(0.8, 1.15), 3),
    distance: session.ground ? roundTo(session.ground.distanceMeters * 0.97, 1) : null,
    day: writeDay(ring.day),
    start_datetime: writeLocal(ring.dayZone, from),
    end_datetime: writeLocal(ring.dayZone, to),
    intensity: session.load > 150 ? "hard" : session.load > 50 ? "moderate" : "easy",
    label: null,
    source: isConfirmed ? "confirmed" : "autodetected",
  })
  const first = write(uploadedMs, 1, renamedMs === undefined)
  const versions: Version<WireOuraWorkout>[] = [{ fromMs: uploadedMs, build: () => first }]
  if (renamedMs !== undefined) {
    const renamed = write(renamedMs, 2, true)
    versions.push({ fromMs: renamedMs, build: () => renamed })
  }
  if (deletedMs !== undefined) versions.push({ fromMs: deletedMs, build: () => null })
  return { key: id, versions }
}

/** Returns the session of an evening of meditation, or nothing for other activities. */
export function sessionHistory(
  life: Life,
  ring: RingDay,
  { session, startMs, endMs }: TimedActivity,
): RecordHistory<WireSession> | undefined {
  if (session?.sport !== "meditation") return undefined
  const random = randomFor(life.seed, "ring session", session.id)
  const id = random.uuid()
  const body: WireSession = {
    ...documentOf(id, ring, endMs),
    type: random.pick(["meditation", "breathing"]),
    start_datetime: writeLocal(ring.dayZone, startMs),
    end_datetime: writeLocal(ring.dayZone, endMs),
    mood: random.pick(["good", "same", "great"]),
    heart_rate: null,
    heart_rate_variability: null,
    motion_count: null,
  }
  return { key: id, versions: [{ fromMs: endMs + MINUTE_MS, build: () => body }] }
}

const wholeMinutes = (instantMs: number): number => Math.round(instantMs / MINUTE_MS) * MINUTE_MS
