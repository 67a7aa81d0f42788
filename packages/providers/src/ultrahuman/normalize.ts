// Ultrahuman's rows: how each kind becomes the one record of its kind, and values within the day. The only file that converts its units.
import { addDays } from "@restwell/client/calendar-dates"
import { MINUTE_MS, SECOND_MS } from "@restwell/client/time-units"
import type {
  Json,
  KnownStages,
  NormalizedCycle,
  NormalizedRecord,
  NormalizedRecovery,
  NormalizedSleep,
  Occurrence,
  SleepCourse,
  SleepPhase,
} from "../contract/records.ts"
import type { Sample, SampleSet, SeriesCoverage } from "../contract/series.ts"
import { courseOf, localDateOf, offsetInZone, type PhaseSpan } from "../normalize/derive.ts"
import { known } from "../normalize/known.ts"
import { type ReadRecords, readRecords, recordReader, type VendorRecords } from "../normalize/read-records.ts"
import { isNoEmptyRecovery } from "../normalize/recovery-figures.ts"
import { dateInZone, startOfDate } from "../normalize/zoned-days.ts"
import { ULTRAHUMAN_COVERAGE } from "./coverage.ts"
import { isOfDate, type RowKind, rowsOf, type ZonedDay } from "./rows.ts"
import {
  type StageName,
  type UltrahumanCycle,
  UltrahumanCycleSchema,
  UltrahumanDateSchema,
  UltrahumanIdSchema,
  UltrahumanPointSchema,
  type UltrahumanRecovery,
  UltrahumanRecoverySchema,
  type UltrahumanSleep,
  UltrahumanSleepSchema,
} from "./wire.ts"

/** The name before every id. */
export const ULTRAHUMAN = "ultrahuman"

/** A heart rate, a temperature or an oxygen of zero was not measured. */
const measured = (value: number | null | undefined): number | undefined => value || undefined

const inMs = (minutes: number | null | undefined): number | undefined =>
  minutes == null ? undefined : Math.round(minutes * MINUTE_MS)

/** There is no time of a change: of two versions the one that is read later is newer. */
const updatedMs = ({ date }: { readonly date: string }): number => Date.parse(`${date}T00:00:00Z`)

/** Fields of every record. The zone is that of the reading: what is stored of an earlier reading knows better where the person was. */
const headOf = (row: { readonly id: string; readonly date: string }, raw: Json) => ({
  providerId: row.id,
  updatedMs: updatedMs(row),
  scoreState: "scored" as const,
  raw,
})

/** Offsets of inhabited places are whole hours, or nearly so. */
const OFFSETS = Array.from({ length: 27 }, (_, index) => (index - 12) * 60)

/**
 * Returns the UTC offset where a night of a date ended: that of the zone, unless the night ended there on another date. Then the person was
 * elsewhere, at an offset that is not told, and the nearest one by which the date is right stands for it.
 */
function offsetOfNight({ date, zone }: UltrahumanSleep, endMs: number): number {
  const ofZone = offsetInZone(endMs, zone)
  const nearest = [ofZone, ...OFFSETS].toSorted((one, other) => Math.abs(one - ofZone) - Math.abs(other - ofZone))
  return nearest.find((offset) => localDateOf(new Date(endMs), offset) === date) ?? ofZone
}

