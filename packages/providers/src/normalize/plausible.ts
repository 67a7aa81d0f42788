// What can be true of a person. A value beyond these bounds is an error of a sensor or of the vendor, and would spoil averages and
// charts. The bounds are wide on purpose: they reject what nobody can have, not what is rare.
import { DAY_MS, HOUR_MS } from "@restwell/client/time-units"
import type { Bound, LeftOutField, NormalizedProfile, NormalizedRecord } from "../contract/records.ts"
import { known, knownOrNone } from "./known.ts"
import { toStorableJson, toStorableText } from "./storable-text.ts"

type Row = readonly [field: string, least: number, most: number, unit: string, source: string]

const PERCENTAGE = "a percentage"
const ONE_SLEEP = "a person sleeps at most a day: a longer sleep is two, or a device on a table"
const PULSE = "lowest on record 26 (Guinness World Records); highest about 220 - age, and arrhythmias"
const CLOCKS = "IANA time zone database: Etc/GMT+12 to Pacific/Kiritimati"
/** Longer than a multi-day race. A tracker may also run on over a weekend. */
const LONGEST_WORKOUT_MS = 7 * DAY_MS
const WORKOUT = "the longest workout: a multi-day race, or a tracker that ran on over a weekend"

const ROWS: Readonly<Record<Bound["kind"], readonly Row[]>> = {
  sleep: [
    ["utcOffsetMinutes", -12 * 60, 14 * 60, "minutes", CLOCKS],
    ["durationMs", 0, DAY_MS, "ms", ONE_SLEEP],
    ["scorePercent", 0, 100, "percent", PERCENTAGE],
    ["asleepMs", 0, DAY_MS, "ms", ONE_SLEEP],
    ["stages.lightMs", 0, DAY_MS, "ms", ONE_SLEEP],
    ["stages.deepMs", 0, DAY_MS, "ms", ONE_SLEEP],
    ["stages.remMs", 0, DAY_MS, "ms", ONE_SLEEP],
    ["stages.awakeMs", 0, DAY_MS, "ms", ONE_SLEEP],
    ["efficiencyPercent", 0, 100, "percent", PERCENTAGE],
    ["respiratoryRatePerMinute", 4, 60, "breaths/min", "adults 12-20; from 60 fast even in newborns (WHO)"],
    ["timesAwake", 0, 1_000, "times", "more often than each two minutes of a day"],
    ["latencyMs", 0, DAY_MS, "ms", ONE_SLEEP],
    ["averageHeartRateBpm", 20, 250, "beats/min", PULSE],
    ["lowestHeartRateBpm", 20, 250, "beats/min", PULSE],
    ["consistencyPercent", 0, 100, "percent", PERCENTAGE],
    ["needMs", 0, DAY_MS, "ms", ONE_SLEEP],
    ["needParts.baselineMs", 0, DAY_MS, "ms", ONE_SLEEP],
    ["needParts.debtMs", -DAY_MS, DAY_MS, "ms", ONE_SLEEP],
    ["needParts.strainMs", -DAY_MS, DAY_MS, "ms", ONE_SLEEP],
    ["needParts.napMs", -DAY_MS, DAY_MS, "ms", ONE_SLEEP],
  ],
  recovery: [
    ["scorePercent", 0, 100, "percent", PERCENTAGE],
    ["hrvMs", 1, 500, "ms", "RMSSD of adults 19-75 (Nunan 2010), of young athletes asleep up to 300"],
    ["restingHeartRateBpm", 20, 250, "beats/min", PULSE],
    ["asleepMs", 0, DAY_MS, "ms", ONE_SLEEP],
    ["spo2Percent", 50, 100, "percent", "oximeters are specified for 70-100 (ISO 80601-2-61), with a margin"],
    [
      "skinTempCelsius",
      10,
      45,
      "degrees Celsius",
      "burns from 43 in long contact (ISO 13732-1); a cold room cools a wrist",
    ],
    ["skinTempDeviationCelsius", -10, 10, "degrees Celsius", "body temperature of the living is within 13.7 and 46.5"],
  ],
  workout: [
    ["utcOffsetMinutes", -12 * 60, 14 * 60, "minutes", CLOCKS],
    ["durationMs", 0, LONGEST_WORKOUT_MS, "ms", WORKOUT],
    ["averageHeartRateBpm", 20, 250, "beats/min", PULSE],
    ["maxHeartRateBpm", 20, 250, "beats/min", PULSE],
    ["distanceMeters", 0, 6_000_000, "m", "motor sports count too: 5,411 km in the 24 Hours of Le Mans of 2010"],
    ...Array.from({ length: 6 }, (_, zone): Row => [`zones.zone${zone}Ms`, 0, LONGEST_WORKOUT_MS, "ms", WORKOUT]),
  ],
  cycle: [
    ["utcOffsetMinutes", -12 * 60, 14 * 60, "minutes", CLOCKS],
    ["averageHeartRateBpm", 20, 250, "beats/min", PULSE],
    ["maxHeartRateBpm", 20, 250, "beats/min", PULSE],
    ["steps", 0, 500_000, "steps", "most in 24 hours: an ultramarathon of 320 km"],
    ["activeEnergyKcal", 0, 20_000, "kcal", "a 24-hour ultramarathon takes about 15,000"],
    ["distanceMeters", 0, 1_000_000, "m", "most in 24 hours on a bicycle: 1,026 km"],
  ],
  profile: [
    ["data.body.heightMeters", 0.5, 2.8, "m", "shortest adult 0.546, tallest 2.72 (Guinness World Records)"],
    ["data.body.weightKilograms", 2, 650, "kg", "lightest adult 2.1, heaviest 635 (Guinness World Records)"],
    ["data.body.maxHeartRate", 60, 250, "beats/min", PULSE],
  ],
}

