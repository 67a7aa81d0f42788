// Google Health's data points: how each kind is read, and how it becomes the one record of its kind. The only file that converts the units of
// Google's API. The payload of a record is its points, by their type.

import { type ScoreState, SLEEP_STAGES } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { DAY_MS, MINUTE_MS } from "@restwell/client/time-units"
import { z } from "zod"
import {
  type Json,
  type KnownStages,
  NO_TIME_OF_CHANGE_MS,
  type NormalizedCycle,
  type NormalizedProfile,
  type NormalizedRecovery,
  type NormalizedSleep,
  type NormalizedWorkout,
  type Occurrence,
  type SleepPhase,
} from "../contract/records.ts"
import type { SampleSet } from "../contract/series.ts"
import { courseOf, localDateOf } from "../normalize/derive.ts"
import { known } from "../normalize/known.ts"
import { plausibleSamples } from "../normalize/plausible-samples.ts"
import { type ReadRecords, readRecords, recordReader, type VendorRecords } from "../normalize/read-records.ts"
import { isNoEmptyRecovery } from "../normalize/recovery-figures.ts"
import { dateInZone, isTodaySomewhere, isZone, startOfDate, usableZone } from "../normalize/zoned-days.ts"
import { GOOGLE_HEALTH_COVERAGE } from "./coverage.ts"
import { isCopy, sourceFields } from "./sources.ts"
import { sportOf } from "./sports.ts"
import {
  type CycleDocuments,
  CycleDocumentsSchema,
  type ExerciseDocuments,
  ExerciseDocumentsSchema,
  type GoogleIdentitySchema,
  type GoogleSleep,
  GoogleTimesSchema,
  pointId,
  type RecoveryDocuments,
  RecoveryDocumentsSchema,
  type SleepDocuments,
  SleepDocumentsSchema,
} from "./wire.ts"

/** The name before every id. */
export const GOOGLE_HEALTH = "google_health"

const MILLIMETRES = 1_000

/** Google leaves zeros out, and others write zero for no measurement. */
const measured = (value: number | null | undefined): number | undefined => value || undefined

/** Names a point that is a part of a record. A date has one of each type. */
const partId = (type: string, id: string): string => `${type}.${id}`

function partsOf(parts: readonly (string | undefined)[]): { readonly partIds?: readonly string[] } {
  const partIds = parts.filter((each) => each !== undefined)
  return partIds.length > 0 ? { partIds } : {}
}

/** A night or nap. It has no score: it is scored once its stages are there, or at once from a device that finds none. */
function normalizeSleep(documents: SleepDocuments, raw: Json, now: Date): NormalizedSleep {
  const { name: providerId, dataSource, sleep } = documents.sleep
  const { startTime, endTime, startOffset, endOffset } = sleep.interval
  const [startMs, endMs] = [startTime.getTime(), endTime.getTime()]
  const spans = spansOf(sleep)
  const stages = stagesOf(sleep, spans)
  const course = stages && courseOf(spans, { startMs, endMs })
  const { minutesAsleep, minutesInSleepPeriod } = sleep.summary ?? {}
  const rate = documents["daily-respiratory-rate"]?.dailyRespiratoryRate
  const asleep = minutesAsleep ?? undefined
  return {
    kind: "sleep",
    providerId,
    updatedMs: (sleep.updateTime ?? sleep.createTime)?.getTime() ?? NO_TIME_OF_CHANGE_MS,
    scoreState: scoreStateOf(sleep, stages !== undefined, now),
    raw,
    startMs,
    endMs,
    utcOffsetMinutes: endOffset,
    startUtcOffsetMinutes: startOffset,
    endUtcOffsetMinutes: endOffset,
    ...partsOf([rate && partId("daily-respiratory-rate", rate.date)]),
    ...sourceFields(dataSource),
    isNap: sleep.metadata?.nap === true,
    durationMs: endMs - startMs,
    ...known({
      efficiencyPercent:
        asleep !== undefined && minutesInSleepPeriod ? (asleep * 100) / minutesInSleepPeriod : undefined,
      respiratoryRatePerMinute: measured(rate?.breathsPerMinute),
      timesAwake: stages && timesAwakeOf(sleep),
      stages,
      asleepMs: stages || asleep === undefined ? undefined : asleep * MINUTE_MS,
      course,
    }),
    // Given when empty too, or those of an older version would stay.
    samples: stages && spans.length > 0 ? [stageSamples(spans, startOffset, now)] : [],
  }
}

