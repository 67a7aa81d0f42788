/* Records with given figures, for the rules that are about figures. */
import type { NormalizedRecord, NormalizedWorkout } from "@restwell/providers"
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./lives.ts"

export interface NightFigures {
  readonly asleepMinutes: number
  readonly restingHeartRate: number
  readonly hrv: number
}

const UPDATED_MS = Date.parse("2026-10-21T12:00:00Z")
const FIRST_DAY_MS = Date.parse("2026-06-01T00:00:00Z")
const envelope = (providerId: string) => ({
  providerId,
  updatedMs: UPDATED_MS,
  scoreState: "scored" as const,
  raw: {},
})

/** The date a number of days after the first one, YYYY-MM-DD. */
export const dateOfDay = (day: number): string => new Date(FIRST_DAY_MS + day * DAY_MS).toISOString().slice(0, 10)

/** A night in UTC, and its recovery. */
export function plainNight(day: number, figures: NightFigures): NormalizedRecord[] {
  const { asleepMinutes, restingHeartRate, hrv } = figures
  const startMs = FIRST_DAY_MS + day * DAY_MS - 2 * HOUR_MS
  const endMs = startMs + 10 * HOUR_MS
  const sleep = envelope(`night-${day}`)
  const asleepMs = asleepMinutes * MINUTE_MS
  const stages = { lightMs: asleepMs - 90 * MINUTE_MS, deepMs: 40 * MINUTE_MS, remMs: 50 * MINUTE_MS }
  return [
    {
      ...sleep,
      kind: "sleep",
      startMs,
      endMs,
      utcOffsetMinutes: 0,
      durationMs: 10 * HOUR_MS,
      isNap: false,
      stages: { ...stages, awakeMs: 10 * HOUR_MS - asleepMs },
    },
    {
      ...envelope(`recovery-${day}`),
      kind: "recovery",
      sleepProviderId: sleep.providerId,
      createdMs: endMs,
      scorePercent: 60,
      hrvMs: hrv,
      restingHeartRateBpm: restingHeartRate,
    },
  ]
}

/** A workout in UTC. */
export function plainWorkout(day: number, span: { startMinute: number; minutes: number }): NormalizedWorkout {
  const startMs = FIRST_DAY_MS + day * DAY_MS + span.startMinute * MINUTE_MS
  const durationMs = span.minutes * MINUTE_MS
  return {
    ...envelope(`workout-${day}`),
    kind: "workout",
    startMs,
    endMs: startMs + durationMs,
    utcOffsetMinutes: 0,
    countsAsWorkout: true,
    durationMs,
    sportType: "running",
  }
}