export const boundsOf = (rows: Readonly<Partial<Record<Bound["kind"], readonly Row[]>>>): readonly Bound[] =>
  (["sleep", "recovery", "workout", "cycle", "profile"] as const).flatMap((kind) =>
    (rows[kind] ?? []).map(([field, least, most, unit, source]) => ({ kind, field, least, most, unit, source })),
  )

/** Bounds of every vendor's records. Those of a vendor's own scale, such as strain, are in the vendor's folder. */
export const PLAUSIBLE: readonly Bound[] = boundsOf(ROWS)

/** Without these a record has no date. Wrong, they cost the record. */
const ESSENTIAL: ReadonlySet<string> = new Set(["utcOffsetMinutes"])

/** Fields that are known together or not at all: one that cannot be true takes the others along. */
const TOGETHER: readonly (readonly string[])[] = [["stages"], ["zones"], ["needMs", "needParts"]]

/** A record as far as it can be true, or why none of it can be. */
export type PlausibleRecord = { readonly record: NormalizedRecord } | { readonly fault: LeftOutField }

/**
 * Returns a record without the fields that cannot be true, which it names in `leftOut`. It is as if the vendor had not sent them. A record
 * whose times cannot be true has a fault.
 * @param bounds of the vendor's own scales
 */
export function plausibleRecord(record: NormalizedRecord, bounds: readonly Bound[]): PlausibleRecord {
  const time = implausibleTime(record)
  if (time) return { fault: time }
  const outside = [...PLAUSIBLE, ...bounds]
    .filter((bound) => bound.kind === record.kind && isOutside(numberAt(record, bound.field), bound))
    .map((bound) => ({ field: bound.field, reason: outsideOf(bound) }))
  const fault = outside.find(({ field }) => ESSENTIAL.has(field))
  if (fault) return { fault }
  const together = implausibleWhole(record)
  const leftOut = [
    ...outside,
    ...(together && outside.every(({ field }) => field !== together.field) ? [together] : []),
  ]
  return { record: leftOut.length === 0 ? record : withoutFields(record, leftOut) }
}

function withoutFields(record: NormalizedRecord, leftOut: readonly LeftOutField[]): NormalizedRecord {
  const { raw } = record
  const rest = structuredClone({ ...record, raw: null })
  for (const { field } of leftOut) {
    const group = TOGETHER.find((fields) => fields.some((each) => field === each || field.startsWith(`${each}.`)))
    for (const each of group ?? [field]) removeFrom(rest, each)
  }
  const parts = { raw, leftOut: [...(record.leftOut ?? []), ...leftOut] }
  // What lasts from a start to an end has a length, whatever was written.
  return rest.kind === "sleep" || rest.kind === "workout"
    ? { ...rest, durationMs: rest.durationMs ?? rest.endMs - rest.startMs, ...parts }
    : { ...rest, ...parts }
}

interface Figure {
  readonly value: number | undefined
  /** Of what it is for, milliseconds. */
  readonly lengthMs?: number
}

/** Returns why a single figure of a record cannot be true. Undefined where it can, or is missing. */
export function figureFault(kind: Bound["kind"], field: string, { value, lengthMs = 0 }: Figure): string | undefined {
  if (field === CALORIES) return isPossibleEnergy(value ?? 0, lengthMs) ? undefined : OUTSIDE_ENERGY
  const bound = PLAUSIBLE.find((each) => each.kind === kind && each.field === field)
  if (!bound) throw new RangeError(`no bounds of ${field} of a ${kind} are known`)
  return isOutside(value, bound) ? outsideOf(bound) : undefined
}

const outsideOf = ({ least, most, unit }: Bound): string => `outside ${least} to ${most} ${unit}`

const valueAt = (normalized: object, field: string): unknown =>
  field.split(".").reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), normalized)

function removeFrom(normalized: object, field: string): void {
  const steps = field.split(".")
  const holder = valueAt(normalized, steps.slice(0, -1).join(".")) ?? normalized
  Reflect.deleteProperty(steps.length === 1 ? normalized : Object(holder), steps.at(-1) ?? "")
}

