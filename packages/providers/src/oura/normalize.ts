// Oura's records: how each kind is read, and how it becomes the one record of its kind. The only file that converts Oura's units. The
// payload of a record is its documents, by collection.

import type { ScoreState } from "@restwell/client"
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@restwell/client/time-units"
import { z } from "zod"
import type {
  Json,
  KnownStages,
  NormalizedCycle,
  NormalizedProfile,
  NormalizedRecovery,
  NormalizedSleep,
  NormalizedWorkout,
  RecordKind,
  SleepCourse,
  SleepPhase,
} from "../contract/records.ts"
import { contributorsOf } from "../normalize/contributors.ts"
import { courseWith, localDateOf } from "../normalize/derive.ts"
import { known, knownOrNone } from "../normalize/known.ts"
import { opaqueId } from "../normalize/opaque-texts.ts"
import { type ReadRecords, readRecords, recordReader, type VendorRecords } from "../normalize/read-records.ts"
import { sportTypeOf } from "../normalize/vocabulary.ts"
import { COLLECTIONS, type OuraCollection, partId } from "./api.ts"
import { OURA_COVERAGE } from "./coverage.ts"
import { occurrenceOf } from "./occurrence.ts"
import { lowestHeartRateAtMs, samplesOfSleep } from "./samples.ts"
import {
  isNight,
  type LocalTime,
  type OuraCycleRecord,
  OuraCycleRecordSchema,
  type OuraPersonalInfo,
  type OuraRecoveryRecord,
  OuraRecoveryRecordSchema,
  type OuraSleep,
  type OuraSleepRecord,
  OuraSleepRecordSchema,
  type OuraWorkoutRecord,
  OuraWorkoutRecordSchema,
} from "./wire.ts"

/** The name before every id. */
export const OURA = "oura"

/** A night or nap. `durationMs` is the time in bed. The score is the day's, for the main sleep only. */
function normalizeSleep(
  { sleep, daily_sleep, daily_activity }: OuraSleepRecord,
  raw: Json,
  now: Date,
): NormalizedSleep {
  const { bedtime_start: start, bedtime_end: end } = sleep
  const stages = stagesOf(sleep)
  const course = courseOf(sleep.sleep_phase_5_min, 5 * MINUTE_MS) ?? courseOf(sleep.sleep_phase_30_sec, 30 * SECOND_MS)
  return {
    kind: "sleep",
    providerId: sleep.id,
    // That of a part would stay the newest once the part is deleted, or belongs to another sleep.
    updatedMs: latestMs(end.at, sleep.meta?.updated_at),
    scoreState: scoreStateOf(stages !== undefined, end, now),
    raw,
    startMs: start.at.getTime(),
    endMs: end.at.getTime(),
    utcOffsetMinutes: end.utcOffsetMinutes,
    startUtcOffsetMinutes: start.utcOffsetMinutes,
    endUtcOffsetMinutes: end.utcOffsetMinutes,
    ...parts({ daily_sleep, daily_activity }),
    isNap: !isNight(sleep),
    durationMs: milliseconds(sleep.time_in_bed) ?? end.at.getTime() - start.at.getTime(),
    ...known({
      cycleProviderId: daily_activity?.id,
      scorePercent: daily_sleep?.score,
      efficiencyPercent: sleep.efficiency,
      respiratoryRatePerMinute: sleep.average_breath,
      latencyMs: milliseconds(sleep.latency),
      contributors: contributorsOf(daily_sleep?.contributors, null),
      stages,
      course,
      averageHeartRateBpm: sleep.average_heart_rate,
      lowestHeartRateBpm: sleep.lowest_heart_rate,
      lowestHeartRateAtMs: lowestHeartRateAtMs(sleep),
    }),
    samples: samplesOfSleep(sleep, course, now),
  }
}

