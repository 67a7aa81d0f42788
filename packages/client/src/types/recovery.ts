import { z } from "zod"

/** One day's recovery (readiness). Spec 2.2. */
export const RecoveryDataSchema = z.object({
  /** Unique id: the provider's name, `-`, and the provider's id. */
  id: z.string(),
  /** The provider's original id. WHOOP has none for a recovery; its cycle's id stands in. */
  providerId: z.string(),
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
