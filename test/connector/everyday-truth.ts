import type { WireRecords, WireWorkout } from "@restwell/simulator"
import { isRecoveryActivity, sportTypeOf } from "../oracle/sports.ts"

// What the simulated person's own records say, computed without any code of the service.

const HOUR_MS = 3_600_000
const MINUTES_A_DAY = 1440

/** Values by local date, oldest first. */
export type Values = ReadonlyMap<string, number>

export interface Truth {
  readonly asleep: Values
  readonly deep: Values
  readonly need: Values
  readonly performance: Values
  readonly breaths: Values
  readonly recovery: Values
  readonly hrv: Values
  readonly restingHeartRate: Values
  /** Of days that have ended. */
  readonly strain: Values
  /** Minutes after local midnight. */
  readonly bedtime: Values
  readonly wakeTime: Values
  /** Degrees Celsius from the mean of the 30 nights before. */
  readonly skinDeviation: Values
  readonly workouts: readonly TrueWorkout[]
  readonly weightKilograms: number
}

/** A workout, newest first. Figures of a workout without a score are undefined. */
export interface TrueWorkout {
  readonly id: string
  readonly date: string
  readonly start: string
  /** As answers name it. */
  readonly sport: string
  readonly hours: number
  readonly strain: number | undefined
  readonly heartRate: number | undefined
  readonly highestHeartRate: number | undefined
  readonly zoneTwoHours: number | undefined
  /** After local midnight. */
  readonly startMinutes: number
  readonly kilocalories: number | undefined
  readonly metres: number | undefined
}

const offsetMs = (offset: string): number => {
  if (offset === "Z") return 0
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? []
  return (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === "-" ? -1 : 1)
}

/** The local date and clock of an instant, YYYY-MM-DDTHH:MM:SS. */
const local = (instant: string, offset: string): string =>
  new Date(Date.parse(instant) + offsetMs(offset)).toISOString().slice(0, 19)

/** The minute that a clock shows. */
const minutesOf = (text: string): number => Number(text.slice(11, 13)) * 60 + Number(text.slice(14, 16))

/** The truth of a WHOOP member. */
export function truthOf({ sleeps, recoveries, cycles, workouts, body }: WireRecords): Truth {
  const nights = sleeps
    .filter(({ nap, score_state: state }) => !nap && state === "SCORED")
    .map((sleep) => ({ ...sleep, date: local(sleep.end, sleep.timezone_offset).slice(0, 10) }))
  const byNight = (figure: (night: (typeof nights)[number]) => number | undefined): Values =>
    sorted(nights.map((night) => [night.date, figure(night)]))
  const stages = (night: (typeof nights)[number]) => night.score?.stage_summary
  const dateOfSleep = new Map(
    sleeps.map(({ id, end, timezone_offset: offset }) => [id, local(end, offset).slice(0, 10)]),
  )
  const dateOfCycle = new Map(
    sleeps.filter(({ nap }) => !nap).map((sleep) => [sleep.cycle_id, dateOfSleep.get(sleep.id)]),
  )
  const byRecovery = (
    figure: (score: NonNullable<(typeof recoveries)[number]["score"]>) => number | undefined,
  ): Values =>
    sorted(recoveries.map(({ sleep_id: id, score }) => [dateOfSleep.get(id), score ? figure(score) : undefined]))
  return {
    asleep: byNight((night) => asleepHours(stages(night))),
    deep: byNight((night) => hoursOf(stages(night)?.total_slow_wave_sleep_time_milli)),
    need: byNight((night) => {
      const needed = night.score?.sleep_needed
      return needed && hoursOf(Object.values(needed).reduce((sum, part) => sum + part, 0))
    }),
    performance: byNight((night) => night.score?.sleep_performance_percentage),
    breaths: byNight((night) => night.score?.respiratory_rate),
    recovery: byRecovery(({ recovery_score: value }) => value),
    hrv: byRecovery(({ hrv_rmssd_milli: value }) => value),
    restingHeartRate: byRecovery(({ resting_heart_rate: value }) => value),
    strain: sorted(cycles.map(({ id, end, score }) => [dateOfCycle.get(id), end ? score?.strain : undefined])),
    bedtime: byNight((night) => minutesOf(local(night.start, night.timezone_offset))),
    wakeTime: byNight((night) => minutesOf(local(night.end, night.timezone_offset))),
    skinDeviation: deviationsOf(byRecovery(({ skin_temp_celsius: value }) => value)),
    workouts: workouts
      .filter((workout) => !isRecoveryActivity(workout))
      .map(workoutOf)
      .toSorted((one, other) => (`${one.date}${one.start}` < `${other.date}${other.start}` ? 1 : -1)),
    weightKilograms: body.weight_kilogram,
  }
}

