import { z } from "zod"
import { instant } from "../rest/fields.ts"
import type { Provider } from "../rest/source.ts"

const IMPORT_KINDS = [
  "whoop_archive",
  "oura_archive",
  "garmin_archive",
  "google_takeout",
  "apple_archive",
  "health_connect_export",
  "gadgetbridge_export",
  "sleep_as_android_export",
  "restwell_export",
  "push",
] as const
type ImportKind = (typeof IMPORT_KINDS)[number]

/** What people call the file, and whose records it has. Another Restwell's export has records of all. */
export const IMPORTED: Readonly<Record<ImportKind, { readonly name: string; readonly source: Provider | null }>> = {
  whoop_archive: { name: "WHOOP archive", source: "whoop" },
  oura_archive: { name: "Oura archive", source: "oura" },
  garmin_archive: { name: "Garmin archive", source: "garmin" },
  google_takeout: { name: "Google Takeout of Fitbit", source: "google_health" },
  apple_archive: { name: "Apple Health export", source: "apple_health" },
  health_connect_export: { name: "Health Connect export", source: "health_connect" },
  gadgetbridge_export: { name: "Gadgetbridge export", source: "gadgetbridge" },
  sleep_as_android_export: { name: "Sleep as Android export", source: "sleep_as_android" },
  restwell_export: { name: "Restwell export", source: null },
  push: { name: "Pushes from a phone", source: "phone" },
}

const ReportSchema = z
  .object({
    stored: z.int().meta({
      description: "Records, answers and values within the day that the archive brought. A day counts as a whole",
      example: 613_160,
    }),
    unchanged: z.int().meta({ description: "What was stored already, and doubled records", example: 3 }),
    ignored: z
      .array(z.object({ reason: z.string(), count: z.int() }))
      .meta({ description: "Rows that were not used, by reason. private_topic: answers about private topics" }),
    notes: z.array(z.string()).meta({ description: "What else there is to know, in sentences", example: [] }),
    from_date: z.string().nullable().meta({ format: "date", example: "2021-03-02" }),
    to_date: z.string().nullable().meta({ format: "date", example: "2026-11-20" }),
    by_type: z.record(z.string(), z.int()).meta({
      description: "Distinct records, answers and values of the file by type",
      example: { sleep: 2_240, journal: 6_120, heart_rate: 604_800 },
    }),
    dates_by_type: z.record(z.string(), z.object({ from_date: z.iso.date(), to_date: z.iso.date() })).meta({
      description: "The first and the last date of each type. Those of values within the day are UTC days",
      example: { sleep: { from_date: "2021-03-02", to_date: "2026-11-20" } },
    }),
  })
  .meta({ id: "ImportReport" })

export const ImportSchema = z
  .object({
    id: z.string().meta({ example: "5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11" }),
    file_name: z.string().meta({ example: "my_whoop_data.zip" }),
    kind: z
      .enum(IMPORT_KINDS)
      .nullable()
      .meta({ description: "Detected by content; null before that", example: "whoop_archive" }),
    status: z.enum(["queued", "running", "done", "failed"]).meta({ example: "done" }),
    progress: z.number().meta({ description: "Fraction of the file that was read, 0 to 1", example: 1 }),
    report: ReportSchema.nullable().meta({ description: "Null until it is done" }),
    error: z
      .string()
      .nullable()
      .meta({ description: "Why it failed and what to do, in one sentence. Nothing was stored then", example: null }),
    created_at: instant("When it was uploaded", "2026-11-20T07:02:11.000Z"),
  })
  .meta({ id: "Import" })

/** GET /api/imports. */
export const ImportsResponseSchema = z.object({ imports: z.array(ImportSchema) }).meta({ id: "ImportsResponse" })

/** POST /api/imports. */
export const ImportStartedResponseSchema = z
  .object({ id: z.string().meta({ example: "5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11" }) })
  .meta({ id: "ImportStartedResponse" })

export type Import = z.infer<typeof ImportSchema>
export type ImportsResponse = z.infer<typeof ImportsResponseSchema>
export type ImportStartedResponse = z.infer<typeof ImportStartedResponseSchema>

/** POST /api/account/ingest-tokens. */
export const IngestTokenRequestSchema = z
  .strictObject({
    name: z
      .string({ error: "must be the name of the device" })
      .trim()
      .min(1, { error: "must be the name of the device" })
      .max(60, { error: "must have at most 60 characters" })
      .meta({ description: "The device that will push", example: "Ada's phone" }),
  })
  .meta({ id: "IngestTokenRequest" })

export const IngestTokenResponseSchema = z
  .object({
    id: z.string().meta({ example: "5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11" }),
    token: z.string().meta({ description: "In this response only", example: `rwi_${"0".repeat(32)}4vWnKQ` }),
  })
  .meta({ id: "IngestTokenResponse" })

const IngestTokenSchema = z
  .object({
    id: z.string().meta({ example: "5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11" }),
    name: z.string().meta({ example: "Ada's phone" }),
    prefix: z.string().meta({ description: "The first characters, to recognise the token by", example: "rwi_3kX9b" }),
    created_at: instant("When it was made", "2026-11-20T07:02:11.000Z"),
    last_used_at: instant("The last push, to the minute; null before the first", "2026-11-20T07:02:11.000Z").nullable(),
  })
  .meta({ id: "IngestToken" })

