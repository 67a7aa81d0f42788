import { z } from "zod"

const { CRASH_KILLS, CRASH_POSTGRES_KILLS, CRASH_SEED, CRASH_VENDOR } = z
  .object({
    CRASH_KILLS: z.coerce.number().int().min(2).default(200),
    CRASH_POSTGRES_KILLS: z.coerce.number().int().min(1).default(60),
    CRASH_SEED: z.string(),
    CRASH_VENDOR: z.enum(["whoop", "oura"]).optional(),
  })
  .parse(process.env)

/** Of both installations together, for each vendor. */
export const KILLS = CRASH_KILLS

/** Of the embedded PostgreSQL alone, while its service runs. */
export const POSTGRES_KILLS = CRASH_POSTGRES_KILLS

/** The same one draws the same kills, people and edits again. */
export const SEED = CRASH_SEED

export const VENDORS = CRASH_VENDOR === undefined ? (["whoop", "oura"] as const) : [CRASH_VENDOR]
