// Apple Health's export as it is written: types, times, and what its figures measure.

import { type SeriesType, SLEEP_STAGES, type SleepStage } from "@restwell/client"
import { MINUTE_MS } from "@restwell/client/time-units"
import { z } from "zod"
import type { LeftOutField } from "../contract/records.ts"
import { clockMs } from "../normalize/clock-time.ts"
import { entryOf } from "../normalize/entry-of.ts"
import { figureFault } from "../normalize/plausible.ts"
import { figureOf } from "../normalize/text-numbers.ts"
import { conversionOf, type Measure } from "../normalize/units.ts"
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

const PLAIN = /^-?\d+(?:\.\d+)?$/

/** A number as Apple writes it, with a point, or in the signs of a region. NaN for what two regions read differently. */
export function numberOf(text = "", measure?: Measure): number {
  const value = text.trim()
  if (value === "" || PLAIN.test(value)) return value === "" ? Number.NaN : Number(value)
  const figure = figureOf(value, measure ?? "")
  return typeof figure === "number" ? figure : Number.NaN
}

/** What the rows of a type become: rows that records are derived from, samples, or both. */
export interface Quantity {
  readonly measure: Measure
  readonly row?: RowType
  readonly series?: SeriesType
}

const PREFIX = "HKQuantityTypeIdentifier"

/** The types that are read. */
export const QUANTITIES: ReadonlyMap<string, Quantity> = new Map(
  Object.entries({
    HeartRate: { measure: "rate", series: "heart_rate" },
    HeartRateVariabilitySDNN: { measure: "milliseconds", row: "hrv_sdnn", series: "hrv" },
    HeartRateVariabilityRMSSD: { measure: "milliseconds", row: "hrv_rmssd", series: "hrv" },
    RestingHeartRate: { measure: "rate", row: "resting_heart_rate" },
    RespiratoryRate: { measure: "rate", row: "respiratory_rate", series: "respiratory_rate" },
    OxygenSaturation: { measure: "percent", row: "spo2", series: "spo2" },
    AppleSleepingWristTemperature: { measure: "celsius", row: "skin_temperature", series: "skin_temperature" },
    StepCount: { measure: "steps", row: "steps", series: "steps" },
    ActiveEnergyBurned: { measure: "energy", row: "active_energy", series: "active_energy" },
    BasalEnergyBurned: { measure: "energy", row: "resting_energy" },
    DistanceWalkingRunning: { measure: "metres", row: "distance", series: "distance" },
    FlightsClimbed: { measure: "floors", row: "floors", series: "floors" },
    AppleExerciseTime: { measure: "minutes", row: "exercise_minutes", series: "exercise_minutes" },
    WalkingHeartRateAverage: { measure: "rate", series: "walking_heart_rate" },
    BodyMass: { measure: "kilograms", series: "weight" },
    BodyFatPercentage: { measure: "percent", series: "body_fat" },
    BloodPressureSystolic: { measure: "pressure", series: "blood_pressure_systolic" },
    BloodPressureDiastolic: { measure: "pressure", series: "blood_pressure_diastolic" },
    VO2Max: { measure: "oxygenUptake", series: "vo2max" },
    Height: { measure: "metres" },
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
  read(field: WorkoutField, measure: Measure, { value, unit }: WrittenFigure): number | undefined {
    if (value === undefined || value.trim() === "") return undefined
    const convert = conversionOf(measure, unit ?? "")
    const number = convert?.(numberOf(value, measure))
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
  readMeasured(field: WorkoutField, measure: Measure, written: WrittenFigure): number | undefined {
    return numberOf(written.value, measure) === 0 ? undefined : this.read(field, measure, written)
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
    .map(({ sum, unit }) => reader.read("distanceMeters", "metres", { value: sum, unit }))
    .reduce(plus, undefined)
  const { duration, durationUnit, totalEnergyBurned, totalEnergyBurnedUnit, totalDistance, totalDistanceUnit } = workout
  const figures = {
    durationMs: reader.read("durationMs", "milliseconds", { value: duration, unit: durationUnit }),
    averageHeartRate: reader.readMeasured("averageHeartRate", "rate", { value: heart?.average, unit: heart?.unit }),
    maxHeartRate: reader.readMeasured("maxHeartRate", "rate", { value: heart?.maximum, unit: heart?.unit }),
    calories:
      reader.read("calories", "energy", { value: energy?.sum, unit: energy?.unit }) ??
      reader.readMeasured("calories", "energy", { value: totalEnergyBurned, unit: totalEnergyBurnedUnit }),
    distanceMeters:
      distance ?? reader.readMeasured("distanceMeters", "metres", { value: totalDistance, unit: totalDistanceUnit }),
  }
  return { figures, leftOut: reader.leftOut }
}

/** `HKWorkoutActivityTypeWalking` is `Walking`. */
export const sportOf = (type: string): string => type.replace(/^HKWorkoutActivityType/, "")
