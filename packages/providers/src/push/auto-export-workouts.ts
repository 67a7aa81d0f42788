// Workouts of Health Auto Export, of both versions of its format.
// https://help.healthyapps.dev/en/health-auto-export/export-format/workouts
import { MINUTE_MS } from "@restwell/client/time-units"
import { z } from "zod"
import { known } from "../normalize/known.ts"
import { figureOf } from "../normalize/text-numbers.ts"
import { inUnitOf } from "../normalize/units.ts"
import { usableOf } from "../normalize/usable-fields.ts"
import {
  addPoint,
  amount,
  name,
  noteLeftOut,
  PointSchema,
  sourceOf,
  text,
  timesOf,
  UNREADABLE,
} from "./auto-export-points.ts"
import type { PushCollector } from "./push-collector.ts"
import { pushedInstant } from "./pushed-instant.ts"

/** Some versions of the app write a number alone. */
const quantity = z.union([z.object({ qty: amount.nullish(), units: text }), amount], { error: "no quantity" }).nullish()
type Quantity = z.infer<typeof quantity>
/** With "Include Workout Metrics" the app writes what a quantity adds up from, beside it or in its place. */
const parts = z.array(z.unknown()).nullish()
const PartSchema = z.object({ qty: amount.nullish(), units: text, source: text })
const DatedSchema = PointSchema.pick({ date: true })
const BeatSchema = PointSchema.pick({ date: true, startDate: true, qty: true, Avg: true }).extend({
  Max: amount.nullish(),
})

const WorkoutSchema = z.object({
  id: z.string().min(1).max(200).nullish(),
  name,
  start: name,
  end: name,
  duration: amount.nullish(),
  distance: quantity,
  activeEnergyBurned: quantity,
  heartRate: z.object({ avg: quantity, max: quantity }).nullish(),
  // The first version of the format. The second has a list of this name.
  activeEnergy: z.union([parts, quantity], { error: "no quantity" }),
  avgHeartRate: quantity,
  maxHeartRate: quantity,
  walkingAndRunningDistance: parts,
  cyclingDistance: parts,
  swimDistance: parts,
  heartRateData: parts,
  source: text,
})
type Workout = z.infer<typeof WorkoutSchema>

export function addWorkout(collector: PushCollector, workout: unknown): string | undefined {
  const usable = usableOf(WorkoutSchema, workout, ["id"])
  if (usable instanceof z.ZodError) return `workout: ${UNREADABLE}`
  const { id, name, start, end, heartRateData, source } = usable.value
  const times = timesOf(start, end)
  if (typeof times === "string") return `workout: ${times}`
  const device = sourceOf(source)
  const beats = (heartRateData ?? []).filter((point) => {
    const row = { source: device, ...Object(point) }
    const reason = addPoint(collector, row, { type: "heart_rate", unit: "count/min" })
    collector.ignore(reason)
    return reason === undefined
  })
  const leftOut = [...usable.leftOut]
  const usableFigure = (field: string, found: Found): number | undefined => {
    if (typeof found === "string") leftOut.push({ field, reason: found })
    return typeof found === "number" ? found : undefined
  }
  const rates = isRecovery(heartRateData ?? [], times.endMs)
    ? NO_RATES
    : ratesOf(usable.value, beatsWithin(beats, times))
  const figures = known({
    durationMs: usableFigure("duration", durationOf(usable.value)),
    calories: usableFigure("activeEnergyBurned", energyOf(usable.value)),
    distanceMeters: usableFigure("distance", distanceOf(usable.value)),
    averageHeartRate: usableFigure("heartRate.avg", rates.average),
    maxHeartRate: usableFigure("heartRate.max", rates.max),
  })
  noteLeftOut(collector, "workout", leftOut)
  return collector.addSpan({
    ...times,
    type: "workout",
    value: sportOf(name),
    source: device,
    ...(id && { id }),
    figures,
  })
}

const NO_RATES = { average: undefined, max: undefined }

/** A figure, or why it cannot be read. */
type Found = number | string | undefined

function durationOf({ duration }: Workout): Found {
  if (duration === null || duration === undefined) return undefined
  const seconds = figureOf(duration, "seconds")
  return typeof seconds === "number" ? Math.round(seconds * 1_000) : seconds
}

