/**
 * Sessions as carried out: heart rates, zones, load, strain, energy in kilojoules, distance. Load is Edwards' summed zone
 * score (1993): minutes in each zone, weighted by the zone's number. Strain is the logarithm of load on WHOOP's scale of 0 to 21.
 * @see https://developer.whoop.com/docs/developing/user-data/workout
 */

import { ageYears, clamp, DAY_MS, MINUTE_MS } from "./calendar.ts"
import type { DayPlan } from "./day-plan.ts"
import { type Random, randomFor } from "./random.ts"
import { type Body, type PlannedSession, type Sport, type SportName, sportNamed, type Traits } from "./traits.ts"

/** Lower ends of the zones 0 to 5 as fractions of the maximal heart rate, and the upper end of the last. */
const ZONE_EDGES = [0, 0.5, 0.6, 0.7, 0.8, 0.9, 1] as const
const ZONE_WEIGHTS = [0.25, 1, 2, 3, 4, 5] as const

/** Load at which the logarithm starts to bend. */
const BEND = 40
/** Load that reaches the top of the scale: about three and a half hours at the threshold. */
const FULL_LOAD = 820
const FULL_STRAIN = 21

/** How far beyond its average a session's heart rate goes, in spreads. */
const REACH = 2.2

/** Milliseconds in the zones 0 to 5. */
type ZoneDurations = readonly [number, number, number, number, number, number]

/** Returns the strain of a load, 0 to 21. */
export function strainOf(load: number): number {
  const strain = (FULL_STRAIN * Math.log1p(load / BEND)) / Math.log1p(FULL_LOAD / BEND)
  return clamp(strain, 0, FULL_STRAIN)
}

/** Returns the load of time spent in the zones. */
export function loadOf(zones: ZoneDurations): number {
  return zones.reduce((sum, durationMs, zone) => sum + (durationMs / MINUTE_MS) * (ZONE_WEIGHTS[zone] ?? 0), 0)
}

/** Returns the highest heart rate of a session, as a fraction of the maximal one. */
export function peakFraction(averageFraction: number, spread: number): number {
  return Math.min(1, averageFraction + REACH * spread)
}

/** Splits a session into zones: a normal distribution around its average heart rate, cut off at its peak. */
export function splitIntoZones(durationMs: number, averageFraction: number, spread: number): ZoneDurations {
  const peak = peakFraction(averageFraction, spread)
  const floor = averageFraction - REACH * spread
  const below = (fraction: number) => normalShareBelow((clamp(fraction, floor, peak) - averageFraction) / spread)
  const total = below(peak) - below(floor)
  const until = ZONE_EDGES.map((edge) => Math.round((durationMs * (below(edge) - below(floor))) / total))
  const zone = (index: number) => (until[index + 1] ?? durationMs) - (until[index] ?? 0)
  return [zone(0), zone(1), zone(2), zone(3), zone(4), zone(5)]
}

/** Share of a standard normal distribution below z (logistic approximation of Bowling et al., 2009; error under 0.0002). */
function normalShareBelow(z: number): number {
  return 1 / (1 + Math.exp(-(0.07056 * z ** 3 + 1.5976 * z)))
}

/** An ordinary day costs about a third more energy than rest. */
const EVERYDAY_FACTOR = 1.32
/** kJ per unit of load outside of sessions. */
const EVERYDAY_KILOJOULES_PER_LOAD = 9

/** Energy at rest (Mifflin et al., 1990, Am J Clin Nutr 51:241), kJ in a span of time. */
function restingKilojoules(body: Body, day: number, durationMs: number): number {
  const constant = body.sex === "male" ? 5 : -161
  const kilocaloriesPerDay =
    10 * body.weightKilograms + 625 * body.heightMeters - 5 * ageYears(body.bornInYear, day) + constant
  return (kilocaloriesPerDay * 4.184 * durationMs) / DAY_MS
}

/** Energy of a session from its average heart rate (Keytel et al., 2005, J Sports Sci 23:289), kJ; never less than at rest. */
function sessionKilojoules(body: Body, day: number, averageHeartRate: number, durationMs: number): number {
  const age = ageYears(body.bornInYear, day)
  const perMinute =
    body.sex === "male"
      ? -55.0969 + 0.6309 * averageHeartRate + 0.1988 * body.weightKilograms + 0.2017 * age
      : -20.4022 + 0.4472 * averageHeartRate - 0.1263 * body.weightKilograms + 0.074 * age
  return Math.max((perMinute * durationMs) / MINUTE_MS, restingKilojoules(body, day, durationMs) * 1.1)
}

/** Energy of everything that is not a session, kJ. */
export function everydayKilojoules(body: Body, day: number, durationMs: number, everydayLoad: number): number {
  return restingKilojoules(body, day, durationMs) * EVERYDAY_FACTOR + everydayLoad * EVERYDAY_KILOJOULES_PER_LOAD
}

interface Ground {
  readonly distanceMeters: number
  /** Absent for sports without altitude, such as swimming. */
  readonly climb?: { readonly gainMeters: number; readonly changeMeters: number }
}

export interface Session {
  readonly id: string
  readonly sport: SportName
  readonly plannedStartMinute: number
  readonly durationMs: number
  readonly averageHeartRate: number
  readonly maxHeartRate: number
  readonly zones: ZoneDurations
  readonly load: number
  readonly kilojoules: number
  /** Absent for sports without a distance. */
  readonly ground?: Ground
}

/** Returns the sessions of a day as they were carried out. */
export function carryOutSessions(seed: string, traits: Traits, plan: DayPlan): Session[] {
  return plan.sessions.map((planned, index) =>
    carryOut(randomFor(seed, "session", plan.day, index), traits, plan.day, planned),
  )
}

function carryOut(random: Random, traits: Traits, day: number, planned: PlannedSession): Session {
  const sport = sportNamed(planned.sport)
  const durationMs = Math.round(planned.durationMinutes * MINUTE_MS)
  const averageHeartRate = Math.round(planned.intensity * traits.body.maxHeartRate)
  const zones = splitIntoZones(durationMs, planned.intensity, sport.spread)
  const ground = coverGround(random, sport, durationMs, planned.intensity)
  return {
    id: random.uuid(),
    sport: planned.sport,
    plannedStartMinute: planned.startsAtMinute,
    durationMs,
    averageHeartRate,
    maxHeartRate: Math.floor(peakFraction(planned.intensity, sport.spread) * traits.body.maxHeartRate),
    zones,
    load: loadOf(zones),
    kilojoules: sessionKilojoules(traits.body, day, averageHeartRate, durationMs),
    ...(ground && { ground }),
  }
}

function coverGround(random: Random, sport: Sport, durationMs: number, intensity: number): Ground | undefined {
  if (sport.speedMetersPerSecond === undefined) return undefined
  const speed = sport.speedMetersPerSecond * (0.55 + 0.65 * intensity) * Math.exp(random.normal(0, 0.05))
  const distanceMeters = (speed * durationMs) / 1000
  if (sport.climbMetersPerKilometer === undefined) return { distanceMeters }
  const gainMeters = (distanceMeters / 1000) * sport.climbMetersPerKilometer * random.between(0.5, 1.6)
  return { distanceMeters, climb: { gainMeters, changeMeters: random.normal(0, 0.05) * gainMeters } }
}
