// Health Auto Export: an iPhone app that posts Apple Health's values as JSON.
// https://help.healthyapps.dev/en/health-auto-export/export-format

import { SUM_TYPES } from "@restwell/client"
import { z } from "zod"
import { addPoint, addPressure, type NumberType, name, startOf, text } from "./auto-export-points.ts"
import { addSleep, unknownWordOf } from "./auto-export-sleep.ts"
import { addWorkout } from "./auto-export-workouts.ts"
import { JsonBody, type JsonRange } from "./json-body.ts"
import { eachOf, InvalidPush, type PushOptions, type PushReading } from "./plain-push.ts"
import { PushCollector } from "./push-collector.ts"
import type { PushedTable } from "./pushed-table.ts"
import { CountStarts, type Grouping, NO_GROUPING } from "./time-grouping.ts"

/** Metrics that are used, by the app's names. */
const METRICS: ReadonlyMap<string, NumberType> = new Map([
  ["heart_rate", "heart_rate"],
  ["heart_rate_variability", "hrv_sdnn"],
  ["heart_rate_variability_sdnn", "hrv_sdnn"],
  ["heart_rate_variability_rmssd", "hrv_rmssd"],
  ["resting_heart_rate", "resting_heart_rate"],
  ["respiratory_rate", "respiratory_rate"],
  ["blood_oxygen_saturation", "spo2"],
  ["apple_sleeping_wrist_temperature", "skin_temperature"],
  ["step_count", "steps"],
  ["active_energy", "active_energy"],
  ["walking_running_distance", "distance"],
  ["weight_body_mass", "weight"],
  ["body_fat_percentage", "body_fat"],
  ["vo2_max", "vo2max"],
  ["flights_climbed", "floors"],
  ["apple_exercise_time", "exercise_minutes"],
  ["walking_heart_rate_average", "walking_heart_rate"],
])

const MetricSchema = z.object({ name, units: text })

/**
 * Returns the rows of a push of the app.
 * @throws {InvalidJson} @throws {InvalidPush} @throws {PushTooLarge}
 */
export async function readHealthAutoExport(bytes: Buffer, options: PushOptions): Promise<PushedTable> {
  const body = new JsonBody(bytes)
  const data = body.membersOf(body.root())?.get("data")
  const members = data && body.membersOf(data)
  if (!members) throw new InvalidPush(NO_DATA)
  const listOf = (member: string): JsonRange | undefined => {
    const range = members.get(member)
    if (range === undefined || body.isList(range)) return range
    if (body.valueOf(range) !== null) throw new InvalidPush(NO_DATA)
    return undefined
  }
  const [metrics, workouts] = [listOf("metrics"), listOf("workouts")]
  const collector = new PushCollector(options)
  const reading = { body, collector, ...options }
  for (const metric of metrics ? body.elementsOf(metrics) : []) await addMetric(reading, metric)
  await eachOf(reading, workouts, (workout) => collector.ignore(addWorkout(collector, workout)))
  for (const [member, range] of members)
    if (member !== "metrics" && member !== "workouts" && body.isList(range)) {
      const count = body.countOf(range)
      if (count > 0) collector.ignore(`${member}: not used`, count)
    }
  return collector.table
}

const NO_DATA = "the body must have data with metrics or workouts: choose JSON as the format"

/**
 * `weight_&_body_mass` and `walking_+_running_distance` have the signs of the app's own words, in some versions of it.
 * @see https://github.com/Lybron/health-auto-export/wiki/Supported-Data
 */
const plainNameOf = (name: string): string => name.replaceAll(/[&+]_/g, "")

async function addMetric(reading: PushReading, metric: JsonRange): Promise<void> {
  const { body, collector } = reading
  const members = body.membersOf(metric)
  const data = members?.get("data")
  const read = (member: string) => {
    const range = members?.get(member)
    return range && body.valueOf(range)
  }
  const parsed = MetricSchema.safeParse({ name: read("name"), units: read("units") })
  if (!parsed.success || !data || !body.isList(data)) return collector.ignore("a metric without name and data")
  const { name, units } = parsed.data
  const unit = units ?? null
  const type = METRICS.get(plainNameOf(name))
  const grouping = type !== undefined && SUM_TYPES.includes(type) ? await groupingOf(reading, data) : NO_GROUPING
  if (grouping === undefined)
    return collector.ignore(
      `${type}: sums of more than a day: choose days as time grouping in the app`,
      body.countOf(data),
    )
  const isSleep = name === "sleep_analysis"
  const unknownWord = isSleep ? await unknownWordOf(reading, data) : undefined
  const take = (point: unknown): string | undefined => {
    if (isSleep) return addSleep(collector, point, { unit, unknownWord })
    if (name === "blood_pressure") return addPressure(collector, point, unit)
    return type === undefined ? `${name}: not used` : addPoint(collector, point, { type, unit, grouping })
  }
  await eachOf(reading, data, (point) => collector.ignore(take(point)))
}

/** All starts of a metric tell how its counts are added up, so they are read before its counts. */
async function groupingOf(reading: PushReading, counts: JsonRange): Promise<Grouping | undefined> {
  const starts = new CountStarts()
  await eachOf(reading, counts, (point) => {
    const start = startOf(point)
    if (start) starts.add(start)
  })
  return starts.groupingBy(reading.aggregation ?? "")
}