function energyOf({ activeEnergyBurned, activeEnergy }: Workout): Found {
  const [whole, listed] = Array.isArray(activeEnergy) ? [undefined, activeEnergy] : [activeEnergy, []]
  return quantityOf("active_energy", activeEnergyBurned ?? whole) ?? sumOf("active_energy", listed)
}

/** What is walked, ridden and swum in one workout is its distance together. */
function distanceOf({ distance, ...workout }: Workout): Found {
  const whole = quantityOf("distance", distance)
  if (whole !== undefined) return whole
  const { walkingAndRunningDistance, cyclingDistance, swimDistance } = workout
  let sum: number | undefined
  for (const listed of [walkingAndRunningDistance, cyclingDistance, swimDistance]) {
    const found = sumOf("distance", listed ?? [])
    if (typeof found === "string") return found
    if (found !== undefined) sum = (sum ?? 0) + found
  }
  return sum
}

/** What parts add up to by the source that has most of them: watch and phone count the same. */
function sumOf(type: "active_energy" | "distance", listed: readonly unknown[]): Found {
  const sums = new Map<string, number>()
  for (const part of listed) {
    const { data } = PartSchema.safeParse(part)
    const found = data ? quantityOf(type, data) : UNREADABLE
    if (typeof found === "string") return found
    const source = sourceOf(data?.source)
    if (found !== undefined) sums.set(source, (sums.get(source) ?? 0) + found)
  }
  return highestOf([...sums.values()])
}

/** The mean and the highest heart rate, of the rates within the workout where the app does not give them. */
function ratesOf({ heartRate, avgHeartRate, maxHeartRate }: Workout, beats: readonly Beat[]) {
  const mean = beats.length > 0 ? beats.reduce((sum, { rate }) => sum + rate, 0) / beats.length : undefined
  return {
    average: quantityOf("heart_rate", heartRate?.avg ?? avgHeartRate) ?? mean,
    max: quantityOf("heart_rate", heartRate?.max ?? maxHeartRate) ?? highestOf(beats.map(({ highest }) => highest)),
  }
}

/** Of more values than a function has arguments. */
const highestOf = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((one, other) => Math.max(one, other))

interface Beat {
  readonly rate: number
  readonly highest: number
}

/** The heart rates within a workout. The first may have the minute in which it began. */
function beatsWithin(points: readonly unknown[], { startMs, endMs }: { startMs: number; endMs: number }): Beat[] {
  return points.flatMap((point) => {
    const { date, startDate, qty, Avg, Max } = BeatSchema.safeParse(point).data ?? {}
    const atMs = pushedInstant(startDate ?? date ?? "")?.ms ?? Number.NaN
    const [rate, highest] = [qty ?? Avg, Max ?? qty ?? Avg].map((written) => figureOf(written ?? "", "heart_rate"))
    const isWithin = atMs >= startMs - (startMs % MINUTE_MS) && atMs < endMs
    return isWithin && typeof rate === "number" && typeof highest === "number" ? [{ rate, highest }] : []
  })
}

/** A quantity in the unit of its type, or why it cannot be read. A rate alone can only be beats per minute. */
function quantityOf(type: "heart_rate" | "active_energy" | "distance", value: Quantity): Found {
  if (value === null || value === undefined) return undefined
  const [written, units] = typeof value === "object" ? [value.qty, value.units ?? null] : [value, undefined]
  if (written === null || written === undefined) return undefined
  const figure = figureOf(written, type)
  if (typeof figure === "string") return figure
  if (type === "heart_rate") return figure
  return units === undefined ? "it has no unit" : (inUnitOf(type, figure, units) ?? `unknown unit ${units}`)
}

/**
 * True if all heart rates are after the end of their workout. Versions of the app write the recovery there, and its mean as the workout's.
 * @see https://github.com/Lybron/health-auto-export/issues/60
 */
function isRecovery(heartRates: readonly unknown[], endMs: number): boolean {
  const starts = heartRates.flatMap((point) => pushedInstant(DatedSchema.safeParse(point).data?.date ?? "") ?? [])
  return starts.length > 0 && starts.every(({ ms }) => ms >= endMs)
}

/** "Outdoor Run" is a run. */
const sportOf = (name: string): string =>
  name
    .replace(/^(?:outdoor|indoor|traditional|pool|open[\s_]water)[\s_]+/i, "")
    .trim()
    .slice(0, 80) || "other"
