// Workouts by sport and figures that are far from usual, of the truth.
import { deviationOf, meanOf, rounded, type TrueWorkout, type Truth, type Values } from "./everyday-truth.ts"

export const nextDate = (date: string, days = 1): string => Temporal.PlainDate.from(date).add({ days }).toString()

const known = (values: readonly (number | undefined)[]): number[] => values.filter((value) => value !== undefined)
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
const orNull = (values: readonly number[], of: (values: readonly number[]) => number): number | null =>
  values.length > 0 ? of(values) : null
const mean = (values: readonly number[]): number => rounded(sum(values) / values.length, 1)

/** What `sports` of an answer has to be. @param scores of the next dates, null where they are not allowed */
export function sportsOf({ workouts, recovery }: Truth, from: string, to: string) {
  const inPeriod = workouts.filter(({ date }) => date >= from && date <= to)
  return [...Map.groupBy(inPeriod, ({ sport }) => sport)]
    .map(([sport, all]) => sportOf(sport, all, recovery))
    .toSorted((one, other) => other.count - one.count || other.hours - one.hours)
}

function sportOf(sport: string, workouts: readonly TrueWorkout[], recovery: Values) {
  const longest = workouts.toSorted((one, other) => other.hours - one.hours)[0]
  const farthest = workouts.filter(({ metres }) => metres !== undefined).toSorted(byMetres)[0]
  const next = known([...new Set(workouts.map(({ date }) => date))].map((date) => recovery.get(nextDate(date))))
  return {
    sport_type: sport,
    count: workouts.length,
    hours: rounded(sum(workouts.map(({ hours }) => hours)), 2),
    distance_meters: orNull(known(workouts.map(({ metres }) => metres)), (all) => rounded(sum(all), 1)),
    calories: orNull(known(workouts.map(({ kilocalories }) => kilocalories)), (all) => rounded(sum(all), 0)),
    average_strain: orNull(known(workouts.map(({ strain }) => strain)), mean),
    average_heart_rate: orNull(known(workouts.map(({ heartRate }) => heartRate)), mean),
    longest: longest && { date: longest.date, id: longest.id, hours: rounded(longest.hours, 2) },
    farthest: farthest
      ? { date: farthest.date, id: farthest.id, distance_meters: rounded(farthest.metres ?? 0, 1) }
      : null,
    last_date: workouts
      .map(({ date }) => date)
      .toSorted()
      .at(-1),
    next_day_recovery: orNull(next, () => 0) === null ? null : { n: next.length, mean: mean(next), source: "whoop" },
  }
}

const byMetres = (one: TrueWorkout, other: TrueWorkout): number => (other.metres ?? 0) - (one.metres ?? 0)

/** The metrics that are checked, their units, and their values. */
const checkedOf = (truth: Truth) =>
  [
    ["resting_heart_rate", "bpm", truth.restingHeartRate],
    ["hrv", "ms", truth.hrv],
    ["respiratory_rate", "/min", truth.breaths],
    ["skin_temp_deviation", "C", truth.skinDeviation],
  ] as const

/** The least that two values of a metric differ by. */
const STEPS = { resting_heart_rate: 1, hrv: 0.1, respiratory_rate: 0.1, skin_temp_deviation: 0.1 } as const

/** The value's side if it is more than two deviations, or steps, from the mean of the 30 before, with that usual range. */
function farFromUsual(metric: keyof typeof STEPS, values: Values, date: string) {
  const value = values.get(date)
  const before: Values = new Map([...values].filter(([other]) => other < date).slice(-30))
  if (value === undefined || before.size < 5) return undefined
  const [usual, deviation] = [meanOf(before), deviationOf(before)]
  if (Math.abs(value - usual) <= 2 * Math.max(deviation, STEPS[metric])) return undefined
  return { value, usual, deviation, n: before.size, direction: value > usual ? "above" : "below" }
}

/** What `records` of an answer has to be. @param days dates that end on `today` */
export function signsOf(truth: Truth, today: string, days: number) {
  return Array.from({ length: days }, (_, back) => nextDate(today, -back)).flatMap((date) => {
    const figures = checkedOf(truth).flatMap(([metric, unit, values]) => {
      const found = farFromUsual(metric, values, date)
      if (!found) return []
      let mornings = 1
      while (farFromUsual(metric, values, nextDate(date, -mornings))?.direction === found.direction) mornings += 1
      const { value, usual, deviation, n, direction } = found
      const range = { low: rounded(usual - deviation, 1), high: rounded(usual + deviation, 1), n }
      return [{ metric, value: rounded(value, 1), unit, usual: range, direction, mornings }]
    })
    return figures.length > 0 ? [{ date, figures }] : []
  })
}
