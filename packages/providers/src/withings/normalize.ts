// Withings' rows: how each kind is read, and how it becomes the one record of its kind. The only file that converts Withings' units.

import { SLEEP_STAGES } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { HOUR_MS, SECOND_MS } from "@restwell/client/time-units"
import type {
  Json,
  KnownStages,
  NormalizedCycle,
  NormalizedRecord,
  NormalizedRecovery,
  NormalizedSleep,
  NormalizedWorkout,
  Occurrence,
  SleepPhase,
} from "../contract/records.ts"
import type { Sample, SampleSet } from "../contract/series.ts"
import { courseOf, offsetInZone, type PhaseSpan } from "../normalize/derive.ts"
import { known } from "../normalize/known.ts"
import { plausibleSamples } from "../normalize/plausible-samples.ts"
import { type ReadRecords, readRecords, recordReader, type VendorRecords } from "../normalize/read-records.ts"
import { dateInZone, startOfDate } from "../normalize/zoned-days.ts"
import { WITHINGS_COVERAGE } from "./coverage.ts"
import { isRest, sportOf } from "./sports.ts"
import {
  JoinedIdSchema,
  type JoinedNight,
  JoinedNightSchema,
  type WithingsActivity,
  WithingsActivitySchema,
  WithingsDatedSchema,
  WithingsIdSchema,
  WithingsSpanSchema,
  type WithingsWorkout,
  WithingsWorkoutSchema,
} from "./wire.ts"

/** The name before every id. */
export const WITHINGS = "withings"

/** A night that ended within this may not be complete. */
const GROWS_FOR_MS = HOUR_MS

/** Withings writes zero for no heart rate and no breath, and -1 for no result. */
const positive = (value: number | null | undefined): number | undefined =>
  value !== null && value !== undefined && value > 0 ? value : undefined

const secondsToMs = (seconds: number | null | undefined): number | undefined =>
  seconds === null || seconds === undefined ? undefined : seconds * SECOND_MS

type Row = JoinedNight["sleep"]

const isComplete = ({ completed, enddate }: Row, now: Date): boolean =>
  completed !== false && completed !== 0 && enddate.getTime() <= now.getTime() - GROWS_FOR_MS

const changedMs = ({ modified, created, enddate }: Row): number => (modified ?? created ?? enddate).getTime()

/** The devices that Withings names by a number. */
const DEVICES: ReadonlyMap<number, string> = new Map([
  [16, "Withings tracker"],
  [32, "Withings sleep sensor"],
])

const deviceOf = ({ model }: Pick<Row, "model">): string | undefined => DEVICES.get(model ?? -1)

/** A night or nap. Figures of one that is not complete are those so far. */
function normalizeSleep(night: JoinedNight, raw: Json, now: Date): NormalizedSleep {
  const { sleep: row, is_nap: isNap } = night
  const data = row.data ?? {}
  const [startMs, endMs] = [row.startdate.getTime(), row.enddate.getTime()]
  const stages = stagesOf(data)
  const asleepMs = secondsToMs(positive(data.total_sleep_time) ?? positive(data.asleepduration))
  const spans = phasesOf(night)
  const samples = samplesOf(night, spans, now)
  return {
    kind: "sleep",
    providerId: row.id,
    updatedMs: changedMs(row),
    scoreState: !isComplete(row, now) ? "pending" : stages || asleepMs !== undefined ? "scored" : "unscorable",
    raw,
    startMs,
    endMs,
    utcOffsetMinutes: offsetInZone(endMs, row.timezone),
    startUtcOffsetMinutes: offsetInZone(startMs, row.timezone),
    endUtcOffsetMinutes: offsetInZone(endMs, row.timezone),
    isNap,
    durationMs: secondsToMs(positive(data.total_timeinbed)) ?? endMs - startMs,
    ...(night.sleep_details && { partIds: [`sleep_details.${row.id}`] }),
    ...known({
      device: deviceOf(row),
      scorePercent: positive(data.sleep_score),
      efficiencyPercent: percentOf(data.sleep_efficiency),
      respiratoryRatePerMinute: positive(data.rr_average),
      timesAwake: data.wakeupcount,
      latencyMs: secondsToMs(data.sleep_latency),
      averageHeartRateBpm: positive(data.hr_average),
      lowestHeartRateBpm: positive(data.hr_min),
      stages,
      asleepMs: stages ? undefined : asleepMs,
      course: courseOf(spans, { startMs, endMs }),
    }),
    // Given when empty too, or those of an older version would stay. Details that failed are joined again before.
    samples,
  }
}

