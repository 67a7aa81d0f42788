import type { SleepFact, WorkoutFact } from "../store/stored-record.ts"

/** A nap or a workout. */
export type Activity = SleepFact | WorkoutFact

/** Two sources saw one activity when they share this part of the shorter one. */
const SHARED_PART = 0.6

/** Returns for each activity those of other sources that are the same activity. @see merging.md, R9 */
export function sameActivities<Item extends Activity>(activities: readonly Item[]): ReadonlyMap<Item, readonly Item[]> {
  const times = activities.map((item) => ({ item, startMs: startOf(item), endMs: Date.parse(item.detail.data.end) }))
  const same = new Map<Item, Item[]>(activities.map((item) => [item, []]))
  let running: typeof times = []
  for (const next of times.toSorted((one, other) => one.startMs - other.startMs)) {
    running = running.filter(({ endMs }) => endMs > next.startMs)
    for (const other of running) {
      if (other.item.provider === next.item.provider || !isShared(other, next)) continue
      same.get(other.item)?.push(next.item)
      same.get(next.item)?.push(other.item)
    }
    running.push(next)
  }
  return same
}

export const startOf = (activity: Activity): number => Date.parse(activity.detail.data.start)

interface Times {
  readonly startMs: number
  readonly endMs: number
}

function isShared(one: Times, other: Times): boolean {
  const sharedMs = Math.min(one.endMs, other.endMs) - Math.max(one.startMs, other.startMs)
  const shorterMs = Math.min(one.endMs - one.startMs, other.endMs - other.startMs)
  return sharedMs > 0 && sharedMs >= SHARED_PART * shorterMs
}
