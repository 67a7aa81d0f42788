/** Properties of a person. Everything the model generates follows from them and from the seed. */
import type { SportName } from "./sports.ts"

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

export interface SleepHabits {
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

export interface Lifestyle {
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
  /** Load of an ordinary day without training, in zone-weighted minutes (see strain.ts). */
  readonly everydayLoad: number
}

export interface Training {
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
  readonly body: Body
  readonly sleep: SleepHabits
  readonly life: Lifestyle
  readonly training: Training
}
