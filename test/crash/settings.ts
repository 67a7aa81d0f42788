/** Of both installations together. */
export const KILLS = Number(process.env["CRASH_KILLS"] ?? 200)

/** The same one draws the same kills, people and edits again. */
export const SEED = process.env["CRASH_SEED"] ?? ""
