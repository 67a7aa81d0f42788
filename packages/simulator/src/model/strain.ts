/**
 * Heart-rate zones, load and strain. Load is Edwards' summed zone score (1993): minutes in each zone, weighted by the
 * zone's number. Strain is the logarithm of load on WHOOP's scale of 0 to 21.
 * @see https://developer.whoop.com/docs/developing/user-data/workout
 */
import { clamp } from "./units.ts"

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
export type ZoneDurations = readonly [number, number, number, number, number, number]

/** Returns the strain of a load, 0 to 21. */
export function strainOf(load: number): number {
  const strain = (FULL_STRAIN * Math.log1p(load / BEND)) / Math.log1p(FULL_LOAD / BEND)
  return clamp(strain, 0, FULL_STRAIN)
}

/** Returns the load of time spent in the zones. */
export function loadOf(zones: ZoneDurations): number {
  return zones.reduce((sum, durationMs, zone) => sum + (durationMs / 60_000) * (ZONE_WEIGHTS[zone] ?? 0), 0)
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
