/** WHOOP's recovery of a night. It has no id and no times of its own. */
import type { Life } from "../../model/life.ts"
import { roundTo } from "../../model/units.ts"
import type { RecordHistory, Version } from "../../world/collection.ts"
import type { CycleFrame } from "./cycle-record.ts"
import { dialectFor, type WireRecovery, writeInstant } from "./wire.ts"

/** Nights until a new member has a baseline. */
const CALIBRATION_DAYS = 4

/** Returns all versions of the recovery of a day. */
export function recoveryHistory(
  life: Life,
  frame: CycleFrame,
  userId: number,
  memberSinceDay: number,
): RecordHistory<WireRecovery> {
  const { lifecycle } = frame
  const write = (updatedMs: number, state: WireRecovery["score_state"]): WireRecovery => ({
    cycle_id: frame.cycleId,
    sleep_id: frame.sleepId,
    user_id: userId,
    created_at: writeInstant(lifecycle.recoveryMs),
    updated_at: writeInstant(updatedMs),
    score_state: state,
    ...(state === "SCORED"
      ? { score: scoreOf(life, frame.day, memberSinceDay) }
      : dialectFor(life.seed, "recovery", frame.day).absent("score")),
  })
  const final = life.plan(frame.day).signalIsPoor ? "UNSCORABLE" : "SCORED"
  const versions: Version<WireRecovery>[] = []
  if (lifecycle.recoveryScoredMs > lifecycle.recoveryMs) {
    versions.push({ fromMs: lifecycle.recoveryMs, build: () => write(lifecycle.recoveryMs, "PENDING_SCORE") })
  }
  versions.push({ fromMs: lifecycle.recoveryScoredMs, build: () => write(lifecycle.recoveryScoredMs, final) })
  const { corrected, deletedMs } = lifecycle
  if (corrected) versions.push({ fromMs: corrected.atMs, build: () => write(corrected.atMs, final) })
  if (deletedMs !== undefined) versions.push({ fromMs: deletedMs, build: () => null })
  return { key: String(frame.cycleId), versions }
}

function scoreOf(life: Life, day: number, memberSinceDay: number): NonNullable<WireRecovery["score"]> {
  const vitals = life.vitals(day)
  return {
    user_calibrating: day < memberSinceDay + CALIBRATION_DAYS,
    recovery_score: life.recovery(day),
    resting_heart_rate: vitals.restingHeartRate,
    hrv_rmssd_milli: roundTo(vitals.hrvRmssdMs, 6),
    ...(life.traits.strapGeneration >= 4 && {
      spo2_percentage: roundTo(vitals.spo2Percent, 4),
      skin_temp_celsius: roundTo(vitals.skinTempCelsius, 4),
    }),
  }
}
