/** All rows of one person at intervals.icu, generated day by day as the clock advances: what a watch sends there of each day. */

import { gramsOn } from "../archives/as-measured-by.ts"
import { DAY_MS, HOUR_MS, localDay, MINUTE_MS, offsetMinutes, roundTo } from "../model/calendar.ts"
import type { Session } from "../model/effort.ts"
import type { Life } from "../model/life.ts"
import { randomFor } from "../model/random.ts"
import type { SportName } from "../model/traits.ts"
import { activityHistory, spo2History } from "../oura/records/daily-records.ts"
import { type RingDay, ringDay, ringNight, ringVitals } from "../oura/records/ring.ts"
import { uploadOf } from "../oura/records/sleep-record.ts"
import { Collection, type RecordHistory, type Version } from "../world/collection.ts"
import { activityLifecycle, type TimedActivity } from "../world/day-frame.ts"
import type { Member } from "../world/people.ts"
import type { WireActivity, WireWellness } from "./wire.ts"

const TYPES: Readonly<Partial<Record<SportName, string>>> = {
  running: "Run",
  "track-field": "Run",
  cycling: "Ride",
  "mountain-biking": "MountainBikeRide",
  spin: "VirtualRide",
  swimming: "Swim",
  weightlifting: "WeightTraining",
  weightlifting_msk: "WeightTraining",
  powerlifting: "WeightTraining",
  "functional-fitness": "Crossfit",
  hiit: "HighIntensityIntervalTraining",
  yoga: "Yoga",
  pilates: "Pilates",
  walking: "Walk",
  "dog-walking": "Walk",
  "hiking-rucking": "Hike",
  rowing: "Rowing",
  tennis: "Tennis",
  padel: "Padel",
  soccer: "Soccer",
  skiing: "AlpineSki",
}

/** Rest, which no watch records. */
const RESTS: ReadonlySet<SportName> = new Set(["sauna", "ice-bath", "massage-therapy", "meditation", "stretching"])

const DEVICE = "Garmin Forerunner 965"

export class PersonRows {
  readonly wellness = new Collection<WireWellness>((row) => at(`${row.id}T00:00:00Z`))
  readonly activities = new Collection<WireActivity>((row) => at(row.start_date ?? `${row.start_date_local}Z`))
  readonly #member: Member
  #nextDay: number | undefined

  constructor(member: Member) {
    this.#member = member
    if (member.memberSinceMs !== undefined) this.#nextDay = this.#homeDay(member.memberSinceMs)
  }

