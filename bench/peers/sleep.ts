/** The answer of both peers: nights in the form of the service, written for this one type. */
import { MINUTE_MS } from "@restwell/client/time-units"
import { z } from "zod"

/** Options of the peers. */
export const PeerSchema = z.object({ database: z.record(z.string(), z.union([z.string(), z.number()])) })

export const SLEEP_STATEMENT = `
select date::text as date, score_state, utc_offset_minutes, detail from restwell.record
where user_id = $1 and provider = 'whoop' and kind = 'sleep' and date between $2 and $3
order by started_at desc`

export interface SleepRow {
  readonly date: string
  readonly score_state: string
  readonly utc_offset_minutes: number
  readonly detail: {
    readonly providerId: string
    readonly startMs: number
    readonly endMs: number
    readonly durationMs: number
    readonly isNap: boolean
    readonly scorePercent?: number
    readonly efficiencyPercent?: number
    readonly consistencyPercent?: number
    readonly respiratoryRatePerMinute?: number
    readonly needMs?: number
    readonly needParts?: { baselineMs: number; debtMs: number; strainMs: number; napMs: number }
    readonly timesAwake?: number
    readonly latencyMs?: number
    readonly stages?: { lightMs: number; deepMs: number; remMs: number; awakeMs: number }
  }
}

const tenth = (value: number | undefined): number | null =>
  value === undefined ? null : Math.round(value * 10 + 1e-6) / 10
const hours = (milliseconds: number | undefined): number | null =>
  milliseconds === undefined ? null : Math.round(milliseconds / 36_000) / 100

const two = (number: number): string => String(number).padStart(2, "0")

function localTime(instantMs: number, offsetMinutes: number): string {
  const clock = new Date(instantMs + offsetMinutes * MINUTE_MS).toISOString().slice(0, 19)
  const distance = Math.abs(offsetMinutes)
  return `${clock}${offsetMinutes < 0 ? "-" : "+"}${two(Math.floor(distance / 60))}:${two(distance % 60)}`
}

const asleepMs = (stages: SleepRow["detail"]["stages"]): number | undefined =>
  stages && stages.lightMs + stages.deepMs + stages.remMs

const partsOfNeed = (parts: SleepRow["detail"]["needParts"]) =>
  parts
    ? [
        { name: "need_baseline", value: hours(parts.baselineMs), unit: "h" },
        { name: "need_from_sleep_debt", value: hours(parts.debtMs), unit: "h" },
        { name: "need_from_recent_strain", value: hours(parts.strainMs), unit: "h" },
        { name: "need_from_recent_nap", value: hours(parts.napMs), unit: "h" },
      ]
    : []

export const sleepAnswer = (rows: readonly SleepRow[]) => ({
  records: rows.map(({ date, score_state, utc_offset_minutes, detail }) => ({
    id: `whoop-${detail.providerId}`,
    date,
    start: new Date(detail.startMs).toISOString(),
    end: new Date(detail.endMs).toISOString(),
    start_local: localTime(detail.startMs, utc_offset_minutes),
    end_local: localTime(detail.endMs, utc_offset_minutes),
    duration_hours: hours(detail.durationMs),
    asleep_hours: hours(asleepMs(detail.stages)),
    need_hours: hours(detail.needMs),
    is_nap: detail.isNap,
    score_state,
    score: {
      performance: tenth(detail.scorePercent),
      efficiency: tenth(detail.efficiencyPercent),
      consistency: tenth(detail.consistencyPercent),
    },
    stages: {
      light_hours: hours(detail.stages?.lightMs),
      deep_hours: hours(detail.stages?.deepMs),
      rem_hours: hours(detail.stages?.remMs),
      awake_hours: hours(detail.stages?.awakeMs),
    },
    respiratory_rate: tenth(detail.respiratoryRatePerMinute),
    times_awake: detail.timesAwake ?? null,
    latency_minutes: tenth(detail.latencyMs === undefined ? undefined : detail.latencyMs / MINUTE_MS),
    contributors: partsOfNeed(detail.needParts),
    source: "whoop",
    device: null,
    chosen_because: "only_one",
  })),
  count: rows.length,
})
