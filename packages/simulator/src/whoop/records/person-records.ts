/** Everything WHOOP holds about one person: generated day by day as the clock moves on, and open to edits. */
import { localDay } from "../../model/calendar.ts"
import { createLife, type Life } from "../../model/life.ts"
import type { Traits } from "../../model/traits.ts"
import { Collection, type Interval } from "../../records/collection.ts"
import { type DayFrame, frameOf, placeActivities } from "../../records/day-frame.ts"
import { cycleHistory } from "./cycle-record.ts"
import { recoveryHistory } from "./recovery-record.ts"
import { napHistory, nightHistory } from "./sleep-record.ts"
import type { WireCycle, WireRecovery, WireSleep, WireWorkout } from "./wire.ts"
import { workoutHistory } from "./workout-record.ts"

export interface RecordOwner {
  /** Key of all of this person's draws. */
  readonly seed: string
  readonly traits: Traits
  readonly userId: number
  /** Tells people apart in ids; below one million. */
  readonly ordinal: number
  /** When the first record may be; absent for a person who has none. */
  readonly memberSinceMs: number | undefined
}

/** Days whose morning is still ahead of the clock but whose fate must be known to end today's cycle. */
const DAYS_AHEAD = 1

export class PersonRecords {
  readonly cycles = new Collection<WireCycle>(intervalOf)
  readonly sleeps = new Collection<WireSleep>(intervalOf)
  readonly workouts = new Collection<WireWorkout>(intervalOf)
  readonly recoveries = new Collection<WireRecovery>((body, nowMs) => {
    const sleep = this.sleeps.at(body.sleep_id, nowMs)
    return sleep ? intervalOf(sleep) : intervalOf({ start: body.created_at, end: body.created_at })
  })
  readonly #owner: RecordOwner
  readonly #life: Life
  #nextDay: number | undefined

  constructor(owner: RecordOwner) {
    this.#owner = owner
    this.#life = createLife(owner.seed, owner.traits)
    if (owner.memberSinceMs !== undefined) this.#nextDay = localDay(owner.traits.homeZone, owner.memberSinceMs)
  }

  /** Generates every day that has begun by a moment. */
  extendTo(nowMs: number): this {
    const { memberSinceMs, traits } = this.#owner
    if (this.#nextDay === undefined || memberSinceMs === undefined) return this
    // A day ahead of the home zone covers people who are east of it.
    const lastDay = localDay(traits.homeZone, nowMs) + DAYS_AHEAD
    const memberSinceDay = localDay(traits.homeZone, memberSinceMs)
    for (; this.#nextDay <= lastDay; this.#nextDay++) this.#generate(this.#nextDay, memberSinceDay)
    return this
  }

  #generate(day: number, memberSinceDay: number): void {
    const { userId, ordinal } = this.#owner
    const frame = frameOf(this.#life, day, ordinal)
    if (!frame) return
    const activities = placeActivities(this.#life, frame)
    const next = frameOf(this.#life, day + 1, ordinal)
    this.cycles.add(cycleHistory(this.#life, frame, activities, next, userId))
    if (frame.hasSleep) {
      this.sleeps.add(nightHistory(this.#life, frame, userId, memberSinceDay))
      this.recoveries.add(recoveryHistory(this.#life, frame, userId, memberSinceDay))
    }
    this.#addActivities(frame, activities)
  }

  #addActivities(frame: DayFrame, activities: ReturnType<typeof placeActivities>): void {
    for (const placed of activities) {
      const { session } = placed
      if (session) this.workouts.add(workoutHistory(this.#life, frame, { ...placed, session }, this.#owner.userId))
      else this.sleeps.add(napHistory(this.#life, frame, placed, this.#owner.userId))
    }
  }
}

function intervalOf(body: { start: string; end?: string | null }): Interval {
  return { startMs: Date.parse(body.start), endMs: body.end ? Date.parse(body.end) : null }
}
