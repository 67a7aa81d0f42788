// Apple Health's export as it is written: types, units and times. The only file that converts its units.

import { type SeriesType, SLEEP_STAGES, type SleepStage } from "@restwell/client"
import { HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import { z } from "zod"
import type { LeftOutField } from "../contract/records.ts"
import { clockMs } from "../normalize/clock-time.ts"
import { entryOf } from "../normalize/entry-of.ts"
import { figureFault } from "../normalize/plausible.ts"
import { WORKOUT_FIELDS, type WorkoutField } from "./normalize.ts"
import type { RowType } from "./rows.ts"

/** Attributes of a row. Those that are not read are left out. */
export const RecordSchema = z.object({
  type: z.string(),
  sourceName: z.string(),
  startDate: z.string(),
  endDate: z.string(),
  unit: z.string().optional(),
  value: z.string().optional(),
  device: z.string().optional(),
})

export const WorkoutSchema = z.object({
  workoutActivityType: z.string(),
  sourceName: z.string(),
  startDate: z.string(),
  endDate: z.string(),
  duration: z.string().optional(),
  durationUnit: z.string().optional(),
  totalDistance: z.string().optional(),
  totalDistanceUnit: z.string().optional(),
  totalEnergyBurned: z.string().optional(),
  totalEnergyBurnedUnit: z.string().optional(),
  device: z.string().optional(),
})
export type WorkoutAttributes = z.infer<typeof WorkoutSchema>

/** Figures of a workout, since iOS 16. */
export const StatisticsSchema = z.object({
  type: z.string(),
  unit: z.string().optional(),
  sum: z.string().optional(),
  average: z.string().optional(),
  maximum: z.string().optional(),
})
export type Statistics = z.infer<typeof StatisticsSchema>

export const MetadataSchema = z.object({ key: z.string(), value: z.string() })

const DATE = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d) ([+-])(\d\d):?(\d\d)$/

/** Epoch milliseconds of `2022-11-03 06:22:19 +0100`. NaN for another text, and for what no calendar shows. */
export function instantOf(text: string): number {
  const parts = DATE.exec(text)
  if (!parts) return Number.NaN
  const [, year, month, day, hour, minute, second, sign, hours, minutes] = parts
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1)
  const local = clockMs(Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second))
  return local - offset * MINUTE_MS
}

/** Some languages write decimals with a comma. */
export const numberOf = (text: string | undefined): number =>
  text === undefined || text === "" ? Number.NaN : Number(text.replace(",", "."))

type Convert = (value: number) => number
type Units = Readonly<Record<string, Convert>>

const same: Convert = (value) => value
const times =
  (factor: number): Convert =>
  (value) =>
    value * factor

const RATES: Units = { "count/min": same, bpm: same, "count/s": times(60) }
const MILLISECONDS: Units = { ms: same, s: times(1_000) }
/** Apple writes a fraction of 1 under the name of percent. */
const PERCENT: Units = { "%": (value) => (value <= 1 ? value * 100 : value) }
const DEGREES: Units = { degC: same, degF: (value) => ((value - 32) * 5) / 9, K: (value) => value - 273.15 }
const COUNT: Units = { count: same }
/** `Cal` is the large calorie. */
const ENERGY: Units = { kcal: same, Cal: same, cal: times(1 / 1_000), kJ: times(1 / 4.184), J: times(1 / 4_184) }
const METRES: Units = {
  m: same,
  km: times(1_000),
  cm: times(1 / 100),
  mi: times(1_609.344),
  yd: times(0.9144),
  ft: times(0.3048),
  in: times(0.0254),
}
const KILOGRAMS: Units = {
  kg: same,
  g: times(1 / 1_000),
  lb: times(0.45359237),
  oz: times(0.028349523125),
  st: times(6.35029318),
}
const PRESSURE: Units = { mmHg: same, kPa: times(7.50061683) }
const OXYGEN: Units = {
  "mL/min·kg": same,
  "mL/kg·min": same,
  "ml/(kg*min)": same,
  "mL/(kg*min)": same,
  "L/min·kg": times(1_000),
}
const MINUTES: Units = { min: same, s: times(1 / 60), sec: times(1 / 60), hr: times(60) }
const DURATION: Units = { min: times(MINUTE_MS), s: times(1_000), sec: times(1_000), hr: times(HOUR_MS), ms: same }

/** What the rows of a type become: rows that records are derived from, samples, or both. */
export interface Quantity {
  readonly units: Units
  readonly row?: RowType
  readonly series?: SeriesType
}

const PREFIX = "HKQuantityTypeIdentifier"