/** The readiness of a day. HRV and resting heart rate are those of the day's main sleep: what Oura shows is the lowest of the night. */
function normalizeRecovery(wire: OuraRecoveryRecord, raw: Json, now: Date): NormalizedRecovery {
  const { daily_readiness: readiness, sleep, daily_spo2: spo2, daily_activity: activity } = wire
  const providerId = readiness?.id ?? sleep?.id ?? ""
  const date = readiness?.day ?? sleep?.day ?? ""
  const noon = new Date(`${date}T12:00:00Z`)
  return {
    kind: "recovery",
    providerId,
    updatedMs: latestMs(noon, (readiness ?? sleep)?.meta?.updated_at),
    scoreState: scoreStateOf(isKnown(readiness?.score), sleep?.bedtime_end ?? { at: noon, utcOffsetMinutes: 0 }, now),
    raw,
    ...parts({ sleep: readiness && sleep, daily_spo2: spo2, daily_activity: activity }),
    // Noon in UTC is on the same date wherever the person is.
    createdMs: noon.getTime(),
    ...known({
      sleepProviderId: sleep?.id,
      cycleProviderId: activity?.id,
      scorePercent: readiness?.score,
      hrvMs: sleep?.average_hrv,
      restingHeartRateBpm: sleep?.lowest_heart_rate,
      spo2Percent: spo2?.spo2_percentage?.average,
      skinTempDeviationCelsius: readiness?.temperature_deviation,
      contributors: contributorsOf(readiness?.contributors, null),
    }),
  }
}

/** A workout. Oura gives neither strain nor heart rates. */
function normalizeWorkout({ workout }: OuraWorkoutRecord, raw: Json): NormalizedWorkout {
  const { start_datetime: start, end_datetime: end } = workout
  return {
    kind: "workout",
    providerId: workout.id,
    updatedMs: latestMs(end.at, workout.meta?.updated_at),
    scoreState: "scored",
    raw,
    startMs: start.at.getTime(),
    endMs: end.at.getTime(),
    utcOffsetMinutes: start.utcOffsetMinutes,
    startUtcOffsetMinutes: start.utcOffsetMinutes,
    endUtcOffsetMinutes: end.utcOffsetMinutes,
    durationMs: end.at.getTime() - start.at.getTime(),
    sportType: sportTypeOf(workout.activity ?? ""),
    countsAsWorkout: true,
    ...known({ energyKcal: workout.calories, distanceMeters: workout.distance }),
  }
}

/** An activity day. It ends with the start of the next one: after 23 or 25 hours when the clocks change. Oura gives no strain. */
function normalizeCycle(
  { daily_activity: activity, next_activity: next }: OuraCycleRecord,
  raw: Json,
  now: Date,
): NormalizedCycle {
  const { at: start, utcOffsetMinutes } = activity.timestamp
  const end = endOfDay(start, next?.timestamp)
  const isOver = end <= now
  return {
    kind: "cycle",
    providerId: activity.id,
    updatedMs: latestMs(start, activity.meta?.updated_at),
    scoreState: scoreStateOf(isKnown(activity.total_calories), { at: end, utcOffsetMinutes }, now),
    raw,
    startMs: start.getTime(),
    endMs: isOver ? end.getTime() : null,
    utcOffsetMinutes,
    startUtcOffsetMinutes: utcOffsetMinutes,
    ...parts({ daily_activity: next }),
    ...(isOver && next && { endUtcOffsetMinutes: next.timestamp.utcOffsetMinutes }),
    ...known({
      energyKcal: activity.total_calories,
      activeEnergyKcal: activity.active_calories,
      steps: activity.steps,
      distanceMeters: activity.equivalent_walking_distance,
      contributors: contributorsOf(activity.contributors, null),
    }),
  }
}

/** The person. Oura knows no name. */
export function normalizeProfile(info: OuraPersonalInfo, raw: Json): NormalizedProfile {
  const body = knownOrNone({ heightMeters: info.height, weightKilograms: info.weight })
  return { data: { id: `${OURA}-${info.id}`, providerId: info.id, ...known({ email: info.email, body }) }, raw }
}

/** Longest and shortest days: the clocks change by an hour, and a flight moves 04:00 by up to half a day. */
const SHORTEST_DAY_MS = 12 * HOUR_MS
const LONGEST_DAY_MS = 36 * HOUR_MS

function endOfDay(start: Date, next: LocalTime | undefined): Date {
  const lengthMs = next ? next.at.getTime() - start.getTime() : Number.NaN
  return lengthMs >= SHORTEST_DAY_MS && lengthMs <= LONGEST_DAY_MS
    ? new Date(start.getTime() + lengthMs)
    : new Date(start.getTime() + DAY_MS)
}