const PHASES: ReadonlyMap<string, SleepPhase> = new Map([
  ["AWAKE", "awake"],
  ["LIGHT", "light"],
  ["DEEP", "deep"],
  ["REM", "rem"],
])

interface PhasedSpan {
  readonly phase: SleepPhase
  readonly startMs: number
  readonly endMs: number
}

/** Google's short times awake lie over the stages and change none of them. They are not among these. */
const spansOf = ({ stages }: GoogleSleep): readonly PhasedSpan[] =>
  (stages ?? [])
    .flatMap((stage) => {
      const phase = stage && PHASES.get(stage.type)
      if (!stage || !phase || stage.endTime <= stage.startTime) return []
      return [{ phase, startMs: stage.startTime.getTime(), endMs: stage.endTime.getTime() }]
    })
    .toSorted((one, other) => one.startMs - other.startMs)

/** Google's own sums where it gives them, else those of the stages. A night with stages that lacks one of them had none of it. */
function stagesOf({ type, summary }: GoogleSleep, spans: readonly PhasedSpan[]): KnownStages | undefined {
  if (type === "CLASSIC") return undefined
  const sums = new Map<SleepPhase, number>()
  const summed = (summary?.stagesSummary ?? []).flatMap((stage) => {
    const phase = stage && PHASES.get(stage.type)
    return phase ? [{ phase, minutes: stage.minutes ?? undefined }] : []
  })
  // A sum without one of its stages is none: the stages of the night are then added up.
  if (summed.every(({ minutes }) => minutes !== undefined))
    for (const { phase, minutes = 0 } of summed) sums.set(phase, minutes * MINUTE_MS)
  if (!isAsleepIn([...sums.keys()]))
    for (const { phase, startMs, endMs } of spans) sums.set(phase, (sums.get(phase) ?? 0) + endMs - startMs)
  if (!isAsleepIn([...sums.keys()])) return undefined
  const of = (phase: SleepPhase) => sums.get(phase) ?? 0
  return { lightMs: of("light"), deepMs: of("deep"), remMs: of("rem"), awakeMs: of("awake") }
}

/** Segments of the stage AWAKE. A stage that did not occur may be left out. */
function timesAwakeOf({ summary }: GoogleSleep): number | undefined {
  const stages = summary?.stagesSummary?.filter((stage) => stage !== null) ?? []
  const awake = stages.find(({ type }) => type === "AWAKE")
  if (awake) return awake.count ?? undefined
  return stages.some(({ count }) => count !== null && count !== undefined) ? 0 : undefined
}

const isAsleepIn = (phases: readonly SleepPhase[]): boolean => phases.some((phase) => phase !== "awake")

/** Stages come with the night, or up to three days after it. */
const STAGES_COME_WITHIN_MS = 3 * DAY_MS

function scoreStateOf({ type, metadata, interval }: GoogleSleep, hasStages: boolean, now: Date): ScoreState {
  if (type === "CLASSIC") return "scored"
  const status = metadata?.stagesStatus ?? ""
  const isGivenUp = status.startsWith("REJECTED") || status === "TIMEOUT"
  if (hasStages && metadata?.processed !== false) return "scored"
  if (isGivenUp) return hasStages ? "scored" : "unscorable"
  const isLate = interval.endTime.getTime() + STAGES_COME_WITHIN_MS <= now.getTime()
  return isLate ? (hasStages ? "scored" : "unscorable") : "pending"
}

const stageSamples = (spans: readonly PhasedSpan[], utcOffsetMinutes: number, now: Date): SampleSet =>
  plausibleSamples(
    {
      type: "sleep_stages",
      samples: spans.map(({ phase, startMs, endMs }) => ({
        atMs: startMs,
        value: SLEEP_STAGES.indexOf(phase),
        durationMs: endMs - startMs,
        utcOffsetMinutes,
      })),
    },
    now,
  )

/**
 * The figures of a date. They are of one platform: those of a copy never fill what Fitbit's own lack. Those of today may still come.
 */
