import type { RecordKind } from "@restwell/providers"
import type { Pool } from "pg"
import type { HealthFact, JournalFact } from "./health-fact.ts"
import { parseFacts } from "./parse-facts.ts"
import type { HealthSnapshot } from "./read-health.ts"
import { readStatement } from "./statement.ts"

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
  readonly facts: readonly HealthFact[]
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
  const { rows } = await pool.query<Omit<History, "facts"> & { readonly facts: string }>({ ...READ_HISTORY, values })
  return rows[0] && { ...rows[0], facts: parseFacts(rows[0].facts) }
}
