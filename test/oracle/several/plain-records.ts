/* Records with given figures, for the rules that are about figures. */
import type { NormalizedRecord, NormalizedWorkout } from "@restwell/providers"
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./lives.ts"

export interface NightFigures {
  readonly asleepMinutes: number
  readonly restingHeartRate: number
  readonly hrv: number
}

const UPDATED_AT = new Date("2026-10-21T12:00:00Z")
const FIRST_DAY_MS = Date.parse("2026-06-01T00:00:00Z")
const common = (provider: string, providerId: string) => ({
  envelope: { providerId, updatedAt: UPDATED_AT, scoreState: "scored" as const, raw: {} },
  ids: { id: `${provider}-${providerId}`, providerId },
})

/** The date a number of days after the first one, YYYY-MM-DD. */
export const dateOfDay = (day: number): string => new Date(FIRST_DAY_MS + day * DAY_MS).toISOString().slice(0, 10)

/** A night in UTC, and its recovery. */
export function plainNight(provider: string, day: number, figures: NightFigures): NormalizedRecord[] {
  const { asleepMinutes, restingHeartRate, hrv } = figures
  const startedAt = new Date(FIRST_DAY_MS + day * DAY_MS - 2 * HOUR_MS)
  const endedAt = new Date(startedAt.getTime() + 10 * HOUR_MS)
  const sleep = common(provider, `night-${day}`)
  const recovery = common(provider, `recovery-${day}`)
  const asleepMs = asleepMinutes * MINUTE_MS
  const stages = { lightMs: asleepMs - 90 * MINUTE_MS, deepMs: 40 * MINUTE_MS, remMs: 50 * MINUTE_MS }
  return [
    {
      ...sleep.envelope,
      kind: "sleep",
      startedAt,
      endedAt,
      utcOffsetMinutes: 0,
      data: {
        ...sleep.ids,
        start: startedAt.toISOString(),
        end: endedAt.toISOString(),
        durationMs: 10 * HOUR_MS,
        isNap: false,
        stages: { ...stages, awakeMs: 10 * HOUR_MS - asleepMs },
      },
    },
    {
      ...recovery.envelope,
      kind: "recovery",
      sleepProviderId: sleep.ids.providerId,
      createdAt: endedAt,
      data: { ...recovery.ids, score: 60, metrics: { hrv, restingHeartRate } },
    },
  ]
}

/** A workout in UTC. */
export function plainWorkout(
  provider: string,
  day: number,
  span: { startMinute: number; minutes: number },
): NormalizedWorkout {
  const { envelope, ids } = common(provider, `workout-${day}`)
  const startedAt = new Date(FIRST_DAY_MS + day * DAY_MS + span.startMinute * MINUTE_MS)
  const durationMs = span.minutes * MINUTE_MS
  const endedAt = new Date(startedAt.getTime() + durationMs)
  return {
    ...envelope,
    kind: "workout",
    startedAt,
    endedAt,
    utcOffsetMinutes: 0,
    countsAsWorkout: true,
    data: { ...ids, start: startedAt.toISOString(), end: endedAt.toISOString(), durationMs, sportType: "running" },
  }
}