function normalizeRecovery(documents: RecoveryDocuments, raw: Json, now: Date): NormalizedRecovery {
  const { date } = documents
  const points = {
    rate: documents["daily-resting-heart-rate"],
    hrv: documents["daily-heart-rate-variability"],
    oxygen: documents["daily-oxygen-saturation"],
    temperature: documents["daily-sleep-temperature-derivations"],
  }
  const given = Object.values(points).filter((point) => point !== undefined)
  const isCopied = given.length > 0 && given.every(({ dataSource }) => isCopy(dataSource))
  const own = <Point extends (typeof given)[number]>(point: Point | undefined): Point | undefined =>
    point && isCopy(point.dataSource) === isCopied ? point : undefined
  const temperature = own(points.temperature)?.dailySleepTemperatureDerivations
  const [nightly, baseline] = [temperature?.nightlyTemperatureCelsius, temperature?.baselineTemperatureCelsius]
  const isDeviating = nightly !== null && nightly !== undefined && baseline !== null && baseline !== undefined
  // Noon in UTC is on the same date wherever the person is.
  const createdMs = Date.parse(`${date}T12:00:00Z`)
  const figures = known({
    hrvMs: measured(own(points.hrv)?.dailyHeartRateVariability.averageHeartRateVariabilityMilliseconds),
    restingHeartRateBpm: measured(own(points.rate)?.dailyRestingHeartRate.beatsPerMinute),
    spo2Percent: measured(own(points.oxygen)?.dailyOxygenSaturation.averagePercentage),
    skinTempCelsius: nightly,
    skinTempDeviationCelsius: isDeviating ? nightly - baseline : undefined,
  })
  const isAwaited = Object.keys(figures).length === 0 && isTodaySomewhere(date, now)
  return {
    kind: "recovery",
    providerId: date,
    // The points have no time of their last change: of two versions the one read later is newer.
    updatedMs: createdMs,
    scoreState: isAwaited ? "pending" : "scored",
    raw,
    createdMs,
    ...(isCopied && sourceFields(given[0]?.dataSource)),
    ...partsOf([
      ...Object.entries(points).map(([, point]) => point && typeOf(point, date)),
      documents.sleep && partId("sleep", documents.sleep.name),
    ]),
    ...known({ sleepProviderId: documents.sleep?.name }),
    ...figures,
  }
}

type DailyPoint = NonNullable<
  RecoveryDocuments[
    | "daily-resting-heart-rate"
    | "daily-heart-rate-variability"
    | "daily-oxygen-saturation"
    | "daily-sleep-temperature-derivations"]
>

/** A part is named by the date of its record, whatever date it has itself. */
const typeOf = (point: DailyPoint, date: string): string =>
  partId(
    "dailyOxygenSaturation" in point
      ? "daily-oxygen-saturation"
      : "dailyRestingHeartRate" in point
        ? "daily-resting-heart-rate"
        : "dailyHeartRateVariability" in point
          ? "daily-heart-rate-variability"
          : "daily-sleep-temperature-derivations",
    date,
  )

/** A workout from its start to its end, with pauses. Google gives neither strain nor the highest heart rate. */
function normalizeWorkout(
  { exercise: { name: providerId, dataSource, exercise } }: ExerciseDocuments,
  raw: Json,
): NormalizedWorkout {
  const { startTime, endTime, startOffset, endOffset } = exercise.interval
  const summary = exercise.metricsSummary
  const millimetres = measured(summary?.distanceMillimeters)
  return {
    kind: "workout",
    providerId,
    updatedMs: (exercise.updateTime ?? exercise.createTime)?.getTime() ?? NO_TIME_OF_CHANGE_MS,
    scoreState: "scored",
    raw,
    startMs: startTime.getTime(),
    endMs: endTime.getTime(),
    utcOffsetMinutes: startOffset,
    startUtcOffsetMinutes: startOffset,
    endUtcOffsetMinutes: endOffset,
    durationMs: endTime.getTime() - startTime.getTime(),
    ...sourceFields(dataSource),
    sportType: sportOf(exercise.exerciseType),
    countsAsWorkout: true,
    ...known({
      averageHeartRateBpm: measured(summary?.averageHeartRateBeatsPerMinute),
      energyKcal: measured(summary?.caloriesKcal),
      distanceMeters: millimetres && millimetres / MILLIMETRES,
    }),
  }
}

/** Returns the zone of days: that of the account, or else its offset. Undefined where it has neither. */
function zoneOf({ timeZone, utcOffset: minutes }: CycleDocuments["settings"]): string | undefined {
  if (timeZone && isZone(timeZone)) return timeZone
  if (minutes == null) return undefined
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const digits = (value: number) => String(value).padStart(2, "0")
  const offset = `${minutes < 0 ? "-" : "+"}${digits(hours)}:${digits(rest)}`
  return isZone(offset) ? offset : undefined
}

/**
 * A civil day, from its first instant in the person's zone to the next one's. Today goes on. The zone is that of now: what is stored of an
 * earlier reading knows better where the person was.
 */
