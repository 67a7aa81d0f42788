import { z } from "zod"

/** Sport types every provider's own names are mapped to where they fit. Others pass through as the provider spells them. Spec 2.2. */
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
  /** Unique id: the provider's name, `-`, and the provider's id. */
  id: z.string(),
  /** The provider's original id. */
  providerId: z.string(),
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
      /** Beats per minute. */
      averageHeartRate: z.number().optional(),
      /** Beats per minute. */
      maxHeartRate: z.number().optional(),
      /** Energy burned, kilocalories. */
      calories: z.number().optional(),
      /** Metres. */
      distance: z.number().optional(),
    })
    .optional(),
})

export type WorkoutData = z.infer<typeof WorkoutDataSchema>
