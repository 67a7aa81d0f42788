import {
  type Contributor,
  type CycleRecord,
  DELIVERED_TYPES,
  type JournalRecord,
  type ProfileData,
  type ProfileResponse,
  type RecoveryRecord,
  SERIES_UNITS,
  type SleepRecord,
  type SourcesResponse,
  type WorkoutRecord,
  type WorkoutZones,
} from "@restwell/client"
import { scoreUnit, sourceName } from "@restwell/client/figures"
import { MINUTE_MS } from "@restwell/client/time-units"
import { DATA_SOURCES, type SleepNeedParts, type ZoneDurations } from "@restwell/providers"
import { instantText, localTime } from "../base/calendar.ts"
import { hoursOf, round, toHours, toTenThousandth, toTenth, toWhole } from "../base/rounding.ts"
import type { Choice } from "../sources/choose.ts"
import type { JournalFact } from "../store/statements/journal.ts"
import type { HealthSource } from "../store/statements/read-health.ts"
import {
  asleepMsOf,
  cycleIdOf,
  methodOfHrv,
  paceOf,
  type StoredCycle,
  type StoredRecord,
  type StoredRecovery,
  type StoredSleep,
  type StoredWorkout,
} from "../store/stored-record.ts"
import type { InsightLimits } from "./insight-query.ts"

/*
 * The only place where camelCase becomes snake_case, milliseconds become hours, and figures are rounded. REST, the connector and the
 * dashboard all use it. Keys are always present, and unknown values are null.
 */

type TimedRecord = StoredSleep | StoredWorkout | StoredCycle

/** A record as it is presented before its source was chosen. */
type Unchosen<Record> = Omit<Record, "chosen_because" | "chosen">

/** Why a record's source answers. With `marksChosen` all sources' records are listed, and each says whether it is chosen. */
export const presentChoice =
  <Fact, Presented>(present: (fact: Fact) => Presented, { marksChosen }: { readonly marksChosen: boolean }) =>
  ({ fact, because }: Choice<Fact>) => ({
    ...present(fact),
    chosen_because: because,
    ...(marksChosen && { chosen: because !== null }),
  })

/** A record of any kind. */
export function presentRecord(
  fact: StoredRecord,
): Unchosen<SleepRecord | RecoveryRecord | WorkoutRecord | CycleRecord> {
  switch (fact.kind) {
    case "sleep":
      return presentSleep(fact)
    case "recovery":
      return presentRecovery(fact)
    case "workout":
      return presentWorkout(fact)
    case "cycle":
      return presentCycle(fact)
  }
}

export function presentSleep(fact: StoredSleep): Unchosen<SleepRecord> {
  const { provider, providerId, date, scoreState, startMs, endMs, stages } = fact
  return {
    id: idOf(provider, providerId),
    date,
    start: instantText(startMs),
    end: instantText(endMs),
    start_local: startLocal(fact),
    end_local: endLocal(fact, endMs),
    duration_hours: hoursOf(fact.durationMs),
    asleep_hours: toHours(asleepMsOf(fact)),
    need_hours: toHours(fact.needMs),
    is_nap: fact.isNap,
    score_state: scoreState,
    score: {
      performance: toTenth(fact.scorePercent),
      efficiency: toTenth(fact.efficiencyPercent),
      consistency: toTenth(fact.consistencyPercent),
    },
    stages: {
      light_hours: toHours(stages?.lightMs),
      deep_hours: toHours(stages?.deepMs),
      rem_hours: toHours(stages?.remMs),
      awake_hours: toHours(stages?.awakeMs),
    },
    respiratory_rate: toTenth(fact.respiratoryRatePerMinute),
    times_awake: toWhole(fact.timesAwake),
    latency_minutes: toTenth(fact.latencyMs === undefined ? null : fact.latencyMs / MINUTE_MS),
    contributors: fact.needParts ? partsOfNeed(fact.needParts) : presentContributors(fact),
    source: provider,
    device: fact.device ?? null,
  }
}

const presentContributors = ({ contributors = [] }: Pick<StoredRecord, "contributors">): Contributor[] =>
  contributors.map(({ name, value, unit }) => ({ name, value: round(value, 1), unit }))

/** A need is what the sleep performance is measured against. A nap's part is negative. */
const partsOfNeed = ({ baselineMs, debtMs, strainMs, napMs }: SleepNeedParts): Contributor[] =>
  Object.entries({
    need_baseline: baselineMs,
    need_from_sleep_debt: debtMs,
    need_from_recent_strain: strainMs,
    need_from_recent_nap: napMs,
  }).map(([name, ms]) => ({ name, value: hoursOf(ms), unit: "h" }))

/** The whole night of a sleep that is a part of one. */
export function presentNight(fact: StoredSleep): NonNullable<SleepRecord["night"]> {
  const { id: _, is_nap: __, source: ___, device: ____, ...night } = presentSleep(fact)
  return night
}

