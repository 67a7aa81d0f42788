import type { Activity, Candidate } from "../store/health-fact.ts"

/** A nap or a workout of a source. */
export type ActivityCandidate = Candidate & { readonly activity: Activity }

/** Two sources saw one activity when they share this part of the shorter one. */
const SHARED_PART = 0.6

/** Returns for each nap or workout those of other sources that are the same activity. @see merging.md, R9 */
export function sameActivities(
  activities: readonly ActivityCandidate[],
): ReadonlyMap<ActivityCandidate, readonly ActivityCandidate[]> {
  const same = new Map<ActivityCandidate, ActivityCandidate[]>(activities.map((activity) => [activity, []]))
  let running: ActivityCandidate[] = []
  for (const next of activities.toSorted((one, other) => one.activity.startMs - other.activity.startMs)) {
    running = running.filter(({ activity }) => activity.endMs > next.activity.startMs)
    for (const other of running) {
      if (other.provider === next.provider || !isShared(other.activity, next.activity)) continue
      same.get(other)?.push(next)
      same.get(next)?.push(other)
    }
    running.push(next)
  }
  return same
}

function isShared(one: Activity, other: Activity): boolean {
  const sharedMs = Math.min(one.endMs, other.endMs) - Math.max(one.startMs, other.startMs)
  const shorterMs = Math.min(one.endMs - one.startMs, other.endMs - other.startMs)
  return sharedMs > 0 && sharedMs >= SHARED_PART * shorterMs
}
