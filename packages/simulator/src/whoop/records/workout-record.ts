import type { Life } from "../../model/life.ts"
import type { Session } from "../../model/session.ts"
import { strainOf } from "../../model/strain.ts"
import { roundTo } from "../../model/units.ts"
import type { RecordHistory, Version } from "../../records/collection.ts"
import type { TimedActivity } from "../../records/day-frame.ts"
import { activityLifecycle } from "../../records/lifecycle.ts"
import type { CycleFrame } from "./cycle-frame.ts"
import { dialectFor, legacyId, writeInstant } from "./dialect.ts"
import { SPORT_IDS } from "./sport-ids.ts"
import type { WireWorkout } from "./wire.ts"

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
