import { z } from "zod"

/** The names of sources, in the order of the alphabet. A vendor's archive has the vendor's name. */
export const PROVIDERS = [
  "apple_health",
  "gadgetbridge",
  "garmin",
  "google_health",
  "health_connect",
  "intervals",
  "oura",
  "phone",
  "polar",
  "sleep_as_android",
  "ultrahuman",
  "whoop",
  "withings",
] as const
export type Provider = (typeof PROVIDERS)[number]

/** The source of what the person enters in the page. */
export const OWN_SOURCE = "restwell"

/** What a sync waits for, or works on. */
export const WaitingSchema = z
  .object({
    reason: z.enum(["vendor_limit", "minute_limit", "day_limit", "fair_share", "history"]).meta({
      description:
        "vendor_limit: the vendor accepts no more calls. minute_limit, day_limit: the calls that the vendor allows all people of this " +
        "service together are used up. fair_share: this person's share of them is. history: it waits for nothing, and reads the history",
      example: "fair_share",
    }),
    message: z.string().meta({
      description: "The reason in a sentence",
      example: "the vendor allows this service 10000 calls a day for all people together, and your share is used up",
    }),
    until: z.string().nullable().meta({
      description:
        "When the sync continues, about; null while it works, because vendors do not say how far their history goes back",
      format: "date-time",
      example: "2026-11-20T14:32:00.000Z",
    }),
  })
  .meta({ id: "Waiting", description: "What a sync waits for, or works on" })

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
    archived_at: z.string().optional().meta({
      description: "Only for assistants, and while the status is archive: when the newest archive was uploaded, UTC",
      format: "date-time",
      example: "2026-11-20T07:02:11.000Z",
    }),
    waiting: WaitingSchema.optional().meta({ description: "Only while the status is syncing: why, and until when" }),
  })
  .meta({ id: "Source", description: "Provider of the data, and its sync state" })

export type Source = z.infer<typeof SourceSchema>

/** Whether a source gets newer data by itself. An archive never does, and a refused connection only after the person has connected it again. */
export const getsNewData = ({ status }: Pick<Source, "status">): boolean =>
  status !== "archive" && status !== "reauthorization_required"

/** Every source of the person that is connected or was uploaded. */
export const SourcesSchema = z.array(SourceSchema).meta({ description: "All sources, in the person's order" })

/** How a source computes HRV. Values of different methods cannot be compared. */
export const HrvMethodSchema = z.enum(["rmssd", "sdnn"]).nullable().meta({
  id: "HrvMethod",
  description: "How the HRV was computed. Values of different methods cannot be compared. Null without an HRV",
  example: "rmssd",
})
export type HrvMethod = NonNullable<z.infer<typeof HrvMethodSchema>>

export const CHOICE_REASONS = ["only_one", "your_choice", "your_order", "complete", "direct", "default_order"] as const
export type ChoiceReason = (typeof CHOICE_REASONS)[number]

/** A field that is null in a record and known to another source. */
export const OtherFieldSchema = z
  .object({
    field: z
      .string()
      .meta({ description: "The field. A nested one has the name of its column in CSV", example: "steps" }),
    source: z.string().meta({ description: "The source that knows it: read it with `source=`", example: "garmin" }),
  })
  .meta({ id: "OtherField", description: "A field that is null in a record and known to another source" })
export type OtherField = z.infer<typeof OtherFieldSchema>

/** Where a record comes from, and why this source answers. */
export const recordSource = {
  source: z.string().meta({ description: "The source of the record", example: "whoop" }),
  device: z.string().nullable().meta({
    description: "The device or app that a collector such as Apple Health names. Null for other sources",
    example: null,
  }),
  chosen_because: z
    .enum(CHOICE_REASONS)
    .nullable()
    .meta({
      description:
        "Why this source answers. only_one: no other source has it. your_choice: the person chose it for this date. your_order: it is first " +
        "in the person's order. complete: it has more of the main figures, or far more of the night. direct: the others come from archives, or " +
        "by way of a phone. default_order: the person has it longest. Null for a record that is not chosen, which only `source=all` lists",
      example: "only_one",
    }),
  chosen: z
    .boolean()
    .optional()
    .meta({ description: "With `source=all` only: true if the record answers without it", example: true }),
  others: z
    .array(OtherFieldSchema)
    .optional()
    .meta({
      description:
        "Only in an answer of several sources: fields that are null here and known to another source that has the same date or activity. " +
        "Nothing is filled in from there",
      example: [],
    }),
}

/** Records that a source should have and has not. */
export const MissingRecordsSchema = z
  .object({
    date: z.string().meta({ description: "The local date", format: "date", example: "2026-11-19" }),
    kind: z
      .enum(["sleep", "recovery", "workout", "cycle", "journal"])
      .meta({ description: "What is missing", example: "sleep" }),
    reason: z.string().meta({
      description: "Why, in a sentence",
      example: "WHOOP sent this sleep in a form that Restwell does not read yet. It is asked for again",
    }),
    source: z.string().meta({ description: "The source that lacks it", example: "whoop" }),
  })
  .meta({ id: "MissingRecords", description: "Records that a source should have and has not" })
export type MissingRecords = z.infer<typeof MissingRecordsSchema>

/** What is missing of the range of an answer. */
export const MissingSchema = z.array(MissingRecordsSchema).meta({
  description:
    "Dates of the range of which a record was set aside, is withheld by the vendor, or cannot be read because its part of the vendor's API " +
    "fails, newest first. They are not dates without a record",
  example: [],
})

export const ScoreStateSchema = z.enum(["scored", "pending", "unscorable"]).meta({
  id: "ScoreState",
  description:
    "scored: final unless the vendor edits it. pending: the vendor is still computing the score, the values are null. " +
    "unscorable: too little was recorded for a score, the values stay null",
  example: "scored",
})

export type ScoreState = z.infer<typeof ScoreStateSchema>

export const EMPTY_REASONS = [
  "no_data_in_range",
  "history_syncing",
  "reauthorization_required",
  "vendor_unavailable",
  "failing",
] as const
/** Why there are no values within the day. Not every vendor delivers them. */
export const SERIES_EMPTY_REASONS = [...EMPTY_REASONS, "not_delivered"] as const

export const EmptyReasonSchema = z
  .enum(EMPTY_REASONS)
  .nullable()
  .meta({
    description:
      "Why `records` is empty; null when it is not. no_data_in_range: the vendor has no data for these dates. " +
      "history_syncing: these dates may not be synced yet. The others: recent data cannot be synced",
    example: null,
  })

export type EmptyReason = z.infer<typeof EmptyReasonSchema>

/** What a key of some dates left out of an answer. */
export const noteOfKey = {
  note: z.string().optional().meta({
    description: "Only for a key of some dates, where the range by default is longer: what was left out",
    example: "this key opens dates from 2026-11-18 on, so the range begins there",
  }),
}