  /** Generates every day that has begun by a moment, one day ahead for people who have travelled east. */
  extendTo(nowMs: number): this {
    if (this.#nextDay === undefined) return this
    const lastDay = this.#homeDay(nowMs) + 1
    for (; this.#nextDay <= lastDay; this.#nextDay++) this.#generate(this.#nextDay)
    return this
  }

  #homeDay(instantMs: number): number {
    return localDay(this.#member.person.traits.homeZone, instantMs)
  }

  #generate(day: number): void {
    const { life } = this.#member
    const ring = ringDay(life, day)
    if (!ring) {
      // Its own training model has a row for each day.
      this.wellness.add(once(dateOf(day), day * DAY_MS, rowOf(life, day, {})))
      return
    }
    this.wellness.add(wellnessHistory(life, ring))
    for (const activity of ring.activities) {
      const { session } = activity
      if (session && !RESTS.has(session.sport))
        for (const history of activityHistories(life, ring, { ...activity, session })) this.activities.add(history)
    }
  }
}

const at = (instant: string) => ({ startMs: Date.parse(instant), endMs: Date.parse(instant) })

const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

const once = <T>(key: string, fromMs: number, body: T): RecordHistory<T> => ({
  key,
  versions: [{ fromMs, build: () => body }],
})

/** A row of a day with what is known of it. Its weight is measured every third day, and carried over to the others. */
export function rowOf(life: Life, day: number, known: Partial<WireWellness>): WireWellness {
  const measuredOn = day - (day % 3)
  return {
    id: dateOf(day),
    updated: new Date(day * DAY_MS).toISOString().replace("Z", "+00:00"),
    sleepSecs: null,
    sleepScore: null,
    restingHR: null,
    hrv: null,
    hrvSDNN: null,
    spO2: null,
    steps: null,
    weight: gramsOn(measuredOn) / 1000,
    tempWeight: measuredOn !== day,
    tempRestingHR: false,
    comments: null,
    menstrualPhase: null,
    ctl: roundTo(life.form(day).fitness / 3, 2),
    atl: roundTo(life.form(day).fatigue / 3, 2),
    sportInfo: [],
    ...known,
  }
}

/** A row fills during the day: with each sync come the steps so far, and once the night is there, its figures. */
function wellnessHistory(life: Life, ring: RingDay): RecordHistory<WireWellness> {
  const steps = activityHistory(life, ring).versions
  const nightMs = ring.hasSleep ? uploadOf(ring) : undefined
  const times = [...new Set([...steps.map(({ fromMs }) => fromMs), ...(nightMs === undefined ? [] : [nightMs])])]
  const versions = times
    .toSorted((one, other) => one - other)
    .map((fromMs): Version<WireWellness> => {
      const newest = steps.findLast((version) => version.fromMs <= fromMs)?.build(fromMs)
      const row = rowOf(life, ring.day, {
        updated: new Date(fromMs).toISOString().replace("Z", "+00:00"),
        steps: newest?.steps ?? null,
        ...(nightMs !== undefined && nightMs <= fromMs ? nightOf(life, ring, fromMs) : carriedOver(life, ring)),
      })
      return { fromMs, build: () => row }
    })
  return { key: dateOf(ring.day), versions }
}

/** People with a watch of Apple have SDNN, here each tenth night of everybody. */
function nightOf(life: Life, ring: RingDay, nowMs: number): Partial<WireWellness> {
  const night = ringNight(life, ring.day)
  const vitals = ringVitals(life, ring.day)
  const oxygen = spo2History(life, ring)?.versions[0]?.build(nowMs)?.spo2_percentage
  const isApple = ring.day % 10 === 0
  return {
    sleepSecs: night.deepSeconds + night.remSeconds + night.lightSeconds,
    sleepScore: null,
    restingHR: vitals.lowestHeartRate,
    hrv: isApple ? null : roundTo(vitals.hrvRmssdMs, 1),
    hrvSDNN: isApple ? roundTo(vitals.hrvRmssdMs * 1.1, 1) : null,
    spO2: oxygen ? roundTo(oxygen.average, 1) : null,
  }
}

/** Before a night is there, the resting heart rate is that of the day before. */
const carriedOver = (life: Life, ring: RingDay): Partial<WireWellness> => ({
  restingHR: ringVitals(life, ring.day - 1).lowestHeartRate,
  tempRestingHR: true,
})

type Placed = TimedActivity & { readonly session: Session }

/** One activity, one that Strava hides, or one that was uploaded a second time by another program. */
function activityHistories(life: Life, ring: RingDay, placed: Placed): RecordHistory<WireActivity>[] {
  const random = randomFor(life.seed, "intervals activity", placed.session.id)
  const number = String(random.integer(10_000_000, 999_999_999))
  const { uploadedMs, renamedMs, deletedMs } = activityLifecycle(`${life.seed}/watch`, placed.session.id, placed.endMs)
  const local = writeLocal(ring.dayZone, placed.startMs)
  if (random.chance(0.06))
    return [
      once(number, uploadedMs, {
        id: number,
        start_date_local: local,
        source: "STRAVA",
        _note: "STRAVA activities are not available via the API",
      }),
    ]
  const id = `i${number}`
  const first = writeActivity(ring, placed, { id, isNamed: renamedMs === undefined })
  const versions: Version<WireActivity>[] = [{ fromMs: uploadedMs, build: () => first }]
  if (renamedMs !== undefined) {
    const renamed = writeActivity(ring, placed, { id, isNamed: true })
    versions.push({ fromMs: renamedMs, build: () => renamed })
  }
  if (deletedMs !== undefined) versions.push({ fromMs: deletedMs, build: () => null })
  const histories: RecordHistory<WireActivity>[] = [{ key: id, versions }]
  if (random.chance(0.06)) {
    const second = {
      ...writeActivity(ring, placed, { id: `${id}9`, isNamed: true }),
      source: "ZWIFT",
      device_name: "ZWIFT",
    }
    histories.push(once(second.id, uploadedMs + HOUR_MS, second))
  }
  return histories
}

function writeActivity(
  ring: RingDay,
  { session, startMs, endMs }: Placed,
  { id, isNamed }: { readonly id: string; readonly isNamed: boolean },
): WireActivity {
  const seconds = Math.round((endMs - startMs) / 1000)
  return {
    id,
    type: isNamed ? (TYPES[session.sport] ?? "Workout") : "Workout",
    name: "Session",
    start_date: `${new Date(startMs).toISOString().slice(0, 19)}Z`,
    start_date_local: writeLocal(ring.dayZone, startMs),
    timezone: ring.dayZone,
    elapsed_time: seconds,
    moving_time: Math.round(seconds * 0.95),
    distance: session.ground ? roundTo(session.ground.distanceMeters, 1) : null,
    calories: Math.round(session.kilojoules / 4.184),
    average_heartrate: session.averageHeartRate,
    max_heartrate: session.maxHeartRate,
    icu_training_load: Math.round(session.load),
    device_name: DEVICE,
    source: "GARMIN_CONNECT",
    external_id: id.replace("i", "2"),
  }
}

const writeLocal = (zone: string, instantMs: number): string =>
  new Date(instantMs + offsetMinutes(zone, instantMs) * MINUTE_MS).toISOString().slice(0, 19)
