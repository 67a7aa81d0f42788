/** WHOOP's sleeps of a day: the night and the nap. */

import { clamp, roundTo } from "../../model/calendar.ts"
import type { Life } from "../../model/life.ts"
import { asleepMs, needOfNight, type SleepNeed, type SleepStages, stagesOfNap } from "../../model/night.ts"
import { randomFor } from "../../model/random.ts"
import type { RecordHistory, Version } from "../../world/collection.ts"
import { activityLifecycle, type TimedActivity } from "../../world/day-frame.ts"
import type { CycleFrame } from "./cycle-record.ts"
import { dialectFor, legacyId, type WireSleep, type WireSleepScore, writeInstant } from "./wire.ts"

/** Days until WHOOP has enough nights to score performance and consistency. */
const BASELINE_DAYS = 4

/** Returns all versions of the main sleep of a day. */
export function nightHistory(
  life: Life,
  frame: CycleFrame,
  userId: number,
  memberSinceDay: number,
): RecordHistory<WireSleep> {
  const { lifecycle } = frame
  const night = life.night(frame.day)
  const isKnown = frame.day >= memberSinceDay + BASELINE_DAYS
  const identity = { id: frame.sleepId, cycle_id: frame.cycleId, user_id: userId, nap: false }
  const write = sleepWriter(life, identity, frame.nightZone)
  const score = scoreOf(night.stages, night.need, frame.wakeMs - frame.startMs, {
    respiratoryRate: life.vitals(frame.day).respiratoryRate,
    ...(isKnown && { performance: night.performance, consistency: night.consistency }),
    efficiency: night.efficiency,
  })
  const times = { startMs: frame.startMs, endMs: frame.wakeMs, createdMs: lifecycle.uploadedMs }
  const isUnscorable = life.plan(frame.day).signalIsPoor
  const scored = (at: SleepTimes, updatedMs: number, by: WireSleepScore) =>
    isUnscorable ? write(at, updatedMs, "UNSCORABLE") : write(at, updatedMs, "SCORED", by)
  const versions: Version<WireSleep>[] = [
    { fromMs: lifecycle.uploadedMs, build: () => write(times, lifecycle.uploadedMs, "PENDING_SCORE") },
    { fromMs: lifecycle.scoredMs, build: () => scored(times, lifecycle.scoredMs, score) },
  ]
  const { corrected, deletedMs } = lifecycle
  if (corrected) {
    const moved = {
      ...times,
      startMs: times.startMs + corrected.startShiftMs,
      endMs: times.endMs + corrected.endShiftMs,
    }
    const rescored = shorten(score, moved.endMs - moved.startMs, isKnown)
    versions.push({ fromMs: corrected.atMs, build: () => scored(moved, corrected.atMs, rescored) })
  }
  if (deletedMs !== undefined) versions.push({ fromMs: deletedMs, build: () => null })
  return { key: frame.sleepId, versions }
}

/** Returns all versions of a nap. */
export function napHistory(
  life: Life,
  frame: CycleFrame,
  placed: TimedActivity,
  userId: number,
): RecordHistory<WireSleep> {
  const random = randomFor(life.seed, "nap", frame.day)
  const id = random.uuid()
  const lifecycle = activityLifecycle(life.seed, id, placed.endMs)
  const inBedMs = placed.endMs - placed.startMs
  const stages = stagesOfNap(life.seed, inBedMs, frame.day)
  const need = needOfNight(life.traits, [], life.load(frame.day - 1), 0)
  const write = sleepWriter(life, { id, cycle_id: frame.cycleId, user_id: userId, nap: true }, frame.dayZone)
  const times = { startMs: placed.startMs, endMs: placed.endMs, createdMs: lifecycle.uploadedMs }
  const score = scoreOf(stages, need, inBedMs, {
    efficiency: clamp((100 * asleepMs(stages)) / inBedMs, 0, 100),
    ...(random.chance(0.5) && { performance: Math.round((100 * asleepMs(stages)) / need.baselineMs) }),
  })
  const versions: Version<WireSleep>[] = [
    { fromMs: lifecycle.uploadedMs, build: () => write(times, lifecycle.uploadedMs, "PENDING_SCORE") },
    { fromMs: lifecycle.scoredMs, build: () => write(times, lifecycle.scoredMs, "SCORED", score) },
  ]
  if (lifecycle.deletedMs !== undefined) versions.push({ fromMs: lifecycle.deletedMs, build: () => null })
  return { key: id, versions }
}

