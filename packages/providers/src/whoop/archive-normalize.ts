// From the rows of WHOOP's data export to the normalised records: pure, and the only file that converts the export's units.

import type { ScoreState } from "@restwell/client"
import { MINUTE_MS } from "@restwell/client/time-units"
import type { ArchivedRecord } from "../archive/archive-items.ts"
import type { Json, ZoneDurations } from "../contract/records.ts"
import { cycleDate, localDateOf } from "../normalize/derive.ts"
import { known, knownOrNone } from "../normalize/known.ts"
import { sportTypeOf } from "../normalize/vocabulary.ts"
import type { CycleRow, SleepRow, WorkoutRow } from "./archive-values.ts"
import { WHOOP } from "./normalize.ts"
import { isRecoveryActivity } from "./sports.ts"

/** The export has no ids, so a record is known by its kind and the second in which it starts. */
const idOf = (start: Date): string => `archive-${start.toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`

const ids = (providerId: string) => ({ id: `${WHOOP}-${providerId}`, providerId })

interface OfCycle {
  /** True for the cycle that is still running. */
  readonly is_open: boolean
  readonly time_zone: number
}

const instantOf = ({ time_zone }: OfCycle, local: number): Date => new Date(local - time_zone * MINUTE_MS)

/** Blank scores of the open cycle are pending. Those of a past cycle stay blank. */
const stateOf = ({ is_open: isOpen }: OfCycle, isScored: boolean): ScoreState =>
  isScored ? "scored" : isOpen ? "pending" : "unscorable"

const minutes = (value: number | undefined): number | undefined => (value === undefined ? undefined : value * MINUTE_MS)

export function normalizeCycleRow(row: CycleRow, raw: Json): ArchivedRecord {
  const startedAt = instantOf(row, row.cycle_start)
  const endedAt = row.cycle_end === undefined ? null : instantOf(row, row.cycle_end)
  const utcOffsetMinutes = row.time_zone
  const { strain, calories, average_heart_rate: averageHeartRate, max_heart_rate: maxHeartRate } = row
  const providerId = idOf(startedAt)
  return {
    date: dateOf(row),
    startedAt,
    endedAt,
    utcOffsetMinutes,
    record: {
      kind: "cycle",
      providerId,
      updatedAt: endedAt ?? startedAt,
      scoreState: stateOf(row, strain !== undefined),
      raw,
      startedAt,
      endedAt,
      utcOffsetMinutes,
      data: {
        ...ids(providerId),
        start: startedAt.toISOString(),
        ...known({
          end: endedAt?.toISOString(),
          strain,
          metrics: knownOrNone({ averageHeartRate, maxHeartRate, calories }),
        }),
      },
    },
  }
}

/** The recovery of a cycle, or undefined for a cycle without its figures. */
export function normalizeRecoveryRow(row: CycleRow, raw: Json): ArchivedRecord | undefined {
  const { recovery: score, hrv, resting_heart_rate: restingHeartRate, spo2, skin_temp: skinTempCelsius } = row
  const isEmpty = [score, hrv, restingHeartRate, spo2, skinTempCelsius].every((value) => value === undefined)
  if (isEmpty) return undefined
  const cycleStart = instantOf(row, row.cycle_start)
  const startedAt = row.sleep_onset === undefined ? cycleStart : instantOf(row, row.sleep_onset)
  const createdAt = row.wake_onset === undefined ? cycleStart : instantOf(row, row.wake_onset)
  const providerId = idOf(cycleStart)
  return {
    date: dateOf(row),
    startedAt,
    endedAt: null,
    utcOffsetMinutes: row.time_zone,
    record: {
      kind: "recovery",
      providerId,
      updatedAt: createdAt,
      scoreState: stateOf(row, score !== undefined),
      raw,
      cycleProviderId: providerId,
      createdAt,
      ...known({ sleepProviderId: row.sleep_onset === undefined ? undefined : idOf(startedAt), skinTempCelsius }),
      data: { ...ids(providerId), ...known({ score, metrics: knownOrNone({ hrv, restingHeartRate, spo2 }) }) },
    },
  }
}

/** The local date of waking, or 12 hours after the cycle's start without a sleep. */
function dateOf(row: CycleRow): string {
  const cycle = { startedAt: instantOf(row, row.cycle_start), utcOffsetMinutes: row.time_zone }
  const wake = row.wake_onset
  return cycleDate(cycle, wake === undefined ? undefined : { ...cycle, endedAt: instantOf(row, wake) })
}

