const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 5 * 60_000

/** Pauses the jobs of this process while the database fails, so that vendors' calls are not spent on data that cannot be stored. */
export interface DatabaseBackoff {
  readonly isActive: boolean
  /** The database failed: pauses twice as long as the last time. Failures of simultaneous jobs count as one. */
  extend(): void
  /** The database works again. */
  reset(): void
}

/** @param nowMs the machine's time, which no set clock changes */
export function createDatabaseBackoff(nowMs: () => number = () => performance.now()): DatabaseBackoff {
  let pauseMs = 0
  let untilMs = 0
  return {
    get isActive() {
      return nowMs() < untilMs
    },
    extend() {
      if (nowMs() < untilMs) return
      pauseMs = Math.min(Math.max(pauseMs * 2, FIRST_PAUSE_MS), LONGEST_PAUSE_MS)
      untilMs = nowMs() + pauseMs
    },
    reset() {
      pauseMs = 0
    },
  }
}
