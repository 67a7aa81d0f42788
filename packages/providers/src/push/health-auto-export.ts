// Health Auto Export: an iPhone app that posts Apple Health's values as JSON.
// https://help.healthyapps.dev/en/health-auto-export/export-format

import { type PushedType, SUM_TYPES } from "@restwell/client"
import { HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import { z } from "zod"
import { deviceKindOf, deviceNameOf } from "../apple-health/rows.ts"
import { leftOutReason } from "../archive/archive-items.ts"
import type { LeftOutField } from "../contract/records.ts"
import { DEVICE_KINDS } from "../contract/series.ts"
import { known } from "../normalize/known.ts"
import { usableOf } from "../normalize/usable-fields.ts"
import { JsonBody, type JsonRange } from "./json-body.ts"
import { eachOf, InvalidPush, type PushOptions, type PushReading } from "./plain-push.ts"
import { PushCollector } from "./push-collector.ts"
import type { PushedTable } from "./pushed-table.ts"
import { figureOf } from "./text-numbers.ts"
import { CountStarts, type Grouping, NO_GROUPING } from "./time-grouping.ts"
import { inUnitOf, type PushedInstant, pushedInstant } from "./units.ts"

type NumberType = Exclude<PushedType, "sleep_segment" | "workout">

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

const STAGES: ReadonlyMap<string, string> = new Map([
  ["core", "light"],
  ["deep", "deep"],
  ["rem", "rem"],
  ["awake", "awake"],
  ["asleep", "asleep"],
  ["unspecified", "asleep"],
  ["asleepcore", "light"],
  ["asleepdeep", "deep"],
  ["asleeprem", "rem"],
  ["asleepunspecified", "asleep"],
  ["inbed", "in_bed"],
])

/** Names of many sources may be joined. Longer text than anything has is refused before it is taken apart. */
const LONGEST_TEXT = 1_000
const name = z.string().max(LONGEST_TEXT)
const amount = z.union([z.number(), name], { error: "no number" })
const text = name.nullish()
/** Some versions of the app write a number alone. */
const quantity = z.union([z.object({ qty: amount.nullish(), units: text }), amount], { error: "no quantity" }).nullish()
type Quantity = z.infer<typeof quantity>

const MetricSchema = z.object({ name, units: text })
const PointSchema = z.object({
  date: text,
  startDate: text,
  endDate: text,
  qty: amount.nullish(),
  Avg: amount.nullish(),
  systolic: amount.nullish(),
  diastolic: amount.nullish(),
  source: text,
})
const DatedSchema = PointSchema.pick({ date: true })
const PointTimesSchema = PointSchema.pick({ date: true, startDate: true, endDate: true })
const SegmentSchema = z.object({ startDate: name, endDate: name, value: name, source: text })
const hours = amount.nullish()
const NightSchema = z.object({
  sleepStart: name,
  sleepEnd: name,
  inBedStart: text,
  inBedEnd: text,
  totalSleep: hours,
  asleep: hours,
  core: hours,
  deep: hours,
  rem: hours,
  awake: hours,
  inBed: hours,
  source: text,
  // Before version 6.6.2.
  sleepSource: text,
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
  // The first version of the format.
  activeEnergy: quantity,
  avgHeartRate: quantity,
  maxHeartRate: quantity,
  heartRateData: z.array(z.unknown()).nullish(),
  source: text,
})

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
  const take = (point: unknown): string | undefined => {
    if (name === "sleep_analysis") return addSleep(collector, point, unit)
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

const UNREADABLE = "missing or of the wrong type"
/** Names of several sources are joined. A watch stands for all of them, then a phone. */
function sourceOf(source: string | null | undefined): string {
  const names = (source ?? "").split("|").map(deviceNameOf)
  const rank = (name: string) => DEVICE_KINDS.indexOf(deviceKindOf(name))
  return names.toSorted((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1))[0] ?? ""
}

/** @returns the times of a row, or why it has none */
function timesOf(start: string | null | undefined, end: string | null | undefined, shortestMs = 0) {
  const [startsAt, endsAt] = [pushedInstant(start ?? ""), pushedInstant(end ?? start ?? "")]
  if (!startsAt || !endsAt) return "not an instant with an offset"
  const { ms: startMs, utcOffsetMinutes } = startsAt
  return { startMs, endMs: Math.max(endsAt.ms, startMs + shortestMs), ...known({ utcOffsetMinutes }) }
}

/** When a point without an end begins. */
function startOf(point: unknown): PushedInstant | undefined {
  const { date, startDate, endDate } = PointTimesSchema.safeParse(point).data ?? {}
  return endDate ? undefined : pushedInstant(startDate ?? date ?? "")
}

interface Metric {
  readonly type: NumberType
  readonly unit: string | null
  /** @default none */
  readonly grouping?: Grouping
}

/** Counts fields that were left out of a row that is used. */
const noteLeftOut = (collector: PushCollector, what: string, leftOut: readonly LeftOutField[]): void => {
  for (const { field, reason } of leftOut) collector.ignore(leftOutReason(what, field, reason))
}

/** What a point is about. */
const ESSENTIAL = ["date", "startDate", "endDate", "qty", "Avg"]

function addPoint(
  collector: PushCollector,
  point: unknown,
  { type, unit, grouping = NO_GROUPING }: Metric,
): string | undefined {
  const usable = usableOf(PointSchema, point, ESSENTIAL)
  if (usable instanceof z.ZodError) return `${type}: ${UNREADABLE}`
  const { date, startDate, endDate, source, qty, Avg } = usable.value
  const written = qty ?? Avg
  if (written === null || written === undefined) return `${type}: ${UNREADABLE}`
  const value = figureOf(written, type)
  if (typeof value === "string") return `${type}: ${value}`
  const { lengthMs, isMaybeOfDay } = endDate ? NO_GROUPING : grouping
  const times = timesOf(startDate ?? date, endDate, lengthMs)
  if (typeof times === "string") return `${type}: ${times}`
  noteLeftOut(collector, type, usable.leftOut)
  const row = { ...times, type, value, source: sourceOf(source), ...(isMaybeOfDay && { isMaybeOfDay }) }
  return collector.addNumber(row, unit)
}

function addPressure(collector: PushCollector, point: unknown, unit: string | null): string | undefined {
  const usable = usableOf(PointSchema, point, ESSENTIAL)
  const { systolic, diastolic, ...rest } = usable instanceof z.ZodError ? {} : usable.value
  const [first, second] = [
    addPoint(collector, { ...rest, qty: systolic }, { type: "blood_pressure_systolic", unit }),
    addPoint(collector, { ...rest, qty: diastolic }, { type: "blood_pressure_diastolic", unit }),
  ]
  return first ?? second
}

/** A part of a sleep, or a whole night in sums where the person lets the app aggregate. */
function addSleep(collector: PushCollector, point: unknown, unit: string | null): string | undefined {
  const segment = SegmentSchema.safeParse(point)
  if (!segment.success) return addNight(collector, point, unit)
  const { startDate, endDate, value, source } = segment.data
  const stage = STAGES.get(value.toLowerCase().replaceAll(/[\s_]/g, ""))
  if (stage === undefined) return "sleep_segment: unknown stage"
  const times = timesOf(startDate, endDate)
  if (typeof times === "string") return `sleep_segment: ${times}`
  return collector.addSpan({ ...times, type: "sleep_segment", value: stage, source: sourceOf(source) })
}

/** Milliseconds in a unit of a night's sums. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ["hr", HOUR_MS],
  ["h", HOUR_MS],
  ["hours", HOUR_MS],
  ["min", MINUTE_MS],
  ["minutes", MINUTE_MS],
])
/** Sums are rounded. */
const SLACK_MS = MINUTE_MS
const TOO_LONG = "sleep_analysis: longer asleep than the night is: switch off the aggregation of sleep in the app"

/** The stages of a night's sums. Where one of them is missing beside others, only the sleep as a whole is known. */
const STAGE_SUMS = ["core", "deep", "rem", "awake"] as const
/** The app adds up sources that overlap, so sums may be longer than their night. */
const MOST_SUM_HOURS = 168

function addNight(collector: PushCollector, point: unknown, unit: string | null): string | undefined {
  const usable = usableOf(NightSchema, point)
  if (usable instanceof z.ZodError) return `sleep_analysis: ${UNREADABLE}`
  const unitMs = UNITS.get(unit ?? "hr")
  if (unitMs === undefined) return `sleep_analysis: unknown unit ${unit}`
  const { sleepStart, sleepEnd, inBedStart, inBedEnd, source, sleepSource, ...figures } = usable.value
  const leftOut = [...usable.leftOut]
  const sums = new Map<string, number>()
  for (const [name, written] of Object.entries(figures)) {
    if (written === null || written === undefined) continue
    const value = figureOf(written, "hours")
    const ms = typeof value === "number" ? Math.round(value * unitMs) : Number.NaN
    if (ms >= 0 && ms <= MOST_SUM_HOURS * HOUR_MS) sums.set(name, ms)
    else
      leftOut.push({ field: name, reason: typeof value === "string" ? value : `outside 0 to ${MOST_SUM_HOURS} hours` })
  }
  const msOf = (name: keyof typeof figures) => sums.get(name) ?? 0
  const isStaged = STAGE_SUMS.every((name) => sums.has(name))
  const [lightMs, deepMs, remMs] = isStaged ? [msOf("core"), msOf("deep"), msOf("rem")] : [0, 0, 0]
  // Bands of other makers write zero for each stage, and the sleep as a whole.
  const hasStages = lightMs + deepMs + remMs > 0
  const sumMs = ["core", "deep", "rem"].every((name) => sums.has(name)) ? msOf("core") + msOf("deep") + msOf("rem") : 0
  const wholeMs = sumMs > 0 ? sumMs + msOf("asleep") : msOf("asleep") || msOf("totalSleep")
  const asleepMs = hasStages ? msOf("asleep") : wholeMs
  if (!hasStages && asleepMs === 0) return "sleep_analysis: no time asleep"
  const isInBed = msOf("inBed") > 0
  const [first, last] = [timesOf(isInBed ? inBedStart : null, null), timesOf(isInBed ? inBedEnd : null, null)]
  const times = timesOf(sleepStart, sleepEnd)
  if (typeof times === "string") return `sleep_analysis: ${times}`
  const startMs = typeof first === "string" ? times.startMs : Math.min(times.startMs, first.startMs)
  const endMs = typeof last === "string" ? times.endMs : Math.max(times.endMs, last.endMs)
  // The app adds up the parts of sources that overlap.
  if (lightMs + deepMs + remMs + asleepMs > endMs - startMs + SLACK_MS) return TOO_LONG
  noteLeftOut(collector, "sleep_analysis", leftOut)
  return collector.addSpan({
    ...times,
    startMs,
    endMs,
    type: "sleep_sums",
    value: "asleep",
    source: sourceOf(source ?? sleepSource),
    sleep: { lightMs, deepMs, remMs, asleepMs, awakeMs: hasStages ? msOf("awake") : 0, inBedMs: msOf("inBed") },
  })
}

function addWorkout(collector: PushCollector, workout: unknown): string | undefined {
  const usable = usableOf(WorkoutSchema, workout, ["id"])
  if (usable instanceof z.ZodError) return `workout: ${UNREADABLE}`
  const { id, name, start, end, duration, distance, heartRate, heartRateData, source, ...first } = usable.value
  const times = timesOf(start, end)
  if (typeof times === "string") return `workout: ${times}`
  const device = sourceOf(source)
  for (const point of heartRateData ?? [])
    collector.ignore(
      addPoint(collector, { source: device, ...Object(point) }, { type: "heart_rate", unit: "count/min" }),
    )
  const isOfWorkout = !isRecovery(heartRateData ?? [], times.endMs)
  const leftOut = [...usable.leftOut]
  const figure = (field: string, type: NumberType & ("heart_rate" | "active_energy" | "distance"), value: Quantity) => {
    const found = quantityOf(type, value)
    if (typeof found === "string") leftOut.push({ field, reason: found })
    return typeof found === "number" ? found : undefined
  }
  const seconds = duration === null || duration === undefined ? undefined : figureOf(duration, "seconds")
  if (typeof seconds === "string") leftOut.push({ field: "duration", reason: seconds })
  const figures = known({
    durationMs: typeof seconds === "number" ? Math.round(seconds * 1_000) : undefined,
    calories: figure("activeEnergyBurned", "active_energy", first.activeEnergyBurned ?? first.activeEnergy),
    distanceMeters: figure("distance", "distance", distance),
    averageHeartRate: isOfWorkout
      ? figure("heartRate.avg", "heart_rate", heartRate?.avg ?? first.avgHeartRate)
      : undefined,
    maxHeartRate: isOfWorkout ? figure("heartRate.max", "heart_rate", heartRate?.max ?? first.maxHeartRate) : undefined,
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

/** A quantity in the unit of its type, or why it cannot be read. A rate alone can only be beats per minute. */
function quantityOf(type: "heart_rate" | "active_energy" | "distance", value: Quantity): number | string | undefined {
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
