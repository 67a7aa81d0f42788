// WHOOP's records: how each kind is read, and how it becomes the one record of its kind. The only file that converts WHOOP's units.
import type { ProfileData, ScoreState } from "@restwell/client"
import type {
  Bound,
  Json,
  KnownStages,
  NormalizedCycle,
  NormalizedProfile,
  NormalizedRecovery,
  NormalizedSleep,
  NormalizedWorkout,
  RecordKind,
  SleepNeedParts,
  ZoneDurations,
} from "../contract/records.ts"
import { known, knownOrNone } from "../normalize/known.ts"
import { boundsOf } from "../normalize/plausible.ts"
import { type ReadRecords, readRecords, recordReader, type VendorRecords } from "../normalize/read-records.ts"
import { sportTypeOf } from "../normalize/vocabulary.ts"
import { WHOOP_COVERAGE } from "./coverage.ts"
import { occurrenceOf } from "./occurrence.ts"
import { isRecoveryActivity, sportNameOf } from "./sports.ts"
import {
  WhoopActivityIdSchema,
  type WhoopBody,
  type WhoopCycle,
  WhoopCycleIdSchema,
  WhoopCycleSchema,
  type WhoopProfile,
  type WhoopRecovery,
  WhoopRecoveryIdSchema,
  WhoopRecoverySchema,
  type WhoopSleep,
  WhoopSleepSchema,
  type WhoopWorkout,
  WhoopWorkoutSchema,
} from "./wire.ts"

/** The name before every id. */
export const WHOOP = "whoop"

/** Kilojoules in a thermochemical kilocalorie, by definition. */
const KILOJOULES_PER_KILOCALORIE = 4.184

/** A night or nap. Stages and figures come with the score. `durationMs` is the time in bed, or end - start before the score. */
function normalizeSleep(wire: WhoopSleep, raw: Json): NormalizedSleep {
  const score = scoreOf(wire)
  const summary = score?.stage_summary
  const needParts = score?.sleep_needed ? needPartsOf(score.sleep_needed) : undefined
  return {
    kind: "sleep",
    ...envelope(wire.id, wire, raw),
    startMs: wire.start.getTime(),
    endMs: wire.end.getTime(),
    utcOffsetMinutes: wire.timezone_offset,
    isNap: wire.nap,
    durationMs: summary?.total_in_bed_time_milli ?? wire.end.getTime() - wire.start.getTime(),
    ...known({
      cycleProviderId: wire.cycle_id,
      scorePercent: score?.sleep_performance_percentage,
      efficiencyPercent: score?.sleep_efficiency_percentage,
      consistencyPercent: score?.sleep_consistency_percentage,
      respiratoryRatePerMinute: score?.respiratory_rate,
      timesAwake: summary?.disturbance_count,
      needMs: needParts && sumOfParts(needParts),
      needParts,
      stages: summary && stagesOf(summary),
    }),
  }
}

/** A recovery, with its cycle's id. Its date needs its sleep and its temperature's deviation the nights before. Both are derived later. */
function normalizeRecovery(wire: WhoopRecovery, raw: Json): NormalizedRecovery {
  const score = scoreOf(wire)
  return {
    kind: "recovery",
    ...envelope(wire.cycle_id, wire, raw),
    cycleProviderId: wire.cycle_id,
    createdMs: wire.created_at.getTime(),
    ...known({
      sleepProviderId: wire.sleep_id,
      scorePercent: score?.recovery_score,
      hrvMs: score?.hrv_rmssd_milli,
      restingHeartRateBpm: score?.resting_heart_rate,
      spo2Percent: score?.spo2_percentage,
      skinTempCelsius: score?.skin_temp_celsius,
    }),
  }
}

/** A workout, or one of the recovery activities WHOOP lists among them. */
function normalizeWorkout(wire: WhoopWorkout, raw: Json): NormalizedWorkout {
  const score = scoreOf(wire)
  const sportName = sportNameOf(wire)
  return {
    kind: "workout",
    ...envelope(wire.id, wire, raw),
    startMs: wire.start.getTime(),
    endMs: wire.end.getTime(),
    utcOffsetMinutes: wire.timezone_offset,
    durationMs: wire.end.getTime() - wire.start.getTime(),
    sportType: sportTypeOf(sportName),
    countsAsWorkout: !isRecoveryActivity(sportName),
    ...known({
      ...effortOf(score),
      distanceMeters: score?.distance_meter,
      zones: zonesOf(score?.zone_durations ?? score?.zone_duration),
    }),
  }
}

/** A cycle. An open one has no end, and its strain is the strain so far. */
function normalizeCycle(wire: WhoopCycle, raw: Json): NormalizedCycle {
  const score = scoreOf(wire)
  return {
    kind: "cycle",
    ...envelope(wire.id, wire, raw),
    startMs: wire.start.getTime(),
    endMs: wire.end?.getTime() ?? null,
    utcOffsetMinutes: wire.timezone_offset,
    ...known(effortOf(score)),
  }
}

/** The person, without `body` when WHOOP has no measurements. */
export function normalizeProfile(profile: WhoopProfile, body: WhoopBody | undefined, raw: Json): NormalizedProfile {
  const data: ProfileData = {
    id: `${WHOOP}-${profile.user_id}`,
    providerId: profile.user_id,
    ...known({
      firstName: profile.first_name,
      lastName: profile.last_name,
      email: profile.email,
      body: knownOrNone({
        heightMeters: body?.height_meter,
        weightKilograms: body?.weight_kilogram,
        maxHeartRate: body?.max_heart_rate,
      }),
    }),
  }
  return { data, raw }
}