/** GET /api/account/ingest-tokens. */
export const IngestTokensResponseSchema = z
  .object({ tokens: z.array(IngestTokenSchema).meta({ description: "Oldest first" }) })
  .meta({ id: "IngestTokensResponse" })

export const PUSHED_TYPES = [
  "sleep_segment",
  "hrv_rmssd",
  "hrv_sdnn",
  "resting_heart_rate",
  "respiratory_rate",
  "spo2",
  "skin_temperature",
  "steps",
  "active_energy",
  "distance",
  "floors",
  "exercise_minutes",
  "workout",
  "heart_rate",
  "weight",
  "body_fat",
  "blood_pressure_systolic",
  "blood_pressure_diastolic",
  "vo2max",
  "stress",
  "walking_heart_rate",
] as const
export type PushedType = (typeof PUSHED_TYPES)[number]

/** Longer text than anything of a row has. */
const LONGEST_TEXT = 200
const pushedText = z.string().max(LONGEST_TEXT)
const pushedInstant = (description: string, example: string) =>
  pushedText.meta({ description: `${description}, ISO 8601 with Z or the UTC offset of the local clock`, example })
const sourceName = pushedText
  .nullish()
  .meta({ description: "The device or app that measured it", example: "Apple Watch" })
const unit = pushedText.nullish().meta({
  description: "Left out: ms, bpm, /min, %, C, count, kcal, m, min, kg, mmHg, ml/kg/min or points by type",
  example: "bpm",
})

/** One row of a push. */
export const PushedRecordSchema = z
  .object({
    type: pushedText.meta({ description: PUSHED_TYPES.join(", "), example: "resting_heart_rate" }),
    start: pushedInstant("When it was measured, or began", "2026-11-20T06:58:00+01:00"),
    end: pushedInstant("When it ended: sleep segments and workouts have it", "2026-11-20T06:58:00+01:00").nullish(),
    value: z.union([z.number(), pushedText]).meta({
      description:
        "A number. Of a sleep_segment awake, light, deep, rem, asleep or in_bed, of a workout the sport in words",
      example: 52,
    }),
    unit,
    source: sourceName,
    id: pushedText.min(1).nullish().meta({
      description: "The program's own id, if its rows change. Later rows with this id replace it",
      example: null,
    }),
  })
  .meta({ id: "PushedRecord" })

/** Samples of one type in columns of equal length. */
export const PushedSeriesSchema = z
  .object({
    type: pushedText.meta({ description: "As in `records`, but sleep_segment and workout", example: "heart_rate" }),
    source: sourceName,
    unit,
    start: pushedInstant("What the offsets count from", "2026-11-20T06:00:00+01:00"),
    offsets_seconds: z.array(z.number()).meta({ example: [0, 5, 10] }),
    values: z
      .array(z.number().nullable())
      .meta({ description: "Null where nothing was measured", example: [61, 60, 62] }),
  })
  .meta({ id: "PushedSeries" })

/** POST /api/ingest/records. */
export const PushBodySchema = z
  .object({
    records: z.array(PushedRecordSchema).optional(),
    series: z.array(PushedSeriesSchema).optional(),
  })
  .meta({ id: "PushBody" })

/** POST /api/ingest/health-auto-export, as the app describes it. */
export const HealthAutoExportBodySchema = z
  .object({
    data: z.looseObject({
      metrics: z
        .array(z.looseObject({ name: z.string(), units: z.string(), data: z.array(z.looseObject({})) }))
        .optional(),
      workouts: z.array(z.looseObject({ name: z.string(), start: z.string(), end: z.string() })).optional(),
    }),
  })
  .meta({ id: "HealthAutoExportBody" })

/** The answer to a push. */
export const PushResponseSchema = z
  .object({
    stored: z.int().meta({ description: "Rows that were not stored before, or that changed", example: 412 }),
    unchanged: z.int().meta({ description: "Rows that were stored already, and doubled rows", example: 38 }),
    ignored: z
      .array(z.object({ reason: z.string(), count: z.int() }))
      .meta({ description: "Rows that were not used, by reason", example: [{ reason: "unknown type", count: 3 }] }),
  })
  .meta({ id: "PushResponse" })

/** The answer to a push that takes longer than 10 seconds. */
export const PushStartedResponseSchema = z
  .object({
    id: z.string().meta({
      description: "`GET /api/ingest/{id}` has the report, with the same token",
      example: "5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11",
    }),
  })
  .meta({ id: "PushStartedResponse" })

/** GET /api/ingest/{id}. */
export const PushStatusResponseSchema = PushResponseSchema.extend({
  status: z
    .enum(["queued", "done", "failed"])
    .meta({ description: "queued: it is being stored, and the counts grow", example: "done" }),
  error: z
    .string()
    .nullable()
    .meta({ description: "Why it failed, in one sentence. What the counts say is stored nevertheless", example: null }),
}).meta({ id: "PushStatusResponse" })

export type IngestToken = z.infer<typeof IngestTokenSchema>
export type IngestTokensResponse = z.infer<typeof IngestTokensResponseSchema>
export type IngestTokenResponse = z.infer<typeof IngestTokenResponseSchema>
export type PushResponse = z.infer<typeof PushResponseSchema>
export type PushStartedResponse = z.infer<typeof PushStartedResponseSchema>
export type PushStatusResponse = z.infer<typeof PushStatusResponseSchema>
