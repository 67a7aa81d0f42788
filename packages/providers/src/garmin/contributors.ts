// What Garmin's scores of a night and of a morning are made of.
import { contributorsOf } from "../normalize/contributors.ts"
import type { ReadinessRow, SleepRow } from "./wire.ts"

/** By Garmin's names of them, without those that an archive has as -1. */
export function contributorsOfSleep(scores: SleepRow["sleepScores"]) {
  const parts = {
    duration: scores?.durationScore,
    quality: scores?.qualityScore,
    recovery: scores?.recoveryScore,
    deep: scores?.deepScore,
    rem: scores?.remScore,
    light: scores?.lightScore,
    restfulness: scores?.restfulnessScore,
    interruptions: scores?.interruptionsScore,
    awake: scores?.combinedAwakeScore,
    awake_time: scores?.awakeTimeScore,
    awakenings: scores?.awakeningsCountScore,
  }
  return contributorsOf(parts, null)
}

/** By Garmin's names of them in the app. @see https://www.garmin.com/en-US/garmin-technology/running-science/physiological-measurements/training-readiness/ */
export function contributorsOfReadiness(row: ReadinessRow | undefined) {
  const parts = {
    sleep: row?.sleepScoreFactorPercent,
    sleep_history: row?.sleepHistoryFactorPercent,
    recovery_time: row?.recoveryTimeFactorPercent,
    hrv_status: row?.hrvFactorPercent,
    acute_load: row?.acwrFactorPercent,
    stress_history: row?.stressHistoryFactorPercent,
  }
  return contributorsOf(parts, "%")
}
