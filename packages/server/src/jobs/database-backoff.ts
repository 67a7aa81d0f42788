const FIRST_REST_MS = 5_000
const LONGEST_REST_MS = 5 * 60_000

/**
 * Lets the jobs of this process rest while the database does not take what they bring, a full disk or a restart, each time for twice as long: the
 * vendor's calls must not be spent on what cannot be kept. Time is the machine's, and no clock's that is set.
 */
export function createDatabaseRest(nowMs: () => number = () => performance.now()) {
  let restMs = 0
  let until = 0
  return {
    get isResting(): boolean {
      return nowMs() < until
    },
    /** The database was in trouble. Failures of jobs that run side by side are one. */
    failed(): void {
      if (nowMs() < until) return
      restMs = Math.min(Math.max(restMs * 2, FIRST_REST_MS), LONGEST_REST_MS)
      until = nowMs() + restMs
    },
    /** It took what it was brought. */
    worked(): void {
      restMs = 0
    },
  }
}