/** The id of a record in answers. */
export const idOf = (provider: string, providerId: string): string => `${provider}-${providerId}`

/** On the clock of the start, where the vendor gives it. */
const startLocal = ({ startMs, startUtcOffsetMinutes, utcOffsetMinutes }: TimedRecord): string =>
  localTime(startMs, startUtcOffsetMinutes ?? utcOffsetMinutes)

/** On the clock of the end, where the vendor gives it. */
const endLocal = ({ endUtcOffsetMinutes, utcOffsetMinutes }: TimedRecord, endMs: number): string =>
  localTime(endMs, endUtcOffsetMinutes ?? utcOffsetMinutes)

export function presentRecovery(fact: StoredRecovery): Unchosen<RecoveryRecord> {
  const { provider, date, scoreState } = fact
  const cycleId = cycleIdOf(fact)
  return {
    cycle_id: cycleId === undefined ? null : idOf(provider, cycleId),
    date,
    score_state: scoreState,
    score: toTenth(fact.scorePercent),
    hrv: toTenth(fact.hrvMs),
    hrv_method: methodOfHrv(fact),
    resting_heart_rate: toWhole(fact.restingHeartRateBpm),
    spo2: toTenth(fact.spo2Percent),
    skin_temp_celsius: toTenth(fact.skinTempCelsius),
    skin_temp_deviation_celsius: toTenth(fact.skinTempDeviationCelsius),
    contributors: presentContributors(fact),
    source: provider,
    device: fact.device ?? null,
  }
}

export function presentWorkout(fact: StoredWorkout): Unchosen<WorkoutRecord> {
  const { provider, providerId, date, scoreState, startMs, endMs, zones } = fact
  return {
    id: idOf(provider, providerId),
    date,
    start: instantText(startMs),
    end: instantText(endMs),
    start_local: startLocal(fact),
    end_local: endLocal(fact, endMs),
    duration_hours: hoursOf(fact.durationMs),
    sport_type: fact.sportType,
    score_state: scoreState,
    strain: toTenth(fact.strain),
    average_heart_rate: toWhole(fact.averageHeartRateBpm),
    max_heart_rate: toWhole(fact.maxHeartRateBpm),
    calories: toWhole(fact.energyKcal),
    distance_meters: toTenth(fact.distanceMeters),
    pace_seconds_per_km: toWhole(paceOf(fact)),
    time_zone_offset_minutes: fact.startUtcOffsetMinutes ?? fact.utcOffsetMinutes,
    zones: zones ? presentZones(zones) : null,
    contributors: presentContributors(fact),
    source: provider,
    device: fact.device ?? null,
  }
}

const presentZones = (zones: ZoneDurations): WorkoutZones => ({
  zone_0_hours: hoursOf(zones.zone0Ms),
  zone_1_hours: hoursOf(zones.zone1Ms),
  zone_2_hours: hoursOf(zones.zone2Ms),
  zone_3_hours: hoursOf(zones.zone3Ms),
  zone_4_hours: hoursOf(zones.zone4Ms),
  zone_5_hours: hoursOf(zones.zone5Ms),
})

export function presentCycle(fact: StoredCycle): Unchosen<CycleRecord> {
  const { provider, providerId, date, scoreState, startMs, endMs } = fact
  return {
    id: idOf(provider, providerId),
    date,
    start: instantText(startMs),
    end: endMs === null ? null : instantText(endMs),
    start_local: startLocal(fact),
    end_local: endMs === null ? null : endLocal(fact, endMs),
    score_state: scoreState,
    strain: toTenth(fact.strain),
    calories: toWhole(fact.energyKcal),
    average_heart_rate: toWhole(fact.averageHeartRateBpm),
    max_heart_rate: toWhole(fact.maxHeartRateBpm),
    steps: toWhole(fact.steps),
    active_calories: toWhole(fact.activeEnergyKcal),
    distance_meters: toTenth(fact.distanceMeters),
    contributors: presentContributors(fact),
    source: provider,
    device: fact.device ?? null,
  }
}

/** A percentage of some vendors, points of others. */
const OF_SCORES = "score"

