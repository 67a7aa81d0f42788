import { z } from "zod"
import { effort, identity } from "./fields.ts"

/** One physiological cycle: from one main sleep's onset to the next. Not a calendar day. */
export const CycleDataSchema = z.object({
  ...identity,
  /** Local calendar date the cycle belongs to, YYYY-MM-DD: the date of waking from its main sleep. */
  date: z.string(),
  /** Start, ISO 8601 instant. */
  start: z.string(),
  /** End, ISO 8601 instant. Absent while the cycle is still open. */
  end: z.string().optional(),
  /** Strain of the whole cycle on the provider's own scale (WHOOP: 0-21, logarithmic). */
  strain: z.number().optional(),
  metrics: z.object(effort).optional(),
})

export type CycleData = z.infer<typeof CycleDataSchema>
