import {
  CycleRecordSchema,
  CycleResponseSchema,
  DAYS,
  HealthQuerySchema,
  INSIGHT_DAYS,
  JournalResponseSchema,
  ProfileResponseSchema,
  RecoveryResponseSchema,
  SleepRecordSchema,
  SleepResponseSchema,
  SummaryResponseSchema,
  WorkoutRecordSchema,
  WorkoutResponseSchema,
} from "@restwell/client"
import { plainText, SCOPE_OF } from "@restwell/core/connector"
import { z } from "zod"
import type { Sharing } from "./tool-source.ts"

/** One source alone, or the records of all. The list of sources would be repeated in every tool, so only the message of an error has it. */
const SourceInputSchema = z
  .string()
  .pipe(HealthQuerySchema.shape.source.unwrap())
  .optional()
  .describe("One device, or all")

/** The range of a read, as the REST query has it. */
export const RangeSchema = z.strictObject({
  days: z.int().min(DAYS.min).max(DAYS.max).optional().describe(`Default ${DAYS.default}, up to today`),
  start_date: HealthQuerySchema.shape.start_date.describe(""),
  end_date: HealthQuerySchema.shape.end_date.describe(""),
  source: SourceInputSchema,
})

/** The range of a list. One of more than 90 dates is a file. */
export const ListRangeSchema = RangeSchema.extend({
  days: z
    .int()
    .min(DAYS.min)
    .max(INSIGHT_DAYS.max)
    .optional()
    .describe(`Default ${DAYS.default}, up to today. Over ${DAYS.max}: a CSV link`),
  limit: z.int().min(1).max(DAYS.max).optional().describe("Newest only"),
})

/** The range of a list of workouts, of one sport or of all. */
export const WorkoutRangeSchema = ListRangeSchema.extend({ sport: HealthQuerySchema.shape.sport.describe("") })

export type Range = z.infer<typeof RangeSchema> & { readonly sport?: string | undefined }
export type ListRange = z.infer<typeof WorkoutRangeSchema>

/** The morning that an answer lacks because its score is not there yet. */
export const PendingSchema = z.object({
  date: z.string(),
  /** When the sleep that is being scored ended, local; null as long as the vendor has sent nothing of the date. */
  since: z.string().nullable(),
  newest_scored_date: z.string().nullable(),
})

/** What a list leaves out. */
const listed = { pending: PendingSchema.optional(), left_out: z.int().optional() }

/**
 * The tools' results: the REST responses with the same figures. Records have no ids, which would be a fifth of the text and mean nothing to
 * a reader. A summary has null for what the person does not share. Figures of today that are not there yet are named in `pending`.
 */
export const OUTPUTS = {
  summary: SummaryResponseSchema.extend({
    sleep: SummaryResponseSchema.shape.sleep.nullable(),
    recovery: SummaryResponseSchema.shape.recovery.nullable(),
    strain: SummaryResponseSchema.shape.strain.nullable(),
    pending: PendingSchema.optional(),
  }),
  sleep: SleepResponseSchema.extend({ records: z.array(SleepRecordSchema.omit({ id: true })), ...listed }),
  recovery: RecoveryResponseSchema.extend(listed),
  workout: WorkoutResponseSchema.extend({ records: z.array(WorkoutRecordSchema.omit({ id: true })), ...listed }),
  cycle: CycleResponseSchema.extend({ records: z.array(CycleRecordSchema.omit({ id: true })), ...listed }),
  profile: ProfileResponseSchema,
  journal: JournalResponseSchema.extend(listed),
} as const

/** The structured form of the summary. What is missing is named in as few sentences as it has runs of dates. */
export const SUMMARY_OUTPUT = OUTPUTS.summary.extend({ missing: z.array(z.string()).optional() })

export type Pending = z.infer<typeof PendingSchema>
export type SummaryOutput = z.infer<typeof OUTPUTS.summary>
export type SleepOutput = z.infer<typeof OUTPUTS.sleep>
export type RecoveryOutput = z.infer<typeof OUTPUTS.recovery>
export type WorkoutOutput = z.infer<typeof OUTPUTS.workout>
export type CycleOutput = z.infer<typeof OUTPUTS.cycle>
export type JournalOutput = z.infer<typeof OUTPUTS.journal>
export type ProfileOutput = z.infer<typeof OUTPUTS.profile>

/** In the shape that ChatGPT's research asks for. @see https://developers.openai.com/apps-sdk "search and fetch" */
export const SEARCH = {
  input: z.strictObject({
    query: z.string().max(500).describe("As in: worst nights in March, longest run, Mondays, days with alcohol"),
  }),
  output: z.object({
    results: z.array(z.object({ id: z.string(), title: z.string(), url: z.string() })),
    /** What search understands, where nothing was found. */
    note: z.string().optional(),
  }),
}

export const FETCH = {
  input: z.strictObject({ id: z.string().max(100) }),
  output: z.object({
    id: z.string(),
    title: z.string(),
    text: z.string(),
    url: z.string(),
    metadata: z.record(z.string(), z.string()).optional(),
  }),
}

const LONGEST_TEXT = 100

/** A summary with null for what the person does not share with this assistant. */
export function sharedSummary(body: unknown, { scopes }: Sharing) {
  const summary = OUTPUTS.summary.parse(body)
  return {
    ...summary,
    sleep: scopes.includes("sleep:read") ? summary.sleep : null,
    recovery: scopes.includes("recovery:read") ? summary.recovery : null,
    strain: scopes.includes("workouts:read") ? summary.strain : null,
    missing: summary.missing.filter(({ kind }) => scopes.includes(SCOPE_OF[kind])),
  }
}

/**
 * Makes every text plain and short: vendors and people wrote them, and an assistant must not take them for instructions.
 * @param longest characters of a text
 */
export function plainWords<Body>(body: Body, longest?: number): Body
export function plainWords(body: unknown, longest = LONGEST_TEXT): unknown {
  if (typeof body === "string") return plainText(body, longest)
  if (Array.isArray(body)) return body.map((part) => plainWords(part, longest))
  if (typeof body !== "object" || body === null) return body
  return Object.fromEntries(Object.entries(body).map(([name, part]) => [name, plainWords(part, longest)]))
}