const isOutside = (value: number | undefined, { least, most }: Bound): boolean =>
  value !== undefined && !(value >= least && value <= most)

function numberAt(normalized: object, field: string): number | undefined {
  const value = valueAt(normalized, field)
  return typeof value === "number" ? value : undefined
}

/** Vendors have no records from before 2000, which is also what an unset clock sends. Dates use four digits of the year. */
const EARLIEST_MS = Date.UTC(2000, 0, 1)
const LATEST_MS = Date.UTC(2100, 0, 1)

/** Returns whether an instant is of this century. An invalid date is not. */
export const isPlausibleInstant = (instant: Date): boolean =>
  instant.getTime() >= EARLIEST_MS && instant.getTime() < LATEST_MS

/** Unlike Date, Temporal refuses 30 February and times without a zone. */
export function plausibleInstantOf(text: string): Date | undefined {
  try {
    const at = new Date(Temporal.Instant.from(text.trim()).epochMilliseconds)
    return isPlausibleInstant(at) ? at : undefined
  } catch {
    return undefined
  }
}

/** A cycle lasts until the next main sleep with the device on: for months when it lies in a drawer. */
const LONGEST_CYCLE_MS = 366 * DAY_MS

function implausibleTime(record: NormalizedRecord): LeftOutField | undefined {
  const timed = record.kind === "recovery" ? undefined : record
  const instants = [
    ["updatedMs", record.updatedMs],
    ["createdMs", record.kind === "recovery" ? record.createdMs : null],
    ["startMs", timed?.startMs ?? null],
    ["endMs", timed?.endMs ?? null],
  ] as const
  const wrong = instants.find(([, ms]) => ms !== null && !isPlausibleInstant(new Date(ms)))
  if (wrong) return { field: wrong[0], reason: "not an instant of this century" }
  if (!timed || timed.endMs === null) return undefined
  const lengthMs = timed.endMs - timed.startMs
  if (lengthMs < 0) return { field: "endMs", reason: "before start" }
  const longestMs = { sleep: DAY_MS, workout: LONGEST_WORKOUT_MS, cycle: LONGEST_CYCLE_MS }[timed.kind]
  return lengthMs > longestMs
    ? { field: "endMs", reason: `more than ${longestMs / HOUR_MS} hours after start` }
    : undefined
}

/** A 24-hour ultramarathon takes about 15,000 kilocalories. */
const MOST_KILOCALORIES_A_DAY = 20_000

/** Values that are possible on their own and not together. */
function implausibleWhole(record: NormalizedRecord): LeftOutField | undefined {
  if (record.kind === "sleep" && record.stages) {
    // Vendors compute stages and time in bed apart, so they may differ from each other.
    return Object.values(record.stages).reduce((sum, ms) => sum + ms, 0) > DAY_MS
      ? { field: "stages.lightMs", reason: `more than ${DAY_MS / HOUR_MS} hours with the other stages` }
      : undefined
  }
  if (record.kind !== "workout" && record.kind !== "cycle") return undefined
  const calories = record.energyKcal ?? 0
  // An open cycle lasts until its last change.
  const untilMs = record.endMs ?? record.updatedMs
  return isPossibleEnergy(calories, untilMs - record.startMs) ? undefined : { field: CALORIES, reason: OUTSIDE_ENERGY }
}

const CALORIES = "energyKcal"
const OUTSIDE_ENERGY = `outside 0 to ${MOST_KILOCALORIES_A_DAY} kcal a day`

const isPossibleEnergy = (kilocalories: number, lengthMs: number): boolean =>
  kilocalories >= 0 && kilocalories <= Math.max(1, Math.ceil(lengthMs / DAY_MS)) * MOST_KILOCALORIES_A_DAY

/** Longer texts are no name and no address. RFC 5321, 4.5.3.1: an address has at most 254 characters. */
const LONGEST_NAME = 254

/**
 * Returns a profile that can be stored and shown: implausible measurements and endless names are absent, and characters that
 * PostgreSQL cannot store are replaced. A wrong field never costs the profile.
 */
export function plausibleProfile({ data, raw }: NormalizedProfile): NormalizedProfile {
  const { body, firstName, lastName, email, ...ids } = data
  const measured = { data: { body: { ...body } } }
  for (const bound of PLAUSIBLE)
    if (bound.kind === "profile" && isOutside(numberAt(measured, bound.field), bound)) removeFrom(measured, bound.field)
  return {
    data: {
      ...ids,
      ...known({
        firstName: nameOf(firstName),
        lastName: nameOf(lastName),
        email: nameOf(email),
        body: knownOrNone(measured.data.body),
      }),
    },
    raw: toStorableJson(raw),
  }
}

const nameOf = (text: string | undefined): string | undefined =>
  text === undefined || text.length > LONGEST_NAME ? undefined : toStorableText(text)