/** The main sleep in a row of the cycles. Undefined for a cycle without one. */
export const sleepOfCycle = (row: CycleRow): SleepRow | undefined =>
  row.sleep_onset === undefined || row.wake_onset === undefined
    ? undefined
    : { ...row, sleep_onset: row.sleep_onset, wake_onset: row.wake_onset, nap: false }

export function normalizeSleepRow(row: SleepRow, raw: Json): ArchivedRecord {
  const startedAt = instantOf(row, row.sleep_onset)
  const endedAt = instantOf(row, row.wake_onset)
  const utcOffsetMinutes = row.time_zone
  const providerId = idOf(startedAt)
  return {
    date: localDateOf(endedAt, utcOffsetMinutes),
    startedAt,
    endedAt,
    utcOffsetMinutes,
    record: {
      kind: "sleep",
      providerId,
      updatedAt: endedAt,
      scoreState: stateOf(row, row.performance !== undefined || row.asleep_minutes !== undefined),
      raw,
      startedAt,
      endedAt,
      utcOffsetMinutes,
      ...known({
        cycleProviderId: row.cycle_start === undefined ? undefined : idOf(instantOf(row, row.cycle_start)),
        consistencyPercent: row.consistency,
        needMs: minutes(row.need_minutes),
      }),
      data: {
        ...ids(providerId),
        start: startedAt.toISOString(),
        end: endedAt.toISOString(),
        durationMs: minutes(row.in_bed_minutes) ?? endedAt.getTime() - startedAt.getTime(),
        isNap: row.nap,
        ...known({
          score: row.performance,
          stages: stagesOf(row),
          metrics: knownOrNone({ efficiency: row.efficiency, respiratoryRate: row.respiratory_rate }),
        }),
      },
    },
  }
}

/** All four, or none. */
function stagesOf(row: SleepRow) {
  const [lightMs, deepMs] = [minutes(row.light_minutes), minutes(row.deep_minutes)]
  const [remMs, awakeMs] = [minutes(row.rem_minutes), minutes(row.awake_minutes)]
  if (lightMs === undefined || deepMs === undefined || remMs === undefined || awakeMs === undefined) return undefined
  return { lightMs, deepMs, remMs, awakeMs }
}

export function normalizeWorkoutRow(row: WorkoutRow, raw: Json): ArchivedRecord {
  const startedAt = instantOf(row, row.workout_start)
  const endedAt = instantOf(row, row.workout_end)
  const utcOffsetMinutes = row.time_zone
  const durationMs = endedAt.getTime() - startedAt.getTime()
  const { strain, calories, distance, average_heart_rate: averageHeartRate, max_heart_rate: maxHeartRate } = row
  const sportName = row.activity ?? "activity"
  const providerId = idOf(startedAt)
  return {
    date: localDateOf(startedAt, utcOffsetMinutes),
    startedAt,
    endedAt,
    utcOffsetMinutes,
    record: {
      kind: "workout",
      providerId,
      updatedAt: endedAt,
      scoreState: stateOf(row, strain !== undefined),
      raw,
      startedAt,
      endedAt,
      utcOffsetMinutes,
      countsAsWorkout: !isRecoveryActivity(sportName),
      ...known({ zones: zonesOf(row, durationMs) }),
      data: {
        ...ids(providerId),
        start: startedAt.toISOString(),
        end: endedAt.toISOString(),
        durationMs,
        sportType: sportTypeOf(sportName),
        ...known({ strain, metrics: knownOrNone({ averageHeartRate, maxHeartRate, calories, distance }) }),
      },
    },
  }
}

/** The export has the shares of zones 1 to 5. The rest of the workout is below them, in zone 0. */
function zonesOf(row: WorkoutRow, durationMs: number): ZoneDurations | undefined {
  const { zone_1: one, zone_2: two, zone_3: three, zone_4: four, zone_5: five } = row
  if (one === undefined || two === undefined || three === undefined || four === undefined || five === undefined)
    return undefined
  const part = (percent: number): number => Math.round((durationMs * percent) / 100)
  return {
    zone0Ms: part(Math.max(0, 100 - one - two - three - four - five)),
    zone1Ms: part(one),
    zone2Ms: part(two),
    zone3Ms: part(three),
    zone4Ms: part(four),
    zone5Ms: part(five),
  }
}
