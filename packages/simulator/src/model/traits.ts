/** Properties of a person and their activities. Everything the model generates follows from them and from the seed. */

export interface Sport {
  /** Typical speed in m/s of a person of average fitness; absent for sports without a distance. */
  readonly speedMetersPerSecond?: number
  /** Metres climbed per kilometre covered. */
  readonly climbMetersPerKilometer?: number
  /** Spread of the heart rate around its average, as a fraction of the maximal heart rate. */
  readonly spread: number
}

const sports = {
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

/** One activity as a person plans it. */
export interface PlannedSession {
  readonly sport: SportName
  readonly durationMinutes: number
  /** Average heart rate as a fraction of the maximal one. */
  readonly intensity: number
  /** Planned start, minutes after local midnight. */
  readonly startsAtMinute: number
}

type Sessions = readonly PlannedSession[]
/** A week of training: seven lists, Monday first. */
export type TrainingWeek = readonly [Sessions, Sessions, Sessions, Sessions, Sessions, Sessions, Sessions]

export interface Body {
  readonly sex: "female" | "male"
  readonly bornInYear: number
  readonly heightMeters: number
  readonly weightKilograms: number
  readonly maxHeartRate: number
  /** Long-run level of RMSSD during sleep, ms. */
  readonly hrvRmssdMs: number
  /** Long-run resting heart rate during sleep, beats per minute. */
  readonly restingHeartRate: number
  readonly respiratoryRate: number
  readonly spo2Percent: number
  readonly skinTempCelsius: number
  /** Skin temperature and pulse rise in the second half of a menstrual cycle. Absent for people without one. */
  readonly menstrualCycleDays?: number
}

interface SleepHabits {
  /** Bedtime, minutes from midnight of the waking day; negative before midnight. */
  readonly bedtimeMinute: number
  /** Alarm on working days, minutes after midnight. */
  readonly wakeMinute: number
  /** Standard deviation of both, minutes. */
  readonly irregularityMinutes: number
  /** How much later the person sleeps before and on free days. */
  readonly weekendShiftMinutes: number
  /** Sleep this body needs before debt and strain are added. */
  readonly needHours: number
  /** Time asleep over time in bed, 0 to 1. */
  readonly efficiency: number
  readonly deepShare: number
  readonly remShare: number
  readonly napsPerWeek: number
}

interface Lifestyle {
  /** Evenings out per week; most fall on Friday and Saturday. */
  readonly eveningsOutPerWeek: number
  readonly illnessesPerYear: number
  readonly tripsPerYear: number
  /** IANA names of the zones this person travels to. */
  readonly destinations: readonly [string, ...string[]]
  /** Share of nights in which the strap is on its charger. */
  readonly chargingNights: number
  /** Stretches of 1 to 14 days without the strap, per year. */
  readonly gapsPerYear: number
  /** Share of nights with too little signal for a score. */
  readonly unscorableNights: number
  /** Load of an ordinary day without training, in zone-weighted minutes (see effort.ts). */
  readonly everydayLoad: number
}

interface Training {
  readonly week: TrainingWeek
  /** Share of planned sessions that do not happen. */
  readonly skipShare: number
  /** How far the training volume swings over a year, as a fraction of its mean. */
  readonly seasonSwing: number
  /** Occasional activities. */
  readonly pastimes: readonly [SportName, ...SportName[]]
  readonly pastimesPerWeek: number
  /** Sauna, massage and the like. */
  readonly recoveryActivitiesPerWeek: number
}

export interface Traits {
  readonly homeZone: string
  /** Generation of the strap. Blood oxygen and skin temperature exist from the fourth on. */
  readonly strapGeneration: 3 | 4 | 5
  /** WHOOP reports the strain of a day that goes on, or reports it only on some of these days. @default false */
  readonly hasStrainSoFar?: boolean
  readonly body: Body
  readonly sleep: SleepHabits
  readonly life: Lifestyle
  readonly training: Training
}
