import { RECORD_KINDS, type RecordKind } from "@restwell/providers"
import { type Pool, types } from "pg"
import type { HealthFact, JournalFact } from "./health-fact.ts"
import { parseFact } from "./parse-facts.ts"
import type { HealthSnapshot } from "./read-health.ts"
import { runStatement } from "./run-statement.ts"
import { readStatement, type Statement } from "./statement.ts"

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

/** A record is parsed while the next ones arrive. */
const READ_HISTORY: Statement = {
  ...readStatement("read-history"),
  types: {
    getTypeParser: (oid, format) => (oid === types.builtins.TEXT ? parseFact : types.getTypeParser(oid, format)),
  },
}

interface RecordRow {
  readonly fact: HealthFact
}

/** The one row without a record. */
interface RestRow extends Omit<History, "facts"> {
  readonly fact: null
}

/** Reads records of every date. Returns undefined if the person's data have another version by now. */
export async function readHistory(
  pool: Pool,
  { userId, dataVersion }: Pick<HealthSnapshot, "userId" | "dataVersion">,
  { providers, kinds, journal, recordDates, from }: WantedHistory,
): Promise<History | undefined> {
  // Records of every kind are read anyway, and looking for their dates apart would take as long again.
  const areAllRead = RECORD_KINDS.every((kind) => kinds.includes(kind))
  const values = [userId, dataVersion, providers, kinds, journal, from, recordDates && !areAllRead]
  const { rows } = await runStatement<RecordRow | RestRow>(pool, READ_HISTORY, values)
  const facts: HealthFact[] = []
  let rest: RestRow | undefined
  for (const row of rows)
    if (row.fact === null) rest = row
    else facts.push(row.fact)
  return rest && { facts, recordDates: areAllRead ? null : rest.recordDates, answers: rest.answers }
}
