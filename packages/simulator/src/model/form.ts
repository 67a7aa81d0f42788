/**
 * Fitness and fatigue by Banister's impulse-response model (1975): exponentially weighted sums of past load, fitness over
 * six weeks and fatigue over days. Both use a fixed number of days, so they do not depend on the first simulated day.
 */

const FITNESS_DAYS = 42
const FATIGUE_DAYS = 2.5
/** Beyond this the remaining weight of fitness is below 5 percent. */
const FITNESS_REACH_DAYS = 126
const FATIGUE_REACH_DAYS = 21

/** Both in load per day: equal numbers mean steady training. */
export interface Form {
  readonly fitness: number
  readonly fatigue: number
}

/** Returns the form on the morning of a day, from the loads of the days before. */
export function formOn(loadOn: (day: number) => number, day: number): Form {
  return {
    fitness: fadingMean(loadOn, day, FITNESS_DAYS, FITNESS_REACH_DAYS),
    fatigue: fadingMean(loadOn, day, FATIGUE_DAYS, FATIGUE_REACH_DAYS),
  }
}

function fadingMean(loadOn: (day: number) => number, day: number, timeConstantDays: number, reachDays: number): number {
  const fade = Math.exp(-1 / timeConstantDays)
  let weight = 1
  let weights = 0
  let sum = 0
  for (let back = 1; back <= reachDays; back++) {
    sum += weight * loadOn(day - back)
    weights += weight
    weight *= fade
  }
  return sum / weights
}
