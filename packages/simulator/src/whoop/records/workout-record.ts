import { roundTo } from "../../model/calendar.ts"
import { type Session, strainOf } from "../../model/effort.ts"
import type { Life } from "../../model/life.ts"
import type { SportName } from "../../model/traits.ts"
import type { RecordHistory, Version } from "../../world/collection.ts"
import { activityLifecycle, type TimedActivity } from "../../world/day-frame.ts"
import type { CycleFrame } from "./cycle-record.ts"
import { dialectFor, legacyId, type WireWorkout, writeInstant } from "./wire.ts"

/**
 * WHOOP's `sport_id` of each activity.
 * @see https://developer.whoop.com/docs/developing/user-data/workout
 */
const SPORT_IDS: Readonly<Record<SportName, number>> = {
  running: 0,
  "track-field": 35,
  cycling: 1,
  "mountain-biking": 57,
  spin: 97,
  swimming: 33,
  weightlifting: 45,
  weightlifting_msk: 123,
  powerlifting: 59,
  "functional-fitness": 48,
  hiit: 96,
  yoga: 44,
  pilates: 43,
  stretching: 128,
  walking: 63,
  "dog-walking": 266,
  "hiking-rucking": 52,
  rowing: 18,
  tennis: 34,
  "table-tennis": 230,
  padel: 249,
  soccer: 30,
  basketball: 17,
  "rock-climbing": 60,
  skiing: 29,
  dance: 42,
  activity: -1,
  sauna: 233,
  "ice-bath": 88,
  "massage-therapy": 121,
  meditation: 70,
}

/** Returns all versions of a workout. A renamed workout begins as plain `activity`. */
export function workoutHistory(
  life: Life,
  frame: CycleFrame,
  placed: TimedActivity & { readonly session: Session },
  userId: number,
): RecordHistory<WireWorkout> {
  const { session } = placed
  const lifecycle = activityLifecycle(life.seed, session.id, placed.endMs)
  const write = (updatedMs: number, state: WireWorkout["score_state"], isNamed: boolean): WireWorkout => {
    const dialect = dialectFor(life.seed, session.id)
    const sport = isNamed ? session.sport : "activity"
    return {
      id: session.id,
      ...legacyId(dialect, session.id, lifecycle.uploadedMs),
      user_id: userId,
      created_at: writeInstant(lifecycle.uploadedMs),
      updated_at: writeInstant(updatedMs),
      start: writeInstant(placed.startMs),
      end: writeInstant(placed.endMs),
      timezone_offset: dialect.offset(frame.dayZone, placed.startMs),
      sport_name: sport,
      sport_id: SPORT_IDS[sport],
      score_state: state,
      ...(state === "SCORED" ? { score: scoreOf(session) } : dialect.absent("score")),
    }
  }
  const { renamedMs, deletedMs } = lifecycle
  const isNamedAtOnce = renamedMs === undefined
  const versions: Version<WireWorkout>[] = [
    { fromMs: lifecycle.uploadedMs, build: () => write(lifecycle.uploadedMs, "PENDING_SCORE", isNamedAtOnce) },
    { fromMs: lifecycle.scoredMs, build: () => write(lifecycle.scoredMs, "SCORED", isNamedAtOnce) },
  ]
  if (renamedMs !== undefined) versions.push({ fromMs: renamedMs, build: () => write(renamedMs, "SCORED", true) })
  if (deletedMs !== undefined) versions.push({ fromMs: deletedMs, build: () => null })
  return { key: session.id, versions }
}

function scoreOf(session: Session): NonNullable<WireWorkout["score"]> {
  const [zero, one, two, three, four, five] = session.zones
  const { ground } = session
  const meters = (value: number | undefined) => (value === undefined ? null : roundTo(value, 6))
  return {
    strain: roundTo(strainOf(session.load), 6),
    average_heart_rate: session.averageHeartRate,
    max_heart_rate: session.maxHeartRate,
    kilojoule: roundTo(session.kilojoules, 4),
    // Documented as a percentage, sent as a fraction.
    percent_recorded: 1.0,
    distance_meter: meters(ground?.distanceMeters),
    altitude_gain_meter: meters(ground?.climb?.gainMeters),
    altitude_change_meter: meters(ground?.climb?.changeMeters),
    zone_durations: {
      zone_zero_milli: zero,
      zone_one_milli: one,
      zone_two_milli: two,
      zone_three_milli: three,
      zone_four_milli: four,
      zone_five_milli: five,
    },
  }
}
