import { z } from "zod"
import { date, value, wholeValue } from "./fields.ts"
import { recordsOf } from "./records.ts"
import { HrvMethodSchema, recordSource, ScoreStateSchema } from "./source.ts"

/** One day's recovery as the REST endpoint returns it. Spec 2.1. */
export const RecoveryRecordSchema = z
  .object({
    cycle_id: z.string().nullable().meta({
      description: "The id of the cycle it belongs to; null where the vendor has none",
      example: "whoop-1001",
    }),
    date: date("The local date of waking"),
    score_state: ScoreStateSchema,
    score: value("Recovery, percent 0-100", 71),
    hrv: value("Heart rate variability, milliseconds", 64.2),
    hrv_method: HrvMethodSchema,
    resting_heart_rate: wholeValue("Beats per minute", 52),
    spo2: value("Blood oxygen saturation, percent", 96.4),
    skin_temp_celsius: value("Skin temperature as the vendor measured it, degrees Celsius", 33.9),
    skin_temp_deviation_celsius: value(
      "Deviation from the person's usual temperature, degrees Celsius: as the vendor computes it, or from the mean of the previous 30 " +
        "scored nights of the same source; null with fewer than 5",
      0.2,
    ),
    ...recordSource,
  })
  .meta({ id: "RecoveryRecord" })

/** The body of `type=recovery`. Spec 2.1. */
export const RecoveryResponseSchema = recordsOf(RecoveryRecordSchema).meta({ id: "RecoveryResponse" })

export type RecoveryRecord = z.infer<typeof RecoveryRecordSchema>
export type RecoveryResponse = z.infer<typeof RecoveryResponseSchema>
