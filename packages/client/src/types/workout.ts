import { z } from "zod"
import { effort, identity } from "./fields.ts"

/** Sport types to which each provider's names are mapped. A sport outside these keeps the provider's name. Spec 2.2. */
export const NORMALIZED_SPORT_TYPES = [
  "running",
  "cycling",
  "swimming",
  "strength",
  "yoga",
  "hiit",
  "walking",
  "other",
] as const

export type NormalizedSportType = (typeof NORMALIZED_SPORT_TYPES)[number]

/** One workout. Spec 2.2. */
export const WorkoutDataSchema = z.object({
  ...identity,
  /** Start, ISO 8601 instant. */
  start: z.string(),
  /** End, ISO 8601 instant. */
  end: z.string(),
  /** Duration, milliseconds. */
  durationMs: z.number(),
  /** One of {@link NORMALIZED_SPORT_TYPES}, or the provider's own lower-case name. */
  sportType: z.string(),
  /** Intensity on the provider's own scale (WHOOP: strain 0-21, logarithmic). */
  strain: z.number().optional(),
  metrics: z
    .object({
      ...effort,
      /** Metres. */
      distance: z.number().optional(),
    })
    .optional(),
})

export type WorkoutData = z.infer<typeof WorkoutDataSchema>
