import { z } from "zod"

const { CRASH_KILLS, CRASH_SEED } = z
  .object({ CRASH_KILLS: z.coerce.number().int().min(2).default(200), CRASH_SEED: z.string() })
  .parse(process.env)

/** Of both installations together. */
export const KILLS = CRASH_KILLS

/** The same one draws the same kills, people and edits again. */
export const SEED = CRASH_SEED
