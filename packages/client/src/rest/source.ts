import { z } from "zod"

/** Where an answer's numbers come from and how fresh they are. */
export const SourceSchema = z
  .object({
    provider: z.string().meta({ description: "The vendor the data was taken from", example: "whoop" }),
    status: z.enum(["ok", "syncing", "reauthorization_required", "vendor_unavailable"]).meta({
      description:
        "ok: complete and in step. syncing: the history is still being fetched for the first time. " +
        "reauthorization_required: connect the vendor again in the dashboard. vendor_unavailable: the vendor does not answer",
      example: "ok",
    }),
    last_synced_at: z.string().nullable().meta({
      description:
        "When the vendor was last asked for news, or told of some, and all of it was stored, UTC; null before the first time",
      format: "date-time",
      example: "2026-11-20T07:02:11.000Z",
    }),
  })
  .meta({ id: "Source", description: "Where the numbers come from and how fresh they are" })

export type Source = z.infer<typeof SourceSchema>

export const ScoreStateSchema = z.enum(["scored", "pending", "unscorable"]).meta({
  id: "ScoreState",
  description:
    "scored: final unless the vendor edits it. pending: the vendor is still computing, its values are null. " +
    "unscorable: too little was recorded, its values stay null",
  example: "scored",
})

export type ScoreState = z.infer<typeof ScoreStateSchema>

export const EmptyReasonSchema = z
  .enum(["no_data_in_range", "history_syncing", "reauthorization_required", "vendor_unavailable"])
  .nullable()
  .meta({
    description:
      "Why `records` is empty; null when it is not. no_data_in_range: the vendor has nothing for these dates. " +
      "history_syncing: these dates may still arrive. The others: the vendor could not be asked lately",
    example: null,
  })

export type EmptyReason = z.infer<typeof EmptyReasonSchema>