/** All four, or none. */
function stagesOf(data: NonNullable<Row["data"]>): KnownStages | undefined {
  const lightMs = secondsToMs(data.lightsleepduration)
  const deepMs = secondsToMs(data.deepsleepduration)
  const remMs = secondsToMs(data.remsleepduration)
  const awakeMs = secondsToMs(data.wakeupduration)
  if (lightMs === undefined || deepMs === undefined || remMs === undefined || awakeMs === undefined) return undefined
  return lightMs + deepMs + remMs > 0 ? { lightMs, deepMs, remMs, awakeMs } : undefined
}

const percentOf = (ratio: number | null | undefined): number | undefined => {
  const share = positive(ratio)
  return share === undefined ? undefined : share * 100
}

const PHASES: readonly SleepPhase[] = ["awake", "light", "deep", "rem"]

/** The stages within the night, oldest first. Segments overlap at its edges, where the earlier one counts. */
function phasesOf({ sleep, sleep_details: details }: JoinedNight): PhaseSpan[] {
  let reachMs = sleep.startdate.getTime()
  const latestMs = sleep.enddate.getTime()
  const spans: PhaseSpan[] = []
  const segments = (details?.series ?? []).toSorted((one, other) => one.startdate.getTime() - other.startdate.getTime())
  for (const { startdate, enddate, state } of segments) {
    const phase = PHASES[state ?? -1]
    const startMs = Math.max(startdate.getTime(), reachMs)
    const endMs = Math.min(enddate.getTime(), latestMs)
    if (phase === undefined || endMs <= startMs) continue
    spans.push({ phase, startMs, endMs })
    reachMs = endMs
  }
  return spans
}

/** The values of a night: a heart rate and an HRV for each minute or so, and its stages. */
function samplesOf(night: JoinedNight, spans: readonly PhaseSpan[], now: Date): readonly SampleSet[] {
  const sets: readonly SampleSet[] = [
    { type: "heart_rate", samples: valuesOf(night, "hr") },
    { type: "hrv", method: "rmssd", samples: valuesOf(night, "rmssd") },
    { type: "sleep_stages", samples: spans.map((span) => stageSample(night, span)) },
  ]
  return sets.map((set) => plausibleSamples(set, now)).filter(({ samples, leftOut }) => samples.length > 0 || leftOut)
}

const stageSample = ({ sleep }: JoinedNight, { phase, startMs, endMs }: PhaseSpan): Sample => ({
  atMs: startMs,
  value: SLEEP_STAGES.indexOf(phase),
  durationMs: endMs - startMs,
  utcOffsetMinutes: offsetInZone(startMs, sleep.timezone),
})

/** Segments repeat values at their edges, so one instant counts once. */
function valuesOf({ sleep, sleep_details: details }: JoinedNight, name: "hr" | "rmssd"): Sample[] {
  const [firstMs, lastMs] = [sleep.startdate.getTime(), sleep.enddate.getTime()]
  const byTime = new Map<number, number>()
  for (const segment of details?.series ?? [])
    for (const [second, value] of Object.entries(segment[name] ?? {})) {
      const atMs = Number(second) * SECOND_MS
      if (value > 0 && atMs >= firstMs && atMs <= lastMs) byTime.set(atMs, value)
    }
  return [...byTime]
    .toSorted(([one], [other]) => one - other)
    .map(([atMs, value]) => ({ atMs, value, utcOffsetMinutes: offsetInZone(atMs, sleep.timezone) }))
}

/** The mean of the values within the night, or else of its beginning and its end. */
function variabilityOf(night: JoinedNight, now: Date): number | undefined {
  const values = plausibleSamples({ type: "hrv", samples: valuesOf(night, "rmssd") }, now).samples
  if (values.length > 0) return values.reduce((sum, { value }) => sum + value, 0) / values.length
  const [start, end] = [positive(night.sleep.data?.rmssd_start_avg), positive(night.sleep.data?.rmssd_end_avg)]
  return start === undefined || end === undefined ? undefined : (start + end) / 2
}