function normalizeSleep(row: UltrahumanSleep, raw: Json): NormalizedSleep {
  const { sleep, zone } = row
  const [startMs, endMs] = [sleep.bedtime_start * SECOND_MS, sleep.bedtime_end * SECOND_MS]
  const endOffset = offsetOfNight(row, endMs)
  const isOfZone = endOffset === offsetInZone(endMs, zone)
  const stages = stagesOf(sleep)
  return {
    kind: "sleep",
    ...headOf(row, raw),
    startMs,
    endMs,
    utcOffsetMinutes: endOffset,
    startUtcOffsetMinutes: isOfZone ? offsetInZone(startMs, zone) : endOffset,
    endUtcOffsetMinutes: endOffset,
    keepsFirstOffset: true,
    ...(row.is_zone_unknown && { isOffsetUnknown: true as const }),
    // Naps are not marked.
    isNap: false,
    durationMs: inMs(sleep.time_in_bed?.minutes) ?? endMs - startMs,
    ...known({
      scorePercent: sleep.sleep_score?.score,
      efficiencyPercent: measured(sleep.sleep_efficiency?.percentage),
      stages,
      asleepMs: stages ? undefined : inMs(measured(sleep.total_sleep?.minutes)),
      course: courseOfGraph(sleep, { startMs, endMs }),
    }),
  }
}

const PHASES: Readonly<Record<StageName, SleepPhase>> = {
  deep_sleep: "deep",
  light_sleep: "light",
  rem_sleep: "rem",
  awake: "awake",
}

/** Stages are all or none, and add up to the time asleep but for its rounding. */
const ROUNDED_MS = 2 * MINUTE_MS

function stagesOf(sleep: UltrahumanSleep["sleep"]): KnownStages | undefined {
  const staged = (name: StageName): number | undefined => {
    const found = sleep.sleep_stages?.find(({ type, stage_time: time }) => type === name && time != null)?.stage_time
    return found == null ? undefined : Math.round(found * SECOND_MS)
  }
  const lightMs = inMs(sleep.light_sleep?.minutes) ?? staged("light_sleep")
  const deepMs = inMs(sleep.deep_sleep?.minutes) ?? staged("deep_sleep")
  const remMs = inMs(sleep.rem_sleep?.minutes) ?? staged("rem_sleep")
  const awakeMs = staged("awake") ?? awakeOfGraph(sleep)
  if (lightMs === undefined || deepMs === undefined || remMs === undefined || awakeMs === undefined) return undefined
  const asleepMs = inMs(measured(sleep.total_sleep?.minutes))
  if (asleepMs !== undefined && Math.abs(asleepMs - lightMs - deepMs - remMs) > ROUNDED_MS) return undefined
  return { lightMs, deepMs, remMs, awakeMs }
}

/** Returns the spans of a hypnogram, each once, oldest first. Undefined where some overlap: nobody is in two stages. */
function spansOf(sleep: UltrahumanSleep["sleep"]): readonly PhaseSpan[] | undefined {
  const spans = new Map(
    (sleep.sleep_graph?.data ?? []).map(({ start, end, type }): [string, PhaseSpan] => [
      `${start} ${end} ${type}`,
      { phase: PHASES[type], startMs: start * SECOND_MS, endMs: end * SECOND_MS },
    ]),
  )
  const ordered = [...spans.values()]
    .filter(({ startMs, endMs }) => endMs > startMs)
    .toSorted((one, other) => one.startMs - other.startMs)
  const isOrdered = ordered.every(({ startMs }, index) => startMs >= (ordered[index - 1]?.endMs ?? startMs))
  return isOrdered && ordered.length > 0 ? ordered : undefined
}

const awakeOfGraph = (sleep: UltrahumanSleep["sleep"]): number | undefined =>
  spansOf(sleep)?.reduce((sum, { phase, startMs, endMs }) => sum + (phase === "awake" ? endMs - startMs : 0), 0)

function courseOfGraph(
  sleep: UltrahumanSleep["sleep"],
  times: { readonly startMs: number; readonly endMs: number },
): SleepCourse | undefined {
  const spans = spansOf(sleep)
  return spans && courseOf(spans, times)
}

