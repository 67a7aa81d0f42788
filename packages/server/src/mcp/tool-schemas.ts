import {
  CycleRecordSchema,
  CycleResponseSchema,
  DAYS,
  HealthQuerySchema,
  JournalResponseSchema,
  ProfileResponseSchema,
  RecoveryResponseSchema,
  SleepRecordSchema,
  SleepResponseSchema,
  SummaryResponseSchema,
  WorkoutRecordSchema,
  WorkoutResponseSchema,
} from "@restwell/client"
import { z } from "zod"

/** The range of a read, as the REST query has it. */
export const RangeSchema = z.strictObject({
  days: z
    .int()
    .min(DAYS.min)
    .max(DAYS.max)
    .optional()
    .describe(`Number of dates up to today, or up to end_date. Default ${DAYS.default}`),
  start_date: HealthQuerySchema.shape.start_date.describe("First local date, YYYY-MM-DD. Overrides days"),
  end_date: HealthQuerySchema.shape.end_date.describe("Last local date, YYYY-MM-DD. Default today"),
  source: HealthQuerySchema.shape.source.describe(
    "One source alone, or all to compare them. Default: the one chosen for each date",
  ),
})

export type Range = z.infer<typeof RangeSchema>

/**
 * The tools' results: the REST responses with the same figures. Records have no ids, which would be a fifth of the text and mean nothing to
 * a reader. A summary has null for what the person does not share.
 */
export const OUTPUTS = {
  summary: SummaryResponseSchema.extend({
    sleep: SummaryResponseSchema.shape.sleep.nullable(),
    recovery: SummaryResponseSchema.shape.recovery.nullable(),
    strain: SummaryResponseSchema.shape.strain.nullable(),
  }),
  sleep: SleepResponseSchema.extend({ records: z.array(SleepRecordSchema.omit({ id: true })) }),
  recovery: RecoveryResponseSchema,
  workout: WorkoutResponseSchema.extend({ records: z.array(WorkoutRecordSchema.omit({ id: true })) }),
  cycle: CycleResponseSchema.extend({ records: z.array(CycleRecordSchema.omit({ id: true })) }),
  profile: ProfileResponseSchema,
  journal: JournalResponseSchema,
} as const

export type SummaryOutput = z.infer<typeof OUTPUTS.summary>
export type SleepOutput = z.infer<typeof OUTPUTS.sleep>
export type RecoveryOutput = z.infer<typeof OUTPUTS.recovery>
export type WorkoutOutput = z.infer<typeof OUTPUTS.workout>
export type CycleOutput = z.infer<typeof OUTPUTS.cycle>
export type JournalOutput = z.infer<typeof OUTPUTS.journal>
export type ProfileOutput = z.infer<typeof OUTPUTS.profile>

/** In the shape that ChatGPT's research asks for. @see https://developers.openai.com/apps-sdk "search and fetch" */
export const SEARCH = {
  input: z.strictObject({ query: z.string().max(500).describe("Words, a sport, or a date YYYY-MM-DD") }),
  output: z.object({ results: z.array(z.object({ id: z.string(), title: z.string(), url: z.string() })) }),
}

export const FETCH = {
  input: z.strictObject({ id: z.string().max(100).describe("An id from search") }),
  output: z.object({
    id: z.string(),
    title: z.string(),
    text: z.string(),
    url: z.string(),
    metadata: z.record(z.string(), z.string()).optional(),
  }),
}
