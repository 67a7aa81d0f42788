// From the rows of WHOOP's data export to the normalised records: pure, and the only file that converts the export's units.

import type { ScoreState } from "@restwell/client"
import { MINUTE_MS } from "@restwell/client/time-units"
import type { ArchivedRecord } from "../archive/archive-items.ts"
import type { Json, ZoneDurations } from "../contract/records.ts"
import { cycleDate, localDateOf } from "../normalize/derive.ts"
import { known, knownOrNone } from "../normalize/known.ts"
import { sportTypeOf } from "../normalize/vocabulary.ts"
import type { CycleRow, SleepRow, WorkoutRow } from "./archive-values.ts"
import { isRecoveryActivity } from "./sports.ts"

/** The export has no ids, so a record is known by its kind and the second in which it starts. */
const idOf = (start: Date): string => `archive-${start.toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`

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
  const providerId = idOf(startedAt)
  return {
    date: dateOf(row),
    startedAt,
    utcOffsetMinutes,
    record: {
      kind: "cycle",
      providerId,
      updatedMs: (endedAt ?? startedAt).getTime(),
      scoreState: stateOf(row, row.strain !== undefined),
      raw,
      startMs: startedAt.getTime(),
      endMs: endedAt?.getTime() ?? null,
      utcOffsetMinutes,
      ...known(effortOf(row)),
    },
  }
}

const effortOf = (row: CycleRow | WorkoutRow) => ({
  strain: row.strain,
  averageHeartRateBpm: row.average_heart_rate,
  maxHeartRateBpm: row.max_heart_rate,
  energyKcal: row.calories,
})

/** The recovery of a cycle, or undefined for a cycle without its figures. */
export function normalizeRecoveryRow(row: CycleRow, raw: Json): ArchivedRecord | undefined {
  const figures = knownOrNone({
    scorePercent: row.recovery,
    hrvMs: row.hrv,
    restingHeartRateBpm: row.resting_heart_rate,
    spo2Percent: row.spo2,
    skinTempCelsius: row.skin_temp,
  })
  if (!figures) return undefined
  const cycleStart = instantOf(row, row.cycle_start)
  const startedAt = row.sleep_onset === undefined ? cycleStart : instantOf(row, row.sleep_onset)
  const createdAt = row.wake_onset === undefined ? cycleStart : instantOf(row, row.wake_onset)
  const providerId = idOf(cycleStart)
  return {
    date: dateOf(row),
    startedAt,
    utcOffsetMinutes: row.time_zone,
    record: {
      kind: "recovery",
      providerId,
      updatedMs: createdAt.getTime(),
      scoreState: stateOf(row, row.recovery !== undefined),
      raw,
      cycleProviderId: providerId,
      createdMs: createdAt.getTime(),
      ...known({ sleepProviderId: row.sleep_onset === undefined ? undefined : idOf(startedAt) }),
      ...figures,
    },
  }
}

/** The local date of waking, or 12 hours after the cycle's start without a sleep. */
function dateOf(row: CycleRow): string {
  const cycle = { startMs: instantOf(row, row.cycle_start).getTime(), utcOffsetMinutes: row.time_zone }
  const wake = row.wake_onset
  return cycleDate(cycle, wake === undefined ? undefined : { ...cycle, endMs: instantOf(row, wake).getTime() })
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
    utcOffsetMinutes,
    record: {
      kind: "sleep",
      providerId,
      updatedMs: endedAt.getTime(),
      scoreState: stateOf(row, row.performance !== undefined || row.asleep_minutes !== undefined),
      raw,
      startMs: startedAt.getTime(),
      endMs: endedAt.getTime(),
      utcOffsetMinutes,
      isNap: row.nap,
      durationMs: minutes(row.in_bed_minutes) ?? endedAt.getTime() - startedAt.getTime(),
      ...known({
        cycleProviderId: row.cycle_start === undefined ? undefined : idOf(instantOf(row, row.cycle_start)),
        scorePercent: row.performance,
        efficiencyPercent: row.efficiency,
        consistencyPercent: row.consistency,
        respiratoryRatePerMinute: row.respiratory_rate,
        needMs: minutes(row.need_minutes),
        stages: stagesOf(row),
      }),
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
  const sportName = row.activity ?? "activity"
  const providerId = idOf(startedAt)
  return {
    date: localDateOf(startedAt, utcOffsetMinutes),
    startedAt,
    utcOffsetMinutes,
    record: {
      kind: "workout",
      providerId,
      updatedMs: endedAt.getTime(),
      scoreState: stateOf(row, row.strain !== undefined),
      raw,
      startMs: startedAt.getTime(),
      endMs: endedAt.getTime(),
      utcOffsetMinutes,
      durationMs,
      sportType: sportTypeOf(sportName),
      countsAsWorkout: !isRecoveryActivity(sportName),
      ...known({ ...effortOf(row), distanceMeters: row.distance, zones: zonesOf(row, durationMs) }),
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
