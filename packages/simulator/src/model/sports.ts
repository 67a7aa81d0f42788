/**
 * The activities people do here, under WHOOP's slugs and legacy ids.
 * @see https://developer.whoop.com/docs/developing/user-data/workout
 */

export interface Sport {
  readonly id: number
  /** Typical speed in m/s of a person of average fitness; absent where WHOOP gives no distance. */
  readonly speedMetersPerSecond?: number
  /** Metres climbed per kilometre covered. */
  readonly climbMetersPerKilometer?: number
  /** Spread of the heart rate around its average, as a fraction of the maximal heart rate. */
  readonly spread: number
  /** Sauna and the like: WHOOP lists them among the workouts. */
  readonly isRecoveryActivity?: true
}

export const sports = {
  running: { id: 0, speedMetersPerSecond: 2.9, climbMetersPerKilometer: 7, spread: 0.05 },
  "track-field": { id: 35, speedMetersPerSecond: 3.4, climbMetersPerKilometer: 0, spread: 0.08 },
  cycling: { id: 1, speedMetersPerSecond: 7.4, climbMetersPerKilometer: 9, spread: 0.06 },
  "mountain-biking": { id: 57, speedMetersPerSecond: 4.2, climbMetersPerKilometer: 28, spread: 0.08 },
  spin: { id: 97, spread: 0.07 },
  swimming: { id: 33, speedMetersPerSecond: 0.75, spread: 0.05 },
  weightlifting: { id: 45, spread: 0.08 },
  weightlifting_msk: { id: 123, spread: 0.08 },
  powerlifting: { id: 59, spread: 0.08 },
  "functional-fitness": { id: 48, spread: 0.08 },
  hiit: { id: 96, spread: 0.09 },
  yoga: { id: 44, spread: 0.05 },
  pilates: { id: 43, spread: 0.05 },
  stretching: { id: 128, spread: 0.04 },
  walking: { id: 63, speedMetersPerSecond: 1.35, climbMetersPerKilometer: 4, spread: 0.04 },
  "dog-walking": { id: 266, speedMetersPerSecond: 1.15, climbMetersPerKilometer: 4, spread: 0.04 },
  "hiking-rucking": { id: 52, speedMetersPerSecond: 1.1, climbMetersPerKilometer: 45, spread: 0.06 },
  rowing: { id: 18, speedMetersPerSecond: 3.4, spread: 0.06 },
  tennis: { id: 34, spread: 0.08 },
  "table-tennis": { id: 230, spread: 0.06 },
  padel: { id: 249, spread: 0.08 },
  soccer: { id: 30, speedMetersPerSecond: 1.7, climbMetersPerKilometer: 0, spread: 0.09 },
  basketball: { id: 17, spread: 0.09 },
  "rock-climbing": { id: 60, spread: 0.07 },
  skiing: { id: 29, speedMetersPerSecond: 5.2, climbMetersPerKilometer: 60, spread: 0.08 },
  dance: { id: 42, spread: 0.07 },
  activity: { id: -1, spread: 0.06 },
  sauna: { id: 233, spread: 0.04, isRecoveryActivity: true },
  "ice-bath": { id: 88, spread: 0.05, isRecoveryActivity: true },
  "massage-therapy": { id: 121, spread: 0.03, isRecoveryActivity: true },
  meditation: { id: 70, spread: 0.03, isRecoveryActivity: true },
} as const satisfies Record<string, Sport>

/** A `sport_name` of WHOOP's API, version 2. */
export type SportName = keyof typeof sports

/** Returns what the model knows about an activity. */
export function sportNamed(name: SportName): Sport {
  return sports[name]
}
