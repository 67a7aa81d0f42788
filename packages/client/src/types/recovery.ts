import { z } from "zod"
import { identity } from "./fields.ts"

/** One day's recovery (readiness). Spec 2.2. */
export const RecoveryDataSchema = z.object({
  // WHOOP has no id for a recovery: `providerId` is the id of its cycle.
  ...identity,
  /** Local calendar date of waking, YYYY-MM-DD. */
  date: z.string(),
  /** Recovery score, 0-100. Absent while pending, or when the night cannot be scored. */
  score: z.number().optional(),
  metrics: z
    .object({
      /** Heart rate variability, milliseconds. The method is the provider's (WHOOP: RMSSD). */
      hrv: z.number().optional(),
      /** Beats per minute. */
      restingHeartRate: z.number().optional(),
      /** Blood oxygen saturation, percent. */
      spo2: z.number().optional(),
      /** Deviation of the skin temperature from the person's own baseline, degrees Celsius. */
      skinTemp: z.number().optional(),
    })
    .optional(),
})

export type RecoveryData = z.infer<typeof RecoveryDataSchema>
