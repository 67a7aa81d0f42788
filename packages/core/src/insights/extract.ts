import type { JournalFact } from "../store/stored-record.ts"
import type { MetricId } from "./catalogue.ts"
import { wrap } from "./circular.ts"
import type { DayFacts } from "./day-facts.ts"

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** The value of a date. Undefined where the date has none: pending and unscorable figures are missing, never zero. */
export type Extract = (day: DayFacts) => number | undefined

/** The night's data, once it is scored. */
const scoredNight = ({ night }: DayFacts) => (night?.scoreState === "scored" ? night.detail : undefined)

const scoredRecovery = ({ recovery }: DayFacts) => (recovery?.scoreState === "scored" ? recovery : undefined)

/** Of a cycle that has ended: the figures of today's open cycle still grow. */
const closedCycle = ({ cycle }: DayFacts) =>
  cycle?.scoreState === "scored" && cycle.detail.data.end !== undefined ? cycle.detail : undefined

const stagesOf = (day: DayFacts) => scoredNight(day)?.data.stages

const hours = (milliseconds: number | undefined): number | undefined =>
  milliseconds === undefined ? undefined : milliseconds / HOUR_MS

const asleepMs = (stages: ReturnType<typeof stagesOf>): number | undefined =>
  stages && stages.lightMs + stages.deepMs + stages.remMs

function debtMs(day: DayFacts): number | undefined {
  const [need, asleep] = [scoredNight(day)?.needMs, asleepMs(stagesOf(day))]
  return need === undefined || asleep === undefined ? undefined : need - asleep
}

interface Timed {
  readonly utcOffsetMinutes: number
  readonly detail: {
    readonly data: { readonly start: string; readonly end: string }
    readonly startUtcOffsetMinutes?: number
    readonly endUtcOffsetMinutes?: number
  }
}

/** Minutes of the local clock since 1970-01-01T00:00, each with the offset of its own moment. */
export const localStartOf = ({ detail, utcOffsetMinutes }: Timed): number =>
  Date.parse(detail.data.start) / MINUTE_MS + (detail.startUtcOffsetMinutes ?? utcOffsetMinutes)

export const localEndOf = ({ detail, utcOffsetMinutes }: Timed): number =>
  Date.parse(detail.data.end) / MINUTE_MS + (detail.endUtcOffsetMinutes ?? utcOffsetMinutes)

/** On the clock of waking: a flight over the date line puts the two local times a day apart. */
const localMiddleOf = (night: Timed): number => {
  const { start, end } = night.detail.data
  return localEndOf(night) - (Date.parse(end) - Date.parse(start)) / 2 / MINUTE_MS
}

const nightClock =
  (minutesOf: (night: Timed) => number): Extract =>
  ({ night }) =>
    night?.scoreState === "scored" ? wrap(minutesOf(night)) : undefined

/** The sum over activities. Zero without any, and missing if the figure of one of them is unknown. */
function sumOf(values: readonly (number | undefined)[]): number | undefined {
  let sum = 0
  for (const value of values) {
    if (value === undefined) return undefined
    sum += value
  }
  return sum
}

/** The workout that ended last. */
export const lastWorkoutOf = ({ workouts }: DayFacts): DayFacts["workouts"][number] | undefined =>
  workouts.toSorted((one, other) => Date.parse(other.detail.data.end) - Date.parse(one.detail.data.end))[0]

const lastWorkoutEnd: Extract = (day) => {
  const last = lastWorkoutOf(day)
  return last && wrap(localEndOf(last))
}

/** How each metric is read from the chosen records of a date that has any. */
export const EXTRACT: Readonly<Record<MetricId, Extract>> = {
  recovery_score: (day) => scoredRecovery(day)?.detail.data.score,
  hrv: (day) => scoredRecovery(day)?.detail.data.metrics?.hrv,
  resting_heart_rate: (day) => scoredRecovery(day)?.detail.data.metrics?.restingHeartRate,
  respiratory_rate: (day) => scoredNight(day)?.data.metrics?.respiratoryRate,
  spo2: (day) => scoredRecovery(day)?.detail.data.metrics?.spo2,
  skin_temp_deviation: (day) => scoredRecovery(day)?.skinTempDeviation ?? undefined,
  asleep: (day) => hours(asleepMs(stagesOf(day))),
  in_bed: (day) => hours(scoredNight(day)?.data.durationMs),
  deep: (day) => hours(stagesOf(day)?.deepMs),
  rem: (day) => hours(stagesOf(day)?.remMs),
  light: (day) => hours(stagesOf(day)?.lightMs),
  awake: (day) => hours(stagesOf(day)?.awakeMs),
  sleep_efficiency: (day) => scoredNight(day)?.data.metrics?.efficiency,
  sleep_performance: (day) => scoredNight(day)?.data.score,
  sleep_consistency: (day) => scoredNight(day)?.consistencyPercent,
  sleep_need: (day) => hours(scoredNight(day)?.needMs),
  sleep_debt: (day) => hours(debtMs(day)),
  bedtime: nightClock(localStartOf),
  wake_time: nightClock(localEndOf),
  midsleep: nightClock(localMiddleOf),
  nap: ({ naps }) =>
    hours(
      sumOf(naps.map(({ scoreState, detail }) => (scoreState === "scored" ? asleepMs(detail.data.stages) : undefined))),
    ),
  strain: (day) => closedCycle(day)?.data.strain,
  calories: (day) => closedCycle(day)?.data.metrics?.calories,
  steps: (day) => closedCycle(day)?.steps,
  workout_count: ({ workouts }) => workouts.length,
  workout: ({ workouts }) => hours(sumOf(workouts.map(({ detail }) => detail.data.durationMs))),
  // Strength training has no distance. That of a workout which is still to be scored is unknown.
  distance: ({ workouts }) =>
    sumOf(
      workouts.map(({ scoreState, detail }) =>
        scoreState === "scored" ? (detail.data.metrics?.distance ?? 0) : undefined,
      ),
    ),
  last_workout_end: lastWorkoutEnd,
}

/** 1 if one of a date's answers to a factor is yes, 0 if all are no, undefined without an answer. */
export function extractAnswer(answers: readonly JournalFact[]): number | undefined {
  const given = answers.flatMap(({ answer }) => answer ?? [])
  if (given.length === 0) return undefined
  return given.includes(true) ? 1 : 0
}
