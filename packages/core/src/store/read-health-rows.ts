import type { HealthType, ProfileData, ScoreState } from "@restwell/client"
import type { Pool } from "pg"
import type { Context } from "../context/context.ts"
import { againAfterDeadlock } from "./again-after-deadlock.ts"
import type { ConnectionStatus } from "./connection.ts"
import type { StoredCycle, StoredRecovery, StoredSleep, StoredWorkout } from "./stored-record.ts"

/** One read, or several equal ones of the same moment, as the database function takes them. */
export interface HealthRead {
  readonly key_hash?: string
  readonly user_id?: string
  /** Only who asks and what the month still allows. */
  readonly peek: boolean
  readonly charge: boolean
  /** How many equal reads this is. */
  readonly times: number
  /** What was asked for, as it is written to the access log. */
  readonly type: HealthType
  readonly kinds: readonly string[]
  readonly wants_profile: boolean
  readonly days: number
  readonly start_date?: string
  readonly end_date?: string
  readonly tag_prefix: string
  readonly if_none_match: readonly string[]
  /** Records are wanted as this presentation shows them, where they are stored so; left out, all are wanted as rows. */
  readonly shown_as?: string
  /** The entity tag of a body that is there already, and the records it is made of: it is not read again. */
  readonly held?: string
  readonly held_count?: number
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
  /** The month's count before this read. */
  readonly used: number
}

interface Ranged extends Known {
  readonly from_date: string
  readonly to_date: string
  readonly today: string
}

export interface HealthAnswerRow extends Ranged {
  readonly outcome: "answer"
  /** How many of equal reads the month had room for; the rest are over the quota. */
  readonly granted: number
  readonly etag: string
  readonly data_version: string
  readonly sync_due: boolean
  readonly utc_offset_minutes: number | null
  readonly time_zone: string | null
  readonly provider: string
  readonly status: Exclude<ConnectionStatus, "disconnected">
  readonly last_synced_at: Date | null
  /** Records that the answer is made of, 1 for a profile. */
  readonly record_count: number
  /** The newest first, as JSON with commas between: what is shown as an object, what is not as a row. Null when the held body stands. */
  readonly records: string | null
  /** True when all are objects. */
  readonly are_shown: boolean | null
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

/** A record as a row: PostgreSQL writes it several times as fast as one with names, and we read it faster. */
export type FactRow = readonly [
  kind: HealthFact["kind"],
  date: string,
  scoreState: ScoreState,
  cycleProviderId: string | null,
  skinTempDeviation: number | null,
  detail: unknown,
]

export const factOf = ([kind, date, scoreState, cycleProviderId, skinTempDeviation, detail]: FactRow): HealthFact =>
  Object({ kind, date, scoreState, cycleProviderId, skinTempDeviation, detail })

/** The records of an answer whose records were wanted as rows, the newest first. */
export function factsOf({ records }: Pick<HealthAnswerRow, "records">): HealthFact[] {
  const rows: FactRow[] = JSON.parse(`[${records ?? ""}]`)
  return rows.map(factOf)
}

/** A row, and which of the requests it answers. */
type PositionedRow = HealthRow & { readonly position: number }

const READ_WHOLE = {
  name: "read_whole",
  text: `select "position", outcome, user_id, monthly_limit, used, granted, from_date, to_date, today, utc_offset_minutes, time_zone,
      data_version, etag, provider, status, last_synced_at, sync_due, record_count, records, are_shown, profile
    from restwell.read_whole($1, $2, $3)`,
}

/** Takes any number of reads in one round trip, by a statement that each connection prepares once. A row for each, in their order. */
export async function readHealthRows(
  { pool, clock, plans }: Pick<Context, "clock" | "plans"> & { readonly pool: Pool },
  requests: readonly HealthRead[],
): Promise<HealthRow[]> {
  const positioned = requests.map((request, position) => ({ ...request, position }))
  const values = [JSON.stringify(positioned), clock.now(), JSON.stringify(plans)]
  const rows = await againAfterDeadlock(() => pool.query<PositionedRow>({ ...READ_WHOLE, values }))
  return rows.rows.toSorted((one, other) => one.position - other.position)
}
