// Polar's records: how each kind is read, and how it becomes the one record of its kind. The only file that converts Polar's units. The
// payload of a record is its rows, by what they are of.

import type { ScoreState } from "@restwell/client"
import { addDays, isDate } from "@restwell/client/calendar-dates"
import { MINUTE_MS, SECOND_MS } from "@restwell/client/time-units"
import { z } from "zod"
import {
  type Bound,
  type Json,
  type KnownStages,
  NO_TIME_OF_CHANGE_MS,
  type NormalizedCycle,
  type NormalizedProfile,
  type NormalizedRecovery,
  type NormalizedSleep,
  type NormalizedWorkout,
  type RecordKind,
  type ZoneDurations,
} from "../contract/records.ts"
import { contributorsOf } from "../normalize/contributors.ts"
import { courseOf, localDateOf } from "../normalize/derive.ts"
import { known, knownOrNone } from "../normalize/known.ts"
import { textOrNumberId } from "../normalize/opaque-texts.ts"
import { boundsOf } from "../normalize/plausible.ts"
import { type ReadRecords, readRecords, recordReader, type VendorRecords } from "../normalize/read-records.ts"
import { isTodaySomewhere } from "../normalize/zoned-days.ts"
import { spansOf } from "./clock-values.ts"
import { POLAR_COVERAGE } from "./coverage.ts"
import { midnightMs } from "./dates.ts"
import { samplesOfNight } from "./samples.ts"
import { sportOf } from "./sports.ts"
import {
  type PolarCycleRecord,
  PolarCycleRecordSchema,
  type PolarExercise,
  type PolarExerciseRecord,
  PolarExerciseRecordSchema,
  type PolarNight,
  type PolarPhysicalInfo,
  type PolarRecoveryRecord,
  PolarRecoveryRecordSchema,
  type PolarSleepRecord,
  PolarSleepRecordSchema,
} from "./wire.ts"

/** The name before every id. */
export const POLAR = "polar"

/**
 * Noon in UTC of a date is on that date wherever the person is. Rows have no time of their last change, so it stands for that too: of two
 * versions the one that is read later is newer.
 */
const noonMs = (date: string): number => Date.parse(`${date}T12:00:00Z`)

/** The night of a date, which is its id: Polar has one for each, and writes it again when it changes. */
function normalizeSleep(
  { sleep: night, nightly_recharge: recharge }: PolarSleepRecord,
  raw: Json,
  now: Date,
): NormalizedSleep {
  const { sleep_start_time: start, sleep_end_time: end } = night
  const times = { startMs: start.at.getTime(), endMs: end.at.getTime() }
  const stages = stagesOf(night)
  const spans = stages && spansOf(night, { ...stages, unknownMs: secondsToMs(night.unrecognized_sleep_stage) ?? 0 })
  const phases = (spans ?? []).flatMap(({ phase, startMs, endMs }) => (phase ? [{ phase, startMs, endMs }] : []))
  return {
    kind: "sleep",
    providerId: night.date,
    updatedMs: noonMs(night.date),
    scoreState: scoreStateOf(stages !== undefined, localDateOf(end.at, end.utcOffsetMinutes), now),
    raw,
    ...times,
    utcOffsetMinutes: end.utcOffsetMinutes,
    startUtcOffsetMinutes: start.utcOffsetMinutes,
    endUtcOffsetMinutes: end.utcOffsetMinutes,
    isNap: false,
    durationMs: times.endMs - times.startMs,
    // A list that fails for an hour takes nothing from the stored night.
    ...(recharge && { partIds: [`nightly_recharge.${night.date}`] }),
    ...known({
      cycleProviderId: night.date,
      scorePercent: night.sleep_score,
      efficiencyPercent: efficiencyOf(night, times),
      respiratoryRatePerMinute: recharge?.breathing_rate_avg,
      contributors: contributorsOfNight(night),
      stages,
      course: courseOf(phases, times),
    }),
    samples: samplesOfNight(night, spans ?? [], now),
  }
}

/** Each theme stands for two of the six parts of Polar's sleep score. */
const contributorsOfNight = (night: PolarNight) =>
  contributorsOf(
    {
      duration: night.group_duration_score,
      solidity: night.group_solidity_score,
      regeneration: night.group_regeneration_score,
    },
    null,
  )

