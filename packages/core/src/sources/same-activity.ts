import type { Candidate } from "../store/stored-record.ts"

/** Two sources saw one activity when they share this part of the shorter one. */
const SHARED_PART = 0.6

/** Returns for each nap or workout those of other sources that are the same activity. @see merging.md, R9 */
export function sameActivities(activities: readonly Candidate[]): ReadonlyMap<Candidate, readonly Candidate[]> {
  const same = new Map<Candidate, Candidate[]>(activities.map((activity) => [activity, []]))
  let running: Candidate[] = []
  for (const next of activities.toSorted((one, other) => one.startMs - other.startMs)) {
    running = running.filter(({ endMs }) => endMs > next.startMs)
    for (const other of running) {
      if (other.provider === next.provider || !isShared(other, next)) continue
      same.get(other)?.push(next)
      same.get(next)?.push(other)
    }
    running.push(next)
  }
  return same
}

function isShared(one: Candidate, other: Candidate): boolean {
  const sharedMs = Math.min(one.endMs, other.endMs) - Math.max(one.startMs, other.startMs)
  const shorterMs = Math.min(one.endMs - one.startMs, other.endMs - other.startMs)
  return sharedMs > 0 && sharedMs >= SHARED_PART * shorterMs
}
