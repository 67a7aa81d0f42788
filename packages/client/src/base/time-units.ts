/** Lengths of time in milliseconds. The day on which clocks change is longer or shorter, and is no length. */
export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

export const HOUR_MINUTES = 60
export const DAY_MINUTES = 24 * HOUR_MINUTES

/** A value that was measured at a moment says nothing about the time after this. */
const LONGEST_STANDING_MS = 5 * MINUTE_MS

/**
 * How long a value within the day stands for, milliseconds: its own duration, or until the next one, at most five minutes. Means of rates
 * weigh values by it, because a watch measures by the second in a workout and by the quarter of an hour at rest.
 * @param durationMs 0 for a moment
 * @param nextMs when the next value of the source was measured, infinite without one
 */
export const standingMs = (atMs: number, durationMs: number, nextMs: number): number =>
  durationMs > 0 ? durationMs : Math.min(LONGEST_STANDING_MS, nextMs - atMs)
