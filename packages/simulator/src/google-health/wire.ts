/** The data points that the simulated Google Health sends. Whole numbers are text, and what is zero or false is left out. */

interface WireDate {
  readonly year: number
  readonly month: number
  readonly day: number
}

interface WireSource {
  readonly platform: string
  readonly recordingMethod?: string
  readonly device?: { readonly displayName: string }
  readonly application?: { readonly packageName: string }
}

interface WireInterval {
  readonly startTime: string
  readonly startUtcOffset: string
  /** Absent while it goes on. */
  readonly endTime?: string
  readonly endUtcOffset?: string
}

export interface WireStage {
  readonly startTime: string
  readonly endTime: string
  readonly startUtcOffset: string
  readonly endUtcOffset: string
  readonly type: string
}

export interface WireGoogleSleep {
  readonly name: string
  readonly dataSource: WireSource
  readonly sleep: {
    readonly interval: WireInterval
    readonly type?: string
    readonly stages: readonly WireStage[]
    readonly summary?: {
      readonly minutesInSleepPeriod: string
      readonly minutesAsleep: string
      readonly minutesAwake: string
      readonly stagesSummary: readonly { readonly type: string; readonly minutes: string; readonly count: string }[]
    }
    readonly metadata?: {
      readonly mainSleep?: boolean
      readonly nap?: boolean
      readonly processed?: boolean
      readonly stagesStatus?: string
    }
    readonly createTime: string
    readonly updateTime: string
  }
}

export interface WireGoogleExercise {
  readonly name: string
  readonly dataSource: WireSource
  readonly exercise: {
    readonly interval: WireInterval
    readonly exerciseType: string
    readonly displayName: string
    readonly activeDuration: string
    readonly metricsSummary: {
      readonly caloriesKcal: number
      readonly distanceMillimeters?: number
      readonly averageHeartRateBeatsPerMinute: string
    }
    readonly notes?: string
    readonly createTime?: string
    readonly updateTime?: string
  }
}

/** A point of a date. Its figures are in the object of its type. */
export interface WireDaily {
  readonly name: string
  readonly dataSource: WireSource
  readonly dailyRestingHeartRate?: {
    readonly date: WireDate
    readonly beatsPerMinute: string
    readonly dailyRestingHeartRateMetadata?: { readonly calculationMethod: string }
  }
  readonly dailyHeartRateVariability?: {
    readonly date: WireDate
    readonly averageHeartRateVariabilityMilliseconds: number
  }
  readonly dailyOxygenSaturation?: { readonly date: WireDate; readonly averagePercentage: number }
  readonly dailyRespiratoryRate?: { readonly date: WireDate; readonly breathsPerMinute: number }
  readonly dailySleepTemperatureDerivations?: {
    readonly date: WireDate
    readonly nightlyTemperatureCelsius: number
    readonly baselineTemperatureCelsius?: number
  }
}

/** What a civil day adds up to, by the roll-ups of its types. */
export interface WireGoogleDay {
  /** Local date. */
  readonly date: string
  readonly steps: number
  readonly distanceMillimeters: number
  readonly totalKcal: number
  readonly activeKcal: number
}

export interface WireGoogleWeight {
  readonly name: string
  readonly dataSource: WireSource
  readonly weight: {
    readonly sampleTime: { readonly physicalTime: string; readonly utcOffset: string }
    readonly weightGrams: number
    readonly notes?: string
  }
}

export interface WireGoogleBodyFat {
  readonly name: string
  readonly dataSource: WireSource
  readonly bodyFat: {
    readonly sampleTime: { readonly physicalTime: string; readonly utcOffset: string }
    readonly percentage: number
  }
}

export const DAILY_TYPES = [
  "daily-resting-heart-rate",
  "daily-heart-rate-variability",
  "daily-oxygen-saturation",
  "daily-respiratory-rate",
  "daily-sleep-temperature-derivations",
] as const
export type WireDailyType = (typeof DAILY_TYPES)[number]

/** All data of a person that Google has at a moment, latest first. */
export interface GoogleRecords {
  readonly sleep: readonly WireGoogleSleep[]
  readonly exercise: readonly WireGoogleExercise[]
  readonly daily: Readonly<Record<WireDailyType, readonly WireDaily[]>>
  readonly days: readonly WireGoogleDay[]
  readonly weight: readonly WireGoogleWeight[]
  readonly bodyFat: readonly WireGoogleBodyFat[]
}

export const idOf = ({ name }: { readonly name: string }): string => name.slice(name.lastIndexOf("/") + 1)

export const dateText = ({ year, month, day }: WireDate): string =>
  [String(year).padStart(4, "0"), String(month).padStart(2, "0"), String(day).padStart(2, "0")].join("-")

export function wireDate(date: string): WireDate {
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number)
  return { year, month, day }
}

/** The date of a point of a date. */
export function dailyDate(point: WireDaily): string {
  const { name: _name, dataSource: _source, ...figures } = point
  const [figure] = Object.values(figures)
  return figure ? dateText(figure.date) : ""
}
