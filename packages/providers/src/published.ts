// The specification's records: the one place where they are made, from the one record of each kind.
import type { CycleData, RecoveryData, SleepData, WorkoutData } from "@restwell/client"
import type {
  NormalizedCycle,
  NormalizedRecord,
  NormalizedRecovery,
  NormalizedSleep,
  NormalizedWorkout,
} from "./contract/records.ts"
import { known, knownOrNone } from "./normalize/known.ts"

const identityOf = (provider: string, { providerId }: NormalizedRecord) => ({
  id: `${provider}-${providerId}`,
  providerId,
})

const iso = (ms: number): string => new Date(ms).toISOString()

/** A sleep. Its stages are there where all four are known. */
export const sleepDataOf = (provider: string, sleep: NormalizedSleep): SleepData => ({
  ...identityOf(provider, sleep),
  start: iso(sleep.startMs),
  end: iso(sleep.endMs),
  durationMs: sleep.durationMs,
  isNap: sleep.isNap,
  ...known({
    score: sleep.scorePercent,
    stages: stagesOf(sleep),
    metrics: knownOrNone({ efficiency: sleep.efficiencyPercent, respiratoryRate: sleep.respiratoryRatePerMinute }),
  }),
})

function stagesOf({ stages }: NormalizedSleep): SleepData["stages"] {
  return stages?.remMs === undefined ? undefined : { ...stages, remMs: stages.remMs }
}

/** A recovery. @param date that of its sleep @param skinTemp deviation from the nights before, degrees Celsius */
export const recoveryDataOf = (
  provider: string,
  recovery: NormalizedRecovery,
  { date, skinTemp }: { readonly date: string; readonly skinTemp: number | undefined },
): RecoveryData => ({
  ...identityOf(provider, recovery),
  date,
  ...known({
    score: recovery.scorePercent,
    metrics: knownOrNone({
      hrv: recovery.hrvMs,
      restingHeartRate: recovery.restingHeartRateBpm,
      spo2: recovery.spo2Percent,
      skinTemp,
    }),
  }),
})

export const workoutDataOf = (provider: string, workout: NormalizedWorkout): WorkoutData => ({
  ...identityOf(provider, workout),
  start: iso(workout.startMs),
  end: iso(workout.endMs),
  durationMs: workout.durationMs,
  sportType: workout.sportType,
  ...known({
    strain: workout.strain,
    metrics: knownOrNone({ ...effortOf(workout), distance: workout.distanceMeters }),
  }),
})

/** A cycle. @param date that of its main sleep */
export const cycleDataOf = (provider: string, cycle: NormalizedCycle, date: string): CycleData => ({
  ...identityOf(provider, cycle),
  date,
  start: iso(cycle.startMs),
  ...(cycle.endMs !== null && { end: iso(cycle.endMs) }),
  ...known({ strain: cycle.strain, metrics: knownOrNone(effortOf(cycle)) }),
})

const effortOf = ({ averageHeartRateBpm, maxHeartRateBpm, energyKcal }: NormalizedCycle | NormalizedWorkout) => ({
  averageHeartRate: averageHeartRateBpm,
  maxHeartRate: maxHeartRateBpm,
  calories: energyKcal,
})
