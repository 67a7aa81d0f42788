/** The answer of both peers: nights in the form of the service, written for this one type. */
import { z } from "zod"

/** Options of the peers. */
export const PeerSchema = z.object({ database: z.record(z.string(), z.union([z.string(), z.number()])) })

export const SLEEP_STATEMENT = `
select date::text as date, score_state, detail from restwell.record
where user_id = $1 and provider = 'whoop' and kind = 'sleep' and date between $2 and $3
order by started_at desc`

export interface SleepRow {
  readonly date: string
  readonly score_state: string
  readonly detail: {
    readonly consistencyPercent?: number
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

export const sleepAnswer = (rows: readonly SleepRow[]) => ({
  records: rows.map(({ date, score_state, detail: { data, consistencyPercent } }) => ({
    id: data.id,
    date,
    start: data.start,
    end: data.end,
    duration_hours: hours(data.durationMs),
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
    chosen_because: "only_one",
  })),
  count: rows.length,
})
