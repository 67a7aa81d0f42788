import type { RecordKind } from "@restwell/providers"
import type { Pool } from "pg"
import type { HealthSnapshot } from "./read-health.ts"
import { readStatement } from "./statement.ts"
import type { CycleFact, JournalFact, RecoveryFact, SleepFact, WorkoutFact } from "./stored-record.ts"

interface Placed {
  /** Milliseconds since the epoch. */
  readonly startedMs: number
  /** Minutes east of UTC. */
  readonly utcOffsetMinutes: number
}
/** A stored record, when it began and on which clock. */
export type HistoryFact = (SleepFact & Placed) | (RecoveryFact & Placed) | (WorkoutFact & Placed) | (CycleFact & Placed)

export interface WantedHistory {
  readonly providers: readonly string[]
  readonly kinds: readonly RecordKind[]
  readonly journal: boolean
  readonly recordDates: boolean
  /** The oldest date that may be read. */
  readonly from: string
}

export interface History {
  /** In no order. */
  readonly facts: readonly HistoryFact[]
  /** By provider, the dates with a record of any kind, oldest first. Empty where they are not wanted. */
  readonly recordDates: Readonly<Record<string, readonly string[]>>
  /** Oldest first. */
  readonly answers: readonly JournalFact[]
}

const READ_HISTORY = readStatement("read-history")

/** Reads records of every date. Returns undefined if the person's data have another version by now. */
export async function readHistory(
  pool: Pool,
  { userId, dataVersion }: Pick<HealthSnapshot, "userId" | "dataVersion">,
  { providers, kinds, journal, recordDates, from }: WantedHistory,
): Promise<History | undefined> {
  const values = [userId, dataVersion, providers, kinds, journal, from, recordDates]
  const { rows } = await pool.query<History>({ ...READ_HISTORY, values })
  return rows[0]
}
