/** The answer of both peers: nights in the form of the service, written for this one type. */
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
    readonly consistencyPercent?: number
    readonly needMs?: number
    readonly data: {
      readonly id: string
      readonly start: string
      readonly end: string
      readonly durationMs: number
      readonly isNap: boolean
      readonly score?: number
      readonly stages?: { lightMs: number; deepMs: number; remMs: number; awakeMs: number }
      readonly metrics?: { efficiency?: number; respiratoryRate?: number }
    }
  }
}

const tenth = (value: number | undefined): number | null =>
  value === undefined ? null : Math.round(value * 10 + 1e-6) / 10
const hours = (milliseconds: number | undefined): number | null =>
  milliseconds === undefined ? null : Math.round(milliseconds / 36_000) / 100

const two = (number: number): string => String(number).padStart(2, "0")

function localTime(instant: string, offsetMinutes: number): string {
  const clock = new Date(Date.parse(instant) + offsetMinutes * 60_000).toISOString().slice(0, 19)
  const distance = Math.abs(offsetMinutes)
  return `${clock}${offsetMinutes < 0 ? "-" : "+"}${two(Math.floor(distance / 60))}:${two(distance % 60)}`
}

const asleepMs = (stages: SleepRow["detail"]["data"]["stages"]): number | undefined =>
  stages && stages.lightMs + stages.deepMs + stages.remMs

export const sleepAnswer = (rows: readonly SleepRow[]) => ({
  records: rows.map(({ date, score_state, utc_offset_minutes, detail: { data, consistencyPercent, needMs } }) => ({
    id: data.id,
    date,
    start: data.start,
    end: data.end,
    start_local: localTime(data.start, utc_offset_minutes),
    end_local: localTime(data.end, utc_offset_minutes),
    duration_hours: hours(data.durationMs),
    asleep_hours: hours(asleepMs(data.stages)),
    need_hours: hours(needMs),
    is_nap: data.isNap,
    score_state,
    score: {
      performance: tenth(data.score),
      efficiency: tenth(data.metrics?.efficiency),
      consistency: tenth(consistencyPercent),
    },
    stages: {
      light_hours: hours(data.stages?.lightMs),
      deep_hours: hours(data.stages?.deepMs),
      rem_hours: hours(data.stages?.remMs),
      awake_hours: hours(data.stages?.awakeMs),
    },
    respiratory_rate: tenth(data.metrics?.respiratoryRate),
    source: "whoop",
    device: null,
    chosen_because: "only_one",
  })),
  count: rows.length,
})
