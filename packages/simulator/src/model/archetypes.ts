/** The traits of the two default people, and traits drawn from a seed. */

import { clamp, roundTo } from "./calendar.ts"
import { type Random, randomFor } from "./random.ts"
import type { PlannedSession, TrainingWeek, Traits } from "./traits.ts"

const session = (
  sport: PlannedSession["sport"],
  durationMinutes: number,
  intensity: number,
  startsAtMinute: number,
): PlannedSession => ({ sport, durationMinutes, intensity, startsAtMinute })

const enduranceWeek: TrainingWeek = [
  [session("yoga", 40, 0.48, 1140)],
  [session("running", 62, 0.82, 1080)],
  [session("cycling", 95, 0.7, 1050)],
  [session("swimming", 50, 0.73, 400), session("weightlifting_msk", 45, 0.6, 1110)],
  [session("running", 40, 0.68, 1080)],
  [session("cycling", 170, 0.71, 570)],
  [session("running", 98, 0.75, 560)],
]

const officeWeek: TrainingWeek = [
  [],
  [session("weightlifting", 50, 0.58, 1095)],
  [session("walking", 35, 0.52, 755)],
  [session("functional-fitness", 38, 0.74, 1095)],
  [],
  [session("hiking-rucking", 95, 0.6, 640)],
  [session("dog-walking", 45, 0.48, 600)],
]

const strengthWeek: TrainingWeek = [
  [session("powerlifting", 75, 0.6, 1080)],
  [session("hiit", 28, 0.8, 1080)],
  [session("weightlifting_msk", 70, 0.59, 1080)],
  [],
  [session("powerlifting", 80, 0.61, 1080)],
  [session("soccer", 85, 0.77, 900)],
  [],
]

/** An endurance athlete in Berlin who races, travels and keeps regular hours. */
export const enduranceAthlete: Traits = {
  homeZone: "Europe/Berlin",
  strapGeneration: 5,
  body: {
    sex: "female",
    bornInYear: 1991,
    heightMeters: 1.72,
    weightKilograms: 61.4,
    maxHeartRate: 188,
    hrvRmssdMs: 84,
    restingHeartRate: 45,
    respiratoryRate: 13.9,
    spo2Percent: 96.8,
    skinTempCelsius: 33.7,
    menstrualCycleDays: 28,
  },
  sleep: {
    bedtimeMinute: -85,
    wakeMinute: 400,
    irregularityMinutes: 17,
    weekendShiftMinutes: 30,
    needHours: 7.9,
    efficiency: 0.93,
    deepShare: 0.22,
    remShare: 0.24,
    napsPerWeek: 0.7,
  },
  life: {
    eveningsOutPerWeek: 0.8,
    illnessesPerYear: 2,
    tripsPerYear: 6,
    destinations: ["Europe/London", "America/New_York", "Atlantic/Canary", "Asia/Tokyo", "Atlantic/Reykjavik"],
    chargingNights: 0.008,
    gapsPerYear: 1,
    unscorableNights: 0.006,
    everydayLoad: 48,
  },
  training: {
    week: enduranceWeek,
    skipShare: 0.08,
    seasonSwing: 0.35,
    pastimes: ["mountain-biking", "hiking-rucking", "rock-climbing", "skiing"],
    pastimesPerWeek: 0.4,
    recoveryActivitiesPerWeek: 0.9,
  },
}