/** What the night of a date says, and SpO2 of the date. Withings has no score of it and no resting heart rate. */
function normalizeRecovery(night: JoinedNight, raw: Json, now: Date): NormalizedRecovery {
  const { sleep: row, spo2 } = night
  const partIds = [...(night.sleep_details ? [`sleep_details.${row.id}`] : []), ...(spo2 ? [`spo2.${row.id}`] : [])]
  return {
    kind: "recovery",
    providerId: row.id,
    sleepProviderId: row.id,
    // That of the SpO2 would stay the newest once it is deleted or given away.
    updatedMs: changedMs(row),
    scoreState: isComplete(row, now) ? "scored" : "pending",
    raw,
    createdMs: row.enddate.getTime(),
    ...(partIds.length > 0 && { partIds }),
    ...known({ device: deviceOf(row), hrvMs: variabilityOf(night, now), spo2Percent: spo2?.percent }),
  }
}

/** A workout from its start to its end, with pauses. */
function normalizeWorkout(row: WithingsWorkout, raw: Json): NormalizedWorkout {
  const data = row.data ?? {}
  const [startMs, endMs] = [row.startdate.getTime(), row.enddate.getTime()]
  return {
    kind: "workout",
    providerId: row.id,
    updatedMs: (row.modified ?? row.enddate).getTime(),
    scoreState: "scored",
    raw,
    startMs,
    endMs,
    utcOffsetMinutes: offsetInZone(startMs, row.timezone),
    durationMs: endMs - startMs,
    sportType: sportOf(row.category),
    countsAsWorkout: !isRest(row.category),
    ...known({
      device: deviceOf(row),
      averageHeartRateBpm: positive(data.hr_average),
      maxHeartRateBpm: positive(data.hr_max),
      energyKcal: positive(data.calories) ?? positive(data.manual_calories),
      distanceMeters: positive(data.distance) ?? positive(data.manual_distance),
    }),
  }
}

/** A day, from its first instant in its zone to the next one's. Today goes on. */
function normalizeCycle(row: WithingsActivity, raw: Json, now: Date): NormalizedCycle {
  const start = startOfDate(row.date, row.timezone)
  const end = row.date >= dateInZone(now, row.timezone) ? null : startOfDate(addDays(row.date, 1), row.timezone)
  return {
    kind: "cycle",
    providerId: row.date,
    updatedMs: row.modified?.getTime() ?? start.ms,
    scoreState: "scored",
    raw,
    startMs: start.ms,
    endMs: end?.ms ?? null,
    utcOffsetMinutes: start.utcOffsetMinutes,
    ...(end && { startUtcOffsetMinutes: start.utcOffsetMinutes, endUtcOffsetMinutes: end.utcOffsetMinutes }),
    ...known({
      averageHeartRateBpm: positive(row.hr_average),
      maxHeartRateBpm: positive(row.hr_max),
      energyKcal: positive(row.totalcalories),
      activeEnergyKcal: row.calories,
      steps: row.steps,
      distanceMeters: row.distance,
    }),
  }
}

const occurredAt =
  (edge: "startdate" | "enddate") =>
  (row: unknown): Occurrence | null => {
    const date = WithingsDatedSchema.safeParse(row).data
    if (date !== undefined) return { date }
    const instant = WithingsSpanSchema.shape[edge].safeParse(Reflect.get(Object(row), edge)).data
    return instant === undefined ? null : { instant }
  }

const ofNight = (raw: Json): Occurrence | null => occurredAt("enddate")(Reflect.get(Object(raw), "sleep"))

const NIGHT = { idSchema: JoinedIdSchema, occurrenceOf: ofNight }

const readersAt = (now: Date): VendorRecords => ({
  readers: {
    sleep: recordReader(JoinedNightSchema, (night, raw) => normalizeSleep(night, raw, now), NIGHT),
    recovery: recordReader(JoinedNightSchema, (night, raw) => normalizeRecovery(night, raw, now), NIGHT),
    workout: recordReader(WithingsWorkoutSchema, normalizeWorkout, {
      idSchema: WithingsIdSchema,
      occurrenceOf: occurredAt("startdate"),
    }),
    cycle: recordReader(WithingsActivitySchema, (row, raw) => normalizeCycle(row, raw, now), {
      idSchema: WithingsDatedSchema,
      occurrenceOf: occurredAt("startdate"),
    }),
  },
  coverage: WITHINGS_COVERAGE,
  bounds: [],
})

/** A night without HRV and SpO2 has no recovery. */
const hasFigures = (record: NormalizedRecord): boolean =>
  record.kind !== "recovery" || record.hrvMs !== undefined || record.spo2Percent !== undefined

/** Returns every record, normalised or rejected, in their order. */
export function readWithingsRecords(kind: NormalizedRecord["kind"], raws: readonly Json[], now: Date): ReadRecords {
  return readRecords(readersAt(now), kind, raws, hasFigures)
}
