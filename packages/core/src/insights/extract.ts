import type { SleepStages } from "@restwell/client"
import type { JournalFact, SleepFact, WorkoutFact } from "../store/health-fact.ts"
import type { MetricId } from "./catalogue.ts"
import { wrap } from "./circular.ts"
import type { DayFacts } from "./day-facts.ts"
import { asleepMsOf } from "./time-asleep.ts"

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Null or undefined where there is none. */
type Value = number | null | undefined

/** The value of a date. None where the date has none: pending and unscorable figures are missing, never zero. */
export type Extract = (day: DayFacts) => Value

/** The night's data, once it is scored. */
const scoredNight = ({ night }: DayFacts) => (night?.scoreState === "scored" ? night : undefined)

const scoredRecovery = ({ recovery }: DayFacts) => (recovery?.scoreState === "scored" ? recovery : undefined)

/** Of a cycle that has ended: the figures of today's open cycle still grow. */
const closedCycle = ({ cycle }: DayFacts) =>
  cycle?.scoreState === "scored" && cycle.endMs !== null ? cycle : undefined

const stagesOf = (day: DayFacts): SleepStages | null => scoredNight(day)?.stages ?? null

const hours = (milliseconds: Value): Value => (milliseconds == null ? undefined : milliseconds / HOUR_MS)

function debtMs(day: DayFacts): Value {
  const [need, asleep] = [scoredNight(day)?.needMs, asleepMsOf(stagesOf(day))]
  return need == null || asleep === null ? undefined : need - asleep
}

type Timed = SleepFact | WorkoutFact

/** Minutes of the local clock since 1970-01-01T00:00, each with the offset of its own moment. */
export const localStartOf = ({ startMs, startUtcOffsetMinutes, utcOffsetMinutes }: Timed): number =>
  startMs / MINUTE_MS + (startUtcOffsetMinutes ?? utcOffsetMinutes)

export const localEndOf = ({ endMs, endUtcOffsetMinutes, utcOffsetMinutes }: Timed): number =>
  endMs / MINUTE_MS + (endUtcOffsetMinutes ?? utcOffsetMinutes)

/** On the clock of waking: a flight over the date line puts the two local times a day apart. */
const localMiddleOf = (night: Timed): number => localEndOf(night) - (night.endMs - night.startMs) / 2 / MINUTE_MS

const nightClock =
  (minutesOf: (night: Timed) => number): Extract =>
  ({ night }) =>
    night?.scoreState === "scored" ? wrap(minutesOf(night)) : undefined

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
export const lastWorkoutOf = ({ workouts }: DayFacts): DayFacts["workouts"][number] | undefined => {
  let last = workouts[0]
  for (const workout of workouts) if (last === undefined || workout.endMs > last.endMs) last = workout
  return last
}

const lastWorkoutEnd: Extract = (day) => {
  const last = lastWorkoutOf(day)
  return last && wrap(localEndOf(last))
}

/** How each metric is read from the chosen records of a date that has any. */
export const EXTRACT: Readonly<Record<MetricId, Extract>> = {
  recovery_score: (day) => scoredRecovery(day)?.score,
  hrv: (day) => scoredRecovery(day)?.hrv,
  resting_heart_rate: (day) => scoredRecovery(day)?.restingHeartRate,
  respiratory_rate: (day) => scoredNight(day)?.respiratoryRate,
  spo2: (day) => scoredRecovery(day)?.spo2,
  skin_temp_deviation: (day) => scoredRecovery(day)?.skinTempDeviation,
  asleep: (day) => hours(asleepMsOf(stagesOf(day))),
  in_bed: (day) => hours(scoredNight(day)?.durationMs),
  deep: (day) => hours(stagesOf(day)?.deepMs),
  rem: (day) => hours(stagesOf(day)?.remMs),
  light: (day) => hours(stagesOf(day)?.lightMs),
  awake: (day) => hours(stagesOf(day)?.awakeMs),
  sleep_efficiency: (day) => scoredNight(day)?.efficiency,
  sleep_performance: (day) => scoredNight(day)?.score,
  sleep_consistency: (day) => scoredNight(day)?.consistency,
  sleep_need: (day) => hours(scoredNight(day)?.needMs),
  sleep_debt: (day) => hours(debtMs(day)),
  bedtime: nightClock(localStartOf),
  wake_time: nightClock(localEndOf),
  midsleep: nightClock(localMiddleOf),
  nap: ({ naps }) =>
    hours(sumOf(naps.map(({ scoreState, stages }) => (scoreState === "scored" ? asleepMsOf(stages) : undefined)))),
  strain: (day) => closedCycle(day)?.strain,
  calories: (day) => closedCycle(day)?.calories,
  steps: (day) => closedCycle(day)?.steps,
  workout_count: ({ workouts }) => workouts.length,
  workout: ({ workouts }) => hours(sumOf(workouts.map(({ durationMs }) => durationMs))),
  // Strength training has no distance. That of a workout which is still to be scored is unknown.
  distance: ({ workouts }) =>
    sumOf(workouts.map(({ scoreState, distance }) => (scoreState === "scored" ? (distance ?? 0) : undefined))),
  last_workout_end: lastWorkoutEnd,
}

/** 1 if one of a date's answers to a factor is yes, 0 if all are no, undefined without an answer. */
export function extractAnswer(answers: readonly JournalFact[]): number | undefined {
  const given = answers.flatMap(({ answer }) => answer ?? [])
  if (given.length === 0) return undefined
  return given.includes(true) ? 1 : 0
}
