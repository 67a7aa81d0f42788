import { z } from "zod"
import { instant } from "../rest/fields.ts"

const ReportSchema = z
  .object({
    stored: z.int().meta({ description: "Records and answers that the archive brought", example: 11_204 }),
    unchanged: z.int().meta({ description: "Records that were stored already, and doubled rows", example: 3 }),
    ignored: z
      .array(z.object({ reason: z.string(), count: z.int() }))
      .meta({ description: "Rows that were not used, by reason. private_topic: answers about private topics" }),
    notes: z.array(z.string()).meta({ description: "What else there is to know, in sentences", example: [] }),
    from_date: z.string().nullable().meta({ format: "date", example: "2021-03-02" }),
    to_date: z.string().nullable().meta({ format: "date", example: "2026-11-20" }),
    by_type: z.record(z.string(), z.int()).meta({
      description:
        "Distinct records, answers and values of the file by type. `stored` and `unchanged` do not count values within the day",
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
      .enum([
        "whoop_archive",
        "oura_archive",
        "garmin_archive",
        "google_takeout",
        "apple_archive",
        "restwell_export",
        "push",
      ])
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
