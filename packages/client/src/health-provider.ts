import { z } from "zod"

/** Fields that every record has. */
const identity = {
  /** Unique id: the provider's name, `-`, and the provider's id. */
  id: z.string(),
  /** The provider's original id. */
  providerId: z.string(),
}

/** Metrics of physical effort. */
const effort = {
  /** Beats per minute. */
  averageHeartRate: z.number().optional(),
  /** Beats per minute. */
  maxHeartRate: z.number().optional(),
  /** Energy burned, kilocalories. */
  calories: z.number().optional(),
}

/** Time in each stage of one sleep. All four or none: a partial breakdown is left out. */
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

/** One sleep session, a night or a nap. */
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

/** One day's recovery (readiness). */
export const RecoveryDataSchema = z.object({
  // WHOOP has no id for a recovery: `providerId` is the id of its cycle.
  ...identity,
  /** Local calendar date of waking, YYYY-MM-DD. */
  date: z.string(),
  /** Recovery score, 0-100. Absent while pending, or when the night cannot be scored. */
  score: z.number().optional(),
  metrics: z
    .object({
      /** Heart rate variability, milliseconds. The method is the provider's (WHOOP: RMSSD). */
      hrv: z.number().optional(),
      /** Beats per minute. */
      restingHeartRate: z.number().optional(),
      /** Blood oxygen saturation, percent. */
      spo2: z.number().optional(),
      /** Deviation of the skin temperature from the person's own baseline, degrees Celsius. */
      skinTemp: z.number().optional(),
    })
    .optional(),
})

export type RecoveryData = z.infer<typeof RecoveryDataSchema>

/** Sport types to which each provider's names are mapped. A sport outside these keeps the provider's name, as in ice-hockey. */
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

/** One workout. */
export const WorkoutDataSchema = z.object({
  ...identity,
  /** Start, ISO 8601 instant. */
  start: z.string(),
  /** End, ISO 8601 instant. */
  end: z.string(),
  /** Duration, milliseconds. */
  durationMs: z.number(),
  /** One of {@link NORMALIZED_SPORT_TYPES}, or the provider's own name in lower case, with hyphens between its words. */
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

/** Name and email address at the provider, and body measurements. */
export const ProfileDataSchema = z.object({
  ...identity,
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  email: z.string().optional(),
  body: z
    .object({
      /** Metres. */
      heightMeters: z.number().optional(),
      /** Kilograms. */
      weightKilograms: z.number().optional(),
      /** Beats per minute. */
      maxHeartRate: z.number().optional(),
    })
    .optional(),
})

export type ProfileData = z.infer<typeof ProfileDataSchema>

/** Supplies a provider with its access token, and stores rotated tokens. */
export interface TokenProvider {
  /** The stored access token, which may have expired. */
  getAccessToken(): Promise<string>
  /** The refresh token; null when the provider issued none. */
  getRefreshToken(): Promise<string | null>
  /** Stores a new pair before it is used. Without `refreshToken` the stored one is kept. */
  updateTokens(accessToken: string, refreshToken?: string, expiresAt?: Date): Promise<void>
  /** True when the access token has expired or is about to expire. */
  isExpired(): Promise<boolean>
}

/** A source of one person's normalised health data. `startDate` is an inclusive instant, `endDate` an exclusive one. */
export interface HealthProvider {
  /** The provider's name in lower case, as it prefixes every id: `whoop`. */
  readonly name: string
  getSleep(startDate: Date, endDate: Date): Promise<SleepData[]>
  getRecovery(startDate: Date, endDate: Date): Promise<RecoveryData[]>
  getWorkouts(startDate: Date, endDate: Date): Promise<WorkoutData[]>
  getCycles(startDate: Date, endDate: Date): Promise<CycleData[]>
  getProfile(): Promise<ProfileData>
}