/** Percent of the time in bed. Undefined without one of the sums. */
function efficiencyOf(
  { light_sleep: light, deep_sleep: deep, rem_sleep: rem }: PolarNight,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): number | undefined {
  const asleepMs = secondsToMs(light == null || deep == null || rem == null ? undefined : light + deep + rem)
  return asleepMs && endMs > startMs ? (asleepMs / (endMs - startMs)) * 100 : undefined
}

/** All four, or none. Time without a stage is in none of them. */
function stagesOf(night: PolarNight): Required<KnownStages> | undefined {
  const [lightMs, deepMs] = [secondsToMs(night.light_sleep), secondsToMs(night.deep_sleep)]
  const [remMs, awakeMs] = [secondsToMs(night.rem_sleep), secondsToMs(night.total_interruption_duration)]
  if (lightMs === undefined || deepMs === undefined || remMs === undefined || awakeMs === undefined) return undefined
  return lightMs + deepMs + remMs > 0 ? { lightMs, deepMs, remMs, awakeMs } : undefined
}

/** What a night says beside its sleep. Polar has no score of it on a scale of 0 to 100, and no resting heart rate. */
function normalizeRecovery(record: PolarRecoveryRecord, raw: Json, now: Date): NormalizedRecovery {
  const { nightly_recharge: recharge, skin_temperature: temperature } = record
  const date = recharge?.date ?? temperature?.sleep_date ?? ""
  const figures = known({
    hrvMs: recharge?.heart_rate_variability_avg,
    skinTempCelsius: temperature?.sleep_time_skin_temperature_celsius,
    skinTempDeviationCelsius: temperature?.deviation_from_baseline_celsius,
  })
  return {
    kind: "recovery",
    providerId: date,
    updatedMs: noonMs(date),
    scoreState: scoreStateOf(Object.keys(figures).length > 0, date, now),
    raw,
    createdMs: noonMs(date),
    sleepProviderId: date,
    cycleProviderId: date,
    ...figures,
  }
}

/** A day from one midnight to the next, at the offsets that nights tell. Today goes on. */
function normalizeCycle({ activity, sleep: offsets }: PolarCycleRecord, raw: Json, now: Date): NormalizedCycle {
  const { start_time: date } = activity
  const startOffset = offsets?.start_utc_offset_minutes ?? 0
  const endOffset = offsets?.end_utc_offset_minutes ?? startOffset
  const endMs = midnightMs(addDays(date, 1), endOffset)
  const isOver = endMs <= now.getTime()
  return {
    kind: "cycle",
    providerId: date,
    updatedMs: noonMs(date),
    scoreState: "scored",
    raw,
    startMs: midnightMs(date, startOffset),
    endMs: isOver ? endMs : null,
    utcOffsetMinutes: startOffset,
    // Days are served longer than nights: once its own night is gone, an earlier reading knows better where the person was.
    ...((!offsets || offsets.is_of_another_night) && { keepsFirstOffset: true as const }),
    ...(!offsets && { isOffsetUnknown: true as const }),
    ...(isOver && { startUtcOffsetMinutes: startOffset, endUtcOffsetMinutes: endOffset }),
    ...known({
      energyKcal: activity.calories,
      activeEnergyKcal: activity.active_calories,
      steps: activity.steps,
      distanceMeters: activity.distance_from_steps,
    }),
  }
}

/** A workout, at the offset that it has itself. Its cardio load is on Polar's own scale. */
function normalizeWorkout({ exercise }: PolarExerciseRecord, raw: Json): NormalizedWorkout {
  const utcOffsetMinutes = exercise.start_time_utc_offset
  const startMs = Date.parse(`${exercise.start_time}Z`) - utcOffsetMinutes * MINUTE_MS
  return {
    kind: "workout",
    providerId: exercise.id,
    updatedMs: NO_TIME_OF_CHANGE_MS,
    scoreState: "scored",
    raw,
    startMs,
    endMs: startMs + exercise.duration,
    utcOffsetMinutes,
    durationMs: exercise.duration,
    sportType: sportOf(exercise.detailed_sport_info, exercise.sport),
    countsAsWorkout: true,
    ...known({
      strain: exercise.training_load_pro?.cardio_load,
      averageHeartRateBpm: exercise.heart_rate?.average,
      maxHeartRateBpm: exercise.heart_rate?.maximum,
      energyKcal: exercise.calories,
      distanceMeters: exercise.distance,
      zones: zonesOf(exercise),
    }),
  }
}

