/** WHOOP's cycle: from the onset of one main sleep to the onset of the next. An open cycle grows. */

import { clamp, MINUTE_MS, roundTo } from "../../model/calendar.ts"
import { everydayKilojoules, strainOf } from "../../model/effort.ts"
import type { Life } from "../../model/life.ts"
import { randomFor } from "../../model/random.ts"
import type { RecordHistory, Version } from "../../world/collection.ts"
import { type DayFrame, frameOf, type TimedActivity } from "../../world/day-frame.ts"
import { dialectFor, type WireCycle, type WireRecovery, writeInstant } from "./wire.ts"

/** A day with the id of the cycle that begins with its night. */
export interface CycleFrame extends DayFrame {
  readonly cycleId: number
}

/** Returns the frame of a day, or nothing when the strap was off. `ordinal`, below one million, makes cycle ids unique. */
export function cycleFrameOf(life: Life, day: number, ordinal: number): CycleFrame | undefined {
  const frame = frameOf(life, day)
  // WHOOP's cycle ids are int64, so these exceed 32 bits too.
  return frame && { ...frame, cycleId: day * 1_000_000 + ordinal }
}

/** Interval between changes of an open cycle's score. */
const GROWTH_STEP_MS = 15 * MINUTE_MS

/** Returns all versions of a cycle. `next` is the frame after it, absent when the strap is off. */
export function cycleHistory(
  life: Life,
  frame: CycleFrame,
  activities: readonly TimedActivity[],
  next: CycleFrame | undefined,
  userId: number,
): RecordHistory<WireCycle> {
  const { lifecycle } = frame
  // WHOOP's open cycles have either no score or the strain so far.
  const isScoredWhileOpen = life.traits.hasStrainSoFar || randomFor(life.seed, "open cycle", frame.day).chance(0.7)
  const write = cycleWriter(life, frame, activities, userId)
  const open = (fromMs: number, startMs: number): Version<WireCycle> => ({
    fromMs,
    ...(isScoredWhileOpen && { growsEveryMs: GROWTH_STEP_MS }),
    build: (nowMs) => {
      const stepMs = Math.max(fromMs, Math.floor(nowMs / GROWTH_STEP_MS) * GROWTH_STEP_MS)
      return isScoredWhileOpen
        ? write({ startMs, updatedMs: stepMs, scoredUntilMs: stepMs })
        : write({ startMs, updatedMs: fromMs })
    },
  })
  const closed = (fromMs: number, startMs: number, endMs: number, isFinal: boolean): Version<WireCycle> => ({
    fromMs,
    build: () => write({ startMs, endMs, updatedMs: fromMs, ...(isFinal && { scoredUntilMs: endMs }) }),
  })
  return { key: String(frame.cycleId), versions: stagesOfCycle(frame, next, lifecycle.uploadedMs, open, closed) }
}

/** A cycle changes when it appears, when its night is corrected, when the next night ends it, when that is corrected. */
function stagesOfCycle(
  frame: CycleFrame,
  next: CycleFrame | undefined,
  appearsMs: number,
  open: (fromMs: number, startMs: number) => Version<WireCycle>,
  closed: (fromMs: number, startMs: number, endMs: number, isFinal: boolean) => Version<WireCycle>,
): Version<WireCycle>[] {
  const correction = frame.hasSleep ? frame.lifecycle.corrected : undefined
  const nextCorrection = next?.hasSleep ? next.lifecycle.corrected : undefined
  const startAt = (ms: number) =>
    correction && ms >= correction.atMs ? frame.startMs + correction.startShiftMs : frame.startMs
  const endAt = (ms: number) =>
    nextCorrection && ms >= nextCorrection.atMs ? frame.endMs + nextCorrection.startShiftMs : frame.endMs
  const finalMs = next?.hasSleep ? next.lifecycle.scoredMs : frame.closedMs
  const moments = new Set([appearsMs, frame.closedMs, finalMs])
  if (correction) moments.add(correction.atMs)
  if (nextCorrection) moments.add(nextCorrection.atMs)
  return [...moments]
    .sort((left, right) => left - right)
    .map((ms) => (ms < frame.closedMs ? open(ms, startAt(ms)) : closed(ms, startAt(ms), endAt(ms), ms >= finalMs)))
}

interface CycleMoment {
  readonly startMs: number
  readonly endMs?: number
  readonly updatedMs: number
  /** The strain counts until here; absent while there is no score. */
  readonly scoredUntilMs?: number
}

function cycleWriter(life: Life, frame: CycleFrame, activities: readonly TimedActivity[], userId: number) {
  return ({ startMs, endMs, updatedMs, scoredUntilMs }: CycleMoment): WireCycle => {
    const dialect = dialectFor(life.seed, "cycle", frame.day)
    return {
      id: frame.cycleId,
      user_id: userId,
      created_at: writeInstant(frame.lifecycle.uploadedMs),
      updated_at: writeInstant(updatedMs),
      start: writeInstant(startMs),
      ...(endMs === undefined ? dialect.absent("end") : { end: writeInstant(endMs) }),
      timezone_offset: dialect.offset(frame.nightZone, startMs),
      score_state: scoredUntilMs === undefined ? "PENDING_SCORE" : "SCORED",
      ...(scoredUntilMs === undefined
        ? dialect.absent("score")
        : { score: scoreUntil(life, frame, activities, scoredUntilMs) }),
    }
  }
}

function scoreUntil(
  life: Life,
  frame: CycleFrame,
  activities: readonly TimedActivity[],
  untilMs: number,
): NonNullable<WireCycle["score"]> {
  const { body } = life.traits
  const done = activities.flatMap(({ session, endMs }) => (session && endMs <= untilMs ? [session] : []))
  const awakeShare = clamp((untilMs - frame.wakeMs) / (frame.endMs - frame.wakeMs), 0, 1)
  const everydayLoad = life.plan(frame.day).everydayLoad * awakeShare
  const load = done.reduce((sum, session) => sum + session.load, everydayLoad)
  const everyday = everydayKilojoules(body, frame.day, untilMs - frame.startMs, everydayLoad)
  const pulse = life.vitals(frame.day).restingHeartRate
  const busyMs = done.reduce((sum, session) => sum + session.durationMs, 0)
  const idlePulse = pulse * (1.08 + 0.24 * awakeShare)
  const averagePulse =
    done.reduce((sum, session) => sum + (session.averageHeartRate - idlePulse) * session.durationMs, 0) /
      Math.max(untilMs - frame.startMs, busyMs) +
    idlePulse
  return {
    strain: roundTo(strainOf(load), 6),
    kilojoule: roundTo(
      done.reduce((sum, session) => sum + session.kilojoules, everyday),
      4,
    ),
    average_heart_rate: Math.round(averagePulse),
    max_heart_rate: Math.max(
      Math.round(pulse * (1.3 + 0.75 * awakeShare)),
      ...done.map((session) => session.maxHeartRate),
    ),
  }
}

// WHOOP's recovery of a night. It has no id and no times of its own.

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