/** An office worker in New York with naps, late Fridays and weeks without the strap. */
export const officeWorker: Traits = {
  homeZone: "America/New_York",
  strapGeneration: 4,
  body: {
    sex: "male",
    bornInYear: 1984,
    heightMeters: 1.81,
    weightKilograms: 86.2,
    maxHeartRate: 183,
    hrvRmssdMs: 41,
    restingHeartRate: 60,
    respiratoryRate: 15.4,
    spo2Percent: 95.9,
    skinTempCelsius: 33.9,
  },
  sleep: {
    bedtimeMinute: -25,
    wakeMinute: 410,
    irregularityMinutes: 34,
    weekendShiftMinutes: 75,
    needHours: 7.6,
    efficiency: 0.9,
    deepShare: 0.17,
    remShare: 0.23,
    napsPerWeek: 1.6,
  },
  life: {
    eveningsOutPerWeek: 1.7,
    illnessesPerYear: 3,
    tripsPerYear: 3,
    destinations: ["America/Los_Angeles", "America/Chicago", "Europe/London", "Asia/Kolkata"],
    chargingNights: 0.03,
    gapsPerYear: 4,
    unscorableNights: 0.015,
    everydayLoad: 42,
  },
  training: {
    week: officeWeek,
    skipShare: 0.25,
    seasonSwing: 0.3,
    pastimes: ["basketball", "tennis", "spin", "table-tennis", "activity"],
    pastimesPerWeek: 0.6,
    recoveryActivitiesPerWeek: 0.3,
  },
}

const archetypes = [
  enduranceAthlete,
  officeWorker,
  { ...officeWorker, training: { ...officeWorker.training, week: strengthWeek, skipShare: 0.12 } },
] as const

const zones = [
  "Europe/Berlin",
  "Europe/London",
  "America/New_York",
  "America/Los_Angeles",
  "America/Sao_Paulo",
  "Asia/Kolkata",
  "Asia/Tokyo",
  "Australia/Sydney",
  "Africa/Nairobi",
  "UTC",
] as const

/** Returns the traits of the same person without nights off the strap: every night has a record. */
export const wornAlways = (traits: Traits): Traits => ({
  ...traits,
  life: { ...traits.life, gapsPerYear: 0, chargingNights: 0 },
})

/** Draws a plausible person from a seed and a name: fitter people get a lower pulse and a higher HRV. */
export function drawTraits(seed: string | number, key: string): Traits {
  const random = randomFor(seed, key, "traits")
  const base = random.pick(archetypes)
  const fitness = clamp(random.normal(0, 0.6), -1.5, 1.5)
  return {
    ...base,
    homeZone: random.pick(zones),
    strapGeneration: random.pick([4, 4, 5, 5, 3]),
    body: drawBody(random, base, fitness),
    sleep: {
      ...base.sleep,
      bedtimeMinute: Math.round(base.sleep.bedtimeMinute + random.normal(0, 30)),
      wakeMinute: Math.round(base.sleep.wakeMinute + random.normal(0, 25)),
      needHours: roundTo(clamp(random.normal(base.sleep.needHours, 0.3), 6.8, 8.8), 2),
      efficiency: roundTo(clamp(random.normal(base.sleep.efficiency, 0.02), 0.82, 0.97), 3),
    },
  }
}

function drawBody(random: Random, base: Traits, fitness: number): Traits["body"] {
  const female = random.chance(0.5)
  const bornInYear = random.integer(1958, 2003)
  return {
    sex: female ? "female" : "male",
    bornInYear,
    heightMeters: roundTo(random.normal(female ? 1.66 : 1.79, 0.065), 2),
    weightKilograms: roundTo(clamp(random.normal(female ? 65 : 80, 9), 45, 130), 1),
    // Tanaka et al. (2001), J Am Coll Cardiol 37:153: 208 - 0.7 x age.
    maxHeartRate: Math.round(208 - 0.7 * (2025 - bornInYear) + random.normal(0, 5)),
    hrvRmssdMs: roundTo(base.body.hrvRmssdMs * Math.exp(0.22 * fitness), 1),
    restingHeartRate: roundTo(clamp(base.body.restingHeartRate - 4 * fitness, 36, 78), 1),
    respiratoryRate: roundTo(random.normal(base.body.respiratoryRate, 0.8), 1),
    spo2Percent: roundTo(random.normal(96.2, 0.5), 1),
    skinTempCelsius: roundTo(random.normal(33.8, 0.4), 1),
    ...(female && bornInYear > 1975 ? { menstrualCycleDays: random.integer(26, 31) } : {}),
  }
}
