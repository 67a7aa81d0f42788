/** Lengths of time in milliseconds. The day on which clocks change is longer or shorter, and is no length. */
export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

export const HOUR_MINUTES = 60
export const DAY_MINUTES = 24 * HOUR_MINUTES
