/** Workouts and sessions of the ring's owner. */
import { localInstantMs, MINUTE_MS, roundTo } from "../../model/calendar.ts"
import type { Session } from "../../model/effort.ts"
import type { Life } from "../../model/life.ts"
import { type Random, randomFor } from "../../model/random.ts"
import type { SportName } from "../../model/traits.ts"
import type { RecordHistory, Version } from "../../world/collection.ts"
import { activityLifecycle, type TimedActivity } from "../../world/day-frame.ts"
import { documentOf } from "./daily-records.ts"
import type { RingDay } from "./ring.ts"
import { type WireOuraWorkout, type WireTag, writeDay, writeLocal } from "./wire.ts"

/** Oura's names where they differ. Oura also writes `strengthTraining`. */
const ACTIVITIES: Readonly<Partial<Record<SportName, string>>> = {
  weightlifting: "strength_training",
  weightlifting_msk: "strengthTraining",
  powerlifting: "strength_training",
  "functional-fitness": "functional_training",
  "mountain-biking": "mountain_biking",
  spin: "indoor_cycling",
  "hiking-rucking": "hiking",
  "dog-walking": "walking",
  "rock-climbing": "climbing",
  "table-tennis": "table_tennis",
  "track-field": "running",
  activity: "other",
}

/** Rest that Oura does not list as a workout. */
const RESTS: ReadonlySet<SportName> = new Set(["sauna", "ice-bath", "massage-therapy", "meditation"])

/** A ring detects sports by their movement. It misses some that a strap's owner records. */
const SELDOM_DETECTED: ReadonlySet<SportName> = new Set(["yoga", "powerlifting", "weightlifting", "rock-climbing"])

/** Returns all versions of a workout, or nothing when the ring missed it. */
export function ouraWorkoutHistory(
  life: Life,
  ring: RingDay,
  { session, startMs, endMs }: TimedActivity & { readonly session: Session },
): RecordHistory<WireOuraWorkout> | undefined {
  const random = randomFor(life.seed, "ring workout", session.id)
  const id = random.uuid()
  if (RESTS.has(session.sport) || random.chance(SELDOM_DETECTED.has(session.sport) ? 0.5 : 0.05)) return undefined
  const from = wholeMinutes(startMs + random.normal(1, 2) * MINUTE_MS)
  const to = Math.max(from + 5 * MINUTE_MS, wholeMinutes(endMs + random.normal(-1, 2) * MINUTE_MS))
  const { uploadedMs, deletedMs, renamedMs } = activityLifecycle(`${life.seed}/ring`, id, to)
  const write = (updatedMs: number, version: number, isConfirmed: boolean): WireOuraWorkout => ({
    ...documentOf(id, ring, updatedMs, version),
    activity: isConfirmed ? (ACTIVITIES[session.sport] ?? session.sport) : "other",
    calories: roundTo((session.kilojoules / 4.184) * random.between(0.8, 1.15), 3),
    distance: session.ground ? roundTo(session.ground.distanceMeters * 0.97, 1) : null,
    day: writeDay(ring.day),
    start_datetime: writeLocal(ring.dayZone, from),
    end_datetime: writeLocal(ring.dayZone, to),
    intensity: session.load > 150 ? "hard" : session.load > 50 ? "moderate" : "easy",
    label: null,
    source: isConfirmed ? "confirmed" : "autodetected",
  })
  const first = write(uploadedMs, 1, renamedMs === undefined)
  const versions: Version<WireOuraWorkout>[] = [{ fromMs: uploadedMs, build: () => first }]
  if (renamedMs !== undefined) {
    const renamed = write(renamedMs, 2, true)
    versions.push({ fromMs: renamedMs, build: () => renamed })
  }
  if (deletedMs !== undefined) versions.push({ fromMs: deletedMs, build: () => null })
  return { key: id, versions }
}

const wholeMinutes = (instantMs: number): number => Math.round(instantMs / MINUTE_MS) * MINUTE_MS

/** Tags: what the ring's owner notes about a day. They agree with the person's plan, and a person forgets some. */
interface NotedTag extends Pick<WireTag, "tag_type_code" | "custom_name"> {
  readonly atMs: number
  readonly comment?: string
}

/** Rest that people tag, because Oura does not list it as a workout. */
const REST_TAGS: Readonly<Partial<Record<SportName, string>>> = {
  sauna: "tag_generic_sauna",
  "ice-bath": "tag_generic_coldshower",
  "massage-therapy": "tag_generic_massage",
}

/** Returns the tags of a day. */
export function tagHistories(life: Life, ring: RingDay): RecordHistory<WireTag>[] {
  return [...eveningTags(life, ring), ...bodyTags(life, ring), ...habitTags(life, ring)].map((noted, index) => {
    const id = randomFor(life.seed, "ring tag id", `${ring.day}/${index}`).uuid()
    const body: WireTag = {
      id,
      tag_type_code: noted.tag_type_code,
      start_time: writeLocal(ring.dayZone, noted.atMs),
      end_time: null,
      start_day: writeDay(ring.day),
      end_day: null,
      comment: noted.comment ?? null,
      custom_name: noted.custom_name,
    }
    return { key: id, versions: [{ fromMs: noted.atMs, build: () => body }] }
  })
}

function eveningTags(life: Life, ring: RingDay): NotedTag[] {
  const { eveningOut } = life.plan(ring.day)
  if (!eveningOut) return []
  const random = randomFor(life.seed, "ring tag", ring.day)
  const atMs = ring.endMs - 90 * MINUTE_MS
  return [
    ...(eveningOut.drinks >= 1 ? [{ ...drinkTag(random), atMs, comment: "with Tom at the old harbour" }] : []),
    ...(random.chance(0.5) ? [{ ...coded("tag_generic_lateMeal"), atMs: atMs - 5 * MINUTE_MS }] : []),
  ]
}

const drinkTag = (random: Random) =>
  random.chance(0.7) ? coded("tag_generic_alcohol") : { tag_type_code: "custom", custom_name: "Wine" }

/** Illness, with the pills against it, and menstruation. */
function bodyTags(life: Life, ring: RingDay): NotedTag[] {
  const { illness } = life.plan(ring.day)
  const { menstrualCycleDays } = life.traits.body
  const atMs = ring.wakeMs + 20 * MINUTE_MS
  return [
    ...(illness > 0.3 ? [{ ...coded("tag_generic_sick"), atMs }] : []),
    ...(illness > 0.6 ? [{ tag_type_code: "custom", custom_name: "Ibuprofen", atMs }] : []),
    ...(menstrualCycleDays !== undefined && ring.day % menstrualCycleDays === 0
      ? [{ ...coded("tag_generic_period"), atMs }]
      : []),
  ]
}

function habitTags(life: Life, ring: RingDay): NotedTag[] {
  const random = randomFor(life.seed, "ring tag of habits", ring.day)
  const drinksCoffee = randomFor(life.seed, "ring tag of coffee", 0).chance(0.7)
  const afternoon = localInstantMs(ring.dayZone, ring.day, 15 * 60)
  return [
    ...(drinksCoffee && random.chance(0.4)
      ? [{ ...coded("tag_generic_caffeine"), atMs: afternoon }]
      : random.chance(0.1)
        ? [{ ...coded("tag_generic_nocaffeine"), atMs: afternoon }]
        : []),
    ...ring.activities.flatMap(({ session, endMs }) => {
      const code = session && REST_TAGS[session.sport]
      return code ? [{ ...coded(code), atMs: endMs }] : []
    }),
  ]
}

const coded = (code: string) => ({ tag_type_code: code, custom_name: null })