/** Polar's five zones begin above rest. What is in none of them is zone 0. */
function zonesOf({ heart_rate_zones: zones, duration }: PolarExercise): ZoneDurations | undefined {
  const [one, two, three, four, five, ...more] = (zones ?? [])
    .toSorted((zone, other) => zone.index - other.index)
    .map(({ in_zone: ms }) => ms)
  if (one === undefined || two === undefined || three === undefined) return undefined
  if (four === undefined || five === undefined || more.length > 0) return undefined
  const zone0Ms = Math.max(0, duration - one - two - three - four - five)
  return { zone0Ms, zone1Ms: one, zone2Ms: two, zone3Ms: three, zone4Ms: four, zone5Ms: five }
}

const CENTIMETRES = 100

export function normalizeProfile(memberId: string, info: PolarPhysicalInfo, raw: Json): NormalizedProfile {
  const body = knownOrNone({
    heightMeters: info.height == null ? undefined : info.height / CENTIMETRES,
    weightKilograms: info.weight,
    maxHeartRate: info.maximum_heart_rate,
  })
  return { data: { id: `${POLAR}-${memberId}`, providerId: memberId, ...known({ body }) }, raw }
}

/** What is missing may still come until the end of the date. */
function scoreStateOf(isThere: boolean, date: string, now: Date): ScoreState {
  if (isThere) return "scored"
  return isTodaySomewhere(date, now) ? "pending" : "unscorable"
}

const secondsToMs = (value: number | null | undefined): number | undefined =>
  value === null || value === undefined ? undefined : value * SECOND_MS

const LOAD = "a cardio load of 300 is a very hard workout: the longest races have some thousand"

/** Bounds of Polar's own scales. */
export const POLAR_PLAUSIBLE: readonly Bound[] = boundsOf({
  workout: [["strain", 0, 10_000, "of cardio load", LOAD]],
})

const date = z.string().refine(isDate)
const DATES = {
  sleep: z.object({ sleep: z.object({ date }) }).transform(({ sleep }) => sleep.date),
  recovery: z.union([
    z.object({ nightly_recharge: z.object({ date }) }).transform(({ nightly_recharge }) => nightly_recharge.date),
    z.object({ skin_temperature: z.object({ sleep_date: date }) }).transform((raw) => raw.skin_temperature.sleep_date),
  ]),
  workout: z
    .object({
      exercise: z.object({
        start_time: z
          .string()
          .transform((written) => written.slice(0, 10))
          .pipe(date),
      }),
    })
    .transform(({ exercise }) => exercise.start_time),
  cycle: z
    .object({
      activity: z.object({
        start_time: z
          .string()
          .transform((written) => written.slice(0, 10))
          .pipe(date),
      }),
    })
    .transform(({ activity }) => activity.start_time),
} as const satisfies Readonly<Record<RecordKind, z.ZodType<string>>>

const ExerciseIdSchema = z
  .object({ exercise: z.object({ id: textOrNumberId }) })
  .transform(({ exercise }) => exercise.id)

/** Returns the date that a payload is of, as far as it tells one. */
export const dateOf = (kind: RecordKind, raw: Json): string | undefined => DATES[kind].safeParse(raw).data

function setAside(kind: RecordKind) {
  return {
    idSchema: kind === "workout" ? ExerciseIdSchema : DATES[kind],
    occurrenceOf: (raw: Json) => {
      const found = dateOf(kind, raw)
      return found === undefined ? null : { date: found }
    },
  }
}

/** Returns every record, normalised or rejected, in the order given. @param now decides what may still come */
export function readPolarRecords(kind: RecordKind, raws: readonly Json[], now: Date): ReadRecords {
  const vendor: VendorRecords = {
    readers: {
      sleep: recordReader(PolarSleepRecordSchema, (wire, raw) => normalizeSleep(wire, raw, now), setAside("sleep")),
      recovery: recordReader(
        PolarRecoveryRecordSchema,
        (wire, raw) => normalizeRecovery(wire, raw, now),
        setAside("recovery"),
        // Without it the recovery would be of no date.
        ["nightly_recharge.date", "skin_temperature.sleep_date"],
      ),
      workout: recordReader(PolarExerciseRecordSchema, normalizeWorkout, setAside("workout")),
      cycle: recordReader(PolarCycleRecordSchema, (wire, raw) => normalizeCycle(wire, raw, now), setAside("cycle")),
    },
    coverage: POLAR_COVERAGE,
    bounds: POLAR_PLAUSIBLE,
  }
  return readRecords(vendor, kind, raws)
}