/** The types that are read. */
export const QUANTITIES: ReadonlyMap<string, Quantity> = new Map(
  Object.entries({
    HeartRate: { units: RATES, series: "heart_rate" },
    HeartRateVariabilitySDNN: { units: MILLISECONDS, row: "hrv_sdnn", series: "hrv" },
    HeartRateVariabilityRMSSD: { units: MILLISECONDS, row: "hrv_rmssd", series: "hrv" },
    RestingHeartRate: { units: RATES, row: "resting_heart_rate" },
    RespiratoryRate: { units: RATES, row: "respiratory_rate", series: "respiratory_rate" },
    OxygenSaturation: { units: PERCENT, row: "spo2", series: "spo2" },
    AppleSleepingWristTemperature: { units: DEGREES, row: "skin_temperature", series: "skin_temperature" },
    StepCount: { units: COUNT, row: "steps", series: "steps" },
    ActiveEnergyBurned: { units: ENERGY, row: "active_energy", series: "active_energy" },
    BasalEnergyBurned: { units: ENERGY, row: "resting_energy" },
    DistanceWalkingRunning: { units: METRES, row: "distance", series: "distance" },
    FlightsClimbed: { units: COUNT, row: "floors", series: "floors" },
    AppleExerciseTime: { units: MINUTES, row: "exercise_minutes", series: "exercise_minutes" },
    WalkingHeartRateAverage: { units: RATES, series: "walking_heart_rate" },
    BodyMass: { units: KILOGRAMS, series: "weight" },
    BodyFatPercentage: { units: PERCENT, series: "body_fat" },
    BloodPressureSystolic: { units: PRESSURE, series: "blood_pressure_systolic" },
    BloodPressureDiastolic: { units: PRESSURE, series: "blood_pressure_diastolic" },
    VO2Max: { units: OXYGEN, series: "vo2max" },
    Height: { units: METRES },
  } satisfies Record<string, Quantity>).map(([name, quantity]): [string, Quantity] => [`${PREFIX}${name}`, quantity]),
)

export const HEIGHT = `${PREFIX}Height`
export const BODY_MASS = `${PREFIX}BodyMass`
export const SLEEP = "HKCategoryTypeIdentifierSleepAnalysis"

const SLEEP_VALUE = "HKCategoryValueSleepAnalysis"
const STAGES: Readonly<Record<string, SleepStage>> = {
  InBed: "in_bed",
  // Before iOS 16.
  Asleep: "asleep",
  AsleepUnspecified: "asleep",
  AsleepCore: "light",
  AsleepDeep: "deep",
  AsleepREM: "rem",
  Awake: "awake",
}

/** The index of a stage in SLEEP_STAGES. Undefined for an unknown value. */
export function stageOf(value: string | undefined): number | undefined {
  const stage = entryOf(STAGES, value?.startsWith(SLEEP_VALUE) ? value.slice(SLEEP_VALUE.length) : "")
  return stage && SLEEP_STAGES.indexOf(stage)
}

/** What a device says it is. */
export const modelOf = (device: string | undefined): string => /model:([^,>]{1,60})/.exec(device ?? "")?.[1] ?? ""

/** A number with its unit, as attributes of an element have it. */
interface WrittenFigure {
  readonly value: string | undefined
  readonly unit: string | undefined
}

/** The figures of a workout that can be used, and what was left out of it. */
class WorkoutReader {
  readonly leftOut: LeftOutField[] = []
  readonly #lengthMs: number

  constructor({ startDate, endDate }: WorkoutAttributes) {
    this.#lengthMs = instantOf(endDate) - instantOf(startDate)
  }

  /** A figure in its unit. Undefined where nothing is written. One that cannot be read or true is counted. */
  read(field: WorkoutField, units: Units, { value, unit }: WrittenFigure): number | undefined {
    if (value === undefined || value.trim() === "") return undefined
    const convert = entryOf(units, unit ?? "")
    const number = convert?.(numberOf(value))
    const reason = !convert
      ? `the unit ${(unit ?? "").slice(0, LONGEST_UNIT)} is not known`
      : number === undefined || !Number.isFinite(number)
        ? "not a number"
        : figureFault("workout", WORKOUT_FIELDS[field], { value: number, lengthMs: this.#lengthMs })
    if (reason === undefined) return number
    this.leftOut.push({ field, reason })
    return undefined
  }

  /** Like `read`. Zero stands for what was not measured. */
  readMeasured(field: WorkoutField, units: Units, written: WrittenFigure): number | undefined {
    return numberOf(written.value) === 0 ? undefined : this.read(field, units, written)
  }
}

const LONGEST_UNIT = 40

const plus = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined ? other : one + (other ?? 0)

/** The figures of a workout: those of its statistics, and of its attributes in older exports. */
export function workoutFigures(workout: WorkoutAttributes, statistics: readonly Statistics[]) {
  const reader = new WorkoutReader(workout)
  const of = (name: string) => statistics.find(({ type }) => type === `${PREFIX}${name}`)
  const [heart, energy] = [of("HeartRate"), of("ActiveEnergyBurned")]
  const distance = statistics
    .filter(({ type }) => type.startsWith(`${PREFIX}Distance`))
    .map(({ sum, unit }) => reader.read("distanceMeters", METRES, { value: sum, unit }))
    .reduce(plus, undefined)
  const { duration, durationUnit, totalEnergyBurned, totalEnergyBurnedUnit, totalDistance, totalDistanceUnit } = workout
  const figures = {
    durationMs: reader.read("durationMs", DURATION, { value: duration, unit: durationUnit }),
    averageHeartRate: reader.readMeasured("averageHeartRate", RATES, { value: heart?.average, unit: heart?.unit }),
    maxHeartRate: reader.readMeasured("maxHeartRate", RATES, { value: heart?.maximum, unit: heart?.unit }),
    calories:
      reader.read("calories", ENERGY, { value: energy?.sum, unit: energy?.unit }) ??
      reader.readMeasured("calories", ENERGY, { value: totalEnergyBurned, unit: totalEnergyBurnedUnit }),
    distanceMeters:
      distance ?? reader.readMeasured("distanceMeters", METRES, { value: totalDistance, unit: totalDistanceUnit }),
  }
  return { figures, leftOut: reader.leftOut }
}

/** `HKWorkoutActivityTypeWalking` is `Walking`. */
export const sportOf = (type: string): string => type.replace(/^HKWorkoutActivityType/, "")
