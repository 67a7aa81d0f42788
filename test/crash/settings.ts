import { VENDORS, type VendorName } from "@restwell/providers"
import { announcesEdits } from "@restwell/testing/vendor"
import { z } from "zod"

const NAMES = Object.keys(VENDORS).filter((name): name is VendorName => name in VENDORS)

const { CRASH_KILLS, CRASH_POSTGRES_KILLS, CRASH_SEED, CRASH_VENDOR } = z
  .object({
    CRASH_KILLS: z.coerce.number().int().min(2).optional(),
    CRASH_POSTGRES_KILLS: z.coerce.number().int().min(1).default(60),
    CRASH_SEED: z.string(),
    CRASH_VENDOR: z.enum(NAMES).optional(),
  })
  .parse(process.env)

/** Of archives and pushes, which take parts of it. */
export const KILLS = CRASH_KILLS ?? 200

/** Of both installations together. A vendor that is polled meets fewer moments than one with webhooks. */
const killsOf = (provider: VendorName): number => CRASH_KILLS ?? (announcesEdits(provider) ? 200 : 100)

/** Of the embedded PostgreSQL alone, while its service runs. */
export const POSTGRES_KILLS = CRASH_POSTGRES_KILLS

/** The same one draws the same kills, people and edits again. */
export const SEED = CRASH_SEED

/** The vendors, with the kills of each. */
export const RUNS = (CRASH_VENDOR === undefined ? NAMES : [CRASH_VENDOR]).map((provider) => ({
  provider,
  kills: killsOf(provider),
}))

/** The vendor of tests that are about the database alone. */
export const ANY_VENDOR: VendorName = CRASH_VENDOR ?? "whoop"