type Scored<Score> =
  | { readonly score_state: "SCORED"; readonly score?: Score | null | undefined }
  | { readonly score_state: "PENDING_SCORE" | "UNSCORABLE" }

function scoreOf<Score>(wire: Scored<Score>): Score | undefined {
  return wire.score_state === "SCORED" ? (wire.score ?? undefined) : undefined
}

/** A SCORED record without its score is pending. */
function scoreStateOf(wire: Scored<unknown>): ScoreState {
  if (wire.score_state === "UNSCORABLE") return "unscorable"
  return scoreOf(wire) === undefined ? "pending" : "scored"
}

function envelope(providerId: string, wire: Scored<unknown> & { readonly updated_at: Date }, raw: Json) {
  return { providerId, updatedMs: wire.updated_at.getTime(), scoreState: scoreStateOf(wire), raw }
}

type ScoreOf<Wire extends Scored<unknown>> = NonNullable<Extract<Wire, { score_state: "SCORED" }>["score"]>

function effortOf(score: ScoreOf<WhoopCycle> | undefined) {
  return {
    strain: score?.strain,
    averageHeartRateBpm: score?.average_heart_rate,
    maxHeartRateBpm: score?.max_heart_rate,
    energyKcal: isMissing(score?.kilojoule) ? undefined : score.kilojoule / KILOJOULES_PER_KILOCALORIE,
  }
}

/** All four, or none. */
function stagesOf(summary: NonNullable<ScoreOf<WhoopSleep>["stage_summary"]>): KnownStages | undefined {
  const light = summary.total_light_sleep_time_milli
  const deep = summary.total_slow_wave_sleep_time_milli
  const rem = summary.total_rem_sleep_time_milli
  const awake = summary.total_awake_time_milli
  if (isMissing(light) || isMissing(deep) || isMissing(rem) || isMissing(awake)) return undefined
  return { lightMs: light, deepMs: deep, remMs: rem, awakeMs: awake }
}

/** All four, or none: a need without one of its parts would be another need. */
function needPartsOf(need: NonNullable<ScoreOf<WhoopSleep>["sleep_needed"]>): SleepNeedParts | undefined {
  const { baseline_milli: baselineMs, need_from_sleep_debt_milli: debtMs } = need
  const { need_from_recent_strain_milli: strainMs, need_from_recent_nap_milli: napMs } = need
  if (isMissing(baselineMs) || isMissing(debtMs) || isMissing(strainMs) || isMissing(napMs)) return undefined
  return { baselineMs, debtMs, strainMs, napMs }
}

const sumOfParts = ({ baselineMs, debtMs, strainMs, napMs }: SleepNeedParts): number =>
  baselineMs + debtMs + strainMs + napMs

/** All six, or none. */
function zonesOf(zones: ScoreOf<WhoopWorkout>["zone_durations"]): ZoneDurations | undefined {
  const { zone_zero_milli: zero, zone_one_milli: one, zone_two_milli: two } = zones ?? {}
  const { zone_three_milli: three, zone_four_milli: four, zone_five_milli: five } = zones ?? {}
  if (isMissing(zero) || isMissing(one) || isMissing(two)) return undefined
  if (isMissing(three) || isMissing(four) || isMissing(five)) return undefined
  return { zone0Ms: zero, zone1Ms: one, zone2Ms: two, zone3Ms: three, zone4Ms: four, zone5Ms: five }
}

function isMissing(value: number | null | undefined): value is null | undefined {
  return value === null || value === undefined
}

const STRAIN = "https://developer.whoop.com/docs/whoop-101: strain is a scale from 0 to 21"

/** Bounds of WHOOP's own scales. */
export const WHOOP_PLAUSIBLE: readonly Bound[] = boundsOf({
  workout: [["strain", 0, 21, "of strain", STRAIN]],
  cycle: [["strain", 0, 21, "of strain", STRAIN]],
})

const WHOOP_RECORDS: VendorRecords = {
  readers: {
    sleep: recordReader(WhoopSleepSchema, normalizeSleep, {
      idSchema: WhoopActivityIdSchema,
      occurrenceOf: occurrenceOf("sleep"),
    }),
    recovery: recordReader(WhoopRecoverySchema, normalizeRecovery, {
      idSchema: WhoopRecoveryIdSchema,
      occurrenceOf: occurrenceOf("recovery"),
    }),
    workout: recordReader(WhoopWorkoutSchema, normalizeWorkout, {
      idSchema: WhoopActivityIdSchema,
      occurrenceOf: occurrenceOf("workout"),
    }),
    // One whose end is not read would be the open one.
    cycle: recordReader(
      WhoopCycleSchema,
      normalizeCycle,
      { idSchema: WhoopCycleIdSchema, occurrenceOf: occurrenceOf("cycle") },
      ["end"],
    ),
  },
  coverage: WHOOP_COVERAGE,
  bounds: WHOOP_PLAUSIBLE,
}

/** Returns every record of a page, normalised or rejected, in the order of the page. */
export const readWhoopRecords = (kind: RecordKind, raws: readonly Json[]): ReadRecords =>
  readRecords(WHOOP_RECORDS, kind, raws)
