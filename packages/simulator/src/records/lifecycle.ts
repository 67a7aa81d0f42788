/** When a record arrives and is scored, and whether its owner corrects or deletes it. */
import { randomFor } from "../model/random.ts"
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../model/units.ts"

/** Moments in the life of a night's records, epoch ms. */
export interface NightLifecycle {
  /** The strap uploads the night: the sleep appears without a score. */
  readonly uploadedMs: number
  readonly scoredMs: number
  /** The recovery appears shortly after its sleep's score. Some are pending for minutes. */
  readonly recoveryMs: number
  readonly recoveryScoredMs: number
  /** The owner corrects the times of the night. */
  readonly corrected?: { readonly atMs: number; readonly startShiftMs: number; readonly endShiftMs: number }
  /** The owner deletes the night. */
  readonly deletedMs?: number
}

/** A night is scored 15 to 30 minutes after waking, rarely corrected and very rarely deleted. */
export function nightLifecycle(seed: string, day: number, wakeMs: number): NightLifecycle {
  const random = randomFor(seed, "night fate", day)
  const uploadedMs = wakeMs + Math.round(random.between(2, 7) * MINUTE_MS)
  const scoredMs = wakeMs + Math.round(random.between(15, 29) * MINUTE_MS)
  const recoveryMs = scoredMs + Math.round(random.between(1, 9) * SECOND_MS)
  const isRecoveryPending = random.chance(0.15)
  const afterwardsMs = Math.round(recoveryMs + random.between(0.6, 30) * HOUR_MS)
  const startShiftMs = Math.round(random.between(-20, 35) * MINUTE_MS)
  const endShiftMs = Math.round(random.between(-35, 0) * MINUTE_MS)
  const isCorrected = random.chance(0.03)
  return {
    uploadedMs,
    scoredMs,
    recoveryMs,
    recoveryScoredMs: isRecoveryPending ? recoveryMs + Math.round(random.between(1, 4) * MINUTE_MS) : recoveryMs,
    ...(isCorrected && { corrected: { atMs: afterwardsMs, startShiftMs, endShiftMs } }),
    ...(!isCorrected && random.chance(0.004) && { deletedMs: afterwardsMs }),
  }
}

/** Moments in the life of a nap or a workout, epoch ms. */
export interface ActivityLifecycle {
  readonly uploadedMs: number
  readonly scoredMs: number
  readonly deletedMs?: number
  /** The owner renames the activity. */
  readonly renamedMs?: number
}

/** A nap or workout may be deleted, because straps sometimes detect one that never happened. */
export function activityLifecycle(seed: string, id: string, endMs: number): ActivityLifecycle {
  const random = randomFor(seed, "activity fate", id)
  const uploadedMs = endMs + Math.round(random.between(1, 8) * MINUTE_MS)
  const laterMs = Math.round(uploadedMs + random.between(0.7, 26) * HOUR_MS)
  const isDeleted = random.chance(0.015)
  return {
    uploadedMs,
    scoredMs: uploadedMs + Math.round(random.between(0.5, 5) * MINUTE_MS),
    ...(isDeleted && { deletedMs: laterMs }),
    ...(!isDeleted && random.chance(0.05) && { renamedMs: laterMs }),
  }
}
