// intervals.icu's rows: how each kind is read, and how it becomes the one record of its kind. The only file that converts their units.
import { addDays } from "@restwell/client/calendar-dates"
import { SECOND_MS } from "@restwell/client/time-units"
import {
  type Bound,
  type Json,
  NO_TIME_OF_CHANGE_MS,
  type NormalizedCycle,
  type NormalizedProfile,
  type NormalizedRecord,
  type NormalizedRecovery,
  type NormalizedWorkout,
  type Occurrence,
} from "../contract/records.ts"
import type { LeftOut, SampleSet } from "../contract/series.ts"
import { known, knownOrNone } from "../normalize/known.ts"
import { boundsOf } from "../normalize/plausible.ts"
import {
  type ReadRecords,
  readRecords,
  reasonsOf,
  recordReader,
  type VendorRecords,
} from "../normalize/read-records.ts"
import { cutText } from "../normalize/storable-text.ts"
import { type LocalInstant, startOfDate } from "../normalize/zoned-days.ts"
import { INTERVALS_COVERAGE } from "./coverage.ts"
import { noonOf } from "./days.ts"
import { sportOf } from "./sports.ts"
import {
  type IntervalsActivity,
  IntervalsActivityIdSchema,
  IntervalsActivitySchema,
  type IntervalsAthlete,
  IntervalsDateSchema,
  IntervalsStubSchema,
  type IntervalsWellness,
  IntervalsWellnessSchema,
  localDate,
} from "./wire.ts"

/** The name before every id. */
export const INTERVALS = "intervals"

/** The person's time zone, and the date there. */
export interface PersonsDay {
  readonly zone: string
  /** True where the zone is a stand-in, because the person's own cannot be used. */
  readonly isZoneUnknown?: true
  readonly today: string
}

/** intervals.icu writes zero for no measurement. */
const measured = (value: number | null | undefined): number | undefined =>
  value === null || value === undefined || value === 0 ? undefined : value

/** Noon in UTC is on the same date wherever the person is. */
const noonMs = ({ id }: IntervalsWellness): number => Date.parse(`${id}T12:00:00Z`)

const updatedMs = (row: IntervalsWellness): number => row.updated?.getTime() ?? NO_TIME_OF_CHANGE_MS

/**
 * What a day says of the night before it. It has no score, no times and no sleep: `sleepSecs` is a length alone. A resting heart rate that
 * is carried over was not measured. RMSSD and SDNN differ, so each goes by its own name.
 */
function normalizeRecovery(row: IntervalsWellness, raw: Json): NormalizedRecovery {
  const [rmssd, sdnn] = [measured(row.hrv), measured(row.hrvSDNN)]
  const sleepSeconds = measured(row.sleepSecs)
  return {
    kind: "recovery",
    providerId: row.id,
    updatedMs: updatedMs(row),
    scoreState: "scored",
    raw,
    createdMs: noonMs(row),
    ...known({
      hrvMs: rmssd ?? sdnn,
      hrvMethod: rmssd !== undefined ? ("rmssd" as const) : sdnn !== undefined ? ("sdnn" as const) : undefined,
      restingHeartRateBpm: row.tempRestingHR === true ? undefined : measured(row.restingHR),
      spo2Percent: measured(row.spO2 ?? row.spo2),
      asleepMs: sleepSeconds === undefined ? undefined : sleepSeconds * SECOND_MS,
    }),
  }
}

/**
 * A day, from its first instant in the person's zone to the next one's. Today goes on. The zone is that of now: what is stored of an earlier
 * reading knows better where the person was.
 */
function normalizeCycle(row: IntervalsWellness, raw: Json, day: PersonsDay): NormalizedCycle {
  const start = startOfDate(row.id, day.zone)
  const end: LocalInstant | null = row.id >= day.today ? null : startOfDate(addDays(row.id, 1), day.zone)
  return {
    kind: "cycle",
    providerId: row.id,
    updatedMs: updatedMs(row),
    scoreState: "scored",
    raw,
    startMs: start.ms,
    endMs: end?.ms ?? null,
    utcOffsetMinutes: start.utcOffsetMinutes,
    keepsFirstOffset: true,
    ...(day.isZoneUnknown && { isOffsetUnknown: true as const }),
    ...(end && { startUtcOffsetMinutes: start.utcOffsetMinutes, endUtcOffsetMinutes: end.utcOffsetMinutes }),
    ...known({ steps: row.steps }),
  }
}

/** A workout from its start to its end, with pauses. The row has no time of its last change. */
function normalizeWorkout(row: IntervalsActivity, raw: Json): NormalizedWorkout {
  const { ms: startMs, utcOffsetMinutes } = row.start
  const durationMs = row.seconds * SECOND_MS
  const device = row.device_name?.trim()
  return {
    kind: "workout",
    providerId: row.id,
    updatedMs: NO_TIME_OF_CHANGE_MS,
    scoreState: "scored",
    raw,
    startMs,
    endMs: startMs + durationMs,
    utcOffsetMinutes,
    durationMs,
    sportType: sportOf(row.type),
    countsAsWorkout: true,
    ...known({
      sameAs: sameAs(row),
      device: device ? cutText(device, LONGEST_DEVICE) : undefined,
      strain: row.icu_training_load,
      averageHeartRateBpm: measured(row.average_heartrate),
      maxHeartRateBpm: measured(row.max_heartrate),
      energyKcal: measured(row.calories),
      distanceMeters: measured(row.distance) ?? measured(row.icu_distance),
    }),
  }
}