function normalizeCycle(documents: CycleDocuments, raw: Json, now: Date): NormalizedCycle {
  const { date } = documents
  const knownZone = zoneOf(documents.settings)
  const zone = usableZone(knownZone)
  const start = startOfDate(date, zone)
  const end = date >= dateInZone(now, zone) ? undefined : startOfDate(addDays(date, 1), zone)
  const { steps, distance } = documents
  const millimetres = distance?.distance.millimetersSum
  return {
    kind: "cycle",
    providerId: date,
    updatedMs: NO_TIME_OF_CHANGE_MS,
    scoreState: "scored",
    raw,
    startMs: start.ms,
    endMs: end?.ms ?? null,
    utcOffsetMinutes: start.utcOffsetMinutes,
    startUtcOffsetMinutes: start.utcOffsetMinutes,
    keepsFirstOffset: true,
    ...(knownZone === undefined && { isOffsetUnknown: true as const }),
    ...(end && { endUtcOffsetMinutes: end.utcOffsetMinutes }),
    ...partsOf(
      (["steps", "distance", "active-energy-burned", "total-calories"] as const).map(
        (type) => documents[type] && partId(type, date),
      ),
    ),
    ...known({
      steps: steps?.steps.countSum,
      distanceMeters: millimetres === null || millimetres === undefined ? undefined : millimetres / MILLIMETRES,
      activeEnergyKcal: documents["active-energy-burned"]?.activeEnergyBurned.kcalSum,
      energyKcal: documents["total-calories"]?.totalCalories.kcalSum,
    }),
  }
}

/** The person. Google gives an id alone. */
export function normalizeProfile({ healthUserId }: z.infer<typeof GoogleIdentitySchema>, raw: Json): NormalizedProfile {
  return { data: { id: `${GOOGLE_HEALTH}-${healthUserId}`, providerId: healthUserId }, raw }
}

const DatedSchema = z.object({ date: z.iso.date() }).transform(({ date }) => date)
const SleepIdSchema = z.object({ sleep: z.object({ name: pointId }) }).transform(({ sleep }) => sleep.name)
const ExerciseIdSchema = z.object({ exercise: z.object({ name: pointId }) }).transform(({ exercise }) => exercise.name)

const occurredOn = (raw: Json): Occurrence | null => {
  const { data: date } = DatedSchema.safeParse(raw)
  return date === undefined ? null : { date }
}

const SleepTimesSchema = z.object({ sleep: z.object({ sleep: GoogleTimesSchema }) })
const ExerciseTimesSchema = z.object({ exercise: z.object({ exercise: GoogleTimesSchema }) })

function occurredAt(at: Date | undefined, offset: number | undefined): Occurrence | null {
  if (!at) return null
  return offset === undefined ? { instant: at } : { date: localDateOf(at, offset) }
}

function occurrenceOfSleep(raw: Json): Occurrence | null {
  const { startUtcOffset, endTime, endUtcOffset } = SleepTimesSchema.safeParse(raw).data?.sleep.sleep.interval ?? {}
  return occurredAt(endTime, endUtcOffset ?? startUtcOffset)
}

function occurrenceOfExercise(raw: Json): Occurrence | null {
  const { startTime, startUtcOffset, endUtcOffset } =
    ExerciseTimesSchema.safeParse(raw).data?.exercise.exercise.interval ?? {}
  return occurredAt(startTime, startUtcOffset ?? endUtcOffset)
}

const readersOf = (now: Date): VendorRecords => ({
  readers: {
    sleep: recordReader(SleepDocumentsSchema, (documents, raw) => normalizeSleep(documents, raw, now), {
      idSchema: SleepIdSchema,
      occurrenceOf: occurrenceOfSleep,
    }),
    recovery: recordReader(RecoveryDocumentsSchema, (documents, raw) => normalizeRecovery(documents, raw, now), {
      idSchema: DatedSchema,
      occurrenceOf: occurredOn,
    }),
    workout: recordReader(ExerciseDocumentsSchema, normalizeWorkout, {
      idSchema: ExerciseIdSchema,
      occurrenceOf: occurrenceOfExercise,
    }),
    cycle: recordReader(CycleDocumentsSchema, (documents, raw) => normalizeCycle(documents, raw, now), {
      idSchema: DatedSchema,
      occurrenceOf: occurredOn,
    }),
  },
  coverage: GOOGLE_HEALTH_COVERAGE,
  bounds: [],
})

/** Returns every record with a figure, normalised or rejected, in the order given. @param now decides what may still come */
export function readGoogleRecords(kind: keyof VendorRecords["readers"], raws: readonly Json[], now: Date): ReadRecords {
  return readRecords(readersOf(now), kind, raws, isNoEmptyRecovery)
}