/** Fields of a record in the units of answers, each with the normalised fields that it is made of: any of them gives it a value. */
const FIELDS = {
  sleep: {
    start: [null, "startMs"],
    end: [null, "endMs"],
    duration_hours: ["h", "durationMs"],
    asleep_hours: ["h", "asleepMs", "stages.lightMs"],
    need_hours: ["h", "needMs"],
    is_nap: [null, "isNap"],
    score_performance: [OF_SCORES, "scorePercent"],
    score_efficiency: ["%", "efficiencyPercent"],
    score_consistency: ["%", "consistencyPercent"],
    stages_light_hours: ["h", "stages.lightMs"],
    stages_deep_hours: ["h", "stages.deepMs"],
    stages_rem_hours: ["h", "stages.remMs"],
    stages_awake_hours: ["h", "stages.awakeMs"],
    respiratory_rate: ["/min", "respiratoryRatePerMinute"],
    times_awake: ["count", "timesAwake"],
    latency_minutes: ["min", "latencyMs"],
    contributors: [null, "contributors", "needParts.baselineMs"],
  },
  recovery: {
    score: [OF_SCORES, "scorePercent"],
    hrv: ["ms", "hrvMs"],
    resting_heart_rate: ["bpm", "restingHeartRateBpm"],
    spo2: ["%", "spo2Percent"],
    skin_temp_celsius: ["C", "skinTempCelsius"],
    // Computed from the temperature, where the vendor has none of its own.
    skin_temp_deviation_celsius: ["C", "skinTempDeviationCelsius", "skinTempCelsius"],
    contributors: [null, "contributors"],
  },
  workout: {
    start: [null, "startMs"],
    end: [null, "endMs"],
    duration_hours: ["h", "durationMs"],
    sport_type: [null, "sportType"],
    strain: [null, "strain"],
    average_heart_rate: ["bpm", "averageHeartRateBpm"],
    max_heart_rate: ["bpm", "maxHeartRateBpm"],
    calories: ["kcal", "energyKcal"],
    distance_meters: ["m", "distanceMeters"],
    pace_seconds_per_km: ["s/km", "paceSecondsPerKm", "distanceMeters"],
    time_zone_offset_minutes: ["min", "startMs"],
    zones: ["h", "zones"],
  },
  cycle: {
    start: [null, "startMs"],
    end: [null, "endMs"],
    strain: [null, "strain"],
    calories: ["kcal", "energyKcal"],
    average_heart_rate: ["bpm", "averageHeartRateBpm"],
    max_heart_rate: ["bpm", "maxHeartRateBpm"],
    steps: ["count", "steps"],
    active_calories: ["kcal", "activeEnergyKcal"],
    distance_meters: ["m", "distanceMeters"],
    contributors: [null, "contributors"],
  },
  profile: {
    profile_first_name: [null, "data.firstName"],
    profile_last_name: [null, "data.lastName"],
    profile_email: [null, "data.email"],
    body_height_meters: ["m", "data.body.heightMeters"],
    body_weight_kilograms: ["kg", "data.body.weightKilograms"],
    body_max_heart_rate: ["bpm", "data.body.maxHeartRate"],
  },
} as const satisfies Record<
  (typeof DELIVERED_TYPES)[number],
  Readonly<Record<string, readonly [unit: string | null, ...normalised: string[]]>>
>

/** The figures of a kind by their names in answers. */
export const figureFieldsOf = (kind: StoredRecord["kind"]): { readonly field: string; readonly normalised: string }[] =>
  Object.entries(FIELDS[kind]).map(([field, [, normalised]]) => ({ field, normalised }))

/** What a source brings, by its coverage. @param shared the types of data that the reader may read. Null for all */
export function presentDeliveries(
  { provider, status }: Pick<HealthSource, "provider" | "status">,
  shared: InsightLimits["groups"] | null,
): SourcesResponse["sources"][number] {
  const known = DATA_SOURCES.get(provider)
  const isShared = (type: InsightLimits["groups"][number]) => shared === null || shared.includes(type)
  const fields = DELIVERED_TYPES.filter(isShared).flatMap((type) =>
    Object.entries(FIELDS[type]).flatMap(([field, [unit, ...normalised]]) => {
      const covered = known?.coverage.find((one) => one.kind === type && normalised.includes(one.field))
      const own = unit === OF_SCORES ? scoreUnit(provider) || null : unit
      return covered ? [{ type, field, unit: own, method: covered.method ?? null }] : []
    }),
  )
  return {
    provider,
    display_name: sourceName(provider),
    status,
    types: DELIVERED_TYPES.filter((type) => fields.some((field) => field.type === type)),
    fields,
    series: (isShared("series") ? (known?.series ?? []) : []).map(({ type, method = null }) => ({
      type,
      unit: SERIES_UNITS[type],
      method,
    })),
  }
}

export function presentProfile(profile: ProfileData | null): Omit<ProfileResponse, "source" | "sources"> {
  return {
    profile: {
      first_name: profile?.firstName ?? null,
      last_name: profile?.lastName ?? null,
      email: profile?.email ?? null,
    },
    body: {
      height_meters: toTenThousandth(profile?.body?.heightMeters),
      weight_kilograms: toTenThousandth(profile?.body?.weightKilograms),
      max_heart_rate: toWhole(profile?.body?.maxHeartRate),
    },
  }
}

/** @param marksChosen where every source's answers are listed */
export const presentAnswer =
  ({ marksChosen }: { readonly marksChosen: boolean }) =>
  ({ provider, date, factor, question, answer, value, isChosen }: JournalFact): JournalRecord => ({
    date,
    factor,
    question,
    answer,
    value,
    source: provider,
    ...(marksChosen && { chosen: isChosen }),
  })
