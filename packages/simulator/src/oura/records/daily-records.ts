/** Oura's documents of a day that come with its night: scores, temperature, blood oxygen, stress. */
import type { Life } from "../../model/life.ts"
import { type Random, randomFor } from "../../model/random.ts"
import { clamp, MINUTE_MS } from "../../model/units.ts"
import type { RecordHistory, Version } from "../../records/collection.ts"
import type { RingDay } from "../ring/ring-day.ts"
import { ringVitals } from "../ring/ring-night.ts"
import { uploadOf } from "./sleep-record.ts"
import type { WireDailyReadiness, WireDailySleep, WireDailySpo2, WireDailyStress, WireDocument } from "./wire.ts"
import { writeDay, writeMeta } from "./write.ts"

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

export function stressHistory(life: Life, ring: RingDay): RecordHistory<WireDailyStress> {
  const random = dayRandom(life, ring, "daily stress")
  const id = random.uuid()
  return once(id, ring.syncedMs.at(-1) ?? ring.activityEndMs, undefined, (updatedMs) => ({
    ...documentOf(id, ring, updatedMs),
    day_summary: random.pick(["restored", "normal", "stressful"]),
    recovery_high: random.integer(0, 12) * 900,
    stress_high: random.integer(0, 16) * 900,
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
export function contributors(random: Random, around: number, names: readonly string[]): Record<string, number | null> {
  return Object.fromEntries(
    names.map((name) => [name, random.chance(0.04) ? null : clamp(Math.round(around + random.normal(0, 12)), 1, 100)]),
  )
}

export const documentOf = (id: string, ring: RingDay, updatedMs: number, version = 1): WireDocument => ({
  id,
  meta: writeMeta(updatedMs, version),
  day: writeDay(ring.day),
})

export const dayRandom = (life: Life, ring: RingDay, name: string): Random => randomFor(life.seed, name, ring.day)

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