/** A missing value may still come until the end of the local day, not later. */
function scoreStateOf(isScored: boolean, end: LocalTime, now: Date): ScoreState {
  if (isScored) return "scored"
  return localDateOf(now, end.utcOffsetMinutes) <= localDateOf(end.at, end.utcOffsetMinutes) ? "pending" : "unscorable"
}

/** All four, or none. */
function stagesOf(sleep: OuraSleep): KnownStages | undefined {
  const lightMs = milliseconds(sleep.light_sleep_duration)
  const deepMs = milliseconds(sleep.deep_sleep_duration)
  const remMs = milliseconds(sleep.rem_sleep_duration)
  const awakeMs = milliseconds(sleep.awake_time)
  if (lightMs === undefined || deepMs === undefined || remMs === undefined || awakeMs === undefined) return undefined
  return { lightMs, deepMs, remMs, awakeMs }
}

const PHASES: Readonly<Record<string, SleepPhase>> = { "1": "deep", "2": "light", "3": "rem", "4": "awake" }

/** Another digit keeps its place: the phases after it would be drawn too early. */
const courseOf = (digits: string | null | undefined, intervalMs: number): SleepCourse | undefined =>
  courseWith(
    intervalMs,
    [...(digits ?? "")].map((digit) => PHASES[digit] ?? null),
  )

/** The newest of the documents that a record is made of. Without any, the time it is about. */
function latestMs(otherwise: Date, ...times: readonly (Date | undefined)[]): number {
  const found = times.filter((time) => time !== undefined).map((time) => time.getTime())
  return found.length > 0 ? Math.max(...found) : otherwise.getTime()
}

type Documents = Readonly<Partial<Record<OuraCollection, { readonly id?: string | undefined } | null | undefined>>>

/** The documents of a record beside its main one. */
function parts(documents: Documents): { readonly partIds?: readonly string[] } {
  const partIds = COLLECTIONS.flatMap((collection) => {
    const id = documents[collection]?.id
    return id === undefined ? [] : [partId(collection, id)]
  })
  return partIds.length > 0 ? { partIds } : {}
}

const milliseconds = (value: number | null | undefined): number | undefined =>
  isKnown(value) ? value * SECOND_MS : undefined

const isKnown = (value: number | null | undefined): value is number => value !== null && value !== undefined

const withId = z.object({ id: opaqueId })
const SleepIdSchema = z.object({ sleep: withId }).transform(({ sleep }) => sleep.id)
const RecoveryIdSchema = z.union([
  z.object({ daily_readiness: withId }).transform(({ daily_readiness }) => daily_readiness.id),
  SleepIdSchema,
])
const WorkoutIdSchema = z.object({ workout: withId }).transform(({ workout }) => workout.id)
const CycleIdSchema = z.object({ daily_activity: withId }).transform(({ daily_activity }) => daily_activity.id)

/** Returns every record, normalised or rejected, in the order given. @param now decides what may still be scored */
export function readOuraRecords(kind: RecordKind, raws: readonly Json[], now: Date): ReadRecords {
  const vendor: VendorRecords = {
    readers: {
      sleep: recordReader(
        OuraSleepRecordSchema,
        (wire, raw) => normalizeSleep(wire, raw, now),
        {
          idSchema: SleepIdSchema,
          occurrenceOf: occurrenceOf("sleep"),
        },
        ["sleep.type"],
      ),
      recovery: recordReader(
        OuraRecoveryRecordSchema,
        (wire, raw) => normalizeRecovery(wire, raw, now),
        { idSchema: RecoveryIdSchema, occurrenceOf: occurrenceOf("recovery") },
        // Without it the recovery would be that of the sleep, with another id.
        ["daily_readiness.id", "daily_readiness.day"],
      ),
      workout: recordReader(OuraWorkoutRecordSchema, normalizeWorkout, {
        idSchema: WorkoutIdSchema,
        occurrenceOf: occurrenceOf("workout"),
      }),
      cycle: recordReader(OuraCycleRecordSchema, (wire, raw) => normalizeCycle(wire, raw, now), {
        idSchema: CycleIdSchema,
        occurrenceOf: occurrenceOf("cycle"),
      }),
    },
    coverage: OURA_COVERAGE,
    bounds: [],
  }
  return readRecords(vendor, kind, raws)
}
