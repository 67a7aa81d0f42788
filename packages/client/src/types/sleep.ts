import { z } from "zod"
import { identity } from "./fields.ts"

/** Time in each stage of one sleep. All four or none: a partial breakdown is left out. Spec 2.2. */
export const SleepStagesSchema = z.object({
  /** Light sleep, milliseconds. */
  lightMs: z.number(),
  /** Deep (slow-wave) sleep, milliseconds. */
  deepMs: z.number(),
  /** REM sleep, milliseconds. */
  remMs: z.number(),
  /** Awake inside the sleep period, milliseconds. */
  awakeMs: z.number(),
})

/** One sleep session, a night or a nap. Spec 2.2. */
export const SleepDataSchema = z.object({
  ...identity,
  /** Sleep start, ISO 8601 instant. */
  start: z.string(),
  /** Sleep end, ISO 8601 instant. */
  end: z.string(),
  /** Time in bed, milliseconds. */
  durationMs: z.number(),
  /** True for a nap, false for overnight sleep. */
  isNap: z.boolean(),
  /** Sleep performance, 0-100. Absent until the provider has scored the sleep, or when it cannot. */
  score: z.number().optional(),
  /** Stage breakdown. Absent until the provider has scored the sleep, or when it cannot. */
  stages: SleepStagesSchema.optional(),
  metrics: z
    .object({
      /** Percent 0-100: time asleep / time in bed. */
      efficiency: z.number().optional(),
      /** Breaths per minute. */
      respiratoryRate: z.number().optional(),
    })
    .optional(),
})

export type SleepStages = z.infer<typeof SleepStagesSchema>
export type SleepData = z.infer<typeof SleepDataSchema>
