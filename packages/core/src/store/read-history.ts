import { RECORD_KINDS, type RecordKind } from "@restwell/providers"
import type { Pool } from "pg"
import type { HealthFact, JournalFact } from "./health-fact.ts"
import { parseFacts } from "./parse-facts.ts"
import type { HealthSnapshot } from "./read-health.ts"
import { runStatement } from "./run-statement.ts"
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
  /** By provider, the dates with a record of any kind, oldest first. Null where the facts are of every kind and tell them. */
  readonly recordDates: Readonly<Record<string, readonly string[]>> | null
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
  // Records of every kind are read anyway, and looking for their dates apart would take as long again.
  const areAllRead = RECORD_KINDS.every((kind) => kinds.includes(kind))
  const values = [userId, dataVersion, providers, kinds, journal, from, recordDates && !areAllRead]
  const { rows } = await runStatement<Omit<History, "facts"> & { readonly facts: string }>(pool, READ_HISTORY, values)
  const [row] = rows
  if (!row) return undefined
  return { ...row, facts: parseFacts(row.facts), recordDates: areAllRead ? null : row.recordDates }
}
