/**
 * Vitals during sleep. Fitness raises HRV and slows the pulse. Fatigue, alcohol, illness, jet lag and short sleep do the
 * opposite. Recovery is a night's HRV and pulse relative to the person's last month, and the sleep performance.
 * WHOOP does not publish its formula. This one uses the published inputs and the scale of 1 to 99.
 * @see https://developer.whoop.com/docs/developing/user-data/recovery
 */
import { clamp, mean, standardDeviation, yearFraction } from "./calendar.ts"
import type { SleepDisturbers } from "./night.ts"
import { type Random, randomFor } from "./random.ts"
import type { Body, Traits } from "./traits.ts"

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

export interface Vitals {
  /** RMSSD over the night, ms. */
  readonly hrvRmssdMs: number
  readonly restingHeartRate: number
  readonly respiratoryRate: number
  readonly spo2Percent: number
  readonly skinTempCelsius: number
}

interface NightBefore {
  readonly form: Form
  /** Mean daily load of this person's planned week. */
  readonly usualLoad: number
  readonly disturbers: SleepDisturbers
  /** Time asleep over the body's own need. */
  readonly sleepRatio: number
}

/** Returns the vitals of a night. */
export function vitalsOf(seed: string, traits: Traits, day: number, before: NightBefore): Vitals {
  const random = randomFor(seed, "vitals", day)
  const { body } = traits
  const { drinks, illness, jetLagHours, overload } = before.disturbers
  const gain = before.form.fitness / before.usualLoad - 1
  const sleepEffect = clamp(before.sleepRatio - 1, -0.5, 0.2)
  const mood = driftingNoise(seed, day)
  const luteal = lutealWave(seed, body, day)
  const logHrv =
    Math.log(body.hrvRmssdMs) +
    (0.22 * gain - 0.22 * overload - 0.055 * drinks - 0.3 * illness - 0.012 * Math.abs(jetLagHours)) +
    (0.2 * sleepEffect - 0.05 * luteal + 0.07 * mood + random.normal(0, 0.09))
  const pulse =
    body.restingHeartRate +
    (-7 * gain + 3.2 * overload + 1.4 * drinks + 8 * illness + 0.25 * Math.abs(jetLagHours)) +
    (-4 * sleepEffect + 1.6 * luteal - 0.7 * mood + random.normal(0, 0.9))
  return {
    hrvRmssdMs: clamp(Math.exp(logHrv), 8, 260),
    restingHeartRate: Math.round(clamp(pulse, 32, 105)),
    ...breathAndWarmth(random, body, day, { drinks, illness, luteal }),
  }
}

function breathAndWarmth(
  random: Random,
  body: Body,
  day: number,
  by: { drinks: number; illness: number; luteal: number },
): Pick<Vitals, "respiratoryRate" | "spo2Percent" | "skinTempCelsius"> {
  const summer = 0.2 * Math.sin(2 * Math.PI * (yearFraction(day) - 0.3))
  return {
    respiratoryRate: clamp(body.respiratoryRate + 1.6 * by.illness + 0.1 * by.drinks + random.normal(0, 0.3), 9, 26),
    spo2Percent: clamp(body.spo2Percent - 1.4 * by.illness + random.normal(0, 0.6), 86, 99.9),
    skinTempCelsius:
      body.skinTempCelsius + summer + 0.32 * by.luteal + 1.1 * by.illness + 0.07 * by.drinks + random.normal(0, 0.16),
  }
}

/** 0 in the first half of a menstrual cycle, up to 1 in the second; 0 for people without one. */
function lutealWave(seed: string, body: Body, day: number): number {
  if (body.menstrualCycleDays === undefined) return 0
  const phase = (day + randomFor(seed, "cycle phase").integer(0, 27)) % body.menstrualCycleDays
  return Math.max(0, Math.sin(2 * Math.PI * (phase / body.menstrualCycleDays - 0.5)))
}

/** Noise that is correlated over some days, for moods and worries. */
function driftingNoise(seed: string, day: number): number {
  let sum = 0
  for (let back = 0; back < 8; back++) sum += 0.65 ** back * randomFor(seed, "mood", day - back).normal(0, 0.76)
  return sum
}

/** Nights of the baseline. */
export const BASELINE_NIGHTS = 30

/** Returns the recovery score, a whole percentage from 1 to 99. */
export function recoveryScore(tonight: Vitals, baseline: readonly Vitals[], sleepPerformancePercent: number): number {
  const hrv = deviationsAbove(
    Math.log(tonight.hrvRmssdMs),
    baseline.map((night) => Math.log(night.hrvRmssdMs)),
    0.07,
  )
  const pulse = deviationsAbove(
    tonight.restingHeartRate,
    baseline.map((night) => night.restingHeartRate),
    1.2,
  )
  const slept = (sleepPerformancePercent - 85) / 15
  return clamp(Math.round(100 / (1 + Math.exp(-(0.5 + 0.75 * hrv - 0.3 * pulse + 0.35 * slept)))), 1, 99)
}

/** Standard deviations above the baseline. The minimum deviation limits the score of a very steady month. */
function deviationsAbove(value: number, baseline: readonly number[], smallestDeviation: number): number {
  return (value - mean(baseline)) / Math.max(smallestDeviation, standardDeviation(baseline))
}
