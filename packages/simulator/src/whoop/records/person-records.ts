/** All WHOOP records of one person, generated day by day as the clock advances. */
import { localDay } from "../../model/calendar.ts"
import { Collection, type Interval } from "../../world/collection.ts"
import { timeActivities } from "../../world/day-frame.ts"
import type { Member, People, Person, PersonReference } from "../../world/people.ts"
import { type CycleFrame, cycleFrameOf, cycleHistory, recoveryHistory } from "./cycle-record.ts"
import { napHistory, nightHistory } from "./sleep-record.ts"
import type { WireBody, WireCycle, WireProfile, WireRecords, WireRecovery, WireSleep, WireWorkout } from "./wire.ts"
import { workoutHistory } from "./workout-record.ts"

/** The night of the next day ends the cycle of today. */
const DAYS_AHEAD = 1

export class PersonRecords {
  readonly cycles = new Collection<WireCycle>(intervalOf)
  readonly sleeps = new Collection<WireSleep>(intervalOf)
  readonly workouts = new Collection<WireWorkout>(intervalOf)
  readonly recoveries = new Collection<WireRecovery>((body, nowMs) => {
    const sleep = this.sleeps.at(body.sleep_id, nowMs)
    return sleep ? intervalOf(sleep) : intervalOf({ start: body.created_at, end: body.created_at })
  })
  readonly #member: Member
  #nextDay: number | undefined

  constructor(member: Member) {
    this.#member = member
    if (member.memberSinceMs !== undefined) this.#nextDay = this.#homeDay(member.memberSinceMs)
  }

  /** Generates every day that has begun by a moment. */
  extendTo(nowMs: number): this {
    const { memberSinceMs } = this.#member
    if (this.#nextDay === undefined || memberSinceMs === undefined) return this
    // One day ahead of the home zone covers a person who has travelled east.
    const lastDay = this.#homeDay(nowMs) + DAYS_AHEAD
    const memberSinceDay = this.#homeDay(memberSinceMs)
    for (; this.#nextDay <= lastDay; this.#nextDay++) this.#generate(this.#nextDay, memberSinceDay)
    return this
  }

  #homeDay(instantMs: number): number {
    return localDay(this.#member.person.traits.homeZone, instantMs)
  }

  #generate(day: number, memberSinceDay: number): void {
    const { life, ordinal, person } = this.#member
    const frame = cycleFrameOf(life, day, ordinal)
    if (!frame) return
    const activities = timeActivities(life, frame)
    const next = cycleFrameOf(life, day + 1, ordinal)
    this.cycles.add(cycleHistory(life, frame, activities, next, person.userId))
    if (frame.hasSleep) {
      this.sleeps.add(nightHistory(life, frame, person.userId, memberSinceDay))
      this.recoveries.add(recoveryHistory(life, frame, person.userId, memberSinceDay))
    }
    this.#addActivities(frame, activities)
  }

  #addActivities(frame: CycleFrame, activities: ReturnType<typeof timeActivities>): void {
    const { life, person } = this.#member
    for (const placed of activities) {
      const { session } = placed
      if (session) this.workouts.add(workoutHistory(life, frame, { ...placed, session }, person.userId))
      else this.sleeps.add(napHistory(life, frame, placed, person.userId))
    }
  }
}

function intervalOf(body: { start: string; end?: string | null }): Interval {
  return { startMs: Date.parse(body.start), endMs: body.end ? Date.parse(body.end) : null }
}

/** WHOOP's records of a member, generated up to the clock's time when they are read. */
export type MemberRecords = (reference: PersonReference) => PersonRecords

export function createMemberRecords(people: People, nowMs: () => number): MemberRecords {
  const byUserId = new Map<number, PersonRecords>()
  return (reference) => {
    const member = people.memberOf(reference)
    return byUserId.getOrInsertComputed(member.person.userId, () => new PersonRecords(member)).extendTo(nowMs())
  }
}

export function profileOf(person: Person): WireProfile {
  return {
    user_id: person.userId,
    email: person.email,
    first_name: person.firstName,
    last_name: person.lastName,
  }
}

export function bodyOf({ traits }: Person): WireBody {
  return {
    height_meter: traits.body.heightMeters,
    weight_kilogram: traits.body.weightKilograms,
    max_heart_rate: traits.body.maxHeartRate,
  }
}

/** Returns copies of all records of a person that are visible at a moment. */
export function visibleRecords(person: Person, records: PersonRecords, nowMs: number): WireRecords {
  return {
    cycles: records.cycles.copiesAt(nowMs),
    sleeps: records.sleeps.copiesAt(nowMs),
    recoveries: records.recoveries.copiesAt(nowMs),
    workouts: records.workouts.copiesAt(nowMs),
    profile: profileOf(person),
    body: bodyOf(person),
  }
}
