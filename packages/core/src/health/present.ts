import type {
  CycleRecord,
  JournalRecord,
  ProfileData,
  ProfileResponse,
  RecoveryRecord,
  SleepRecord,
  WorkoutRecord,
  WorkoutZones,
} from "@restwell/client"
import { hrvMethodOf, type ZoneDurations } from "@restwell/providers"
import { localTime } from "../calendar/local-time.ts"
import { hoursOf, toHours, toTenth, toWhole } from "../rounding/round.ts"
import type { Choice } from "../sources/choose.ts"
import type {
  CycleFact,
  HealthFact,
  JournalFact,
  RecoveryFact,
  SleepFact,
  WorkoutFact,
} from "../store/stored-record.ts"
import { asleepMsOf } from "./time-asleep.ts"

/*
 * The only place where camelCase becomes snake_case, milliseconds become hours, and figures are rounded. REST, the connector and the
 * dashboard all use it. Keys are always present, and unknown values are null. DESIGN section 4, "Answers".
 */

type TimedFact = SleepFact | WorkoutFact | CycleFact

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
export function presentRecord(fact: HealthFact): Unchosen<SleepRecord | RecoveryRecord | WorkoutRecord | CycleRecord> {
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

export function presentSleep(fact: SleepFact): Unchosen<SleepRecord> {
  const { provider, date, scoreState } = fact
  const { data, consistencyPercent, needMs } = fact.detail
  return {
    id: data.id,
    date,
    start: data.start,
    end: data.end,
    start_local: startLocal(fact),
    end_local: endLocal(fact, data.end),
    duration_hours: hoursOf(data.durationMs),
    asleep_hours: toHours(asleepMsOf(data.stages)),
    need_hours: toHours(needMs),
    is_nap: data.isNap,
    score_state: scoreState,
    score: {
      performance: toTenth(data.score),
      efficiency: toTenth(data.metrics?.efficiency),
      consistency: toTenth(consistencyPercent),
    },
    stages: {
      light_hours: toHours(data.stages?.lightMs),
      deep_hours: toHours(data.stages?.deepMs),
      rem_hours: toHours(data.stages?.remMs),
      awake_hours: toHours(data.stages?.awakeMs),
    },
    respiratory_rate: toTenth(data.metrics?.respiratoryRate),
    source: provider,
  }
}

/** On the clock of the start, where the vendor tells it. */
const startLocal = ({ detail, utcOffsetMinutes }: TimedFact): string =>
  localTime(detail.data.start, detail.startUtcOffsetMinutes ?? utcOffsetMinutes)

/** On the clock of the end, where the vendor tells it. */
const endLocal = ({ detail, utcOffsetMinutes }: TimedFact, end: string): string =>
  localTime(end, detail.endUtcOffsetMinutes ?? utcOffsetMinutes)

export function presentRecovery({
  provider,
  cycleProviderId,
  date,
  scoreState,
  skinTempDeviation,
  detail: { data, skinTempCelsius },
}: RecoveryFact): Unchosen<RecoveryRecord> {
  return {
    cycle_id: cycleProviderId === null ? null : `${provider}-${cycleProviderId}`,
    date,
    score_state: scoreState,
    score: toTenth(data.score),
    hrv: toTenth(data.metrics?.hrv),
    hrv_method: data.metrics?.hrv === undefined ? null : hrvMethodOf(provider),
    resting_heart_rate: toWhole(data.metrics?.restingHeartRate),
    spo2: toTenth(data.metrics?.spo2),
    skin_temp_celsius: toTenth(skinTempCelsius),
    skin_temp_deviation_celsius: toTenth(skinTempDeviation),
    source: provider,
  }
}

export function presentWorkout(fact: WorkoutFact): Unchosen<WorkoutRecord> {
  const { provider, date, scoreState } = fact
  const { data, zones } = fact.detail
  return {
    id: data.id,
    date,
    start: data.start,
    end: data.end,
    start_local: startLocal(fact),
    end_local: endLocal(fact, data.end),
    duration_hours: hoursOf(data.durationMs),
    sport_type: data.sportType,
    score_state: scoreState,
    strain: toTenth(data.strain),
    average_heart_rate: toWhole(data.metrics?.averageHeartRate),
    max_heart_rate: toWhole(data.metrics?.maxHeartRate),
    calories: toWhole(data.metrics?.calories),
    distance_meters: toTenth(data.metrics?.distance),
    zones: zones ? presentZones(zones) : null,
    source: provider,
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

export function presentCycle(fact: CycleFact): Unchosen<CycleRecord> {
  const { provider, date, scoreState } = fact
  const { data, steps, activeCalories, distanceMeters } = fact.detail
  return {
    id: data.id,
    date,
    start: data.start,
    end: data.end ?? null,
    start_local: startLocal(fact),
    end_local: data.end === undefined ? null : endLocal(fact, data.end),
    score_state: scoreState,
    strain: toTenth(data.strain),
    calories: toWhole(data.metrics?.calories),
    average_heart_rate: toWhole(data.metrics?.averageHeartRate),
    max_heart_rate: toWhole(data.metrics?.maxHeartRate),
    steps: toWhole(steps),
    active_calories: toWhole(activeCalories),
    distance_meters: toTenth(distanceMeters),
    source: provider,
  }
}

/** Body measurements are as the person entered them: rounding as for distances would turn 1.83 m into 1.8. */
export function presentProfile(profile: ProfileData | null): Omit<ProfileResponse, "source" | "sources"> {
  return {
    profile: {
      first_name: profile?.firstName ?? null,
      last_name: profile?.lastName ?? null,
      email: profile?.email ?? null,
    },
    body: {
      height_meters: profile?.body?.heightMeters ?? null,
      weight_kilograms: profile?.body?.weightKilograms ?? null,
      max_heart_rate: toWhole(profile?.body?.maxHeartRate),
    },
  }
}

export const presentAnswer = ({ provider, date, factor, question, answer }: JournalFact): JournalRecord => ({
  date,
  factor,
  question,
  answer,
  value: null,
  source: provider,
})
