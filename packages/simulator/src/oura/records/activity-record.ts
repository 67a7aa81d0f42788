/** Oura's activity day, from 04:00 to 04:00. It is updated with every sync of the ring. */
import { everydayKilojoules } from "../../model/energy.ts"
import type { Life } from "../../model/life.ts"
import { clamp, DAY_MS, roundTo } from "../../model/units.ts"
import type { RecordHistory } from "../../records/collection.ts"
import type { RingDay } from "../ring/ring-day.ts"
import { contributors, dayRandom, documentOf } from "./daily-records.ts"
import type { WireDailyActivity } from "./wire.ts"
import { writeLocal } from "./write.ts"

const KILOJOULES_PER_KILOCALORIE = 4.184
/** Metres of walking that Oura equates with a kilocalorie of activity. */
const METERS_PER_KILOCALORIE = 18

const MINUTES_A_DAY = 1440
/** Nothing reads it. It is here for its size: nine tenths of the bytes of a day. */
const MET_OF_A_DAY = Array.from({ length: MINUTES_A_DAY }, (_, minute) => (minute % 7 === 0 ? 1.3 : 0.9))

/** Returns all versions of a day: one for each sync, each with what had happened by then. */
export function activityHistory(life: Life, ring: RingDay): RecordHistory<WireDailyActivity> {
  const id = dayRandom(life, ring, "daily activity").uuid()
  const zone = life.plan(ring.day).morningZone
  return {
    key: id,
    versions: ring.syncedMs.map((syncedMs, index) => ({
      fromMs: syncedMs,
      build: () => writeActivity(life, ring, { id, zone, syncedMs, version: index + 1 }),
    })),
  }
}

interface Sync {
  readonly id: string
  readonly zone: string
  readonly syncedMs: number
  readonly version: number
}

function writeActivity(life: Life, ring: RingDay, { id, zone, syncedMs, version }: Sync): WireDailyActivity {
  const random = dayRandom(life, ring, "activity figures")
  const done = ring.activities.flatMap(({ session, endMs }) => (session && endMs <= syncedMs ? [session] : []))
  const share = clamp((syncedMs - ring.activityStartMs) / (ring.activityEndMs - ring.activityStartMs), 0, 1)
  const load = life.plan(ring.day).everydayLoad * share
  const restKilojoules = everydayKilojoules(life.traits.body, ring.day, DAY_MS * share, 0)
  const activeKilojoules = load * 9 + done.reduce((sum, { kilojoules }) => sum + kilojoules, 0)
  const active = Math.round((activeKilojoules * random.between(0.85, 1.1)) / KILOJOULES_PER_KILOCALORIE)
  const walked = Math.round(
    load * random.between(90, 150) + done.reduce((sum, { durationMs }) => sum + durationMs / 1500, 0),
  )
  const sessionSeconds = Math.round(done.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000)
  const score = clamp(Math.round(60 + active / 30 + random.normal(0, 5)), 1, 100)
  const distance = active * METERS_PER_KILOCALORIE
  return {
    ...documentOf(id, ring, syncedMs, version),
    score: version === 1 ? null : score,
    active_calories: active,
    total_calories: Math.round(restKilojoules / KILOJOULES_PER_KILOCALORIE) + active,
    target_calories: 450,
    steps: walked,
    equivalent_walking_distance: distance,
    target_meters: 9000,
    meters_to_target: 9000 - distance,
    average_met_minutes: roundTo(1.2 + active / 900, 5),
    high_activity_time: Math.round(sessionSeconds * 0.4),
    medium_activity_time: Math.round(sessionSeconds * 0.6),
    low_activity_time: Math.round(14_000 * share),
    sedentary_time: Math.round(30_000 * share),
    resting_time: Math.round(28_000 * share),
    non_wear_time: 0,
    inactivity_alerts: random.integer(0, 4),
    class_5_min: "1".repeat(Math.floor(288 * share)),
    met: {
      interval: 60,
      items: share === 1 ? MET_OF_A_DAY : MET_OF_A_DAY.slice(0, Math.floor(MINUTES_A_DAY * share)),
      timestamp: writeLocal(zone, ring.activityStartMs),
    },
    contributors: contributors(random, score, [
      "meet_daily_targets",
      "move_every_hour",
      "recovery_time",
      "stay_active",
    ]),
    timestamp: writeLocal(zone, ring.activityStartMs),
  }
}