const workoutOf = (workout: WireWorkout): TrueWorkout => ({
  id: `whoop-${workout.id}`,
  date: local(workout.start, workout.timezone_offset).slice(0, 10),
  start: local(workout.start, workout.timezone_offset).slice(11, 16),
  sport: sportTypeOf(workout),
  hours: (Date.parse(workout.end) - Date.parse(workout.start)) / HOUR_MS,
  strain: workout.score?.strain,
  heartRate: workout.score?.average_heart_rate,
  highestHeartRate: workout.score?.max_heart_rate,
  zoneTwoHours: hoursOf(workout.score?.zone_durations.zone_two_milli),
  startMinutes: minutesOf(local(workout.start, workout.timezone_offset)),
  kilocalories: workout.score ? workout.score.kilojoule / 4.184 : undefined,
  metres: workout.score?.distance_meter ?? undefined,
})

/** Each value minus the mean of the 30 before. None before the sixth value. */
function deviationsOf(values: Values): Values {
  const all = [...values]
  return new Map(
    all.slice(5).map(([date, value], index) => {
      const before = new Map(all.slice(Math.max(0, index + 5 - 30), index + 5))
      return [date, value - meanOf(before)]
    }),
  )
}

const hoursOf = (milliseconds: number | undefined): number | undefined =>
  milliseconds === undefined ? undefined : milliseconds / HOUR_MS

type Stages = NonNullable<WireRecords["sleeps"][number]["score"]>["stage_summary"]

const asleepHours = (stages: Stages | undefined): number | undefined =>
  stages &&
  hoursOf(
    stages.total_light_sleep_time_milli + stages.total_slow_wave_sleep_time_milli + stages.total_rem_sleep_time_milli,
  )

const sorted = (entries: readonly (readonly [string | undefined, number | undefined])[]): Values =>
  new Map(
    entries
      .flatMap(([date, value]): [string, number][] =>
        date === undefined || value === undefined ? [] : [[date, value]],
      )
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )

/** The values of some dates, both inclusive. */
export const within = (values: Values, from: string, to: string): Values =>
  new Map([...values].filter(([date]) => date >= from && date <= to))

export const meanOf = (values: Values): number =>
  [...values.values()].reduce((sum, value) => sum + value, 0) / values.size

/** The sample standard deviation. */
export function deviationOf(values: Values): number {
  const mean = meanOf(values)
  const squares = [...values.values()].reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return Math.sqrt(squares / (values.size - 1))
}

/** The circular mean of clock times. Fisher 1993 */
export function clockMean(values: Values): string {
  const angles = [...values.values()].map((minutes) => (2 * Math.PI * minutes) / MINUTES_A_DAY)
  const sum = (trigonometric: (angle: number) => number) => angles.reduce((all, angle) => all + trigonometric(angle), 0)
  return clock((Math.atan2(sum(Math.sin), sum(Math.cos)) * MINUTES_A_DAY) / (2 * Math.PI))
}

export function clock(minutes: number): string {
  const whole = (Math.round(minutes) + MINUTES_A_DAY) % MINUTES_A_DAY
  return [Math.floor(whole / 60), whole % 60].map((part) => String(part).padStart(2, "0")).join(":")
}

/** Half up: 8.225 is 8.23. */
export const rounded = (value: number, decimals: number): number =>
  Math.round(Number((value * 10 ** decimals).toFixed(6))) / 10 ** decimals

/** The date of the largest value, of equal ones the newest. */
export const highestOf = (values: Values, decimals: number): { date: string; value: number } =>
  extreme(values, decimals, 1)
export const lowestOf = (values: Values, decimals: number): { date: string; value: number } =>
  extreme(values, decimals, -1)

function extreme(values: Values, decimals: number, sign: 1 | -1): { date: string; value: number } {
  const [[date, value] = ["", Number.NaN]] = [...values]
    .toReversed()
    .toSorted(([, one], [, other]) => sign * (other - one))
  return { date, value: rounded(value, decimals) }
}

/** Theil and Sen: the median of the slopes of all pairs, per 30 days. */
export function slopeOf(values: Values): number {
  const points = [...values].map(([date, value]) => ({ day: Date.parse(date) / 86_400_000, value }))
  const slopes = points
    .flatMap((one, index) => points.slice(index + 1).map((other) => (other.value - one.value) / (other.day - one.day)))
    .toSorted((one, other) => one - other)
  const middle = slopes.length / 2
  const median = Number.isInteger(middle)
    ? ((slopes[middle - 1] ?? Number.NaN) + (slopes[middle] ?? Number.NaN)) / 2
    : (slopes[Math.floor(middle)] ?? Number.NaN)
  return median * 30
}
