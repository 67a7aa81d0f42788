// How each metric is read from a person's chosen records. `figures` of the client package has its name, unit and rounding.
import type { MetricId } from "@restwell/client"
import { isMetricId } from "@restwell/client/figures"
import { HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import { type KnownStages, offsetInZone, type ZoneDurations } from "@restwell/providers"
import type { JournalFact } from "../store/statements/journal.ts"
import {
  asleepMsOf,
  hasCountedFigures,
  isLengthAlone,
  type StoredCycle,
  type StoredRecord,
  type StoredRecovery,
  type StoredSleep,
  type StoredWorkout,
} from "../store/stored-record.ts"
import { wrap } from "./clock-times.ts"
import { mainNightOf } from "./nights.ts"

/** Figures that are computed from others, with those others. */
const PARTS: Readonly<Partial<Record<MetricId, readonly MetricId[]>>> = {
  recovery_score: ["hrv", "resting_heart_rate", "lowest_heart_rate", "night_heart_rate", "sleep_performance"],
  resting_heart_rate: ["lowest_heart_rate", "night_heart_rate"],
  night_heart_rate: ["lowest_heart_rate"],
  sleep_debt: ["sleep_need"],
  sleep_performance: ["sleep_need", "sleep_debt"],
  sleep_efficiency: ["asleep", "in_bed", "awake"],
  in_bed: ["light", "deep", "rem", "awake"],
  midsleep: ["bedtime", "wake_time"],
  asleep: ["light", "deep", "rem", "awake", "in_bed", "sleep_debt", "sleep_performance"],
  workout: ["zone_1_hours", "zone_2_hours", "zone_3_hours", "zone_4_hours", "zone_5_hours"],
}

const partsOf = (id: string): readonly string[] => (isMetricId(id) ? (PARTS[id] ?? []) : [])

/** Whether one metric is computed from the other, so that they go together by definition. */
export const arePartsOfOneAnother = (one: string, other: string): boolean =>
  partsOf(one).includes(other) || partsOf(other).includes(one)

/** What a person's chosen records say about one date. */
export interface DayFacts {
  /** `mainNightOf` */
  readonly night: StoredSleep | undefined
  readonly naps: readonly StoredSleep[]
  readonly recovery: StoredRecovery | undefined
  /** The length of a night, of a source that gives nothing else of it. */
  readonly nightLength: StoredRecovery | undefined
  readonly cycle: StoredCycle | undefined
  /** Without rest that a vendor lists as a workout. */
  readonly workouts: readonly StoredWorkout[]
}

/** Sorts the chosen facts of a date by kind. A fact that is given twice counts once. @param facts with whole nights, oldest first */
export function dayFactsOf(facts: readonly StoredRecord[]): DayFacts {
  let [recovery, nightLength, cycle]: [StoredRecovery?, StoredRecovery?, StoredCycle?] = []
  const nights: StoredSleep[] = []
  const naps: StoredSleep[] = []
  const workouts: StoredWorkout[] = []
  for (const fact of facts)
    switch (fact.kind) {
      case "sleep":
        if (fact.isNap) addOnce(naps, fact)
        else nights.push(fact)
        break
      case "recovery":
        if (isLengthAlone(fact)) nightLength = fact
        else recovery = fact
        break
      case "cycle":
        cycle = fact
        break
      case "workout":
        if (fact.countsAsWorkout) addOnce(workouts, fact)
    }
  return { night: mainNightOf(nights), naps, recovery, nightLength, cycle, workouts }
}

function addOnce<Fact extends StoredRecord>(facts: Fact[], fact: Fact): void {
  if (!facts.some(({ provider, providerId }) => provider === fact.provider && providerId === fact.providerId))
    facts.push(fact)
}

/** Null or undefined where there is none. */
type Value = number | null | undefined

/** The value of a date. None where the date has none: pending and unscorable figures are missing, never zero. */
type Extract = (day: DayFacts) => Value

/** The night's data, once they are final. */
const countedNight = ({ night }: DayFacts) => (night && hasCountedFigures(night) ? night : undefined)

/** A night without durations has its vendor's own rates too. Those of a night that is still to be scored may change. */
const knownNight = ({ night }: DayFacts) => (night && night.scoreState !== "pending" ? night : undefined)

const countedRecovery = ({ recovery }: DayFacts) => (recovery && hasCountedFigures(recovery) ? recovery : undefined)

/** Of a cycle that has ended: the figures of today's open cycle still grow. */
const closedCycle = ({ cycle }: DayFacts) =>
  cycle && hasCountedFigures(cycle) && cycle.endMs !== null ? cycle : undefined

const stagesOf = (day: DayFacts): KnownStages | undefined => countedNight(day)?.stages

function asleepOf(day: DayFacts): number | null {
  const night = countedNight(day)
  return night ? asleepMsOf(night) : null
}

/** What has the time asleep of a date without a night: a source that gives the length alone. No sleep is made of it. */
export function lengthBehind(day: DayFacts): StoredRecovery | undefined {
  if (asleepOf(day) !== null) return undefined
  const recovery = countedRecovery(day)
  return recovery?.asleepMs === undefined ? day.nightLength : recovery
}

const timeAsleepOf = (day: DayFacts): Value => asleepOf(day) ?? lengthBehind(day)?.asleepMs

const hours = (milliseconds: Value): Value => (milliseconds == null ? undefined : milliseconds / HOUR_MS)

function debtMs(day: DayFacts): Value {
  const [need, asleep] = [countedNight(day)?.needMs, asleepOf(day)]
  return need == null || asleep === null ? undefined : need - asleep
}

/** What no record alone tells, as what samples add up to. */
const none: Extract = () => undefined

type Timed = StoredSleep | StoredWorkout

/** Minutes of the local clock since 1970-01-01T00:00, each with the offset of its own moment. */
export const localStartOf = ({ startMs, startUtcOffsetMinutes, utcOffsetMinutes }: Timed): number =>
  startMs / MINUTE_MS + (startUtcOffsetMinutes ?? utcOffsetMinutes)

export const localEndOf = ({ endMs, endUtcOffsetMinutes, utcOffsetMinutes }: Timed): number =>
  endMs / MINUTE_MS + (endUtcOffsetMinutes ?? utcOffsetMinutes)

/** On the clock of waking: a flight over the date line puts the two local times a day apart. */
const localMiddleOf = (night: Timed): number => localEndOf(night) - (night.endMs - night.startMs) / 2 / MINUTE_MS

const nightClock =
  (minutesOf: (night: Timed) => number): Extract =>
  (day) => {
    const night = countedNight(day)
    return night && wrap(minutesOf(night))
  }

/** The minute that a clock shows, as the local time of the record has it: at 23:41:40 it is 23:41. */
const shownMinute = (minutes: number): number => wrap(Math.floor(minutes))

/** On the clock of waking. */
const lowestHeartRateTime: Extract = (day) => {
  const night = knownNight(day)
  const atMs = night?.lowestHeartRateAtMs
  return !night || atMs === undefined ? undefined : shownMinute(localEndOf({ ...night, endMs: atMs }))
}

/** Strength training has no distance. That of a workout which is still to be scored is unknown. */
function distanceOf({ scoreState, distanceMeters }: StoredWorkout): Value {
  if (scoreState === "pending") return undefined
  return scoreState === "scored" ? (distanceMeters ?? 0) : distanceMeters
}

/** The sum over activities. Zero without any, and missing if the figure of one of them is unknown. */
function sumOf(values: readonly Value[]): Value {
  let sum = 0
  for (const value of values) {
    if (value == null) return undefined
    sum += value
  }
  return sum
}

/** The workout that ended last. Of two, the one that began first. */
const lastWorkoutOf = ({ workouts }: DayFacts): DayFacts["workouts"][number] | undefined => {
  let last = workouts[0]
  for (const workout of workouts) if (last === undefined || workout.endMs > last.endMs) last = workout
  return last
}

const lastWorkoutEnd: Extract = (day) => {
  const last = lastWorkoutOf(day)
  return last && shownMinute(localEndOf(last))
}

const firstWorkoutStart: Extract = ({ workouts: [first] }) => first && shownMinute(localStartOf(first))

/** The workout with the highest heart rate, of equal ones the first. One that is not scored yet may still have a higher one. */
function hardestWorkoutOf({ workouts }: DayFacts): StoredWorkout | undefined {
  const rateOf = ({ scoreState, maxHeartRateBpm }: StoredWorkout): number =>
    scoreState === "pending" ? 0 : (maxHeartRateBpm ?? 0)
  const hardest = workouts.toSorted((one, other) => rateOf(other) - rateOf(one))[0]
  return hardest && rateOf(hardest) > 0 ? hardest : undefined
}

/** The workout that a figure of a date's workouts is read from. Of their sums, it is the last one. */
export function workoutBehind(id: MetricId, day: DayFacts): StoredWorkout | undefined {
  if (id === "workout_max_heart_rate") return hardestWorkoutOf(day)
  return id === "first_workout_start" ? day.workouts[0] : lastWorkoutOf(day)
}

/** Where a workout is not scored, or its vendor finds no zones, the time is unknown. */
const inZone =
  (zone: keyof ZoneDurations): Extract =>
  ({ workouts }) =>
    hours(sumOf(workouts.map(({ zones }) => zones?.[zone])))

/**
 * Whether a night ended on another clock than the home zone's.
 * @param homeZone IANA name. Null where none is stored: nothing is known then
 */
export const awayFrom =
  (homeZone: string | null): Extract =>
  ({ night }) => {
    if (!night || homeZone === null) return undefined
    const { endMs, endUtcOffsetMinutes, utcOffsetMinutes } = night
    return (endUtcOffsetMinutes ?? utcOffsetMinutes) === offsetInZone(endMs, homeZone) ? 0 : 1
  }

/** How each metric is read from the chosen records of a date that has any. */
export const EXTRACT: Readonly<Record<MetricId, Extract>> = {
  recovery_score: (day) => countedRecovery(day)?.scorePercent,
  hrv: (day) => countedRecovery(day)?.hrvMs,
  resting_heart_rate: (day) => countedRecovery(day)?.restingHeartRateBpm,
  respiratory_rate: (day) => countedNight(day)?.respiratoryRatePerMinute,
  spo2: (day) => countedRecovery(day)?.spo2Percent,
  skin_temp_deviation: (day) => countedRecovery(day)?.skinTempDeviationCelsius,
  asleep: (day) => hours(timeAsleepOf(day)),
  in_bed: (day) => hours(countedNight(day)?.durationMs),
  deep: (day) => hours(stagesOf(day)?.deepMs),
  rem: (day) => hours(stagesOf(day)?.remMs),
  light: (day) => hours(stagesOf(day)?.lightMs),
  awake: (day) => hours(stagesOf(day)?.awakeMs),
  times_awake: (day) => countedNight(day)?.timesAwake,
  sleep_efficiency: (day) => countedNight(day)?.efficiencyPercent,
  sleep_performance: (day) => countedNight(day)?.scorePercent,
  sleep_consistency: (day) => countedNight(day)?.consistencyPercent,
  sleep_need: (day) => hours(countedNight(day)?.needMs),
  sleep_debt: (day) => hours(debtMs(day)),
  night_heart_rate: (day) => knownNight(day)?.averageHeartRateBpm,
  lowest_heart_rate: (day) => knownNight(day)?.lowestHeartRateBpm,
  lowest_heart_rate_time: lowestHeartRateTime,
  bedtime: nightClock((night) => shownMinute(localStartOf(night))),
  wake_time: nightClock((night) => shownMinute(localEndOf(night))),
  midsleep: nightClock(localMiddleOf),
  // It also depends on the person's home zone: `awayFrom`.
  away: none,
  nap: ({ naps }) => hours(sumOf(naps.map((nap) => (hasCountedFigures(nap) ? asleepMsOf(nap) : undefined)))),
  strain: (day) => closedCycle(day)?.strain,
  calories: (day) => closedCycle(day)?.energyKcal,
  steps: (day) => closedCycle(day)?.steps,
  floors: none,
  exercise_minutes: none,
  stress: none,
  walking_heart_rate: none,
  workout_count: ({ workouts }) => workouts.length,
  workout: ({ workouts }) => hours(sumOf(workouts.map(({ durationMs }) => durationMs))),
  distance: ({ workouts }) => sumOf(workouts.map(distanceOf)),
  zone_1_hours: inZone("zone1Ms"),
  zone_2_hours: inZone("zone2Ms"),
  zone_3_hours: inZone("zone3Ms"),
  zone_4_hours: inZone("zone4Ms"),
  zone_5_hours: inZone("zone5Ms"),
  workout_max_heart_rate: (day) => hardestWorkoutOf(day)?.maxHeartRateBpm,
  first_workout_start: firstWorkoutStart,
  last_workout_end: lastWorkoutEnd,
  weight: none,
  body_fat: none,
}

/** 1 if one of a date's answers to a factor is yes, 0 if all are no, undefined without an answer. */
export function extractAnswer(answers: readonly JournalFact[]): number | undefined {
  const given = answers.flatMap(({ answer }) => answer ?? [])
  if (given.length === 0) return undefined
  return given.includes(true) ? 1 : 0
}