const LONGEST_DEVICE = 200

/** Sources of this service, by their names at intervals.icu, whose archives have the same ids. */
const WITH_SAME_IDS: Readonly<Record<string, string>> = { GARMIN_CONNECT: "garmin" }

function sameAs({ source, external_id: id }: IntervalsActivity): string | undefined {
  const name = WITH_SAME_IDS[source ?? ""]
  return name !== undefined && id ? `${name}-${id}` : undefined
}

export function normalizeProfile(athlete: IntervalsAthlete, raw: Json): NormalizedProfile {
  return {
    data: {
      id: `${INTERVALS}-${athlete.id}`,
      providerId: athlete.id,
      ...known({
        firstName: athlete.firstname ?? athlete.name,
        lastName: athlete.lastname,
        email: athlete.email,
        body: knownOrNone({ weightKilograms: measured(athlete.weight) }),
      }),
    },
    raw,
  }
}

const dateOf = (raw: Json): string | undefined => IntervalsDateSchema.safeParse(raw).data

const occurredOnRow = (raw: Json): Occurrence | null => {
  const date = dateOf(raw)
  return date === undefined ? null : { date }
}

/** The local date that an activity names. */
function dateOfActivity(raw: Json): string | undefined {
  return localDate.safeParse(IntervalsStubSchema.safeParse(raw).data?.start_date_local?.slice(0, 10)).data
}

const occurredOnActivity = (raw: Json): Occurrence | null => {
  const date = dateOfActivity(raw)
  return date === undefined ? null : { date }
}

const LOAD = "a training load of 100 is an hour at the threshold: the longest races have some thousand"

/** Bounds of intervals.icu's own scales. */
export const INTERVALS_PLAUSIBLE: readonly Bound[] = boundsOf({
  workout: [["strain", 0, 10_000, "of training load", LOAD]],
})

const readersOf = (day: PersonsDay): VendorRecords<"recovery" | "cycle" | "workout"> => ({
  readers: {
    recovery: recordReader(IntervalsWellnessSchema, normalizeRecovery, {
      idSchema: IntervalsDateSchema,
      occurrenceOf: occurredOnRow,
    }),
    cycle: recordReader(IntervalsWellnessSchema, (row, raw) => normalizeCycle(row, raw, day), {
      idSchema: IntervalsDateSchema,
      occurrenceOf: occurredOnRow,
    }),
    workout: recordReader(IntervalsActivitySchema, normalizeWorkout, {
      idSchema: IntervalsActivityIdSchema,
      occurrenceOf: occurredOnActivity,
    }),
  },
  coverage: INTERVALS_COVERAGE,
  bounds: INTERVALS_PLAUSIBLE,
})

/** Rows after today are projections of the training model, and no data. */
const isUntil =
  ({ today }: PersonsDay) =>
  (raw: Json): boolean =>
    (dateOf(raw) ?? today) <= today

/** A row of the training model alone has no figure of ours, and is no record. */
const hasFigures = (record: NormalizedRecord): boolean =>
  record.kind === "recovery"
    ? [record.hrvMs, record.restingHeartRateBpm, record.spo2Percent, record.asleepMs].some((figure) => figure != null)
    : record.kind !== "cycle" || record.steps !== undefined

/** Returns the records of wellness rows. A row that cannot be read is rejected. */
export function readDays(kind: "recovery" | "cycle", rows: readonly Json[], day: PersonsDay): ReadRecords {
  return readRecords(readersOf(day), kind, rows.filter(isUntil(day)), hasFigures)
}

/** Returns the records of activities, and how many Strava hides, by date. */
export function readActivities(
  rows: readonly Json[],
  day: PersonsDay,
): ReadRecords & { readonly leftOut: readonly LeftOut[] } {
  const stubs = rows.filter(isOfStrava)
  const dates = Map.groupBy(stubs, dateOfActivity)
  return {
    ...readRecords(
      readersOf(day),
      "workout",
      rows.filter((row) => !isOfStrava(row)),
    ),
    leftOut: [...dates].map(([date, { length: count }]) => ({
      type: "workout",
      reason: HIDDEN_BY_STRAVA,
      count,
      ...known({ day: date }),
    })),
  }
}

/** Strava's terms keep its activities from other programs. What is left of one is a date and a note. */
function isOfStrava(raw: Json): boolean {
  const { source, _note: note } = IntervalsStubSchema.safeParse(raw).data ?? {}
  return /^strava$/i.test(source?.trim() ?? "") || /\bstrava\b/i.test(note ?? "")
}

const HIDDEN_BY_STRAVA =
  "Strava does not let intervals.icu hand it on. Connect the watch itself to intervals.icu, and not by way of Strava"

/** Returns the weights of wellness rows, each at noon of its date. One that is carried over from an earlier day was not measured. */
export function weightsOf(rows: readonly Json[], day: PersonsDay): SampleSet {
  const leftOut: LeftOut[] = []
  const samples = rows.filter(isUntil(day)).flatMap((raw) => {
    const { data: row, error } = IntervalsWellnessSchema.safeParse(raw)
    if (error) leftOut.push({ type: "weight", reason: reasonsOf(error), count: 1, ...known({ day: dateOf(raw) }) })
    const value = measured(row?.weight)
    if (!row || value === undefined || row.tempWeight === true) return []
    const { ms: atMs, utcOffsetMinutes } = noonOf(row.id, day.zone)
    return [{ atMs, value, utcOffsetMinutes }]
  })
  return { type: "weight", samples, ...(leftOut.length > 0 && { leftOut }) }
}
