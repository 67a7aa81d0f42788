// Whether a recovery has anything but its date.
import type { NormalizedRecord, NormalizedRecovery } from "../contract/records.ts"

/** True if a figure of the morning is known. */
export const hasRecoveryFigures = (recovery: Partial<NormalizedRecovery>): boolean =>
  [
    recovery.scorePercent,
    recovery.hrvMs,
    recovery.restingHeartRateBpm,
    recovery.spo2Percent,
    recovery.skinTempCelsius,
    recovery.skinTempDeviationCelsius,
  ].some((figure) => figure != null)

/** A past date whose points have no value is no recovery. Today's may still get one. */
export const isNoEmptyRecovery = (record: NormalizedRecord): boolean =>
  record.kind !== "recovery" || record.scoreState === "pending" || hasRecoveryFigures(record)
