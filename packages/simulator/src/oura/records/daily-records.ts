/**
 * Oura's documents of a day: scores, temperature, blood oxygen and stress, which come with its night, and its activity from 04:00 to 04:00,
 * which every sync of the ring updates.
 */

import { clamp, DAY_MS, MINUTE_MS, roundTo } from "../../model/calendar.ts"
import { everydayKilojoules } from "../../model/effort.ts"
import type { Life } from "../../model/life.ts"
import { type Random, randomFor } from "../../model/random.ts"
import type { RecordHistory, Version } from "../../world/collection.ts"
import { type RingDay, ringVitals } from "./ring.ts"
import { uploadOf } from "./sleep-record.ts"
import {
  type WireDailyActivity,
  type WireDailyReadiness,
  type WireDailySleep,
  type WireDailySpo2,
  type WireDocument,
  writeDay,
  writeLocal,
  writeMeta,
} from "./wire.ts"

/** Calibration: Oura has no readiness before it knows a person. */
const FIRST_READINESS_AFTER_DAYS = 3

/** Returns the document of the sleep score. */
export function dailySleepHistory(life: Life, ring: RingDay): RecordHistory<WireDailySleep> {
  const random = dayRandom(life, ring, "daily sleep")
  const id = random.uuid()
  const night = life.night(ring.day)
  const score = clamp(Math.round(18 + 0.72 * night.performance + random.normal(0, 3)), 1, 100)
  return once(id, uploadOf(ring), lastVersion(ring), (updatedMs) => ({
    ...documentOf(id, ring, updatedMs),
    score: life.plan(ring.day).signalIsPoor ? null : score,
    timestamp: `${writeDay(ring.day)}T00:00:00.000+00:00`,
    contributors: contributors(random, score, SLEEP_CONTRIBUTORS),
  }))
}

/** Returns the document of the readiness, or nothing while Oura calibrates. It follows the night, sometimes minutes later. */
export function readinessHistory(
  life: Life,
  ring: RingDay,
  sinceDay: number,
): RecordHistory<WireDailyReadiness> | undefined {
  if (ring.day < sinceDay + FIRST_READINESS_AFTER_DAYS) return undefined
  const random = dayRandom(life, ring, "daily readiness")
  const id = random.uuid()
  const vitals = ringVitals(life, ring.day)
  const isPoor = life.plan(ring.day).signalIsPoor
  const score = clamp(Math.round(44 + 0.5 * life.recovery(ring.day) + random.normal(0, 3)), 1, 100)
  const fromMs = uploadOf(ring) + (random.chance(0.1) ? Math.round(random.between(2, 30) * MINUTE_MS) : 0)
  return once(id, fromMs, lastVersion(ring), (updatedMs) => ({
    ...documentOf(id, ring, updatedMs),
    score: isPoor ? null : score,
    temperature_deviation: isPoor ? null : vitals.temperatureDeviation,
    temperature_trend_deviation: isPoor ? null : vitals.temperatureTrend,
    timestamp: `${writeDay(ring.day)}T00:00:00.000+00:00`,
    contributors: contributors(random, score, READINESS_CONTRIBUTORS),
  }))
}

/** Returns the document of the blood oxygen, or nothing for a night in which it was not measured. */
export function spo2History(life: Life, ring: RingDay): RecordHistory<WireDailySpo2> | undefined {
  const random = dayRandom(life, ring, "daily spo2")
  const id = random.uuid()
  if (random.chance(0.04)) return undefined
  const isMissing = random.chance(0.03) || life.plan(ring.day).signalIsPoor
  const average = ringVitals(life, ring.day).spo2Percent
  return once(id, uploadOf(ring), undefined, (updatedMs) => ({
    ...documentOf(id, ring, updatedMs),
    breathing_disturbance_index: isMissing ? null : random.integer(0, 12),
    spo2_percentage: isMissing ? null : { average },
  }))
}

const SLEEP_CONTRIBUTORS = [
  "deep_sleep",
  "efficiency",
  "latency",
  "rem_sleep",
  "restfulness",
  "timing",
  "total_sleep",
] as const
const READINESS_CONTRIBUTORS = [
  "activity_balance",
  "body_temperature",
  "hrv_balance",
  "previous_day_activity",
  "previous_night",
  "recovery_index",
  "resting_heart_rate",
  "sleep_balance",
  "sleep_regularity",
] as const

/** Returns scores of 1 to 100, some null. They are no measurements. */
function contributors(random: Random, around: number, names: readonly string[]): Record<string, number | null> {
  return Object.fromEntries(
    names.map((name) => [name, random.chance(0.04) ? null : clamp(Math.round(around + random.normal(0, 12)), 1, 100)]),
  )
}

export const documentOf = (id: string, ring: RingDay, updatedMs: number, version = 1): WireDocument => ({
  id,
  meta: writeMeta(updatedMs, version),
  day: writeDay(ring.day),
})

const dayRandom = (life: Life, ring: RingDay, name: string): Random => randomFor(life.seed, name, ring.day)

/** When the owner corrects the night, its scores are computed again. */
const lastVersion = ({ lifecycle }: RingDay): number | undefined => lifecycle.corrected?.atMs

function once<T>(
  key: string,
  fromMs: number,
  againMs: number | undefined,
  build: (updatedMs: number) => T,
): RecordHistory<T> {
  const first = build(fromMs)
  const versions: Version<T>[] = [{ fromMs, build: () => first }]
  if (againMs !== undefined && againMs > fromMs)
    versions.push({ fromMs: againMs, build: () => ({ ...first, meta: writeMeta(againMs, 2) }) })
  return { key, versions }
}

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
