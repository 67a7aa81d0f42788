/** All Oura documents of one person, generated day by day as the clock advances. */
import { ageYears, DAY_MS, localDay } from "../../model/calendar.ts"
import { randomFor } from "../../model/random.ts"
import { Collection, type RecordHistory } from "../../world/collection.ts"
import type { Member, Person } from "../../world/people.ts"
import { activityHistory, dailySleepHistory, readinessHistory, spo2History } from "./daily-records.ts"
import { heartRatesOfDay } from "./heart-rates.ts"
import { type RingDay, ringDay } from "./ring.ts"
import { nightHistory, shortSleepHistory } from "./sleep-record.ts"
import type { OuraDocuments, OuraRecords, WireDocument, WireHeartRate, WirePersonalInfo, WireTag } from "./wire.ts"
import { ouraWorkoutHistory, tagHistories } from "./workout-record.ts"

type Collections = { readonly [Name in keyof OuraDocuments]: Collection<OuraDocuments[Name]> }

export class PersonDocuments {
  readonly of: Collections = {
    sleep: new Collection((body) => at(body.bedtime_end)),
    daily_sleep: new Collection((body) => atDay(body)),
    daily_readiness: new Collection((body) => atDay(body)),
    daily_spo2: new Collection((body) => atDay(body)),
    daily_activity: new Collection((body) => at(body.timestamp)),
    workout: new Collection((body) => at(body.start_datetime)),
    enhanced_tag: new Collection((body) => at(body.start_time)),
  }
  readonly #member: Member
  readonly #rings: RingDay[] = []
  #nextDay: number | undefined

  constructor(member: Member) {
    this.#member = member
    if (member.memberSinceMs !== undefined) this.#nextDay = this.#homeDay(member.memberSinceMs)
  }

  /** Generates every day that has begun by a moment, one day ahead for people who have travelled east. */
  extendTo(nowMs: number): this {
    const { memberSinceMs } = this.#member
    if (this.#nextDay === undefined || memberSinceMs === undefined) return this
    const sinceDay = this.#homeDay(memberSinceMs)
    const lastDay = this.#homeDay(nowMs) + 1
    for (; this.#nextDay <= lastDay; this.#nextDay++) {
      const ring = ringDay(this.#member.life, this.#nextDay)
      if (!ring) continue
      this.#rings.push(ring)
      this.#generate(ring, sinceDay)
    }
    return this
  }

  /**
   * Returns the heart rates of a time, both ends included, oldest first: the ring has sent them by `nowMs`. They are computed for each call,
   * because those of all people would fill the memory.
   */
  heartRates({ fromMs, toMs }: { fromMs: number; toMs: number }, nowMs: number, share: number): WireHeartRate[] {
    const sentMs = this.#rings
      .flatMap(({ syncedMs }) => syncedMs)
      .reduce((last, atMs) => (atMs <= nowMs ? Math.max(last, atMs) : last), 0)
    const untilMs = Math.min(toMs, sentMs)
    return this.#rings
      .filter(({ startMs, endMs }) => endMs + DAY_MS >= fromMs && startMs - DAY_MS <= untilMs)
      .flatMap((ring) => heartRatesOfDay(this.#member.life, ring, share))
      .filter(({ atMs }) => atMs >= fromMs && atMs <= untilMs)
      .sort((one, other) => one.atMs - other.atMs)
      .map(({ atMs, bpm, source }) => ({
        timestamp: new Date(atMs).toISOString(),
        timestamp_unix: atMs,
        bpm,
        source,
      }))
  }

  #homeDay(instantMs: number): number {
    return localDay(this.#member.person.traits.homeZone, instantMs)
  }

  #generate(ring: RingDay, sinceDay: number): void {
    const { life } = this.#member
    if (ring.hasSleep) {
      add(this.of.sleep, nightHistory(life, ring))
      add(this.of.daily_sleep, dailySleepHistory(life, ring))
      add(this.of.daily_readiness, readinessHistory(life, ring, sinceDay))
      add(this.of.daily_spo2, spo2History(life, ring))
    }
    for (const short of ring.shortSleeps) add(this.of.sleep, shortSleepHistory(life, ring, short))
    add(this.of.daily_activity, activityHistory(life, ring))
    for (const tag of tagHistories(life, ring)) add(this.of.enhanced_tag, tag)
    for (const activity of ring.activities) {
      const { session } = activity
      if (session) add(this.of.workout, ouraWorkoutHistory(life, ring, { ...activity, session }))
    }
  }
}

function add<T extends object>(collection: Collection<T>, history: RecordHistory<T> | undefined): void {
  if (history) collection.add(history)
}

function at(instant: string) {
  const startMs = Date.parse(instant)
  return { startMs, endMs: startMs }
}

const atDay = ({ day }: WireDocument) => at(`${day}T00:00:00Z`)

/** The day of a document. A tag names it differently. */
export const dayOf = (body: WireDocument | WireTag): string => ("day" in body ? body.day : body.start_day)

/** Oura's id of a person, which events and `personal_info` have. */
export const ouraUserId = ({ email }: Person): string => randomFor("oura user", email).uuid()

export function personalInfo(person: Person, nowMs: number): WirePersonalInfo {
  const { body } = person.traits
  return {
    id: ouraUserId(person),
    age: ageYears(body.bornInYear, Math.floor(nowMs / DAY_MS)),
    weight: body.weightKilograms,
    height: body.heightMeters,
    biological_sex: body.sex,
    email: person.email,
  }
}

/** Returns copies of all documents of a person that are visible at a moment, oldest first. */
export function visibleDocuments(person: Person, documents: PersonDocuments, nowMs: number): OuraRecords {
  const of = <T extends object>(collection: Collection<T>): T[] => collection.copiesAt(nowMs).reverse()
  const { of: each } = documents
  return {
    sleep: of(each.sleep),
    daily_sleep: of(each.daily_sleep),
    daily_readiness: of(each.daily_readiness),
    daily_spo2: of(each.daily_spo2),
    daily_activity: of(each.daily_activity),
    workout: of(each.workout),
    enhanced_tag: of(each.enhanced_tag),
    personal_info: personalInfo(person, nowMs),
  }
}
