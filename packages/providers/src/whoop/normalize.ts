// From WHOOP's shapes to the normalised ones: pure, and the only file that converts WHOOP's units.
// WHOOP's records: how each kind is read, and where its id is.
import type { ProfileData, ScoreState, SleepStages } from "@restwell/client"
import type {
  Json,
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
import { type Bound, boundsOf } from "../normalize/plausible.ts"
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

/** A night or nap. Score, stages and metrics come with the score. `durationMs` is the time in bed, or end - start before the score. */
function normalizeSleep(wire: WhoopSleep, raw: Json): NormalizedSleep {
  const score = scoreOf(wire)
  const summary = score?.stage_summary
  const needParts = score?.sleep_needed ? needPartsOf(score.sleep_needed) : undefined
  return {
    kind: "sleep",
    ...envelope(wire.id, wire, raw),
    startedAt: wire.start,
    endedAt: wire.end,
    utcOffsetMinutes: wire.timezone_offset,
    ...known({
      cycleProviderId: wire.cycle_id,
      consistencyPercent: score?.sleep_consistency_percentage,
      needMs: needParts && sumOfParts(needParts),
      needParts,
    }),
    data: {
      ...ids(wire.id),
      start: wire.start.toISOString(),
      end: wire.end.toISOString(),
      durationMs: summary?.total_in_bed_time_milli ?? wire.end.getTime() - wire.start.getTime(),
      isNap: wire.nap,
      ...known({
        score: score?.sleep_performance_percentage,
        stages: summary && stagesOf(summary),
        metrics: knownOrNone({
          efficiency: score?.sleep_efficiency_percentage,
          respiratoryRate: score?.respiratory_rate,
        }),
      }),
    },
  }
}

/** A recovery, with its cycle's id. Its date needs its sleep and `skinTemp` needs the nights before, so both are derived later. */
function normalizeRecovery(wire: WhoopRecovery, raw: Json): NormalizedRecovery {
  const score = scoreOf(wire)
  return {
    kind: "recovery",
    ...envelope(wire.cycle_id, wire, raw),
    cycleProviderId: wire.cycle_id,
    createdAt: wire.created_at,
    ...known({ sleepProviderId: wire.sleep_id, skinTempCelsius: score?.skin_temp_celsius }),
    data: {
      ...ids(wire.cycle_id),
      ...known({
        score: score?.recovery_score,
        metrics: knownOrNone({
          hrv: score?.hrv_rmssd_milli,
          restingHeartRate: score?.resting_heart_rate,
          spo2: score?.spo2_percentage,
        }),
      }),
    },
  }
}

/** A workout, or one of the recovery activities WHOOP lists among them. */
function normalizeWorkout(wire: WhoopWorkout, raw: Json): NormalizedWorkout {
  const score = scoreOf(wire)
  const sportName = sportNameOf(wire)
  return {
    kind: "workout",
    ...envelope(wire.id, wire, raw),
    startedAt: wire.start,
    endedAt: wire.end,
    utcOffsetMinutes: wire.timezone_offset,
    countsAsWorkout: !isRecoveryActivity(sportName),
    ...known({ zones: zonesOf(score?.zone_durations ?? score?.zone_duration) }),
    data: {
      ...ids(wire.id),
      start: wire.start.toISOString(),
      end: wire.end.toISOString(),
      durationMs: wire.end.getTime() - wire.start.getTime(),
      sportType: sportTypeOf(sportName),
      ...known({
        strain: score?.strain,
        metrics: knownOrNone({ ...heartRatesAndEnergy(score), distance: score?.distance_meter }),
      }),
    },
  }
}

/** A cycle. An open one has no end, and its strain is the strain so far. */
function normalizeCycle(wire: WhoopCycle, raw: Json): NormalizedCycle {
  const score = scoreOf(wire)
  return {
    kind: "cycle",
    ...envelope(wire.id, wire, raw),
    startedAt: wire.start,
    endedAt: wire.end ?? null,
    utcOffsetMinutes: wire.timezone_offset,
    data: {
      ...ids(wire.id),
      start: wire.start.toISOString(),
      ...known({
        end: wire.end?.toISOString(),
        strain: score?.strain,
        metrics: knownOrNone(heartRatesAndEnergy(score)),
      }),
    },
  }
}

/** The person, without `body` when WHOOP has no measurements. */
export function normalizeProfile(profile: WhoopProfile, body: WhoopBody | undefined, raw: Json): NormalizedProfile {
  const data: ProfileData = {
    ...ids(profile.user_id),
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
  return { providerId, updatedAt: wire.updated_at, scoreState: scoreStateOf(wire), raw }
}

function ids(providerId: string) {
  return { id: `${WHOOP}-${providerId}`, providerId }
}

type ScoreOf<Wire extends Scored<unknown>> = NonNullable<Extract<Wire, { score_state: "SCORED" }>["score"]>

function heartRatesAndEnergy(score: ScoreOf<WhoopCycle> | undefined) {
  return {
    averageHeartRate: score?.average_heart_rate,
    maxHeartRate: score?.max_heart_rate,
    calories: isMissing(score?.kilojoule) ? undefined : score.kilojoule / KILOJOULES_PER_KILOCALORIE,
  }
}

/** All four, or none. */
function stagesOf(summary: NonNullable<ScoreOf<WhoopSleep>["stage_summary"]>): SleepStages | undefined {
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
  workout: [["data.strain", 0, 21, "of strain", STRAIN]],
  cycle: [["data.strain", 0, 21, "of strain", STRAIN]],
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
