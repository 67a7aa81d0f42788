/** The activities of the model's people. */

export interface Sport {
  /** Typical speed in m/s of a person of average fitness; absent for sports without a distance. */
  readonly speedMetersPerSecond?: number
  /** Metres climbed per kilometre covered. */
  readonly climbMetersPerKilometer?: number
  /** Spread of the heart rate around its average, as a fraction of the maximal heart rate. */
  readonly spread: number
}

export const sports = {
  running: { speedMetersPerSecond: 2.9, climbMetersPerKilometer: 7, spread: 0.05 },
  "track-field": { speedMetersPerSecond: 3.4, climbMetersPerKilometer: 0, spread: 0.08 },
  cycling: { speedMetersPerSecond: 7.4, climbMetersPerKilometer: 9, spread: 0.06 },
  "mountain-biking": { speedMetersPerSecond: 4.2, climbMetersPerKilometer: 28, spread: 0.08 },
  spin: { spread: 0.07 },
  swimming: { speedMetersPerSecond: 0.75, spread: 0.05 },
  weightlifting: { spread: 0.08 },
  weightlifting_msk: { spread: 0.08 },
  powerlifting: { spread: 0.08 },
  "functional-fitness": { spread: 0.08 },
  hiit: { spread: 0.09 },
  yoga: { spread: 0.05 },
  pilates: { spread: 0.05 },
  stretching: { spread: 0.04 },
  walking: { speedMetersPerSecond: 1.35, climbMetersPerKilometer: 4, spread: 0.04 },
  "dog-walking": { speedMetersPerSecond: 1.15, climbMetersPerKilometer: 4, spread: 0.04 },
  "hiking-rucking": { speedMetersPerSecond: 1.1, climbMetersPerKilometer: 45, spread: 0.06 },
  rowing: { speedMetersPerSecond: 3.4, spread: 0.06 },
  tennis: { spread: 0.08 },
  "table-tennis": { spread: 0.06 },
  padel: { spread: 0.08 },
  soccer: { speedMetersPerSecond: 1.7, climbMetersPerKilometer: 0, spread: 0.09 },
  basketball: { spread: 0.09 },
  "rock-climbing": { spread: 0.07 },
  skiing: { speedMetersPerSecond: 5.2, climbMetersPerKilometer: 60, spread: 0.08 },
  dance: { spread: 0.07 },
  activity: { spread: 0.06 },
  sauna: { spread: 0.04 },
  "ice-bath": { spread: 0.05 },
  "massage-therapy": { spread: 0.03 },
  meditation: { spread: 0.03 },
} as const satisfies Record<string, Sport>

/** Names are the `sport_name` values of WHOOP's API, version 2. */
export type SportName = keyof typeof sports

/** Returns what the model knows about an activity. */
export function sportNamed(name: SportName): Sport {
  return sports[name]
}
