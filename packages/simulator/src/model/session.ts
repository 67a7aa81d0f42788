/** Sessions as carried out: heart rates, zones, load, energy, distance. */
import type { DayPlan } from "./day-plan.ts"
import { sessionKilojoules } from "./energy.ts"
import { type Random, randomFor } from "./random.ts"
import { type Sport, type SportName, sportNamed } from "./sports.ts"
import { loadOf, peakFraction, splitIntoZones, type ZoneDurations } from "./strain.ts"
import type { PlannedSession, Traits } from "./traits.ts"
import { MINUTE_MS } from "./units.ts"

export interface Ground {
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
