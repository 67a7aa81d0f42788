/** Energy spent, in kilojoules. */
import { ageYears } from "./calendar.ts"
import type { Body } from "./traits.ts"
import { DAY_MS, MINUTE_MS } from "./units.ts"

/** An ordinary day costs about a third more energy than rest. */
const EVERYDAY_FACTOR = 1.32
/** kJ per unit of load outside of sessions. */
const EVERYDAY_KILOJOULES_PER_LOAD = 9

/** Energy at rest (Mifflin et al., 1990, Am J Clin Nutr 51:241), kJ in a span of time. */
export function restingKilojoules(body: Body, day: number, durationMs: number): number {
  const constant = body.sex === "male" ? 5 : -161
  const kilocaloriesPerDay =
    10 * body.weightKilograms + 625 * body.heightMeters - 5 * ageYears(body.bornInYear, day) + constant
  return (kilocaloriesPerDay * 4.184 * durationMs) / DAY_MS
}

/** Energy of a session from its average heart rate (Keytel et al., 2005, J Sports Sci 23:289), kJ; never less than at rest. */
export function sessionKilojoules(body: Body, day: number, averageHeartRate: number, durationMs: number): number {
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