interface SleepTimes {
  readonly startMs: number
  readonly endMs: number
  readonly createdMs: number
}

type SleepIdentity = Pick<WireSleep, "id" | "cycle_id" | "user_id" | "nap">

function sleepWriter(life: Life, { id, cycle_id, user_id, nap }: SleepIdentity, zone: string) {
  return (times: SleepTimes, updatedMs: number, state: WireSleep["score_state"], score?: WireSleepScore): WireSleep => {
    const dialect = dialectFor(life.seed, id)
    return {
      id,
      cycle_id,
      ...legacyId(dialect, id, times.createdMs),
      user_id,
      created_at: writeInstant(times.createdMs),
      updated_at: writeInstant(updatedMs),
      start: writeInstant(times.startMs),
      end: writeInstant(times.endMs),
      // "The user's timezone offset at the time the sleep was recorded", which is at its end.
      timezone_offset: dialect.offset(zone, times.endMs),
      nap,
      score_state: state,
      ...(score ? { score } : dialect.absent("score")),
    }
  }
}

interface SleepRates {
  readonly respiratoryRate?: number
  readonly performance?: number
  readonly consistency?: number
  readonly efficiency: number
}

function scoreOf(stages: SleepStages, need: SleepNeed, inBedMs: number, rates: SleepRates): WireSleepScore {
  return {
    stage_summary: {
      total_in_bed_time_milli: inBedMs,
      total_awake_time_milli: stages.awakeMs,
      total_no_data_time_milli: stages.noDataMs,
      total_light_sleep_time_milli: stages.lightMs,
      total_slow_wave_sleep_time_milli: stages.deepMs,
      total_rem_sleep_time_milli: stages.remMs,
      sleep_cycle_count: stages.sleepCycles,
      disturbance_count: stages.disturbances,
    },
    sleep_needed: {
      baseline_milli: need.baselineMs,
      need_from_sleep_debt_milli: need.fromDebtMs,
      need_from_recent_strain_milli: need.fromStrainMs,
      need_from_recent_nap_milli: need.fromNapMs,
    },
    ...(rates.respiratoryRate !== undefined && { respiratory_rate: roundTo(rates.respiratoryRate, 6) }),
    ...(rates.performance !== undefined && { sleep_performance_percentage: rates.performance }),
    ...(rates.consistency !== undefined && { sleep_consistency_percentage: rates.consistency }),
    sleep_efficiency_percentage: roundTo(rates.efficiency, 6),
  }
}

/** Returns the score of a night with corrected times. The stages have the same proportions as before. */
function shorten(score: WireSleepScore, inBedMs: number, isKnown: boolean): WireSleepScore {
  const before = score.stage_summary
  const scale = inBedMs / before.total_in_bed_time_milli
  const part = (durationMs: number) => Math.round(durationMs * scale)
  const performance = score.sleep_performance_percentage
  return {
    ...score,
    stage_summary: {
      ...before,
      total_in_bed_time_milli: inBedMs,
      total_awake_time_milli: part(before.total_awake_time_milli),
      total_no_data_time_milli: part(before.total_no_data_time_milli),
      total_light_sleep_time_milli: part(before.total_light_sleep_time_milli),
      total_slow_wave_sleep_time_milli: part(before.total_slow_wave_sleep_time_milli),
      total_rem_sleep_time_milli: part(before.total_rem_sleep_time_milli),
    },
    ...(isKnown &&
      performance !== undefined && {
        sleep_performance_percentage: clamp(Math.round(performance * scale), 0, 100),
      }),
  }
}
