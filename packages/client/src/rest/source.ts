import { z } from "zod"

/** Provider of the data, and its sync state. */
export const SourceSchema = z
  .object({
    provider: z.string().meta({ description: "The vendor of the data", example: "whoop" }),
    status: z.enum(["ok", "syncing", "reauthorization_required", "vendor_unavailable", "failing", "archive"]).meta({
      description:
        "ok: complete and up to date. syncing: the first sync of the history is still running. " +
        "reauthorization_required: connect the vendor again in the dashboard. vendor_unavailable: the vendor is not responding. " +
        "failing: an unexpected error stopped the sync, it is retried. Unless the status is ok, recent data may be missing. " +
        "archive: the data come from uploaded archives, without a connection",
      example: "ok",
    }),
    last_synced_at: z.string().nullable().meta({
      description: "Time of the last successful sync, UTC; null before the first one",
      format: "date-time",
      example: "2026-11-20T07:02:11.000Z",
    }),
  })
  .meta({ id: "Source", description: "Provider of the data, and its sync state" })

export type Source = z.infer<typeof SourceSchema>

export const ScoreStateSchema = z.enum(["scored", "pending", "unscorable"]).meta({
  id: "ScoreState",
  description:
    "scored: final unless the vendor edits it. pending: the vendor is still computing the score, the values are null. " +
    "unscorable: too little was recorded for a score, the values stay null",
  example: "scored",
})

export type ScoreState = z.infer<typeof ScoreStateSchema>

export const EmptyReasonSchema = z
  .enum(["no_data_in_range", "history_syncing", "reauthorization_required", "vendor_unavailable", "failing"])
  .nullable()
  .meta({
    description:
      "Why `records` is empty; null when it is not. no_data_in_range: the vendor has no data for these dates. " +
      "history_syncing: these dates may not be synced yet. The others: recent data cannot be synced",
    example: null,
  })

export type EmptyReason = z.infer<typeof EmptyReasonSchema>
