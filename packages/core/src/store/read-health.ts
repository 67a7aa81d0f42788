import type { ProfileData } from "@restwell/client"
import type { Pool } from "pg"
import type { DateRange } from "../calendar/date-range.ts"
import type { TimeZone } from "../calendar/time-zone.ts"
import { monthOf } from "../quota/month.ts"
import type { Plan } from "../quota/plans.ts"
import type { ConnectionStatus } from "./connection.ts"
import type { Candidate, HealthFact, JournalFact } from "./health-fact.ts"
import { parseCandidates, parseFacts } from "./parse-facts.ts"
import { runStatement } from "./run-statement.ts"
import type { SourcePreferences } from "./source-preferences.ts"
import { readStatement } from "./statement.ts"

/** An API key's SHA-256 in hex, or a person who was authenticated otherwise. */
export type Credential = { readonly keyHash: string } | { readonly userId: string }

/** Which data to read beside the person. */
export interface WantedData {
  readonly kinds: readonly (HealthFact["kind"] | "journal")[]
  readonly range: DateRange
  readonly profile: boolean
  /** The only source to read. Undefined reads all. */
  readonly source: string | undefined
  /** Whether every record is read as a whole, chosen or not. */
  readonly allRecords: boolean
}

/** A connection or an archive that may answer. */
export interface HealthSource {
  readonly provider: string
  readonly status: Exclude<ConnectionStatus, "disconnected">
  readonly lastSyncedAt: Date | null
}

/** Everything that one read is answered from, of one moment. */
export interface HealthSnapshot extends TimeZone {
  readonly userId: string
  readonly plan: Plan
  readonly dataVersion: string
  /** Requests counted this month. Null before the first. */
  readonly used: number | null
  /** By name. Empty without any connection or archive. */
  readonly sources: readonly HealthSource[]
  /**
   * Whole records, the newest first: of one source, or of the source that probably answers, or of all sources where every record is
   * wanted. With several sources also of the dates before and after.
   */
  readonly facts: readonly HealthFact[]
  /** The other sources' records to choose from. */
  readonly candidates: readonly Candidate[]
  /** Null with one source. */
  readonly preferences: SourcePreferences | null
  /** Answers of the journal, the newest first. */
  readonly answers: readonly JournalFact[]
  readonly profiles: readonly { readonly provider: string; readonly data: ProfileData }[]
}

const READ_HEALTH = readStatement("read-health")

/** Reads a person's data of some dates in one statement. Returns undefined for an unknown credential. */
export async function readHealthSnapshot(
  pool: Pool,
  credential: Credential,
  { kinds, range, profile, source, allRecords }: WantedData,
  now: Date,
): Promise<HealthSnapshot | undefined> {
  const [keyHash, userId] =
    "keyHash" in credential ? [Buffer.from(credential.keyHash, "hex")] : [null, credential.userId]
  const values = [keyHash, userId, monthOf(now), kinds, range.from, range.to, profile, source ?? null, allRecords]
  const { rows } = await runStatement<SnapshotRow>(pool, READ_HEALTH, values)
  const [row] = rows
  if (!row) return undefined
  const sources = row.sources.map(({ lastSyncedAt, ...source }) => ({
    ...source,
    lastSyncedAt: lastSyncedAt === null ? null : new Date(lastSyncedAt),
  }))
  const candidates = row.candidates === null ? [] : parseCandidates(row.candidates)
  return { ...row, sources, facts: parseFacts(row.facts), candidates }
}

const READ_FACTS = readStatement("read-facts")

/** Dates of one source's records. */
export interface FactDates {
  readonly provider: string
  readonly kind: HealthFact["kind"]
  readonly first: string
  readonly last: string
}

/** Reads whole records. Returns undefined if the person's data changed since their dates were chosen. */
export async function readFacts(
  pool: Pool,
  { userId, dataVersion }: Pick<HealthSnapshot, "userId" | "dataVersion">,
  dates: readonly FactDates[],
): Promise<readonly HealthFact[] | undefined> {
  const columns = (["provider", "kind", "first", "last"] as const).map((part) => dates.map((run) => run[part]))
  const values = [userId, dataVersion, ...columns]
  const { rows } = await runStatement<{ facts: string }>(pool, READ_FACTS, values)
  return rows[0] && parseFacts(rows[0].facts)
}

/** As it is read: records are JSON, and times inside of JSON are texts. */
type SnapshotRow = Omit<HealthSnapshot, "sources" | "facts" | "candidates"> & {
  readonly facts: string
  readonly candidates: string | null
  readonly sources: readonly (Omit<HealthSource, "lastSyncedAt"> & { readonly lastSyncedAt: string | null })[]
}
