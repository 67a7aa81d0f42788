/* What WHOOP and Oura have of a simulated person, computed from the simulator's documents. It shares no code with the service. */
import type { NormalizedRecord } from "@restwell/providers"
import type { OuraRecords, WireRecords } from "@restwell/simulator"
import { scoreOf } from "../chart.ts"
import { asleepMs, inBedMs, needMs } from "../record-times.ts"
import { isRecoveryActivity } from "../sports.ts"
import {
  byDay,
  cycleOf,
  DAY_MS,
  minutesOf,
  type Night,
  nightsOf,
  recoveryOf,
  SECOND_MS,
  sleepOf,
  spanOf,
  stagesOf,
  stateOf,
  trainedWith,
  workoutOf,
} from "./records.ts"

const STATES = { SCORED: "scored", PENDING_SCORE: "pending", UNSCORABLE: "unscorable" } as const
const KILOJOULES = 4.184

/** WHOOP's own records. */
export function recordedByWhoop(raw: WireRecords): NormalizedRecord[] {
  const timesOf = (record: { start: string; end?: string | null; timezone_offset: string }) => ({
    startMs: Date.parse(record.start),
    offset: minutesOf(record.timezone_offset),
  })
  const kilocalories = (kilojoules: number | undefined) => kilojoules && kilojoules / KILOJOULES
  const sleeps = raw.sleeps.map((sleep) => {
    const score = scoreOf(sleep)
    const stages = score?.stage_summary
    return sleepOf(sleep.id, STATES[sleep.score_state], {
      ...timesOf(sleep),
      endMs: Date.parse(sleep.end),
      isNap: sleep.nap,
      inBedMs: inBedMs(sleep),
      stages: stages && [
        stages.total_light_sleep_time_milli,
        stages.total_slow_wave_sleep_time_milli,
        stages.total_rem_sleep_time_milli,
        stages.total_awake_time_milli,
      ],
      figures: {
        efficiencyPercent: score?.sleep_efficiency_percentage,
        respiratoryRatePerMinute: score?.respiratory_rate,
        timesAwake: stages?.disturbance_count,
      },
      score: score?.sleep_performance_percentage,
      needMs: asleepMs(sleep) === null ? null : needMs(sleep),
      consistency: score?.sleep_consistency_percentage,
      needParts: score?.sleep_needed && {
        baselineMs: score.sleep_needed.baseline_milli,
        debtMs: score.sleep_needed.need_from_sleep_debt_milli,
        strainMs: score.sleep_needed.need_from_recent_strain_milli,
        napMs: score.sleep_needed.need_from_recent_nap_milli,
      },
      cycle: String(sleep.cycle_id),
    })
  })
  const recoveries = raw.recoveries.map((recovery) => {
    const score = scoreOf(recovery)
    return recoveryOf(String(recovery.cycle_id), STATES[recovery.score_state], {
      date: recovery.created_at.slice(0, 10),
      sleep: recovery.sleep_id,
      cycle: String(recovery.cycle_id),
      score: score?.recovery_score,
      celsius: score?.skin_temp_celsius,
      figures: {
        hrvMs: score?.hrv_rmssd_milli,
        restingHeartRateBpm: score?.resting_heart_rate,
        spo2Percent: score?.spo2_percentage,
      },
    })
  })
  const heart = (score: { average_heart_rate: number; max_heart_rate: number; kilojoule: number } | undefined) => ({
    averageHeartRateBpm: score?.average_heart_rate,
    maxHeartRateBpm: score?.max_heart_rate,
    energyKcal: kilocalories(score?.kilojoule),
  })
  const workouts = raw.workouts.map((workout) => {
    const score = scoreOf(workout)
    return workoutOf(workout.id, STATES[workout.score_state], {
      ...timesOf(workout),
      endMs: Date.parse(workout.end),
      strain: score?.strain,
      figures: { ...heart(score), distanceMeters: score?.distance_meter },
      isRest: isRecoveryActivity(workout),
    })
  })
  const cycles = raw.cycles.map((cycle) => {
    const score = scoreOf(cycle)
    return cycleOf(String(cycle.id), STATES[cycle.score_state], {
      ...timesOf(cycle),
      endMs: cycle.end ? Date.parse(cycle.end) : null,
      strain: score?.strain,
      figures: heart(score),
    })
  })
  return [...sleeps, ...recoveries, ...workouts, ...cycles]
}

/** Oura's own documents. */
export function recordedByOura(all: OuraRecords, now: Date): NormalizedRecord[] {
  const [scores, oxygen, activities] = [byDay(all.daily_sleep), byDay(all.daily_spo2), byDay(all.daily_activity)]
  const sleeps = all.sleep.filter(({ type }) => type !== "deleted" && type !== "rest")
  const main = byDay(
    nightsOf(all).toSorted((one, other) => (one.total_sleep_duration ?? 0) - (other.total_sleep_duration ?? 0)),
  )
  const dayOfWaking = ({ bedtime_end: end }: Night) => activities.get(end.slice(0, 10))?.id
  const slept = sleeps.map((night) => {
    const stages = stagesOf(night)
    return sleepOf(night.id, stateOf(stages !== undefined, night.bedtime_end.slice(0, 10), now), {
      ...spanOf(night),
      isNap: night.type !== "long_sleep",
      inBedMs: night.time_in_bed * SECOND_MS,
      stages,
      figures: {
        efficiencyPercent: night.efficiency,
        respiratoryRatePerMinute: night.average_breath,
        latencyMs: night.latency === null ? null : night.latency * SECOND_MS,
      },
      score: main.get(night.day) === night ? scores.get(night.day)?.score : undefined,
      parts: main.get(night.day) === night ? scores.get(night.day)?.contributors : undefined,
      cycle: dayOfWaking(night),
    })
  })
  const readinesses = byDay(all.daily_readiness)
  const unready = [...main.values()].filter(
    ({ day, average_hrv: hrv, lowest_heart_rate: lowest }) => !readinesses.has(day) && (hrv || lowest),
  )
  const mornings = [...readinesses.keys(), ...unready.map(({ day }) => day)].map((date) => {
    const [readiness, night] = [readinesses.get(date), main.get(date)]
    const score = readiness?.score
    return recoveryOf(readiness?.id ?? night?.id ?? "", stateOf(typeof score === "number", date, now), {
      date,
      sleep: night?.id,
      cycle: night ? dayOfWaking(night) : activities.get(date)?.id,
      score,
      deviation: readiness?.temperature_deviation,
      parts: readiness?.contributors,
      figures: {
        hrvMs: night?.average_hrv,
        restingHeartRateBpm: night?.lowest_heart_rate,
        spo2Percent: oxygen.get(date)?.spo2_percentage?.average,
      },
    })
  })
  const days = all.daily_activity.map((activity) => {
    const next = activities.get(Temporal.PlainDate.from(activity.day).add({ days: 1 }).toString())
    const startMs = Date.parse(activity.timestamp)
    const endMs = next ? Date.parse(next.timestamp) : startMs + DAY_MS
    return cycleOf(activity.id, "scored", {
      startMs,
      endMs: endMs <= now.getTime() ? endMs : null,
      offset: minutesOf(activity.timestamp),
      endOffset: minutesOf(next?.timestamp ?? activity.timestamp),
      figures: { energyKcal: activity.total_calories },
      steps: activity.steps,
      active: activity.active_calories,
      distance: activity.equivalent_walking_distance,
      parts: activity.contributors,
    })
  })
  return [...slept, ...mornings, ...days, ...trainedWith(all, () => ({}))]
}
