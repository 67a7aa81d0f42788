import type { HealthType, ProfileData, ScoreState } from "@restwell/client"
import { sql } from "kysely"
import type { ConnectionStatus } from "../connection/connection-status.ts"
import type { Context } from "../context.ts"
import type { StoredCycle, StoredRecovery, StoredSleep, StoredWorkout } from "./stored-record.ts"

/** One read as the database function takes it. */
export interface HealthRead {
  readonly key_hash?: string
  readonly user_id?: string
  /** Only who asks and what the month still allows. */
  readonly peek: boolean
  readonly charge: boolean
  /** What was asked for, as it is written to the access log. */
  readonly type: HealthType
  readonly kinds: readonly string[]
  readonly wants_profile: boolean
  readonly days: number
  readonly start_date?: string
  readonly end_date?: string
  readonly tag_prefix: string
  readonly if_none_match: readonly string[]
}

interface Fact<Kind extends string, Detail> {
  readonly kind: Kind
  readonly date: string
  readonly scoreState: ScoreState
  readonly cycleProviderId: string | null
  readonly skinTempDeviation: number | null
  readonly detail: Detail
}
export type SleepFact = Fact<"sleep", StoredSleep>
export type RecoveryFact = Fact<"recovery", StoredRecovery>
export type WorkoutFact = Fact<"workout", StoredWorkout>
export type CycleFact = Fact<"cycle", StoredCycle>
/** A stored record as an answer needs it. */
export type HealthFact = SleepFact | RecoveryFact | WorkoutFact | CycleFact

interface Known {
  readonly user_id: string
  readonly monthly_limit: number
  readonly used: number
}

interface Ranged extends Known {
  readonly from_date: string
  readonly to_date: string
  readonly today: string
}

export interface HealthAnswerRow extends Ranged {
  readonly outcome: "answer"
  readonly etag: string
  readonly sync_due: boolean
  readonly utc_offset_minutes: number | null
  readonly time_zone: string | null
  readonly provider: string
  readonly status: Exclude<ConnectionStatus, "disconnected">
  readonly last_synced_at: Date | null
  readonly records: HealthFact[]
  readonly profile: ProfileData | null
}

/** What the database function answers to one read. */
export type HealthRow =
  | { readonly outcome: "unauthorized" }
  | ({ readonly outcome: "peeked" | "no_provider" } & Known)
  | ({ readonly outcome: "invalid_range" } & Ranged)
  | ({ readonly outcome: "quota_exceeded"; readonly sync_due: boolean; readonly provider: string } & Ranged)
  | ({
      readonly outcome: "not_modified"
      readonly etag: string
      readonly sync_due: boolean
      readonly provider: string
    } & Ranged)
  | HealthAnswerRow

/** Takes any number of reads in one round trip, in the order given. */
export async function readHealthRows(
  { database, clock, plans }: Pick<Context, "database" | "clock" | "plans">,
  reads: readonly HealthRead[],
): Promise<HealthRow[]> {
  const requests = JSON.stringify(reads.map((read, position) => ({ ...read, position })))
  const { rows } = await sql<HealthRow>`
    select * from restwell.read_health(${requests}::jsonb, ${clock.now()}, ${JSON.stringify(plans)}::jsonb) order by "position"
  `.execute(database)
  return rows
}