/** The figures of a date. Those of today may still come. */
function normalizeRecovery(row: UltrahumanRecovery, raw: Json, now: Date): NormalizedRecovery {
  const { sleep, date, zone } = row
  const figures = known({
    scorePercent: row.recovery_index?.value,
    hrvMs: measured(row.avg_sleep_hrv?.value),
    restingHeartRateBpm: measured(row.sleep_rhr?.value) ?? measured(row.night_rhr?.avg),
    spo2Percent: measured(sleep?.spo2?.value) ?? measured(row.spo2?.avg),
    skinTempCelsius: measured(sleep?.average_body_temperature?.celsius),
    skinTempDeviationCelsius: sleep?.temperature_deviation?.celsius ?? sleep?.temperature_deviation?.value,
  })
  const isAwaited = Object.keys(figures).length === 0 && date >= dateInZone(now, zone)
  return {
    kind: "recovery",
    ...headOf(row, raw),
    scoreState: isAwaited ? "pending" : "scored",
    // Noon in UTC is on the same date wherever the person is.
    createdMs: Date.parse(`${date}T12:00:00Z`),
    ...known({ sleepProviderId: row.sleep_id }),
    ...figures,
  }
}

/** A day, from its first instant in the person's zone to the next one's. Today goes on. */
function normalizeCycle(row: UltrahumanCycle, raw: Json, now: Date): NormalizedCycle {
  const { date, zone, steps } = row
  const start = startOfDate(date, zone)
  const end = date >= dateInZone(now, zone) ? null : startOfDate(addDays(date, 1), zone)
  return {
    kind: "cycle",
    ...headOf(row, raw),
    startMs: start.ms,
    endMs: end?.ms ?? null,
    utcOffsetMinutes: start.utcOffsetMinutes,
    keepsFirstOffset: true,
    ...(row.is_zone_unknown && { isOffsetUnknown: true as const }),
    ...(end && { startUtcOffsetMinutes: start.utcOffsetMinutes, endUtcOffsetMinutes: end.utcOffsetMinutes }),
    ...known({ steps: steps?.total == null ? undefined : Math.round(steps.total) }),
  }
}

const setAside = {
  idSchema: UltrahumanIdSchema,
  occurrenceOf: (raw: Json): Occurrence | null => {
    const date = UltrahumanDateSchema.safeParse(raw).data
    return date === undefined ? null : { date }
  },
}

const readersAt = (now: Date): VendorRecords<RowKind> => ({
  readers: {
    sleep: recordReader(UltrahumanSleepSchema, normalizeSleep, setAside),
    recovery: recordReader(UltrahumanRecoverySchema, (row, raw) => normalizeRecovery(row, raw, now), setAside),
    cycle: recordReader(UltrahumanCycleSchema, (row, raw) => normalizeCycle(row, raw, now), setAside),
  },
  coverage: ULTRAHUMAN_COVERAGE,
  bounds: [],
})

/** A day is its steps. */
const hasFigures = (record: NormalizedRecord): boolean =>
  record.kind === "cycle" ? record.steps !== undefined : isNoEmptyRecovery(record)

/** Returns the records of a kind of a date. One that cannot be read is rejected, and one of which no figure is left is none. */
export const readDay = (kind: RowKind, day: ZonedDay, now: Date): ReadRecords =>
  readRecords(readersAt(now), kind, rowsOf(kind, day), hasFigures)

const SERIES: Readonly<Record<string, SeriesCoverage["type"]>> = {
  hr: "heart_rate",
  hrv: "hrv",
  spo2: "spo2",
  temp: "skin_temperature",
}

/** Returns the values within a date, one set for each type, each value of a moment once. */
export function seriesOf(days: readonly ZonedDay[]): SampleSet[] {
  return Object.entries(SERIES).map(([name, type]) => {
    const found = new Map<number, Sample>()
    for (const day of days)
      for (const entry of day.entries) {
        const { values } = entry.object
        if (entry.type !== name || !Array.isArray(values) || !isOfDate(day, entry)) continue
        for (const point of values) {
          const sample = UltrahumanPointSchema.safeParse(point).data
          if (!sample || sample.value === 0) continue
          const atMs = sample.timestamp * SECOND_MS
          found.set(atMs, { atMs, value: sample.value })
        }
      }
    return { type, samples: [...found.values()] }
  })
}
