import type { ProfileData } from "@restwell/client"
import type { Pool } from "pg"
import type { DateRange } from "../calendar/date-range.ts"
import type { TimeZone } from "../calendar/time-zone.ts"
import { monthOf } from "../quota/month.ts"
import type { Plan } from "../quota/plans.ts"
import type { ConnectionStatus } from "./connection.ts"
import { readStatement } from "./statement.ts"
import type { HealthFact, JournalFact } from "./stored-record.ts"

/** An API key's SHA-256 in hex, or a person who was authenticated otherwise. */
export type Credential = { readonly keyHash: string } | { readonly userId: string }

/** Which data to read beside the person. */
export interface WantedData {
  readonly kinds: readonly (HealthFact["kind"] | "journal")[]
  readonly range: DateRange
  readonly profile: boolean
}

/** Everything that one read is answered from, of one moment. */
export interface HealthSnapshot extends TimeZone {
  readonly userId: string
  readonly plan: Plan
  readonly dataVersion: string
  /** Requests counted this month. Null before the first. */
  readonly used: number | null
  /** The connection that answers. Null without any. */
  readonly provider: string | null
  readonly status: Exclude<ConnectionStatus, "disconnected"> | null
  readonly lastSyncedAt: Date | null
  /** The newest first. */
  readonly facts: readonly HealthFact[]
  /** Answers of the journal, the newest first. */
  readonly answers: readonly JournalFact[]
  readonly profile: ProfileData | null
}

export interface ConnectedSnapshot extends HealthSnapshot {
  readonly provider: string
  readonly status: Exclude<ConnectionStatus, "disconnected">
}

export const isConnected = (snapshot: HealthSnapshot): snapshot is ConnectedSnapshot => snapshot.provider !== null

const READ_HEALTH = readStatement("read-health")

/** Reads a person's data of some dates in one statement. Returns undefined for an unknown credential. */
export async function readHealthSnapshot(
  pool: Pool,
  credential: Credential,
  { kinds, range, profile }: WantedData,
  now: Date,
): Promise<HealthSnapshot | undefined> {
  const [keyHash, userId] =
    "keyHash" in credential ? [Buffer.from(credential.keyHash, "hex")] : [null, credential.userId]
  const values = [keyHash, userId, monthOf(now), kinds, range.from, range.to, profile]
  const { rows } = await pool.query<HealthSnapshot>({ ...READ_HEALTH, values })
  return rows[0]
}
